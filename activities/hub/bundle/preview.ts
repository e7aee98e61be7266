// What would change if a Bundle were written as it is given: what its next turns would do, by the same look
// and planner. It reads no Secret, no ConfigMap and no ManifestWork: the status says which revision is on
// which sites. Pure, but for the caches that it reads.
import { isDeepStrictEqual } from 'node:util';
import type { Bundle, BundlePattern } from '../../../crds/bundle/bundle.ts';
import { patternOf } from '../../../crds/bundle/bundle-revision.ts';
import { inlineGiven } from '../../../crds/bundle/manifests.ts';
import { firstSecretOf } from '../../../crds/bundle/secrets.ts';
import { bundleDifferences } from '../../../crds/bundle/differences.ts';
import { NEW_REVISION, type RolloutPlan } from '../../../crds/rollout/plan.ts';
import { forRevision } from '../../../crds/rollout/revision.ts';
import { Strategy } from '../../../crds/rollout/stages.ts';
import { begin } from '../../../workflows/stages/rollout.ts';
import { decisionFor } from '../rollout/decision.ts';
import { memoryOf } from '../rollout/memory.ts';
import type { Foreseen } from '../rollout/preview/plan-answer.ts';
import { groupedChanges, type FoundChange } from '../rollout/preview/plan-changes.ts';
import { answerFor, previewFor } from '../rollout/preview/preview.ts';
import { heard } from '../rollout/requests.ts';
import { heldBackOf } from './manifests/sealed-only.ts';
import { refusedIn, worksIn } from './preview-works.ts';
import { sightOf, type BundleLook } from './sight.ts';
import type { SelectRules } from './sites.ts';

export interface PreviewedBundle {
  /** As it would be written, with the status that it has. */
  readonly bundle: Bundle;
  /** As it is; null if there is none yet. */
  readonly before: Bundle | null;
  /** What the revisions that sites have shipped, as far as it is kept. */
  readonly patterns: ReadonlyMap<string, BundlePattern>;
}

/**
 * Null for a Bundle that cannot be read. Throws an Error for one that has more sites than its status names.
 */
export function previewOf(
  rules: SelectRules,
  { bundle: given, before, patterns: kept }: PreviewedBundle,
  now: number,
): RolloutPlan | null {
  // What is asked has come by JSON, which rounds long numbers.
  const patterns = new Map([...kept].map(([revision, pattern]) => [revision, plain(pattern)]));
  const strategy = Strategy.safeParse(given.spec.strategy ?? {});
  if (!strategy.success) return null;
  const bundle = { ...given, spec: { ...given.spec, paused: given.spec.paused ?? false } };
  const remembered = memoryOf(bundle, null);
  const revision = revisionFor(bundle, remembered.rollout, patterns);
  const rollout = begin(remembered.rollout, revision, now);
  const isNew = rollout !== remembered.rollout;
  const refused = isNew ? {} : refusedIn(bundle, rollout, now);
  const { memory } = heard(bundle, { ...remembered, rollout, refused }, now);
  const works = worksIn(bundle, before === null ? [] : decisionFor(rules, before).clusters, now);
  const rendered = { revision, content: '' };
  const sight = sightOf(rules, { bundle, strategy: strategy.data, rendered, works });
  const preview = previewFor(sight, memory, now);
  const after = new Map(patterns).set(revision, patternOf(bundle.spec));
  const answer = answerFor({
    ...preview,
    rollout: memory.rollout,
    sight,
    isBehind: ({ target }) => target.revision !== memory.rollout.revision,
    excluded: preview.look.barred.map(({ cluster, refusal }) => ({
      site: cluster,
      reason: refusal?.reason ?? 'UnknownSite',
    })),
    ...groupedChanges(changesIn(preview.look, preview.told, after)),
  });
  return heldAs(answer, rules, bundle);
}

/** What would be held back changes no site. What ConfigMaps hold is not known here. */
function heldAs(answer: RolloutPlan, rules: SelectRules, bundle: Bundle): RolloutPlan {
  const given = inlineGiven(bundle.spec.manifests);
  const stop = heldBackOf(rules, bundle)({ firstSecret: () => firstSecretOf(bundle, given) });
  return stop === null ? answer : { ...answer, steps: [], last: [], changes: [], moreChanges: 0, stop };
}

/**
 * Of what is kept, the one that shipped the same: the present one first. What ConfigMaps and Secrets hold is
 * known when a turn reads them, and it is rung when they change; until then they are as they were.
 */
function revisionFor(
  { spec }: Bundle,
  rollout: ReturnType<typeof memoryOf>['rollout'],
  patterns: PreviewedBundle['patterns'],
): string {
  const wanted = plain(patternOf(spec));
  const known = [rollout?.revision, rollout?.settled, ...(rollout?.halfway ?? []), ...patterns.keys()];
  const isSame = (revision: string | null | undefined): revision is string =>
    typeof revision === 'string' && isDeepStrictEqual(forRevision(patterns, revision), wanted);
  return known.find(isSame) ?? NEW_REVISION;
}

function plain(value: BundlePattern): BundlePattern {
  return JSON.parse(JSON.stringify(value)) as BundlePattern;
}

/** What each site would have in the end, compared with what it has now. */
function changesIn(
  { members }: Pick<BundleLook, 'members'>,
  { steps }: Foreseen,
  patterns: PreviewedBundle['patterns'],
): (readonly [string, FoundChange])[] {
  const on = new Map(members.map(({ site, work }) => [site.cluster, work?.seen.revision ?? null]));
  const goals = new Map(
    steps.flatMap(({ sites, revision }) => sites.map((cluster) => [cluster, revision] as const)),
  );
  const known = new Map<string, FoundChange>();
  return [...goals].map(([cluster, after]) => {
    const before = on.get(cluster) ?? null;
    const key = `${before ?? ''}/${after}`;
    const found = known.get(key) ?? changeFrom(before, after, patterns);
    known.set(key, found);
    return [cluster, found];
  });
}

function changeFrom(
  before: string | null,
  after: string,
  patterns: PreviewedBundle['patterns'],
): FoundChange {
  if (before === null) return { what: 'created', lines: [] };
  const [was, is] = [forRevision(patterns, before), forRevision(patterns, after)];
  if (was === undefined || is === undefined)
    return { what: 'changed', lines: ['(what one of the revisions shipped is no longer kept)'] };
  return { what: 'changed', lines: bundleDifferences(was, is) };
}
