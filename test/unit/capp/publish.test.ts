// When the workflow writes a status again although nothing in it has changed.
import { handle } from '../../../workflows/capp/handlers.ts';
import type { CappLife } from '../../../workflows/capp/life.ts';
import { publish } from '../../../workflows/capp/steps/publish.ts';
import type { Ring } from '../../../workflows/types/ring.ts';
import type { State } from '../../../workflows/capp/state.ts';
import { aCopy, aFinding, aMove, aPlacedState, aState, NOW } from '../../support/builders/states.ts';

const AGAIN = { causes: ['spec'], minimumVersions: {}, tellAgain: true } as const;

/** A life that only publishes; `written` has the states that were published. */
function aLife(state: State) {
  const written: State[] = [];
  const by = { publish: async (_ref: unknown, told: State) => void written.push(told) };
  const handlers = new Map<string, (given: unknown) => void>();
  const on = ({ name }: { name: string }, handler: (given: unknown) => void): void =>
    void handlers.set(name, handler);
  const runtime = { now: () => NOW, localWrite: () => by, hub: () => by, handle: on };
  const noted = new Set<string>(['a deletion is quick and quiet']);
  const life = { state, record: null, unpublished: null, runtime, noted } as unknown as CappLife;
  handle(life);
  return { life, written, ring: (ring: Ring) => handlers.get('ring')?.(ring) };
}

test.each<[string, State]>([
  ['serves', aPlacedState()],
  ['is being deleted', aPlacedState({ retiring: true })],
  [
    'moves between two sites',
    aPlacedState({ move: aMove(), copies: { 'site-1': aCopy({ wanted: false, finding: aFinding() }) } }),
  ],
  ['has no site', aState({ placing: { reason: 'NoCandidate', message: 'No site.' } })],
])(
  'a ring with tellAgain makes the workflow write the status once more, once, of a Capp that %s',
  async (_what, state) => {
    const { life, written, ring } = aLife(state);
    await publish(life, null);
    ring({ causes: ['spec'], minimumVersions: {} });
    await publish(life, null);
    expect(written).toHaveLength(1);
    ring(AGAIN);
    await publish(life, null);
    await publish(life, null);
    expect(written).toHaveLength(2);
  },
);

test('a workflow that has published nothing yet only counts the ring: the status on the hub may be newer than its state', () => {
  const { life, ring } = aLife(aState());
  ring(AGAIN);
  expect(life.state).toMatchObject({ published: null, ringsHeard: 2 });
});
