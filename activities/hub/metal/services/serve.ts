// Makes the load balancers and jump hosts that a SIPCluster asks for, for the hosts that it has, and takes
// away those that it does not ask for any more.
import { SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import type { BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import type { SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import type { Kube } from '../../../../kube/client.ts';
import { isForbidden } from '../../../../kube/failure.ts';
import { applyAll, isOf, refuseWithoutDeployments, removeOthers, ServiceRefused } from './apply.ts';
import { isAuthorizedKey } from './authorized-keys.ts';
import { HOST_KEY, hostKeyOf } from './host-key.ts';
import { readServedHosts, type HostFault, type ServedHost } from './hosts.ts';
import { instancesOf, type Instance } from './instances.ts';
import { jumpHost, type JumpInstance } from './jump-host.ts';
import { loadBalancer, type LoadBalancerObjects } from './load-balancer.ts';
import {
  goingReport,
  goingWords,
  madeEarlierIn,
  NOT_ASKED,
  notAllowedIn,
  ofHosts,
  stillRunIn,
  type MadeService,
  type ServicesReport,
} from './report.ts';
import { rollOutOf, serviceOf } from './rolled-out.ts';

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
  const before = cluster.status?.services ?? [];
  if (!allowed.has(namespace)) {
    if (before.length > 0) return stillRunIn(namespace, before);
    return instances.length === 0 ? NOT_ASKED : notAllowedIn(namespace);
  }
  const names = new Set(instances.map(({ name }) => name));
  try {
    // First, since they may hold a port that another one wants now.
    const going = await removeOthers(kube, cluster, names);
    const stays = new Set([...names, ...going]);
    const mayRun = before.filter(({ name }) => stays.has(name));
    if (instances.length === 0) return going.length === 0 ? NOT_ASKED : goingReport(going, mayRun);
    await refuseWithoutDeployments(kube, cluster);
    const { hosts, faults } = await readServedHosts(kube, own, instances);
    return reportOf(await makeAll(kube, cluster, instances, hosts), { faults, going, mayRun });
  } catch (error) {
    return faultReport(asFault(error), before);
  }
}

/**
 * Null: nothing of the SIPCluster's services is left. Otherwise why, without a full stop. Throws ApiError.
 */
export async function stopServing(
  kube: Kube,
  cluster: SipCluster,
  allowed: ServiceNamespaces,
): Promise<string | null> {
  const { metadata, status } = cluster;
  const { namespace = '' } = metadata;
  const before = status?.services ?? [];
  if (!allowed.has(namespace)) return before.length === 0 ? null : madeEarlierIn(namespace, before);
  try {
    const going = await removeOthers(kube, cluster, new Set());
    return going.length === 0 ? null : goingWords(going);
  } catch (error) {
    return asFault(error).message;
  }
}

interface MadeAll {
  readonly services: readonly MadeService[];
  /** Sentences about Deployments that do not serve yet. */
  readonly waiting: readonly string[];
  /** A Pod that still ends may be of an earlier version. */
  readonly isEnding: boolean;
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
  let isEnding = false;
  for (const instance of instances)
    try {
      const made = await madeFor(kube, cluster, instance, hosts);
      const applied = await applyAll(kube, cluster, made);
      services.push(serviceOf(instance, applied));
      const rollOut = rollOutOf(applied, made);
      if (rollOut.waiting !== null) waiting.push(rollOut.waiting);
      isEnding ||= rollOut.isEnding;
    } catch (error) {
      faults.push(asFault(error));
    }
  return { services, waiting, isEnding, fault: faults[0] ?? null };
}

function asFault(error: unknown): Fault {
  if (error instanceof SpecFault || error instanceof ServiceRefused) return error;
  throw error;
}

interface Beside {
  readonly faults: readonly HostFault[];
  /** What is not asked for any more, and is still there. */
  readonly going: readonly string[];
  /** What was made earlier: as it is, where it cannot be made as it should be now. */
  readonly mayRun: readonly MadeService[];
}

function reportOf(
  { services: made, waiting, isEnding, fault }: MadeAll,
  { faults, going, mayRun }: Beside,
): ServicesReport {
  const services = [...made, ...mayRun.filter(({ name }) => made.every((one) => one.name !== name))];
  const unready = [...waiting, ...(going.length === 0 ? [] : [goingWords(going)])];
  const message = unready.length === 0 ? '' : `${unready.join('. ')}.`;
  if (fault !== null) {
    const said = faultReport(fault, services);
    return going.length === 0 ? said : { ...said, message: `${said.message} ${goingWords(going)}.` };
  }
  const isCurrent = unready.length === 0 && !isEnding;
  if (faults.length > 0) return { reason: 'HostData', message: ofHosts(faults), services, isCurrent };
  return { reason: unready.length === 0 ? 'Serving' : 'Deploying', message, services, isCurrent };
}

function faultReport(fault: Fault, services: readonly MadeService[]): ServicesReport {
  const isCurrent = false;
  if (fault instanceof SpecFault) return { reason: 'BadSpec', message: fault.message, services, isCurrent };
  const reason = fault.isForeign ? 'Foreign' : 'WriteRefused';
  return { reason, message: `${fault.message}. It is tried again each minute.`, services, isCurrent };
}

async function madeFor(
  kube: Kube,
  cluster: SipCluster,
  instance: Instance,
  hosts: readonly ServedHost[],
): Promise<LoadBalancerObjects> {
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
