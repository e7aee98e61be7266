// Leads the DNS record of a Capp's hostname to the site that serves it. The record is changed, never deleted
// and made again: in between, the hostname would not exist.
import type { Capp } from '../../../crds/capp/capp.ts';
import { RECORDS, type CnameRecord, type NamedRecord } from '../../../crds/dns-record.ts';
import { conditionOf } from '../../../crds/kubernetes/core.ts';
import { ingressNameOf } from '../../../crds/ocm/cluster-claim.ts';
import type { ManagedCluster } from '../../../crds/ocm/ocm.ts';
import type { DnsConfig, RcsConfig, RcsConfigSpec } from '../../../crds/hub/rcs-config.ts';
import { isAlreadyExists, retryOnConflict } from '../../../kube/failure.ts';
import type { Kube } from '../../../kube/client.ts';
import { containsAll, keyOf, type Key, type Resource } from '../../../kube/resource.ts';
import type { Cache } from '../../../kube/watch/cache.ts';
import type { Hub, Pointed } from '../../../workflows/ports/hub.ts';
import type { CappRef } from '../../../workflows/capp/state.ts';
import { acting } from '../../trying.ts';
import { readCapp } from '../capps.ts';
import { holdsInTime } from '../place/caught-up.ts';
import { closedTo, knownRival, takenMessage } from '../ship/hostname.ts';
import { isMarked, leadsElsewhere, recordNamed, recordsOf, unmarkedOf } from './records.ts';
import { recordName, renderRecord, targetOn } from './render.ts';

export interface PointOptions {
  readonly kube: Kube;
  readonly caches: {
    readonly configs: Pick<Cache<RcsConfig>, 'get' | 'caughtUpWith' | 'onSeen'>;
    readonly capps: Pick<Cache<Capp>, 'by'>;
    readonly clusters: Pick<Cache<ManagedCluster>, 'get' | 'list' | 'caughtUpWith' | 'onSeen'>;
  };
  /** The key of the RCSConfig. */
  readonly config: Key;
}

export function hubPoint(options: PointOptions): Pick<Hub, 'point'> {
  return {
    point: (ref, cluster, minimumVersions) =>
      acting(options.kube, async (kube) => {
        if (!(await isNewEnough(options.caches, minimumVersions))) return { outcome: 'Pending', ...BEHIND };
        return retryOnConflict(() => point({ ...options, kube }, ref, cluster));
      }),
  };
}

/** Whether the caches have what rang. */
export function isNewEnough(
  { configs, clusters }: PointOptions['caches'],
  { RCSConfig: config, ManagedCluster: claims }: Readonly<Record<string, string>>,
): Promise<boolean> {
  return holdsInTime(
    [configs, clusters],
    () =>
      (config === undefined || configs.caughtUpWith(config)) &&
      (claims === undefined || clusters.caughtUpWith(claims)),
  );
}

const BEHIND: Fault = {
  reason: 'RecordPending',
  message: "The hub worker's caches are behind the change that rang. It looks again in a moment.",
};

async function point(
  { kube, caches, config }: PointOptions,
  ref: CappRef,
  cluster: string,
): Promise<Pointed> {
  const known = caches.configs.get(config);
  if (known === undefined) return { outcome: 'Pending', ...NO_CONFIG };
  const { dns } = known.spec;
  const read = await readCapp(kube, ref);
  if (dns === undefined || read.is !== 'there') return { outcome: 'None' };
  const { capp } = read;
  const resource = RECORDS[dns.kind ?? 'Namespaced'];
  const own = await recordsOf(kube, resource, ref);
  if (own === null) return pending(notServed(resource), false);
  const name = recordName(capp, dns);
  if (name === null) {
    await Promise.all(own.map((one) => drop(kube, resource, one)));
    return { outcome: 'None' };
  }
  // What the status says is what users are told. A try that comes late must not lead them elsewhere.
  const { live, other } = await recordNamed(kube, { resource, name, ref, own });
  const sites = caches.clusters.list();
  const isThere = live !== undefined || (other !== undefined && leadsElsewhere(other, sites, cluster));
  if (capp.status?.migration?.serving !== cluster) return pending(unpublished(cluster), isThere);
  const target = targetOn(cluster, caches.clusters.get({ namespace: null, name: cluster }), dns);
  if (typeof target !== 'string') return pending(target, isThere);
  const ingresses = sites.flatMap((one) => ingressNameOf(one) ?? []);
  const unowned =
    live === undefined ? notTheirs(capp, { capps: caches.capps, spec: known.spec, config }) : null;
  if (unowned !== null) return pending(unowned, isThere);
  return keep(kube, { capp, resource, name, target, dns, ingresses, own, live, isThere });
}

/**
 * A hostname that the Capp asks for and may not have, as it was written while no webhook answered: no record
 * is made for it. One that is there stays.
 */
function notTheirs(
  capp: Capp,
  {
    capps,
    spec,
    config,
  }: { readonly spec: RcsConfigSpec; readonly config: Key } & Pick<PointOptions['caches'], 'capps'>,
): Fault | null {
  const { dns, domains } = spec;
  const rival = knownRival(capps, capp, dns?.zone);
  if (rival !== null) return { reason: 'NameTaken', message: takenMessage(capp, rival) };
  const closed = closedTo(capp, { zone: dns?.zone, domains, config });
  return closed === null ? null : { reason: 'RecordImpossible', message: closed };
}

interface Keeping {
  readonly capp: Capp;
  readonly resource: Resource;
  readonly name: string;
  readonly target: string;
  readonly dns: DnsConfig;
  /** The ingress names of all sites. */
  readonly ingresses: readonly string[];
  readonly own: readonly NamedRecord[];
  readonly live: NamedRecord | undefined;
  /** Users may be led by a record of that name, elsewhere than to the target. */
  readonly isThere: boolean;
}

async function keep(kube: Kube, keeping: Keeping): Promise<Pointed> {
  const { capp, resource, name, target, dns, own, live, isThere } = keeping;
  const wanted = renderRecord(capp, name, target, keeping);
  if ('reason' in wanted) return pending(wanted, isThere);
  if (live?.metadata.deletionTimestamp !== undefined) return pending(going(name), false);
  if (live === undefined) {
    const isMade = await create(kube, resource, wanted);
    if (!isMade) return pending(taken(name), isThere);
  } else if (!containsAll(live.spec, wanted.spec) || !isMarked(live, capp))
    await change(kube, resource, live, wanted);
  // The record of an earlier hostname goes when that of the new one is there.
  const former = own.filter(({ metadata }) => metadata.name !== name);
  await Promise.all(former.map((one) => drop(kube, resource, one)));
  const isUnchanged = live !== undefined && containsAll(live.spec, wanted.spec);
  if (!isUnchanged) return pending(unsynced(name, undefined), true);
  return isSynced(live, target)
    ? { outcome: 'Synced', message: `${name} leads to ${target}.`, ttlSeconds: dns.ttlSeconds }
    : pending(unsynced(name, live), true);
}

/** False if somebody else's record has the name. */
async function create(kube: Kube, resource: Resource, wanted: CnameRecord): Promise<boolean> {
  try {
    await kube.create(resource, wanted);
    return true;
  } catch (error) {
    if (isAlreadyExists(error)) return false;
    throw error;
  }
}

async function change(
  kube: Kube,
  resource: Resource,
  live: NamedRecord,
  { metadata, spec }: CnameRecord,
): Promise<void> {
  const { uid, resourceVersion } = live.metadata;
  const { labels } = metadata;
  await kube.patch(resource, keyOf(live), { metadata: { uid, resourceVersion, labels }, spec });
}

async function drop(kube: Kube, resource: Resource, live: NamedRecord): Promise<void> {
  const { uid = '', deletionTimestamp } = live.metadata;
  if (deletionTimestamp === undefined) await kube.remove(resource, keyOf(live), { uid });
}

/** DNS has the target. A provider that does not say what it has found counts by its conditions alone. */
export function isSynced({ status }: CnameRecord, target: string): boolean {
  const isSo = (type: string): boolean => conditionOf(status?.conditions, type)?.status === 'True';
  const found = status?.atProvider?.cname?.toLowerCase().replace(/\.$/, '');
  return isSo('Synced') && isSo('Ready') && (found === undefined || found === target);
}

type Fault = Omit<Extract<Pointed, { outcome: 'Pending' }>, 'outcome' | 'isThere'>;

function pending({ reason, message }: Fault, isThere: boolean): Pointed {
  return { outcome: 'Pending', reason, message, isThere };
}

const NO_CONFIG: Fault = {
  reason: 'NoConfig',
  message: 'The hub has no RCSConfig, so DNS records stay as they are. Create it.',
};

function notServed({ apiVersion, kind }: Resource): Fault {
  const message = `The hub does not serve ${kind} of ${apiVersion}, so it makes no DNS record. Install the provider, or remove dns from the RCSConfig.`;
  return { reason: 'NotServed', message };
}

function unpublished(cluster: string): Fault {
  return { reason: 'RecordPending', message: `The record is led to ${cluster} once the status says so.` };
}

function going(name: string): Fault {
  return {
    reason: 'RecordPending',
    message: `Somebody is deleting the CNAMERecord ${name}. It is made again when it is gone.`,
  };
}

function taken(name: string): Fault {
  return {
    reason: 'NameTaken',
    message: `A CNAMERecord ${name} exists that is not of this Capp. Delete it, or choose another hostname.`,
  };
}

/** Characters of the DNS provider's words that a message repeats. */
const LONGEST = 200;

function unsynced(name: string, live: CnameRecord | undefined): Fault {
  const bad = ['Synced', 'Ready']
    .map((type) => conditionOf(live?.status?.conditions, type))
    .find((condition) => condition !== undefined && condition.status !== 'True');
  const said = (bad?.message ?? '').slice(0, LONGEST).replace(/\.$/, '');
  const why = bad === undefined ? '' : `: ${bad.reason ?? 'Unknown'}${said === '' ? '' : `, ${said}`}`;
  return { reason: 'RecordPending', message: `The provider has not brought ${name} to DNS yet${why}.` };
}

/**
 * Deletes the Capp's cluster-scoped records; those in its namespace are garbage-collected with it. A repeat
 * finds none. Throws ApiError.
 */
export async function dropRecords({ kube, caches, config }: PointOptions, ref: CappRef): Promise<void> {
  if (caches.configs.get(config)?.spec.dns?.kind !== 'Cluster') return;
  const own = await recordsOf(kube, RECORDS.Cluster, ref);
  if (own === null) return;
  const unmarked = await unmarkedOf(kube, RECORDS.Cluster, ref);
  await Promise.all([...own, ...unmarked].map((one) => drop(kube, RECORDS.Cluster, one)));
}
