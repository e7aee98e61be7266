// The fields of a Pod that the kubelet's stand-in reads and writes.
import type { ObjectMeta } from '../../../../kube/resource.ts';

export interface Named {
  readonly name?: string;
  readonly optional?: boolean;
}

export interface Keyed extends Named {
  readonly key: string;
}

export interface Items extends Named {
  readonly items?: readonly { readonly key: string }[];
}

export interface ContainerSpec {
  readonly name: string;
  readonly image?: string;
  /** `Always` on an init container: a sidecar that keeps running. */
  readonly restartPolicy?: string;
  readonly env?: readonly {
    readonly name: string;
    readonly valueFrom?: { readonly configMapKeyRef?: Keyed; readonly secretKeyRef?: Keyed };
  }[];
  readonly envFrom?: readonly {
    readonly prefix?: string;
    readonly configMapRef?: Named;
    readonly secretRef?: Named;
  }[];
}

export interface VolumeSpec {
  readonly name: string;
  readonly configMap?: Items;
  readonly secret?: Omit<Items, 'name'> & { readonly secretName?: string };
  readonly projected?: {
    readonly sources?: readonly { readonly configMap?: Items; readonly secret?: Items }[];
  };
  readonly persistentVolumeClaim?: { readonly claimName: string };
}

export interface Terminated {
  readonly exitCode: number;
  readonly reason: string;
  readonly startedAt: string;
  readonly finishedAt: string;
}

export interface ContainerState {
  readonly waiting?: { readonly reason: string; readonly message?: string };
  readonly running?: { readonly startedAt: string };
  readonly terminated?: Terminated;
}

export interface StandInContainerStatus {
  readonly name: string;
  readonly image: string;
  readonly imageID: string;
  readonly ready: boolean;
  readonly started: boolean;
  readonly restartCount: number;
  readonly state: ContainerState;
  readonly lastState: ContainerState;
}

export interface PodCondition {
  readonly type: string;
  readonly status: 'True' | 'False';
  /** The API server always writes it. */
  readonly lastProbeTime: null;
  readonly lastTransitionTime: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface PodStatus {
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed';
  readonly startTime: string;
  readonly hostIP: string;
  readonly hostIPs: readonly { readonly ip: string }[];
  readonly podIP?: string;
  readonly podIPs?: readonly { readonly ip: string }[];
  readonly conditions: readonly PodCondition[];
  readonly initContainerStatuses?: readonly StandInContainerStatus[];
  readonly containerStatuses: readonly StandInContainerStatus[];
}

export interface StandInPod {
  readonly metadata: ObjectMeta & { readonly deletionGracePeriodSeconds?: number };
  readonly spec: {
    readonly restartPolicy?: 'Always' | 'OnFailure' | 'Never';
    readonly containers: readonly ContainerSpec[];
    readonly initContainers?: readonly ContainerSpec[];
    readonly volumes?: readonly VolumeSpec[];
  };
  readonly status?: Partial<PodStatus>;
}

/** The other objects on the site. Keys are null when the object does not exist. */
export interface PodWorld {
  secretKeys(namespace: string, name: string): ReadonlySet<string> | null;
  configMapKeys(namespace: string, name: string): ReadonlySet<string> | null;
  claim(namespace: string, name: string): 'bound' | 'unbound' | 'missing';
}
