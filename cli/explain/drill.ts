// What there is to say of a drill, from the status of its Drain. Pure.
import type { Drain } from '../../crds/drain/drain.ts';
import type { Rehearsal } from '../../crds/drain/rehearsal.ts';
import type { DrainView } from './drain.ts';

export interface DrillView extends Pick<DrainView, 'site' | 'targets' | 'going'> {
  readonly rehearsal: Rehearsal;
}

/** Null before the drill of this generation is over, and before there is a plan. */
export function drillView({ metadata, status }: Drain, plan: DrainView): DrillView | null {
  const { rehearsal } = status ?? {};
  if (rehearsal === undefined || !plan.isOver) return null;
  if (rehearsal.observedGeneration !== metadata.generation) return null;
  const { site, targets, going } = plan;
  return { site, targets, going, rehearsal };
}
