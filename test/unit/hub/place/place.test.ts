// Choosing and applying in one activity: it applies what the workflow would apply next, and otherwise only
// chooses.
import { hubPlace } from '../../../../activities/hub/place/place.ts';
import { afterChoice } from '../../../../workflows/capp/after/choice.ts';
import type { Choice } from '../../../../workflows/ports/choice.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import { applied, aState, CAPP, chosen, none } from '../../../support/builders/states.ts';

const fresh = aState({ due: ['spec'], ringsHeard: 1 });

/** The calls of `apply` for a choice. */
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

test('the work is applied to the chosen cluster, for the state that the workflow derives from the same choice', async () => {
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
  ['there is no candidate', none()],
  ['the Capp does not exist', { outcome: 'Absent' }],
  ['the caches lag', { outcome: 'Behind' }],
  ['the Capp must not run twice', { ...chosen(), isSole: true }],
])('nothing is applied when %s', async (_title, choice) => {
  const { placed, shipments } = await place(choice);
  expect(placed).toMatchObject({ choice, shipped: null });
  expect(shipments).toEqual([]);
});

test('nothing is applied when the Capp is being deleted', async () => {
  const { shipments } = await place(chosen(), { ...fresh, retiring: true });
  expect(shipments).toEqual([]);
});

test('a failing apply makes the activity fail, so that the workflow chooses and applies in two steps', async () => {
  const failing = hubPlace({
    choose: async () => chosen(),
    apply: () => Promise.reject(new Error('the hub is away')),
  });
  await expect(failing.place(CAPP, fresh)).rejects.toThrow('the hub is away');
});
