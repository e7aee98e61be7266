// Ships a Capp to a cluster: the only place where desired state becomes a ManifestWork.
import { ApplicationFailure } from '@temporalio/common';
import type { Capp } from '../../../crds/capp/capp.ts';
import { MIGRATION_DEFAULTS } from '../../../crds/capp/spec/migration.ts';
import type { HubReason } from '../../../crds/capp/conditions.ts';
import { PAUSED, requestedBy } from '../../../crds/labels.ts';
import type { ManifestWork } from '../../../crds/ocm/ocm.ts';
import { type ApiError, retryOnConflict } from '../../../kube/failure.ts';
import { withApplied } from '../../../workflows/capp/after/apply.ts';
import { Failure } from '../../../workflows/failures.ts';
import type { Hub } from '../../../workflows/ports/hub.ts';
import type { Applied } from '../../../workflows/ports/applied.ts';
import type { CappRef, State } from '../../../workflows/capp/state.ts';
import type { Copy } from '../../../workflows/types/copy.ts';
import { refusedAs } from '../../raise.ts';
import { acting, tryNumber } from '../../trying.ts';
import { isNewEnough } from '../dns/point.ts';
import { asksForRecord } from '../dns/render.ts';
import { isPaused } from '../../../crds/capp/requests.ts';
import { readCapp } from '../capps.ts';
import { claimOf, namedWorks, type WorkClaim } from '../claim.ts';
import { decisionsNow, isWarranted } from '../place/decided-now.ts';
import { sitesIn, type WarrantOptions } from '../place/warrant.ts';
import type { Warning } from '../status/happenings.ts';
import type { Sources } from './neighbours.ts';
import { publishStatus, type Press } from '../status/publish.ts';
import { hostnameRules } from './hostname.ts';
import { readAhead, readFor, type Ahead } from './ahead.ts';
import { sayHeldUp, wordsFor } from './held-up.ts';
import { missingWarning, tooLargeMessage } from './refusals.ts';
import { isKept, keepRevision } from './revision.ts';
import { noteRollback } from './rolled-back.ts';
import { unnoted } from '../site/taken-up.ts';
import { findWork } from '../works.ts';
import { factsOf } from '../status/work-facts.ts';
import { failureFor } from './failed-before.ts';
import { bearing, ordersOf } from './orders.ts';
import { shipTo } from './parcel.ts';
import { prepareSealed } from './sealing.ts';
import { foundAgain, isThere, isWarrantedBy } from './work-there.ts';

interface Outcome {
  readonly applied: Applied;
  /** The Capp as it was read or last written; null if its status is not to be published. */
  readonly capp: Capp | null;
  readonly warnings: readonly Warning[];
  /**
   * Nothing had to be written: a workflow that was started over finds what an earlier one has shipped and
   * published.
   */
  readonly isUnchanged: boolean;
}

const NOTHING_TOLD = { warnings: [], isUnchanged: false } as const;

type Parts = Sources & Press & WarrantOptions;

export function hubApply(all: Parts): Pick<Hub, 'apply'> {
  return {
    apply: (ref, cluster, state, record) =>
      acting(all.kube, async (kube) => {
        const sources = { ...all, kube };
        // A deletion cannot be undone, so a cache that knows of it is new enough.
        if (isGoing(all.caches.capps.get(ref), ref)) return { outcome: 'Deleted' };
        const errand = { ref, cluster, state };
        const shipping = retryOnConflict((tries) => ship(sources, errand, tries > 1));
        const { applied, capp, warnings, isUnchanged } = await shipping.catch(async (error: unknown) => {
          await sayHeldUp(sources, errand, error);
          throw error;
        });
        // A workflow that was started over knows less than the status shows. The status is empty if the try
        // that created the work published nothing.
        if (isUnchanged && state.published === null && capp?.status !== undefined) return applied;
        if (capp === null || applied.outcome === 'Deleted' || applied.outcome === 'Replaced') return applied;
        const { serving } = state;
        const asked = { applied, capp, cluster, serving, claim: claimOf(all.caches, ref) };
        const warranted = (await isWarrantedBy(kube, asked)) ? { warranted: cluster } : {};
        const publication = { record, mirror: null, at: applied.at, ...warranted };
        await publishStatus(sources, capp, withApplied(state, cluster, applied), {
          ...publication,
          warnings,
          created: isNew(applied) ? cluster : null,
        });
        return applied;
      }),
  };
}

function isGoing(known: Capp | undefined, { uid }: CappRef): boolean {
  return known?.metadata.uid === uid && known.metadata.deletionTimestamp !== undefined;
}

/** A work was shipped or found there. */
function isSent(copy: Copy | undefined): boolean {
  return copy !== undefined && (copy.stamp !== null || copy.found === true);
}

/** What is on a cluster where the workflow has no copy is not known. */
function mayBeThere({ copies }: State, cluster: string): boolean {
  return copies[cluster] === undefined || isSent(copies[cluster]);
}

function isNew(applied: Applied): boolean {
  return applied.outcome === 'Applied' && applied.created;
}

interface Errand {
  readonly ref: CappRef;
  readonly cluster: string;
  readonly state: State;
}

/**
 * An existing work is read before everything that goes into it. Whoever writes it after that may have read
 * something newer, so the write is a Conflict. An unexpected existing work is a Conflict, too. Only the first
 * try reads ahead: an API server that could not answer it is not asked for more than is needed.
 */
async function ship(sources: Parts, errand: Errand, isAgain: boolean): Promise<Outcome> {
  const { ref, cluster, state } = errand;
  const expected = isAgain || mayBeThere(state, cluster);
  const claim = claimOf(sources.caches, ref);
  const live = expected || claim.rivals.length > 0 ? await findWork(sources.kube, claim, cluster) : null;
  const at = Date.now();
  const isFirst = !isAgain && tryNumber() === 1;
  const isDecided = decisionsNow(sources, ref, cluster);
  const ahead = live === null && state.refused === null && isFirst ? readAhead(sources, ref) : null;
  try {
    return await shipBeside(sources, errand, { claim, live, at, ahead, isDecided, expected });
  } finally {
    ahead?.stop();
  }
}

async function shipBeside(
  sources: Parts,
  { ref, cluster, state }: Errand,
  { expected, ...beside }: Beside & { readonly expected: boolean },
): Promise<Outcome> {
  const { live, at } = beside;
  const read = await readCapp(sources.kube, ref);
  if (read.is === 'deleted') return { applied: { outcome: 'Deleted' }, capp: null, ...NOTHING_TOLD };
  if (read.is === 'replaced')
    return { applied: { outcome: 'Replaced', uid: read.uid }, capp: null, ...NOTHING_TOLD };
  const ahead = readFor(beside.ahead, read.capp);
  const capp = isPaused(read.capp) ? read.capp : await noteRollback(sources, read.capp);
  const generation = capp.metadata.generation ?? 0;
  if (isPaused(capp)) {
    const isGone = expected && live === null && isSent(state.copies[cluster]);
    const by = capp.metadata.annotations?.[requestedBy(PAUSED)];
    const known = { ...(isGone ? { isGone } : {}), ...(by === undefined ? {} : { by }) };
    const applied = { outcome: 'Paused', generation, at, ...known } as const;
    return { applied, capp, ...NOTHING_TOLD };
  }
  const words = (error: ApiError): string | null => wordsFor(cluster, error);
  return refusedAs(generation, words, async () => {
    const known = await unnoted(sources.kube, capp, cluster);
    return shipRead(sources, { ref, cluster, state }, { ...beside, ahead, capp: known, generation });
  });
}

/** Nothing is published: whoever asked for that cluster may have written the rest of the state as well. */
function unwarranted({
  capp,
  cluster,
  generation,
  at,
}: Pick<Reading, 'capp' | 'generation' | 'at'> & { readonly cluster: string }): Outcome {
  const { namespace = '', name } = capp.metadata;
  const message = `Nothing on the hub says that ${namespace}/${name} is to be on ${cluster}: not its status, spec.site, a request by annotation, or a decision of its placements. A site is chosen again.`;
  return { applied: { outcome: 'Unwarranted', generation, message, at }, capp: null, ...NOTHING_TOLD };
}

function behind({ metadata: { namespace, name } }: Capp): ApplicationFailure {
  const message = `The hub worker's caches are behind the change that rang ${namespace}/${name}`;
  return ApplicationFailure.create({ type: Failure.Conflict, message });
}

interface Beside {
  readonly claim: WorkClaim;
  /** The existing work, read before the Capp. */
  readonly live: ManifestWork | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly ahead: Ahead | null;
  /** Whether a Placement of the Capp has decided for the cluster, read live. */
  readonly isDecided: (capp: Capp) => Promise<boolean>;
}

interface Reading extends Beside {
  readonly capp: Capp;
  readonly generation: number;
}

function foundAndGone(live: ManifestWork | null, copy: Copy | undefined): { readonly isGone?: true } {
  return live === null && copy?.found === true ? { isGone: true } : {};
}

async function shipRead(
  sources: Parts,
  { ref, cluster, state }: Errand,
  { claim, live, capp, generation, at, ahead, isDecided }: Reading,
): Promise<Outcome> {
  const gone = foundAndGone(live, state.copies[cluster]);
  const refuse = (reason: HubReason, message: string): Outcome => ({
    applied: { outcome: 'Refused', generation, reason, message, at, ...gone },
    capp,
    ...NOTHING_TOLD,
  });
  const hasWork = await isThere(sources.kube, claim, { capp, cluster, live });
  const standing = { capp, cluster, hasWork };
  const late = (): Error => behind(capp);
  if (!(await isWarranted(sources, standing, state.minimumVersions, { late, isDecided })))
    return unwarranted({ capp, cluster, generation, at });
  const asked = { ref, cluster, capp, state, rules: hostnameRules(sources), ahead };
  const prepared = await prepareSealed(sources, asked, { live, late });
  if ('reason' in prepared) return refuse(prepared.reason, prepared.message);
  const { shipment, missing } = prepared;
  const isDoubled =
    namedWorks(sources.caches, claim).filter(({ metadata }) => metadata.namespace === cluster).length > 1;
  const site = state.serving !== null && sitesIn(capp).includes(state.serving) ? state.serving : cluster;
  const remember = async (isThere: boolean): Promise<void> => {
    if (!isKept(capp, state)) await keepRevision(sources.kube, capp, sources.revisionsKept, isThere);
  };
  const shipped = await shipTo(sources.kube, { claim, cluster, shipment, site, live, isDoubled, remember });
  if ('tooLarge' in shipped) return refuse('TooLarge', tooLargeMessage(shipped.tooLarge, 0));
  const ignored = prepared.ignored.map((note) => ({ reason: 'FieldIgnored' as const, note }));
  const warnings = [...ignored, ...missing.map((one) => missingWarning(ref.namespace, one))];
  if ('leaving' in shipped)
    return { applied: { outcome: 'Leaving', generation, at }, capp, warnings, isUnchanged: false };
  const { spec } = shipment.capp;
  const { stamp, created, work } = shipped;
  const facts = { stamp, created, ...foundAgain(shipped, state.copies[cluster]), work: factsOf(work) };
  const deadlineSeconds = spec.migration?.deadlineSeconds ?? MIGRATION_DEFAULTS.deadlineSeconds;
  const { caches, config } = sources.records ?? {};
  // Too late for this apply, a ring is not lost: the next one compares again.
  if (caches !== undefined) await isNewEnough(caches, state.minimumVersions);
  const dns = config === undefined ? undefined : caches?.configs.get(config)?.spec.dns;
  const applied: Applied = {
    outcome: 'Applied',
    generation,
    ...facts,
    deadlineSeconds,
    ...(asksForRecord(capp, dns) ? { hasRecord: true } : {}),
    ...ordersOf(capp),
    ...failureFor(capp, state.copies[cluster], { stamp, site: cluster }),
    ...bearing(capp),
    at,
  };
  return { applied, capp: shipped.capp, warnings, isUnchanged: !shipped.created && !shipped.written };
}
