// How far an item of spec.services is rolled out, by its objects as the hub has them. Pure.
import { DEPLOYMENT } from '../../../../crds/kubernetes/core.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import type { Instance } from './instances.ts';
import type { LoadBalancerObjects } from './load-balancer.ts';
import type { MadeService } from './report.ts';

/** The Service is the first of what is made. */
export function serviceOf({ kind, name }: Instance, [service]: readonly KubeObject[]): MadeService {
  const { ports = [] } =
    (service as { spec?: { ports?: readonly { readonly nodePort?: number }[] } }).spec ?? {};
  const numbers = ports.map(({ nodePort = 0 }) => nodePort);
  const [first = 0, last = 0] = [numbers[0], numbers.at(-1)];
  return { name, kind, nodePorts: first === last ? String(first) : `${first}-${last}` };
}

interface DeploymentSeen {
  readonly spec?: { readonly replicas?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    /** Pods that are ending, of any version. Kubernetes says it since 1.35. */
    readonly terminatingReplicas?: number;
  };
}

export interface RollOut {
  /** Null: the newest configuration is there, a Pod of it serves, and none of an earlier one does. */
  readonly waiting: string | null;
  readonly isEnding: boolean;
}

/** Takes what was made, and the same objects as they were returned. */
export function rollOutOf(applied: readonly KubeObject[], made: LoadBalancerObjects): RollOut {
  const deployment = applied[made.findIndex(({ resource }) => resource === DEPLOYMENT)];
  if (deployment === undefined) return { waiting: null, isEnding: false };
  const { terminatingReplicas = 0 } = (deployment as DeploymentSeen).status ?? {};
  return { waiting: waitingFor(deployment), isEnding: terminatingReplicas > 0 };
}

function waitingFor(deployment: KubeObject): string | null {
  const { name, generation = 0, deletionTimestamp } = deployment.metadata;
  if (deletionTimestamp !== undefined) return `Deployment ${name} is being deleted, and is made again then`;
  const { spec: { replicas: wanted = 1 } = {}, status = {} } = deployment as DeploymentSeen;
  const { observedGeneration = 0, replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status;
  const isSeen = observedGeneration >= generation;
  const newest = isSeen ? updatedReplicas : 0;
  const older = Math.max(0, replicas - newest);
  if (isSeen && newest >= wanted && availableReplicas > 0 && older === 0) return null;
  const says = `Deployment ${name} has ${newest} of ${wanted} Pods of its newest version, and ${availableReplicas} that serve`;
  return older === 0 ? says : `${says}; ${older} may be of an earlier version`;
}
