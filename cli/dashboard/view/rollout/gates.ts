// The gate before each stage of a rollout: whether somebody has to approve it, and who has.
import { REST, type StrategyStage } from '../../../../crds/rollout/stages.ts';
import type { RolloutFields } from '../../../../crds/rollout/status.ts';
import type { RolloutView } from '../../../explain/set/rollout.ts';

/** Before a stage opens. */
export interface StageGateModel {
  /** Null: it needs no approval. */
  readonly approval: 'given' | 'awaited' | 'later' | null;
  /** Who gave it, as the API server knows them; null if nobody did or no webhook recorded it. */
  readonly approvedBy: string | null;
  readonly soakSeconds: number;
}

/** What holds a lane now, and until when. */
export interface LaneHold {
  readonly is: 'Soaking' | 'Verifying' | 'OutsideWindow';
  /** RFC 3339; null where no time is known. */
  readonly until: string | null;
}

/** A soak and checks are of the stage that is open; a window is before the one that comes next. */
export function holdOf(
  name: string,
  { reason, stages }: Pick<RolloutView, 'reason' | 'stages'>,
  until: string | null,
): LaneHold | null {
  const first = (state: string): string | undefined => stages.find((one) => one.state === state)?.name;
  switch (reason) {
    case 'Soaking':
    case 'Verifying':
      return first('Open') === name ? { is: reason, until } : null;
    case 'OutsideWindow':
      return (first('Waiting') ?? first('Open')) === name ? { is: reason, until } : null;
    default:
      return null;
  }
}

interface Gates {
  readonly view: RolloutView;
  readonly stages: readonly StrategyStage[];
  readonly soakSeconds: number;
  readonly asked: NonNullable<RolloutFields['asked']>;
}

/** What was asked of an earlier rollout of the same revision counts for nothing now. */
export function isOfRollout(rollout: RolloutFields['rollout']): (one: Gates['asked'][number]) => boolean {
  return ({ at = '' }) => at === '' || Date.parse(at) >= (rollout?.begunAt ?? 0);
}

export function gateOf(name: string, { view, stages, soakSeconds, asked }: Gates): StageGateModel {
  const stage = stages.find((one) => one.name === name);
  const soak = name === REST ? soakSeconds : (stage?.soakSeconds ?? soakSeconds);
  if (stage?.approval !== 'Required') return { approval: null, approvedBy: null, soakSeconds: soak };
  const state = view.stages.find((one) => one.name === name)?.state;
  const given = asked.findLast(
    ({ what, request }) => what === 'approve' && request.startsWith(`${name}#${view.revision}`),
  );
  const isNext = view.stages.find((one) => one.state === 'Waiting')?.name === name;
  const approval = state !== 'Waiting' || given !== undefined ? 'given' : isNext ? 'awaited' : 'later';
  return { approval, approvedBy: given?.by ?? null, soakSeconds: soak };
}
