// What `kubectl capp doctor` rests on: objects of the hub as they were read.
import type { Bundle } from '../../crds/bundle/bundle.ts';
import type { Capp } from '../../crds/capp/capp.ts';
import type { ManagedCluster, ManagedClusterAddOn } from '../../crds/ocm/ocm.ts';
import type { AddOnPlacementScore, Placement, PlacementDecision } from '../../crds/ocm/placements.ts';
import type { HubStatusReport } from '../../crds/hub/hub-status.ts';
import type { RcsConfig } from '../../crds/hub/rcs-config.ts';
import type { CappSet } from '../../crds/set/cappset.ts';
import type { KubeObject } from '../../kube/resource.ts';

/** Null: the person may not read them. */
export type Read<T> = readonly T[] | null;

export interface WebhookConfiguration extends KubeObject {
  readonly webhooks?: readonly {
    readonly name: string;
    readonly clientConfig: { readonly caBundle?: string; readonly service?: { readonly namespace: string } };
  }[];
}

export interface ApiService extends KubeObject {
  readonly spec?: { readonly caBundle?: string };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

export interface PolicyBinding extends KubeObject {
  readonly spec?: { readonly policyName?: string; readonly validationActions?: readonly string[] };
}

export interface Deployment extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly template: { readonly spec: { readonly containers: readonly { readonly image?: string }[] } };
  };
  readonly status?: { readonly availableReplicas?: number; readonly observedGeneration?: number };
}

/** What became of a Capp that the webhook must refuse, sent as a dry run. */
export type Probe =
  | { readonly is: 'refused' | 'accepted' }
  /** In the API server's words. */
  | { readonly is: 'unanswered'; readonly why: string };

export interface DoctorFacts {
  /** Kinds as `<plural>.<group>`, and whether the API server serves them. */
  readonly served: Readonly<Record<string, boolean>>;
  readonly capps: Read<Capp>;
  readonly sets: Read<CappSet>;
  readonly bundles: Read<Bundle>;
  readonly configs: Read<RcsConfig>;
  /** What the bridge has published, perhaps nothing; null if the person may not read it. */
  readonly hubStatus: HubStatusReport | null;
  readonly clusters: Read<ManagedCluster>;
  readonly addOns: Read<ManagedClusterAddOn>;
  readonly scores: Read<AddOnPlacementScore>;
  readonly placements: Read<Placement>;
  readonly decisions: Read<PlacementDecision>;
  readonly validating: Read<WebhookConfiguration>;
  readonly mutating: Read<WebhookConfiguration>;
  /** Of the reader, where there is one. */
  readonly apiServices: Read<ApiService>;
  readonly policies: Read<KubeObject>;
  readonly policyBindings: Read<PolicyBinding>;
  readonly deployments: Read<Deployment>;
  readonly clusterAddOns: Read<KubeObject>;
  readonly clusterRoles: Read<KubeObject>;
  readonly clusterRoleBindings: Read<KubeObject>;
  /** The Go operators' add-ons: those of clusters, and those of the hub. */
  readonly formerAddOns: Read<KubeObject>;
  readonly formerClusterAddOns: Read<KubeObject>;
  /** Null: the person may not create Capps in the namespace where it was tried. */
  readonly probe: Probe | null;
  /** What processes need to be able to do and may not; null: the person may not ask. */
  readonly refusedActs: Read<{ readonly account: string; readonly act: string }>;
}

export interface Fault {
  /** In a word or two. */
  readonly about: string;
  /** One sentence. */
  readonly problem: string;
  /** One sentence. */
  readonly remedy: string;
}
