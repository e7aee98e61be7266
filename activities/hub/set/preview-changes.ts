// What would be written on each site of a set, with sites together for which it is the same. Pure.
import { writtenOf } from '../../../crds/set/child.ts';
import { differences } from '../../../crds/set/differences.ts';
import { render, type Pattern, type Rendering } from '../../../crds/set/render.ts';
import type { RolloutPlan } from '../../../crds/rollout/plan.ts';
import { forRevision } from '../../../crds/rollout/revision.ts';
import type { Forecast } from '../../../workflows/stages/forecast.ts';
import { groupedChanges, type Found } from '../rollout/preview/plan-changes.ts';
import type { SetLook } from './carry-out.ts';
import type { Member } from './targets.ts';

/** For sites that get the newest revision. Those whose fields differ in the same way are one change. */
export function changesIn(
  { members, memory }: SetLook,
  { steps }: Pick<Forecast, 'steps'>,
  patterns: ReadonlyMap<string, Pattern>,
): Pick<RolloutPlan, 'changes' | 'moreChanges'> {
  const byCluster = new Map(members.map((member) => [member.site.cluster, member]));
  const { revision, settled, direction } = memory.rollout;
  const goal = direction === 'Back' ? settled : revision;
  const found = steps
    .filter((step) => step.revision === goal)
    .flatMap(({ sites }) => sites.flatMap((cluster) => byCluster.get(cluster) ?? []))
    .map(
      (member) => [member.site.cluster, changeOf(member, patterns, goal === revision ? null : goal)] as const,
    );
  return groupedChanges(found);
}

/** `goal` null: the newest revision. */
function changeOf(member: Member, patterns: ReadonlyMap<string, Pattern>, goal: string | null): Found {
  const { site, child, isTaken, name, rendering } = member;
  if (isTaken) return { what: 'refused', lines: [`NameTaken: another Capp is named ${name}`] };
  const after = goal === null ? rendering : rendered(forRevision(patterns, goal), member);
  if (after === null) return { what: 'changed', lines: ['(the template of that revision is not known)'] };
  if ('missingLabel' in after)
    return { what: 'refused', lines: [`MissingLabel: ${site.cluster} has no label ${after.missingLabel}`] };
  if (child === null || child.metadata.deletionTimestamp !== undefined) return { what: 'created', lines: [] };
  const before = rendered(forRevision(patterns, writtenOf(child.metadata)?.revision ?? ''), member);
  const known = before === null || 'missingLabel' in before ? null : before;
  if (known === null)
    return { what: 'changed', lines: ['(what the Capp was written with is no longer kept)'] };
  return { what: 'changed', lines: differences(contentOf(known), contentOf(after)) };
}

function rendered(pattern: Pattern | undefined, { site }: Member): Rendering | null {
  return pattern === undefined ? null : render(pattern, site);
}

function contentOf({ labels, annotations, spec }: Exclude<Rendering, { missingLabel: string }>): object {
  return { metadata: { labels, annotations }, spec };
}
