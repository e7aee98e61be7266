// Goes on with the rollout of a Bundle: begins a new revision, hears what people ask, plans, writes, and says
// how it stands.
import { isDeepStrictEqual } from 'node:util';
import type { Bundle } from '../../../crds/bundle/bundle.ts';
import { MANIFEST_WORK } from '../../../crds/ocm/ocm.ts';
import { bundleWorkName } from '../../../crds/ocm/bundle-work.ts';
import type { Strategy } from '../../../crds/rollout/stages.ts';
import type { Kube } from '../../../kube/client.ts';
import type { RolloutMemory } from '../../../workflows/stages/memory.ts';
import { begin } from '../../../workflows/stages/rollout.ts';
import { deadlineOf, earliest } from '../../../workflows/stages/sites.ts';
import { retriedAt } from '../rollout/refusals.ts';
import { withoutMissing } from '../rollout/removals.ts';
import { heard, type Heard } from '../rollout/requests.ts';
import { leadsTo } from '../rollout/said.ts';
import { withWholeNames } from '../rollout/whole-names.ts';
import { HUB_TIMES } from '../times.ts';
import { carryOut, type Done } from './carry-out.ts';
import { lookAt, withRefused, type BundleToLookAt, type Look } from './look.ts';
import { placesOf } from './status/places.ts';
import type { Terms } from './manifests/render.ts';
import type { Owners } from './owners/heirs.ts';
import { keepRevision, type Restored } from './revisions.ts';
import type { BundleWork } from './status/seen.ts';
import type { SiteRules } from './sites.ts';
import { toldOf, type BundleTold } from './status/status.ts';
import { barredVerdict, verdictOf } from './status/verdicts.ts';

export interface ToShip extends Restored, Owners {
  readonly strategy: Strategy;
  readonly terms: Terms;
  /** The version of Secrets that are among `spec.manifests`. */
  readonly secrets: string;
  readonly works: readonly BundleWork[];
  readonly memory: RolloutMemory;
}

export interface Progress {
  readonly bundle: Bundle;
  readonly told: BundleTold;
  readonly memory: RolloutMemory;
  readonly isMore: boolean;
  /** The resourceVersion of the newest work that was written; null if none was. */
  readonly version: string | null;
  /** In milliseconds since the epoch; null if only a ring is a reason to look again. */
  readonly wakeAt: number | null;
}

/** At most `most` works are written, and as many deleted. Throws ApiError. */
export async function goOn(
  parts: SiteRules & { readonly kube: Kube },
  toShip: ToShip,
  most: number,
  now: number,
): Promise<Progress> {
  const { kube } = parts;
  const { bundle, terms } = toShip;
  const before = await begun(kube, toShip, now);
  const { memory, asked: requests } = heard(bundle, before, now);
  const asked: BundleToLookAt = {
    ...toShip,
    memory: { ...memory, refused: await standing(kube, bundle, memory, now) },
  };
  const look = lookAt(parts, asked, most, now);
  const done = await carryOut({ kube, newest: toShip, terms, look, asked: requests, most, now });
  const isRefused = !isDeepStrictEqual(done.refused, look.memory.refused);
  const looked = isRefused ? withRefused(asked, look, done.refused, now) : look;
  const missing = done.unremoved.map(({ cluster }) => cluster);
  const removal = withoutMissing(looked.released, missing);
  const after = { ...looked, memory: { ...looked.memory, removal } };
  const told = judged(toShip, { look, after, done }, now);
  return {
    bundle: done.bundle,
    told,
    memory: after.memory,
    isMore:
      done.isMore || (isRefused && after.plan.advance.some(({ cluster }) => !done.shipped.has(cluster))),
    version: done.version,
    wakeAt: wakeAt(toShip, after, done, now),
  };
}

/** What a new revision ships is kept before any of it is written. */
async function begun(kube: Kube, toShip: ToShip, now: number): Promise<Heard['memory']> {
  const { bundle, secrets, memory } = toShip;
  const { revision } = toShip.rendered;
  const known = withWholeNames(memory.rollout, [revision]);
  const rollout = begin(known, revision, now);
  if (rollout === known) return { ...memory, rollout };
  const needed = [revision, rollout.settled, rollout.before, ...rollout.halfway];
  await keepRevision(kube, bundle, { revision, secrets }, needed);
  return { ...memory, rollout, refused: {} };
}

/**
 * Works that were refused for good are tried again after a while, and when nothing has their name any more.
 */
async function standing(
  kube: Kube,
  { metadata: { namespace = '', name } }: Bundle,
  { refused }: RolloutMemory,
  now: number,
): Promise<RolloutMemory['refused']> {
  const entries = await Promise.all(
    Object.entries(refused).map(async ([cluster, one]) => {
      if (one.retryAt === undefined && now >= one.at + HUB_TIMES.bundleRefused.ms) return [];
      if (one.reason !== 'NameTaken') return [[cluster, one] as const];
      const key = { namespace: cluster, name: bundleWorkName({ namespace, name }) };
      return (await kube.getMetadata(MANIFEST_WORK, key)) === null ? [] : [[cluster, one] as const];
    }),
  );
  return Object.fromEntries(entries.flat());
}

interface Outcome {
  readonly look: Look;
  readonly after: Look;
  readonly done: Done;
}

function judged({ strategy }: ToShip, { look, after, done }: Outcome, now: number): BundleTold {
  const { members, memory, plan: planned, released, undecided, barred, left } = after;
  const goal = leadsTo(planned);
  const verdicts = [
    ...barred.map(barredVerdict),
    ...members.map((member) => verdictOf(member, goal, done.shipped.get(member.site.cluster))),
  ].toSorted((a, b) => (a.cluster < b.cluster ? -1 : 1));
  const ask = { targets: [], strategy, rollout: memory.rollout, seed: '' };
  const late = members
    .filter(
      ({ target }) =>
        target.revision === goal && target.verdict !== 'Ready' && now >= deadlineOf(target, ask),
    )
    .map(({ site }) => site.cluster);
  const going = new Set(look.released.clusters);
  const leaving = left
    .filter(({ metadata }) => metadata.deletionTimestamp !== undefined || going.has(metadata.namespace ?? ''))
    .map(({ metadata }) => metadata.namespace ?? '')
    .toSorted();
  const { asked, unremoved } = done;
  const { held, last } = released;
  const course = { plan: planned, memory, held, last, unremoved, undecided, asked };
  return toldOf(
    done.bundle,
    {
      course,
      verdicts,
      leaving,
      late,
      places: placesOf(after, writtenBy(look, done)),
    },
    now,
  );
}

function writtenBy({ plan: { advance } }: Look, { shipped }: Done): Map<string, string> {
  const isThere = ({ cluster }: { readonly cluster: string }): boolean =>
    shipped.get(cluster)?.is === 'there';
  return new Map(advance.filter(isThere).map(({ cluster, revision }) => [cluster, revision]));
}

function wakeAt(
  { strategy }: ToShip,
  { plan: planned, released, members, memory }: Look,
  done: Done,
  now: number,
): number | null {
  return earliest([
    planned.wakeAt,
    done.version === null ? null : now + strategy.deadlineSeconds * 1_000,
    released.wakeAt,
    ...members.map(({ failsAt }) => failsAt),
    retriedAt(memory.refused, now),
    ...Object.values(memory.refused).flatMap(({ at, retryAt }) =>
      retryAt === undefined ? [at + HUB_TIMES.bundleRefused.ms] : [],
    ),
    done.pending > 0 ? now + HUB_TIMES.bundleRemoval.ms : null,
    done.unremoved.length > 0 ? now + HUB_TIMES.removalRefused.ms : null,
    // What the other drops changes nothing that this Bundle's works say.
    members.some(({ work }) => work?.seen.held.contested !== undefined)
      ? now + HUB_TIMES.bundleContested.ms
      : null,
  ]);
}
