// The steps of a Capp on its way to be Ready, as `watch` shows them.
import type { Capp } from '../../../crds/capp/capp.ts';
import { conditionIn } from './phase.ts';

export interface CappStep {
  readonly name: 'Placed' | 'Applied' | 'Available' | 'Moving' | 'Ready' | 'Stalled';
  readonly state: 'done' | 'under way' | 'failed' | 'not yet';
  readonly reason: string;
  readonly message: string;
}

/** Always Placed, Applied, Available and Ready; Moving and Stalled where there is something to say. */
export function stepsOf(capp: Capp | null): CappStep[] {
  if (capp === null)
    return [{ name: 'Ready', state: 'failed', reason: 'Gone', message: 'The Capp is gone from the hub.' }];
  const steps = (['Placed', 'Applied', 'Available', 'Ready'] as const).map((name) => stepOf(capp, name));
  // What comes after a step that is not done has not begun.
  const first = steps.findIndex(({ state }) => state !== 'done');
  const known = steps.map((step, index) =>
    first >= 0 && index > first && step.name !== 'Ready' && step.state === 'under way'
      ? { ...step, state: 'not yet' as const }
      : step,
  );
  return [...known.slice(0, 3), ...movingIn(capp), ...known.slice(3), ...stalledIn(capp)];
}

function stepOf(capp: Capp, name: 'Placed' | 'Applied' | 'Available' | 'Ready'): CappStep {
  const found = conditionIn(capp, name);
  const isOld = (found?.observedGeneration ?? 0) < (capp.metadata.generation ?? 0);
  if (found === undefined || (isOld && name !== 'Placed'))
    return { name, state: 'not yet', reason: 'NotLookedAt', message: 'The hub has not looked at it yet.' };
  const { status, reason, message } = found;
  const state = ({ True: 'done', False: 'failed', Unknown: 'under way' } as const)[status];
  return { name, state, reason, message };
}

function movingIn(capp: Capp): CappStep[] {
  const found = conditionIn(capp, 'Migrating');
  if (found === undefined || found.reason === 'NotMoving') return [];
  const { status, reason, message } = found;
  return [{ name: 'Moving', state: status === 'True' ? 'under way' : 'not yet', reason, message }];
}

function stalledIn(capp: Capp): CappStep[] {
  const found = conditionIn(capp, 'Stalled');
  if (found?.status !== 'True') return [];
  return [{ name: 'Stalled', state: 'failed', reason: found.reason, message: found.message }];
}
