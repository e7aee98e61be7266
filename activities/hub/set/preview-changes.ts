// What would be written on each site of a set, with sites together for which it is the same. It writes
// nothing.
import { writtenOf } from '../../../crds/set/child.ts';
import { differences } from '../../../crds/set/differences.ts';
import { renderer, type RevisionContent, type Rendering } from '../../../crds/set/render.ts';
import type { RolloutPlan } from '../../../crds/rollout/plan.ts';
import { forRevision } from '../../../crds/rollout/revision.ts';
import type { Forecast } from '../../../workflows/stages/forecast.ts';
import { breather } from '../breather.ts';
import { grouping, type FoundChange } from '../rollout/preview/plan-changes.ts';
import type { SetLook } from './carry-out.ts';
import type { SetMember } from './targets.ts';

interface Kept {
  readonly patterns: ReadonlyMap<string, RevisionContent>;
  readonly signal: AbortSignal | undefined;
}

/** For sites that get the newest revision. Those whose fields differ in the same way are one change. */
export async function changesIn(
  { members, memory }: SetLook,
  { steps }: Pick<Forecast, 'steps'>,
  { patterns, signal }: Kept,
): Promise<Pick<RolloutPlan, 'changes' | 'moreChanges'>> {
  const byCluster = new Map(members.map((member) => [member.site.cluster, member]));
  const { revision, settled, direction } = memory.rollout;
  const goal = direction === 'Back' ? settled : revision;
  const breathe = breather(signal);
  const found = grouping();
  const rendered = renderings(patterns);
  for (const cluster of steps.flatMap((step) => (step.revision === goal ? step.sites : []))) {
    const member = byCluster.get(cluster);
    if (member !== undefined) found.add(cluster, changeOf(member, goal ?? '', rendered));
    await breathe();
  }
  return found.result();
}

type Rendered = (revision: string, member: SetMember) => Rendering | null;

function changeOf(member: SetMember, goal: string, rendered: Rendered): FoundChange {
  const { site, child, isTaken, name } = member;
  if (isTaken) return { what: 'refused', lines: [`NameTaken: another Capp is named ${name}`] };
  const after = rendered(goal, member);
  if (after === null) return { what: 'changed', lines: ['(the template of that revision is not known)'] };
  if ('missingLabel' in after)
    return { what: 'refused', lines: [`MissingLabel: ${site.cluster} has no label ${after.missingLabel}`] };
  if (child === null || child.metadata.deletionTimestamp !== undefined) return { what: 'created', lines: [] };
  const before = rendered(writtenOf(child.metadata)?.revision ?? '', member);
  const known = before === null || 'missingLabel' in before ? null : before;
  if (known === null)
    return { what: 'changed', lines: ['(what the Capp was written with is no longer kept)'] };
  return { what: 'changed', lines: differences(contentOf(known), contentOf(after)) };
}

function renderings(patterns: Kept['patterns']): Rendered {
  const known = new Map<RevisionContent, ReturnType<typeof renderer>>();
  return (revision, { site }) => {
    const pattern = forRevision(patterns, revision);
    if (pattern === undefined) return null;
    const render = known.get(pattern) ?? renderer(pattern);
    known.set(pattern, render);
    return render(site);
  };
}

function contentOf({ labels, annotations, spec }: Exclude<Rendering, { missingLabel: string }>): object {
  return { metadata: { labels, annotations }, spec };
}
