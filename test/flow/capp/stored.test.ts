// What a Capp costs Temporal's store, counted by a server of its own: calls by operation, the least of some
// lives.
import { grown, type Counters } from '../../../testbed/counts/metrics.ts';
import { STORED, storedIn, type Stored, type StoredName } from '../../../testbed/counts/stored.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { quietLogs } from '../../support/flow/quiet-logs.ts';
import { startTemporal, type TemporalForTests } from '../../support/flow/temporal.ts';
import { openFlowTestbed, type FlowTestbed } from '../../support/testbeds/flow.ts';

quietLogs();

const LIVES = 3;
const NAMESPACE = 'default';
/** Nothing more follows when nothing was counted for so long. */
const QUIET_MS = 1_500;

let server: TemporalForTests;
beforeAll(async () => {
  server = await startTemporal();
}, 300_000);
afterAll(() => server?.stop());

const counted = async (): Promise<Counters> =>
  storedIn(await (await fetch(server.metrics)).text(), NAMESPACE);

const UPDATES = 'UpdateWorkflowExecution';

/** What is counted when nothing more is, and no sooner than so many updates after `before`. */
async function atRest(before: Counters = new Map(), updates = 0): Promise<Counters> {
  let last: Counters = new Map();
  let since = Date.now();
  return eventually(async () => {
    const now = await counted();
    const isDone = (grown(before, now).get(UPDATES) ?? 0) >= updates;
    if (!isDone || grown(last, now).size > 0) since = Date.now();
    last = now;
    return Date.now() - since < QUIET_MS ? undefined : now;
  });
}

type Happens = (life: FlowTestbed, before: Counters) => Promise<void>;

/** No query while it happens: it would cost calls of its own. */
const HAPPENS: Readonly<Record<StoredName, Happens>> = {
  'a first rollout': async (life) => {
    await life.ring('spec');
    await eventually(() => life.world.condition('Ready')?.status === 'True' || undefined);
  },
  'an edit': async (life) => {
    life.world.edit();
    await life.ring('spec');
    await eventually(() => life.world.condition('Ready')?.observedGeneration === 2 || undefined);
  },
  'one look again at rest': async (life) => {
    const { length } = life.world.calls;
    await life.ring('resync');
    await eventually(() => life.world.calls.length > length || undefined);
  },
  'a deletion': async (life, before) => {
    if (life.world.capp !== null) life.world.capp.deleting = true;
    await life.ring('meta');
    await eventually(() => life.world.calls.includes('retire') || undefined);
    // The ring, and the task in which it sees that its site has to clean up.
    await atRest(before, 3);
    life.world.works.clear();
    await life.ring('work');
    await eventually(() => life.world.capp === null || undefined);
  },
};

test('no story costs more calls to the store than its budget, nor fewer', async () => {
  const least = new Map<StoredName, Stored>();
  for (let index = 0; index < LIVES; index += 1) {
    const life = await openFlowTestbed({
      address: server.address,
      namespace: NAMESPACE,
      name: `app-${index}`,
    });
    await life.startHub();
    await life.startAgent();
    let before = await atRest();
    for (const story of Object.keys(HAPPENS) as StoredName[]) {
      await HAPPENS[story](life, before);
      const after = await atRest(before, STORED[story].calls[UPDATES]);
      least.set(story, lesser(Object.fromEntries(grown(before, after)), least.get(story)));
      before = after;
    }
    await life.close();
  }
  const budget = Object.entries(STORED).map(([story, { calls }]) => [story, calls]);
  expect(Object.fromEntries(least)).toEqual(Object.fromEntries(budget));
}, 300_000);

function lesser(one: Stored, other: Stored | undefined): Stored {
  if (other === undefined) return one;
  const least = Object.entries(one).map(
    ([what, count]) => [what, Math.min(count, other[what] ?? 0)] as const,
  );
  return Object.fromEntries(least.filter(([, count]) => count > 0));
}
