// The sites of a Capp in its status, on a real API server: with the site, in a move, and not once more.
import type { CappStatus } from '../../../../crds/capp/status.ts';
import type { CappRef, State } from '../../../../workflows/capp/state.ts';
import { aCopy, aMove } from '../../../support/builders/states.ts';
import { startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
}, 150_000);
afterAll(() => stage?.stop());

const NOTHING = { record: null, mirror: null, at: Date.now() };
let decidedAt = Date.now();

/** What the status has, and its resourceVersion, after this state is published. */
async function told(ref: CappRef, state: State): Promise<{ sites: CappStatus['sites']; version: unknown }> {
  decidedAt += 1;
  await stage.hub.publish(ref, { ...state, statusDecidedAt: decidedAt }, NOTHING);
  const { metadata, status } = await stage.read(ref);
  return { sites: status?.sites, version: metadata.resourceVersion };
}

test('companions see both sites of a move, from the first work on the new one to the removal of the old copy, and no write more', async () => {
  const ref = await stage.make({ name: 'followed' });
  const { state } = await stage.ship(ref);
  const { metadata, status } = await stage.read(ref);
  expect(status?.sites).toEqual([{ clusterName: 'site-1', role: 'Serving' }]);
  expect((await told(ref, state)).version).toBe(metadata.resourceVersion);
  const copies = { ...state.copies, 'site-2': aCopy() };
  const moving = { ...state, copies, move: aMove() };
  // That a copy comes is said of no site on which nothing is.
  expect((await told(ref, moving)).sites).toEqual([{ clusterName: 'site-1', role: 'Serving' }]);
  await stage.hub.apply(ref, 'site-2', moving, null);
  const both = await told(ref, moving);
  expect(both.sites).toEqual([
    { clusterName: 'site-1', role: 'Serving' },
    { clusterName: 'site-2', role: 'Coming' },
  ]);
  expect(await told(ref, moving)).toEqual(both);
  const switched = { ...moving, serving: 'site-2' };
  const after = await told(ref, switched);
  expect(new Set(after.sites)).toEqual(
    new Set([
      { clusterName: 'site-1', role: 'Leaving' },
      { clusterName: 'site-2', role: 'Serving' },
    ]),
  );
  expect(await told(ref, switched)).toEqual(after);
  const ended = { ...state, serving: 'site-2', copies: { 'site-2': aCopy() }, move: null };
  expect((await told(ref, ended)).sites).toEqual([{ clusterName: 'site-2', role: 'Serving' }]);
});
