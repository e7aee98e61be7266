// Reconciles one Capp on its site: ensures its workload, volumes and domain, and writes its status.
import { isDeepStrictEqual } from 'node:util';
import { CAPP, parseSpec, type Capp } from '../crds/capp/capp.ts';
import { SITE_CONDITION_TYPES } from '../crds/capp/conditions.ts';
import type { CappStatus } from '../crds/capp/status.ts';
import type { KnativeService } from '../crds/kubernetes/knative.ts';
import { normalise } from '../crds/capp/normalise.ts';
import { isReservedNamespace, reservedMessage } from '../crds/reserved-namespaces.ts';
import { applyStatus } from '../kube/apply-status.ts';
import { FIELD_MANAGER } from './objects/ensure.ts';
import { SiteFault, type Fault } from './objects/fault.ts';
import { isOwn } from './objects/owned.ts';
import { DEFAULT_AUTOSCALE } from './workload/autoscaling.ts';
import { workload } from './workload/service.ts';
import { siteStatus } from './status.ts';
import { claimDomain } from './route/domain-mapping.ts';
import { claimVolumes } from './volumes/nfs-pvc.ts';
import { BY_CAPP, type Site } from './watched.ts';

/** What an API server answers to a written status. */
export type Written = Pick<Capp, 'metadata' | 'status'>;

/**
 * Takes the Capp as its cache has it, with the newest status known. Gives the Capp as it was written, or null
 * if nothing was. A repeat finds everything as it should be and writes nothing. Throws what the site's API
 * server may yet come round to; the status says so before.
 */
export async function reconcile(site: Site, seen: Capp): Promise<Written | null> {
  const read = canonical(seen);
  if (read instanceof SiteFault) return publish(site, seen, { ...NOTHING, fault: faultOf(read) });
  if (isReserved(site, read)) return publish(site, read, { ...NOTHING, fault: reservedFault(read) });
  const work = unwritten(site, read, await attempt(() => workload(site, read)));
  const volumes = await attempt(() => claimVolumes(site, read));
  const route = await attempt(() => claimRoute(site, read));
  const outcome = {
    service: work.result ?? null,
    fault: work.fault,
    volumesFault: volumes.fault,
    routeFault: route.fault,
  };
  const written = await publish(site, read, outcome);
  const again = work.error ?? volumes.error ?? route.error;
  if (again !== null) throw again;
  return written;
}

/**
 * Which name a hostname is, and whether it is allowed, the site's configuration says: until it is known, the
 * route stays as it is.
 */
async function claimRoute(site: Site, capp: Capp): Promise<void> {
  const config = site.config.current();
  if (config !== null) await claimDomain(site, capp, config);
}

const NOTHING = { service: null, volumesFault: null, routeFault: null } as const;

/**
 * New in a namespace of the cluster's own parts, whose service accounts it could use. What runs there already
 * goes on.
 */
function isReserved({ watched, reserved }: Site, capp: Capp): boolean {
  const { name, namespace = '' } = capp.metadata;
  if (!isReservedNamespace(namespace, reserved)) return false;
  const live = watched.services.served() ? watched.services.get({ namespace, name }) : undefined;
  return live === undefined || !isOwn(live.metadata, capp);
}

function reservedFault({ metadata: { namespace = '' } }: Capp): Fault {
  return { reason: 'NamespaceReserved', message: `${reservedMessage(namespace)}.` };
}

function canonical(capp: Capp): Capp | SiteFault {
  try {
    return normalise({ ...capp, spec: parseSpec(capp.spec) }).capp;
  } catch (cause) {
    return new SiteFault(
      'Refused',
      `The Capp cannot be read: ${cause instanceof Error ? cause.message : 'unknown'}`,
      { cause },
    );
  }
}

interface Attempt<T> {
  readonly result?: T;
  /** What the Capp's user should read. */
  readonly fault: Fault | null;
  /** What should be retried. */
  readonly error: Error | null;
}

/** A refusal is retried too, with backoff: a policy or a quota may change. */
async function attempt<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { result: await work(), fault: null, error: null };
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    if (!(error instanceof SiteFault)) return { fault: null, error };
    return { fault: faultOf(error), error: error.reason === 'Refused' ? error : null };
  }
}

/**
 * A workload that could not be written is what stands there, and serves as it did: what may pass says nothing
 * against the Capp, and that an earlier generation is Ready says nothing for it.
 */
function unwritten(
  { watched, refusals }: Site,
  capp: Capp,
  tried: Attempt<KnativeService | null>,
): Attempt<KnativeService | null> {
  const isYoung = refusals.isYoung(capp, tried.error);
  if (tried.result !== undefined) return tried;
  const { name, namespace = '' } = capp.metadata;
  const live = watched.services.served() ? watched.services.get({ namespace, name }) : undefined;
  const result = live !== undefined && isOwn(live.metadata, capp) ? live : null;
  const message =
    "The site's API server has not accepted the Knative Service yet; the site operator tries again.";
  const fault = tried.fault ?? { reason: 'Refused', message };
  return { ...tried, result, fault: isYoung || tried.fault === null ? { ...fault, isPassing: true } : fault };
}

function faultOf({ reason, message }: SiteFault): Fault {
  return { reason, message };
}

interface Outcome {
  readonly service: KnativeService | null;
  readonly fault: Fault | null;
  readonly volumesFault: Fault | null;
  readonly routeFault: Fault | null;
}

async function publish(
  { kube, watched, config }: Site,
  capp: Capp,
  outcome: Outcome,
): Promise<Written | null> {
  const { name, namespace = '' } = capp.metadata;
  const key = `${namespace}/${name}`;
  const { service, fault, volumesFault, routeFault } = outcome;
  const revisions = watched.revisions.by(BY_CAPP, key);
  const pods = watched.pods.by(BY_CAPP, key);
  const volumes = { nfsPvcs: watched.nfsPvcs.by(BY_CAPP, key), fault: volumesFault };
  const { autoscale, dns } = config.current() ?? { autoscale: DEFAULT_AUTOSCALE, dns: null };
  const { limits } = autoscale;
  const mappings = watched.domainMappings.by(BY_CAPP, key);
  const route = { mappings, zone: dns?.zone ?? null, fault: routeFault };
  const status = siteStatus(capp, { service, revisions, pods, fault, volumes, route, limits }, now());
  if (isPublished(capp.status, status)) return null;
  return applyStatus<Written>(kube, CAPP, capp, { status, fieldManager: FIELD_MANAGER });
}

const OWN_FIELDS = [
  'observedGeneration',
  'applicationLinks',
  'knativeObjectStatus',
  'revisions',
  'volumesStatus',
  'routeStatus',
  'stateStatus',
] as const satisfies readonly (keyof CappStatus)[];

/** Whether the live status equals ours, with nothing left of an earlier one. */
function isPublished(before: CappStatus | undefined, status: CappStatus): boolean {
  if (before === undefined || !OWN_FIELDS.every((field) => isDeepStrictEqual(before[field], status[field])))
    return false;
  const own = status.conditions ?? [];
  const types: ReadonlySet<string> = new Set(SITE_CONDITION_TYPES);
  const ofOurs = before.conditions?.filter(({ type }) => types.has(type)) ?? [];
  if (ofOurs.length !== own.length) return false;
  return own.every((condition) =>
    isDeepStrictEqual(
      before.conditions?.find(({ type }) => type === condition.type),
      condition,
    ),
  );
}

/** Conditions have whole seconds. */
function now(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z');
}
