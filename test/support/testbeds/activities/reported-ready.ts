// A Capp that was shipped, and what its workflow knows when the agent has reported it as Ready.
import { afterAnswer } from '../../../../workflows/capp/after/answer.ts';
import type { CappRef, State } from '../../../../workflows/capp/state.ts';
import { aFinding, aPlacing } from '../../builders/states.ts';
import type { HubForTests } from '../hub/hub.ts';

/** The state before that report, which was decided at 1000, and after it. */
export async function reportedReady(
  stage: HubForTests,
  ref: CappRef,
): Promise<{ readonly before: State; readonly after: State }> {
  const { state } = await stage.ship(ref, { ...aPlacing(ref), statusDecidedAt: 1000 });
  const stamp = state.copies['site-1']?.stamp ?? '';
  const report = { stamp, answer: { finding: aFinding(), mirror: null } };
  return { before: state, after: afterAnswer(state, 'site-1', report, Date.now()) };
}
