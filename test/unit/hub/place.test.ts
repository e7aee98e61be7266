// Choosing and shipping in one activity: what is shipped is what a workflow would ship next, and what is not
// to be shipped is only chosen.
import { hubPlace } from '../../../activities/hub/place/place.ts';
import { afterChoice } from '../../../workflows/capp/decide/after-choice.ts';
import type { Choice } from '../../../workflows/ports.ts';
import type { State } from '../../../workflows/capp/state.ts';
import { applied, aState, CAPP, chosen, none } from '../../support/builders/states.ts';

const fresh = aState({ due: ['spec'], ringsHeard: 1 });

/** What was shipped for a choice, as `apply` was asked. */
async function place(choice: Choice, state: State = fresh) {
  const shipments: { readonly cluster: string; readonly state: State; readonly record: unknown }[] = [];
  const placed = await hubPlace({
    choose: async () => choice,
    apply: async (_capp, cluster, asked, record) => {
      shipments.push({ cluster, state: asked, record });
      return applied();
    },
  }).place(CAPP, state);
  return { placed, shipments };
}

test('the chosen cluster gets the work, for the state that the workflow takes from the same choice', async () => {
  const choice = chosen('site-2');
  const { placed, shipments } = await place(choice);
  expect(placed).toEqual({
    choice,
    at: expect.any(Number),
    shipped: { cluster: 'site-2', answer: applied() },
  });
  expect(shipments).toEqual([
    { cluster: 'site-2', state: afterChoice(fresh, fresh, choice, placed.at), record: choice.record },
  ]);
});

test.each<[string, Choice]>([
  ['nothing to choose from', none()],
  ['no such Capp', { outcome: 'Absent' }],
  ['caches behind', { outcome: 'Behind' }],
  ['a site for a Capp that must not run twice', { ...chosen(), isSole: true }],
])('%s: nothing is shipped', async (_title, choice) => {
  const { placed, shipments } = await place(choice);
  expect(placed).toMatchObject({ choice, shipped: null });
  expect(shipments).toEqual([]);
});

test('a Capp that is to be removed is not shipped by a choice', async () => {
  const { shipments } = await place(chosen(), { ...fresh, retiring: true });
  expect(shipments).toEqual([]);
});

test('what cannot be shipped now fails, so that the workflow goes step by step', async () => {
  const failing = hubPlace({
    choose: async () => chosen(),
    apply: () => Promise.reject(new Error('the hub is away')),
  });
  await expect(failing.place(CAPP, fresh)).rejects.toThrow('the hub is away');
});
