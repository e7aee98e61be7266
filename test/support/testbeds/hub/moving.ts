// A Capp whose status says that it moves, as the hub publishes it.
import type { CappRef } from '../../../../workflows/capp/state.ts';
import { aCopy, aMove, aPlacedState } from '../../builders/states.ts';
import type { HubForTests } from './hub.ts';

/** From site-1, where it serves, to site-2. */
export async function saidToMove(
  { hub }: { readonly hub: Pick<HubForTests['hub'], 'publish'> },
  ref: CappRef,
): Promise<void> {
  const copies = { 'site-1': aCopy(), 'site-2': aCopy({ stamp: null }) };
  const state = aPlacedState({ capp: ref, copies, move: aMove(), statusDecidedAt: Date.now() });
  await hub.publish(ref, state, { record: null, mirror: null, at: Date.now() });
}
