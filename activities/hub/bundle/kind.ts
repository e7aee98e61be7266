// What a Bundle brings to the turn that all kinds on many sites share (`rollout/turn.ts`): its copies are
// ManifestWorks.
import { BUNDLE, type Bundle } from '../../../crds/bundle/bundle.ts';
import { BUNDLE_FINALIZER } from '../../../crds/labels.ts';
import { bundleWorkName } from '../../../crds/ocm/bundle-work.ts';
import { isCheckWorkName } from '../../../crds/ocm/check-work.ts';
import { MANIFEST_WORK } from '../../../crds/ocm/ocm.ts';
import { isSameRevision } from '../../../crds/rollout/revision.ts';
import { Strategy } from '../../../crds/rollout/stages.ts';
import type { Kube } from '../../../kube/client.ts';
import type { TurnAsk } from '../../../workflows/fleet/port.ts';
import type { RolloutMemory } from '../../../workflows/stages/memory.ts';
import { caughtUp } from '../place/caught-up.ts';
import type { Kind, Rolling, RolloutRefusal } from '../rollout/kind.ts';
import { newestShipped } from '../rollout/shipped.ts';
import { unreadable } from '../rollout/telling/unreadable.ts';
import { turnOf, type FleetTurn } from '../rollout/turn.ts';
import { USUAL_STRATEGY } from '../rollout/usual-strategy.ts';
import type { EventRecorder } from '../status/events.ts';
import { HUB_TIMES } from '../times.ts';
import { removeReleased, shipAs } from './carry-out.ts';
import { orderChecks, removeEnded, withChecks } from './checks/carry-out.ts';
import { areLeaving, checkingOf } from './checks/seen.ts';
import { isStill, load } from './manifests/load.ts';
import { render } from './manifests/render.ts';
import { heldBackOf } from './manifests/sealed-only.ts';
import type { BundleMember } from './members.ts';
import { freedFor, heirsOf } from './owners/heirs.ts';
import { lettingGo } from './owners/leaving.ts';
import { isUnansweredIn, sayingWhatStays, stayingUntilOrphaned } from './orphaning.ts';
import { retire } from './retire.ts';
import { keepRevision, secretsVersion } from './revisions.ts';
import { sightOf } from './sight.ts';
import { executorFor, type BundleSite, type BundleSiteRules } from './sites.ts';
import type { BundleWork } from './status/seen.ts';
import { leavingOf, refusedOf, toldOf } from './status/told.ts';
import type { UnansweredSite } from './status/unanswered.ts';
import { unshippableBundle } from './unshippable.ts';
import {
  cachedWorks,
  liveWorks,
  mendLabels,
  showTheSame,
  type BundleName,
  type WorkCaches,
} from './works.ts';

export interface BundleOptions extends Omit<BundleSiteRules, 'caches'> {
  readonly events: EventRecorder;
  readonly caches: BundleSiteRules['caches'] & WorkCaches;
}

type BundleRolling = Rolling<Bundle, BundleWork, BundleMember, BundleSite>;

export function bundleTurn(parts: BundleOptions): FleetTurn {
  return turnOf(bundleKind(parts), parts.events);
}

function bundleKind(parts: BundleOptions): Kind<Bundle, BundleWork, BundleMember, BundleSite> {
  const { caches } = parts;
  return {
    resource: BUNDLE,
    copies: MANIFEST_WORK,
    finalizer: BUNDLE_FINALIZER,
    fieldManager: 'cappstan-bundle',
    isCaughtUp: (versions, ref) => areCaughtUp(caches, ref, versions),
    read: async (kube, ref, isAgain) => {
      // Before the Bundle: whatever is written rests on what is read after the works.
      const copies = isAgain ? await liveWorks(kube, ref) : await cachedWorks(kube, caches, ref);
      return { found: await kube.get<Bundle>(BUNDLE, ref), copies };
    },
    prepare: async (kube, found, works, memory) => {
      await mendLabels(kube, found, works);
      return prepared(parts, kube, { found, works, memory });
    },
    tellRefused: refusedOf,
    end: async (kube, ref, bundle, now) => {
      const letsGo = lettingGo(kube, caches, ref);
      const staysYet = stayingUntilOrphaned(kube, caches, bundle);
      const sayStaying = sayingWhatStays(kube, caches, bundle);
      const retired = await retire(kube, ref, bundle, {
        letsGo: async (work) => {
          // What is on a site by a check alone stays nowhere, whoever asks for what.
          if (isCheckWorkName(work.metadata.name)) return 'Nothing';
          const staying = await staysYet(work);
          const awaited = staying === 'Nothing' ? await letsGo(work) : staying;
          if (awaited === 'Nothing') await sayStaying(work);
          return awaited;
        },
        isUnanswered: isUnansweredIn(caches, bundle),
      });
      if (retired.outcome !== 'Leaving') return retired;
      const { isPending, isMore, isOrphaning, unremoved, unanswered } = retired;
      const saying = (cluster: string): UnansweredSite => {
        const known = caches.bundleWorks.get({ namespace: cluster, name: bundleWorkName(ref) });
        return { cluster, problems: known?.seen.problems ?? [] };
      };
      const isRefused = isOrphaning || unremoved.length + unanswered.length > 0;
      const { removalPending, removalRefused, bundleEnding } = HUB_TIMES;
      const wait = isPending ? removalPending : isRefused ? removalRefused : bundleEnding;
      const told =
        bundle === null ? null : leavingOf(bundle, { ...retired, unanswered: unanswered.map(saying) }, now);
      return { outcome: 'Leaving', told, isMore, wakeAt: now + wait.ms };
    },
  };
}

async function areCaughtUp(
  caches: BundleOptions['caches'],
  ref: BundleName,
  versions: TurnAsk['minimumVersions'],
): Promise<boolean> {
  if (!(await caughtUp(caches, versions))) return false;
  // Nothing has rung, or the workflow has waited long enough.
  return Object.keys(versions).length === 0 || showTheSame(caches, ref);
}

interface Found {
  readonly found: Bundle;
  readonly works: readonly BundleWork[];
  readonly memory: RolloutMemory;
}

async function prepared(
  parts: BundleOptions,
  kube: Kube,
  { found, works, memory }: Found,
): Promise<BundleRolling | RolloutRefusal> {
  const parsed = Strategy.safeParse(found.spec.strategy ?? {});
  const strategy = parsed.success ? parsed.data : USUAL_STRATEGY;
  const bundle = { ...found, spec: { ...found.spec, strategy, paused: found.spec.paused ?? false } };
  const { rollout } = memory;
  const { caches } = parts;
  const standingOf: BundleRolling['standing'] = (refused, now) =>
    standing({ kube, caches, bundle }, refused, now);
  const refused = (refusal: RolloutRefusal): BundleRolling | RolloutRefusal =>
    unshippableBundle({ kube, parts, bundle, strategy, works, memory, standing: standingOf }, refusal);
  if (!parsed.success) return refused(unreadable('Bundle', 'spec.strategy', parsed.error.issues[0]));
  const terms = executorFor(parts, bundle);
  if ('reason' in terms) return refused(terms);
  const secrets = await secretsVersion(kube, bundle, [rollout?.revision ?? null, rollout?.settled ?? null]);
  const loaded = await load(kube, bundle, secrets);
  if ('reason' in loaded) return refused(loaded);
  const heldBack = heldBackOf(parts, bundle);
  const rendered = render(bundle, loaded.carried, terms);
  const { revision } = rendered;
  const unsealed = heldBack(loaded);
  if (unsealed !== null && !isUndone(rollout, revision)) return refused(unsealed);
  const freed = await freedFor({ kube, caches, terms }, works);
  const newest = { bundle, loaded, rendered, freed, hasHeir: heirsOf(caches, refOf(found)) };
  const errand = { kube, caches, terms, heldBack, newest };
  const stillIs = (object: Bundle) => () => isStill(kube, object, loaded);
  const checking = checkingOf(caches, bundle, strategy);
  return {
    object: bundle,
    revision,
    sight: sightOf(parts, { bundle, strategy, rendered, works, freed, checking }),
    wholeNames: async () => [],
    keep: (needed) => keepRevision(kube, bundle, { revision, secrets }, needed),
    standing: standingOf,
    generationOf: ({ work }) => work?.metadata.generation ?? null,
    ship: async (object, look, most, now) => {
      const shipped = await shipAs({ ...errand, bundle: object, look }, most, now);
      const check = { kube, bundle: object, terms, look, checking, isStill: stillIs(object) };
      return new Map([...shipped, ...(await orderChecks(check, most, now))]);
    },
    remove: async (object, look) => {
      const leaving = { kube, caches, bundle: object, isStill: stillIs(object) };
      const removed = await removeReleased(leaving, look);
      return withChecks(removed, await removeEnded(kube, caches, object, look));
    },
    tell: (object, outcome, now) => toldOf(object, { ...outcome, strategy }, now),
    wakes: (outcome, now) => wakesFor(outcome, strategy, now),
  };
}

/** When it is to be looked at again, though nothing rings; null for what needs no look. */
function wakesFor(
  { look, shipped, after }: Parameters<BundleRolling['wakes']>[0],
  { deadlineSeconds }: Strategy,
  now: number,
): (number | null)[] {
  return [
    look.plan.verify === undefined ? null : now + HUB_TIMES.verifyOrdered.ms,
    ...Object.keys(newestShipped(shipped, MANIFEST_WORK.kind)).map(() => now + deadlineSeconds * 1_000),
    // When the other Bundle drops the object, no work of this one says so.
    after.members.some(({ work }) => work?.seen.held.contested !== undefined)
      ? now + HUB_TIMES.bundleContested.ms
      : null,
    ...Object.values(after.memory.refused).flatMap(({ at, retryAt }) =>
      retryAt === undefined ? [at + HUB_TIMES.bundleRefused.ms] : [],
    ),
  ];
}

/** It goes back, or has gone back: of what is held back no site gets anything then. */
function isUndone(rollout: RolloutMemory['rollout'], revision: string): boolean {
  if (rollout === null || rollout.direction !== 'Back') return false;
  const { settled } = rollout;
  return isSameRevision(rollout.revision, revision) && settled !== null && !isSameRevision(settled, revision);
}

interface Standing {
  readonly kube: Kube;
  readonly caches: BundleOptions['caches'];
  readonly bundle: Bundle;
}

function refOf({ metadata: { namespace = '', name } }: Bundle): BundleName {
  return { namespace, name };
}

/**
 * Works that were refused for good are tried again after a while, and when nothing has their name any more;
 * Jobs of checks that wait for the former ones, when these are gone or their site has come back.
 */
async function standing(
  { kube, caches, bundle }: Standing,
  refused: RolloutMemory['refused'],
  now: number,
): Promise<RolloutMemory['refused']> {
  const { namespace = '', name } = bundle.metadata;
  const entries = await Promise.all(
    Object.entries(refused).map(async ([cluster, one]) => {
      if (one.retryAt === undefined && now >= one.at + HUB_TIMES.bundleRefused.ms) return [];
      if (one.reason === 'StillLeaving' && !areLeaving(caches, bundle, cluster, one.at)) return [];
      if (one.reason !== 'NameTaken') return [[cluster, one] as const];
      const key = { namespace: cluster, name: bundleWorkName({ namespace, name }) };
      return (await kube.getMetadata(MANIFEST_WORK, key)) === null ? [] : [[cluster, one] as const];
    }),
  );
  return Object.fromEntries(entries.flat());
}
