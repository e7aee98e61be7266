// One turn of a Bundle: looks at the Bundle and its works, does what is due, and writes the status.
import { BUNDLE, type Bundle } from '../../../crds/bundle/bundle.ts';
import { MANIFEST_WORK } from '../../../crds/ocm/ocm.ts';
import { Strategy } from '../../../crds/rollout/stages.ts';
import { applyStatus } from '../../../kube/apply-status.ts';
import type { Kube } from '../../../kube/client.ts';
import { retryOnConflict } from '../../../kube/failure.ts';
import type { BundleAsk, BundleRef, BundleTurn } from '../../../workflows/bundle/port.ts';
import type { Hub } from '../../../workflows/ports/hub.ts';
import type { RolloutMemory } from '../../../workflows/stages/memory.ts';
import { acting, tryNumber } from '../../trying.ts';
import { caughtUp } from '../place/caught-up.ts';
import { memoryOf } from '../rollout/memory.ts';
import type { EventRecorder } from '../status/events.ts';
import { BUNDLE_FIELD_MANAGER } from './carry-out.ts';
import { load } from './manifests/load.ts';
import type { Refusal } from './manifests/manifests.ts';
import { render } from './manifests/render.ts';
import { freedFor, heirsOf } from './owners/heirs.ts';
import { lettingGo } from './owners/leaving.ts';
import { retire } from './retire.ts';
import { secretsVersion } from './revisions.ts';
import { goOn, type Progress } from './roll.ts';
import type { BundleWork } from './status/seen.ts';
import { executorFor, type SiteRules } from './sites.ts';
import { happeningOf, isNews, leavingOf, refusedOf, type BundleTold } from './status/status.ts';
import { cachedWorks, liveWorks, mendLabels, type WorkCaches } from './works.ts';

export interface BundleParts extends Omit<SiteRules, 'caches'> {
  readonly kube: Kube;
  readonly events: EventRecorder;
  readonly caches: SiteRules['caches'] & WorkCaches;
}

export function hubBundle(parts: BundleParts): Pick<Hub, 'turnBundle'> {
  return {
    turnBundle: (ref, ask) =>
      acting(parts.kube, async (kube) => {
        const { caches } = parts;
        if (!(await areCaughtUp(caches, ask.minimumVersions))) return { outcome: 'Behind' };
        return retryOnConflict(() => turn({ ...parts, kube }, ref, ask));
      }),
  };
}

/** Both caches that have works of Bundles. */
async function areCaughtUp(
  caches: BundleParts['caches'],
  versions: BundleAsk['minimumVersions'],
): Promise<boolean> {
  const isSo = await caughtUp(caches, versions);
  return isSo && caughtUp({ works: caches.bundleWorks }, versions);
}

async function turn(parts: BundleParts, ref: BundleRef, ask: BundleAsk): Promise<BundleTurn> {
  const { kube } = parts;
  // Before anything else: whatever is written below rests on what is read after this.
  const works = await worksOf(parts, ref, ask.isAgain || tryNumber() > 1);
  const found = await kube.get<Bundle>(BUNDLE, ref);
  if (found === null || found.metadata.deletionTimestamp !== undefined) return end(parts, ref, found);
  const memory = memoryOf(found, ask.memory);
  await mendLabels(kube, found, works);
  const read = await readyToShip(parts, found, memory);
  if ('reason' in read) return publish(parts, found, refusedOf(found, read, Date.now()), { memory });
  const owners = {
    freed: await freedFor(kube, works, read.terms),
    hasHeir: heirsOf(parts.caches, ref),
  };
  const rolled = await goOn(parts, { ...read, ...owners, works, memory }, ask.most, Date.now());
  return publish(parts, rolled.bundle, rolled.told, rolled);
}

/** The works as a cache has them, or live: a try before this one may have written some. */
function worksOf({ kube, caches }: BundleParts, ref: BundleRef, isAgain: boolean): Promise<BundleWork[]> {
  return isAgain ? liveWorks(kube, ref) : cachedWorks(kube, caches, ref);
}

/** The Bundle with what it ships at present, or why it cannot be shipped. */
async function readyToShip(parts: BundleParts, found: Bundle, { rollout }: RolloutMemory) {
  const parsed = Strategy.safeParse(found.spec.strategy ?? {});
  if (!parsed.success) return unreadable(parsed.error.issues[0]);
  const bundle = { ...found, spec: { ...found.spec, paused: found.spec.paused ?? false } };
  const terms = executorFor(parts, bundle);
  if ('reason' in terms) return terms;
  const known = [rollout?.revision ?? null, rollout?.settled ?? null];
  const secrets = await secretsVersion(parts.kube, bundle, known);
  const loaded = await load(parts.kube, bundle, secrets);
  if ('reason' in loaded) return loaded;
  const rendered = render(bundle, loaded.carried, terms);
  return { bundle, strategy: parsed.data, terms, secrets, loaded, rendered };
}

function unreadable(issue?: { readonly path: readonly PropertyKey[]; readonly message: string }): Refusal {
  const field = ['spec.strategy', ...(issue?.path ?? []).map(String)].join('.');
  return { reason: 'Invalid', message: `${field} ${issue?.message ?? 'cannot be read'}.` };
}

async function end(parts: BundleParts, ref: BundleRef, bundle: Bundle | null): Promise<BundleTurn> {
  const { kube, caches } = parts;
  const retired = await retire(kube, ref, bundle, lettingGo(kube, caches, ref));
  if (retired.outcome === 'Gone') return retired;
  // The next turn reads what is there now.
  if (retired.outcome === 'Alive') return { outcome: 'Behind' };
  const { clusters, lost, isPending, isOrphaning, unremoved } = retired;
  if (bundle !== null) await write(parts, bundle, leavingOf(bundle, retired, Date.now()));
  const isRefused = isOrphaning || unremoved.length > 0;
  return {
    outcome: 'Leaving',
    sites: clusters.length,
    lost,
    isPending,
    ...(isRefused ? { isRefused } : {}),
  };
}

type After = Pick<Progress, 'memory'> & Partial<Pick<Progress, 'isMore' | 'version' | 'wakeAt'>>;

async function publish(
  parts: BundleParts,
  bundle: Bundle,
  told: BundleTold,
  { memory, isMore = false, version = null, wakeAt = null }: After,
): Promise<BundleTurn> {
  await write(parts, bundle, told);
  const { revision = '', sites = 0, ready = 0, failed = 0 } = told.status;
  const { reason } = told;
  const minimumVersions = version === null ? {} : { [MANIFEST_WORK.kind]: version };
  return {
    outcome: 'Turned',
    revision,
    sites,
    ready,
    failed,
    reason,
    memory,
    isMore,
    minimumVersions,
    wakeAt,
  };
}

/** A status that rests on an older read than another's does not replace it: that is a Conflict. */
async function write({ kube, events }: BundleParts, bundle: Bundle, told: BundleTold): Promise<void> {
  if (!isNews(bundle, told.status)) return;
  const { status } = told;
  await applyStatus(kube, BUNDLE, bundle, { status, fieldManager: BUNDLE_FIELD_MANAGER, asRead: true });
  const happening = happeningOf(bundle, told);
  if (happening !== null) events.note(bundle, happening);
}
