// When what a Capp's workflow has told its users is written once more although nothing of it has changed.
import { handle } from '../../../workflows/capp/handlers.ts';
import type { Life } from '../../../workflows/capp/life.ts';
import { publish } from '../../../workflows/capp/publish.ts';
import type { Ring } from '../../../workflows/types/ring.ts';
import type { State } from '../../../workflows/capp/state.ts';
import { aCopy, aFinding, aMove, aPlacedState, aState, NOW } from '../../support/builders/states.ts';

const AGAIN = { causes: ['spec'], minimumVersions: {}, tellAgain: true } as const;

/** A life in which publishing is all that is done; `written` is what was. */
function aLife(state: State) {
  const written: State[] = [];
  const by = { publish: async (_ref: unknown, told: State) => void written.push(told) };
  const handlers = new Map<string, (given: unknown) => void>();
  const on = ({ name }: { name: string }, handler: (given: unknown) => void): void =>
    void handlers.set(name, handler);
  const runtime = { now: () => NOW, localWrite: () => by, hub: () => by, handle: on };
  const life = { state, record: null, untold: null, runtime } as unknown as Life;
  handle(life);
  return { life, written, ring: (ring: Ring) => handlers.get('ring')?.(ring) };
}

test.each<[string, State]>([
  ['serves', aPlacedState()],
  ['is being deleted', aPlacedState({ retiring: true })],
  [
    'is between two copies',
    aPlacedState({ move: aMove(), copies: { 'site-1': aCopy({ wanted: false, finding: aFinding() }) } }),
  ],
  ['is nowhere', aState({ placing: { reason: 'NoCandidate', message: 'No site.' } })],
])('a workflow that is asked to tells users again, once, of a Capp that %s', async (_what, state) => {
  const { life, written, ring } = aLife(state);
  await publish(life, null);
  ring({ causes: ['spec'], minimumVersions: {} });
  await publish(life, null);
  expect(written).toHaveLength(1);
  ring(AGAIN);
  await publish(life, null);
  await publish(life, null);
  expect(written).toHaveLength(2);
});

test('a workflow that has told nothing yet knows less than what stands there, whoever asks', () => {
  const { life, ring } = aLife(aState());
  ring(AGAIN);
  expect(life.state).toMatchObject({ published: null, ringsHeard: 2 });
});
