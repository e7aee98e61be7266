// Makes the load balancers and jump hosts that a SIPCluster asks for, for the hosts that it has, and takes
// away those that it does not ask for any more.
import { DEPLOYMENT, SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import type { BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import type { SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import type { Kube } from '../../../../kube/client.ts';
import { isForbidden } from '../../../../kube/failure.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { applyAll, isOf, removeOthers, ServiceRefused } from './apply.ts';
import { isAuthorizedKey } from './authorized-keys.ts';
import { HOST_KEY, hostKeyOf } from './host-key.ts';
import { readServedHosts, type ServedHost } from './hosts.ts';
import { instancesOf, type Instance } from './instances.ts';
import { jumpHost, type JumpInstance } from './jump-host.ts';
import { loadBalancer, type Made } from './load-balancer.ts';
import { NOT_ASKED, notAllowedIn, ofHosts, type MadeService, type ServicesReport } from './report.ts';

/** Where the hub workers may make services. */
export type ServiceNamespaces = ReadonlySet<string>;

/** Private keys of hosts in one Secret; ssh offers six at most before a server hangs up. */
const MOST_PRIVATE_KEYS = 20;

/** A spec that only fails when it is carried out. */
class SpecFault extends Error {}

/** Takes the hosts that the SIPCluster has and keeps. Throws ApiError for what may pass. */
export async function serveCluster(
  kube: Kube,
  cluster: SipCluster,
  own: readonly BareMetalHost[],
  allowed: ServiceNamespaces,
): Promise<ServicesReport> {
  const instances = instancesOf(cluster);
  const { namespace = '' } = cluster.metadata;
  if (!allowed.has(namespace)) return instances.length === 0 ? NOT_ASKED : notAllowedIn(namespace);
  try {
    // First, since they may hold a port that another one wants now.
    await removeOthers(kube, cluster, new Set(instances.map(({ name }) => name)));
  } catch (error) {
    return reportOf(asFault(error), []);
  }
  if (instances.length === 0) return NOT_ASKED;
  const { hosts, faults } = await readServedHosts(kube, own, instances);
  const made = await makeAll(kube, cluster, instances, hosts);
  if (made.fault !== null) return reportOf(made.fault, made.services);
  if (faults.length > 0) return { reason: 'HostData', message: ofHosts(faults), services: made.services };
  return made.waiting.length === 0
    ? { reason: 'Serving', message: '', services: made.services }
    : { reason: 'Deploying', message: `${made.waiting.join('. ')}.`, services: made.services };
}

/** True: nothing of the SIPCluster's services is left. Throws ServiceRefused and ApiError. */
export async function stopServing(
  kube: Kube,
  cluster: SipCluster,
  allowed: ServiceNamespaces,
): Promise<boolean> {
  return !allowed.has(cluster.metadata.namespace ?? '') || removeOthers(kube, cluster, new Set());
}

interface MadeAll {
  readonly services: readonly MadeService[];
  /** Sentences about Deployments that do not serve yet. */
  readonly waiting: readonly string[];
  /** The first of what went wrong. */
  readonly fault: Fault | null;
}

type Fault = SpecFault | ServiceRefused;

/** One that cannot be made keeps no other from being made. */
async function makeAll(
  kube: Kube,
  cluster: SipCluster,
  instances: readonly Instance[],
  hosts: readonly ServedHost[],
): Promise<MadeAll> {
  const services: MadeService[] = [];
  const waiting: string[] = [];
  const faults: Fault[] = [];
  for (const instance of instances)
    try {
      const made = await madeFor(kube, cluster, instance, hosts);
      const applied = await applyAll(kube, cluster, made);
      services.push(serviceOf(instance, applied));
      const words = waitingFor(applied, made);
      if (words !== null) waiting.push(words);
    } catch (error) {
      faults.push(asFault(error));
    }
  return { services, waiting, fault: faults[0] ?? null };
}

function asFault(error: unknown): Fault {
  if (error instanceof SpecFault || error instanceof ServiceRefused) return error;
  throw error;
}

function reportOf(fault: Fault, services: readonly MadeService[]): ServicesReport {
  if (fault instanceof SpecFault) return { reason: 'BadSpec', message: fault.message, services };
  const reason = fault.isForeign ? 'Foreign' : 'WriteRefused';
  return { reason, message: `${fault.message}. It is tried again each minute.`, services };
}

async function madeFor(
  kube: Kube,
  cluster: SipCluster,
  instance: Instance,
  hosts: readonly ServedHost[],
): Promise<Made> {
  if (instance.kind !== 'jumpHost') return loadBalancer(cluster, instance, hosts);
  checkKeys(instance);
  const privateKeys = await privateKeysOf(kube, cluster, instance);
  const hostKey = hostKeyOf(await keptHostKey(kube, cluster, instance));
  return jumpHost(cluster, instance, { hosts, privateKeys, hostKey });
}

function checkKeys({ item, field }: JumpInstance): void {
  const bad = (item.sshAuthorizedKeys ?? []).findIndex((line) => !isAuthorizedKey(line));
  if (bad >= 0)
    throw new SpecFault(
      `${field}.sshAuthorizedKeys[${bad}] is no public key for SSH: it must be a line such as that of ~/.ssh/id_ed25519.pub.`,
    );
}

/** Only the names: what is in them never leaves the Secret. */
async function privateKeysOf(kube: Kube, { metadata }: SipCluster, jump: JumpInstance): Promise<string[]> {
  const { nodeSSHPrivateKeys: name } = jump.item;
  const field = `${jump.field}.nodeSSHPrivateKeys`;
  if (name === '') throw new SpecFault(`${field} must name a Secret of the SIPCluster's namespace.`);
  const secret = await kube
    .get<Secret>(SECRET, { namespace: metadata.namespace ?? '', name })
    .catch((error: unknown) => {
      if (!isForbidden(error)) throw error;
      throw new SpecFault(`${field}: the hub refuses to have Secret ${name} read.`);
    });
  if (secret === null)
    throw new SpecFault(`${field}: there is no Secret ${name}. Make it: it is looked for each minute.`);
  const keys = Object.keys(secret.data ?? {});
  if (keys.length > MOST_PRIVATE_KEYS)
    throw new SpecFault(`${field}: Secret ${name} has more than ${MOST_PRIVATE_KEYS} keys.`);
  return keys;
}

async function keptHostKey(
  kube: Kube,
  cluster: SipCluster,
  { name }: JumpInstance,
): Promise<string | undefined> {
  const key = { namespace: cluster.metadata.namespace ?? '', name };
  const secret = await kube.get<Secret>(SECRET, key);
  return secret !== null && isOf(secret, cluster) ? secret.data?.[HOST_KEY] : undefined;
}

function serviceOf({ kind, name }: Instance, [service]: readonly KubeObject[]): MadeService {
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
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
  };
}

/** Null: the newest configuration is there, and a Pod serves. */
function waitingFor(applied: readonly KubeObject[], made: Made): string | null {
  const at = made.findIndex(({ resource }) => resource === DEPLOYMENT);
  const deployment = applied[at];
  if (deployment === undefined) return null;
  const { spec, status = {} } = deployment as DeploymentSeen;
  const wanted = spec?.replicas ?? 1;
  const { observedGeneration = 0, updatedReplicas = 0, availableReplicas = 0 } = status;
  const isSeen = observedGeneration >= (deployment.metadata.generation ?? 0);
  if (isSeen && updatedReplicas >= wanted && availableReplicas > 0) return null;
  return `Deployment ${deployment.metadata.name} has ${isSeen ? updatedReplicas : 0} of ${wanted} Pods of its newest version, and ${availableReplicas} that serve`;
}
