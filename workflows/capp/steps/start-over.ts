// Starts a Capp's workflow over for another object of the same name.
import type { CappLife } from '../life.ts';
import { initialState } from '../state.ts';

/**
 * Another object has the name now. Everything is read again, as new as the rings ask, and works of the
 * earlier object are adopted or removed.
 */
export async function startOver(life: CappLife, uid: string): Promise<void> {
  life.ended = true;
  life.agent.drop();
  await life.runtime.until(life.runtime.isHandled);
  const { capp, minimumVersions, awaitedBy } = life.state;
  await life.runtime.continueAsNew({
    ...initialState({ ...capp, uid }),
    minimumVersions,
    ...(awaitedBy === undefined ? {} : { awaitedBy }),
  });
}
