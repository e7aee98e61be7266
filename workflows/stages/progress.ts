// What people see of each stage.
import type { StageState } from '../../crds/rollout/stages.ts';
import type { StageView } from './sites.ts';
import type { StageProgress } from './types.ts';

export function progressOf(view: StageView, state: StageState): StageProgress {
  const { stage, ready, underWay, failed, offline, leaving, stuck, unawaited } = view;
  return {
    name: stage.name,
    state,
    sites: stage.sites.length,
    ready: ready.length,
    underWay: underWay.length + leaving.length,
    failed: failed.length + stuck.length,
    offline: offline.length + unawaited.length,
  };
}
