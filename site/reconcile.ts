// Reconciles one Capp on its site: ensures its workload, volumes, domain, logging and events, keeps its
// history, and writes its status.
import { parseSpec, UnreadableSpec, type Capp } from '../crds/capp/capp.ts';
import type { KnativeService } from '../crds/kubernetes/knative.ts';
import { normalise } from '../crds/capp/normalise.ts';
import { closedMessage } from '../crds/open-namespace.ts';
import { isReservedNamespace, reservedMessage } from '../crds/reserved-namespaces.ts';
import { claimSources } from './events/sources.ts';
import { claimLogging } from './logging/syslog-ng.ts';
import { SiteFault, type CappFault } from './objects/fault.ts';
import { isOwn } from './objects/owned.ts';
import { publish, type Faults, type WrittenStatus } from './status/publish.ts';
import { claimCertificate } from './route/certificate.ts';
import { allowedName, claimDomain } from './route/domain-mapping.ts';
import { claimRecord } from './route/record.ts';
import { claimVolumes } from './volumes/nfs-pvc.ts';
import { awaitedSecret } from './sealing/awaited.ts';
import type { OperatedSite } from './watched.ts';
import { workload } from './workload/service.ts';

/**
 * Takes the Capp as its cache has it, with the newest status known. Gives the Capp as it was written, or null
 * if nothing was. A repeat finds everything as it should be and writes nothing. Throws what the site's API
 * server may yet come round to; the status says so before.
 */
export async function reconcile(site: OperatedSite, seen: Capp): Promise<WrittenStatus | null> {
  const read = canonical(seen);
  if (read instanceof SiteFault) return publish(site, seen, null, only(faultOf(read)));
  if (isReserved(site, read)) return publish(site, read, null, only(reservedFault(read)));
  if (!(await site.openings.admits(read)))
    return publish(site, read, liveOf(site, read), only(closedFault(read)));
  const { namespace = '' } = read.metadata;
  const sealed = awaitedSecret(read, (name) => site.watched.cappSecrets.get({ namespace, name }));
  const tried = sealed === null ? await attempt(() => workload(site, read)) : { fault: sealed, error: null };
  const work = unwritten(site, read, tried);
  const volumes = await attempt(() => claimVolumes(site, read));
  const { certificate, route, record } = await claimRoute(site, read);
  const logging = await attempt(() => claimLogging(site, read));
  const events = await attempt(() => claimSources(site, read));
  const limit = site.config.current()?.revisionHistoryLimit ?? null;
  const kept = await attempt(() => site.history.keep(seen, limit));
  const written = await publish(site, read, work.result ?? null, {
    workload: work.fault,
    volumes: volumes.fault,
    route: route.fault,
    certificate: certificate.fault,
    record: record.fault,
    logging: logging.fault,
    events: events.fault,
  });
  const again =
    [work, volumes, certificate, route, record, logging, events, kept].find(({ error }) => error !== null)
      ?.error ?? null;
  if (again !== null) throw again;
  return written;
}

/**
 * Which name a hostname is, and whether it is allowed, the site's configuration says: until it is known, the
 * route stays as it is.
 */
async function claimRoute(
  site: OperatedSite,
  capp: Capp,
): Promise<Record<'certificate' | 'route' | 'record', Attempt<void>>> {
  const config = site.config.current();
  if (config === null) return { certificate: UNTRIED, route: UNTRIED, record: UNTRIED };
  const { name, fault } = allowedName(site, capp, config);
  const certificate = await attempt(() => claimCertificate(site, capp, name, config));
  const route = await attempt(() => claimDomain(site, capp, name));
  const record = await attempt(() => claimRecord(site, capp, name, config));
  return { certificate, route: fault === null ? route : { ...route, fault: faultOf(fault) }, record };
}

const UNTRIED = { fault: null, error: null } as const;

/** Of a Capp of which nothing is written. */
function only(workload: CappFault): Faults {
  return {
    workload,
    volumes: null,
    route: null,
    certificate: null,
    record: null,
    logging: null,
    events: null,
  };
}

/**
 * New in a namespace of the cluster's own parts, whose service accounts it could use. What runs there already
 * goes on.
 */
function isReserved({ watched, reserved }: OperatedSite, capp: Capp): boolean {
  const { namespace = '' } = capp.metadata;
  return isReservedNamespace(namespace, reserved) && liveOf({ watched }, capp) === null;
}

/** The Capp's own Service, or null. */
function liveOf({ watched: { services } }: Pick<OperatedSite, 'watched'>, capp: Capp): KnativeService | null {
  const { name, namespace = '' } = capp.metadata;
  const live = services.served() ? services.get({ namespace, name }) : undefined;
  return live !== undefined && isOwn(live.metadata, capp) ? live : null;
}

function reservedFault({ metadata: { namespace = '' } }: Capp): CappFault {
  return { reason: 'NamespaceReserved', message: `${reservedMessage(namespace)}.` };
}

function closedFault({ metadata: { namespace = '' } }: Capp): CappFault {
  return { reason: 'NamespaceClosed', message: `${closedMessage(namespace)}.` };
}

function canonical(capp: Capp): Capp | SiteFault {
  try {
    return normalise({ ...capp, spec: parseSpec(capp.spec) }).capp;
  } catch (cause) {
    if (!(cause instanceof UnreadableSpec)) throw cause;
    const message = `The Capp cannot be read (${cause.message}). Correct it, on the hub if that has shipped it.`;
    return new SiteFault('Refused', message, { cause });
  }
}

interface Attempt<T> {
  readonly result?: T;
  /** What the Capp's user should read. */
  readonly fault: CappFault | null;
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
  { watched, refusals }: OperatedSite,
  capp: Capp,
  tried: Attempt<KnativeService | null>,
): Attempt<KnativeService | null> {
  const isYoung = refusals.isYoung(capp, tried.error);
  if (tried.result !== undefined) return tried;
  const result = liveOf({ watched }, capp);
  const message =
    "The site's API server has not accepted the Knative Service yet; the site operator tries again.";
  const fault = tried.fault ?? { reason: 'Refused', message };
  return { ...tried, result, fault: isYoung || tried.fault === null ? { ...fault, isPassing: true } : fault };
}

function faultOf({ reason, message }: SiteFault): CappFault {
  return { reason, message };
}
