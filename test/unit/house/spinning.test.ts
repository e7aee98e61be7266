// The simulator ends a life whose workflow goes round and round while no time passes: nothing else would.
import type { Runtime } from '../../../workflows/engine/runtime.ts';
import { NOW } from '../../support/builders/states.ts';
import { Clockwork } from '../../support/simulator/engine/clockwork.ts';
import type { End } from '../../support/simulator/engine/exchange.ts';
import type { Instance } from '../../support/simulator/engine/instance.ts';
import { idle } from '../../support/simulator/engine/settled.ts';
import { Temporal, type Around } from '../../support/simulator/engine/temporal.ts';

type Life = (start: never, runtime: Runtime) => Promise<unknown>;

/** Real Temporal of the simulator, but for the workflow. */
class Lived extends Temporal {
  readonly #life: Life;

  constructor(around: Around, life: Life) {
    super(around);
    this.#life = life;
  }

  override begin(instance: Instance): void {
    instance.begin(this.#life, {});
  }
}

/** How the life ends that is told of nothing and whose activities take no time. */
async function endOf(life: Life): Promise<End | null> {
  const clock = new Clockwork(NOW);
  const ends: End[] = [];
  const nothing = (): undefined => undefined;
  const around = {
    clock,
    hub: () => ({ publish: async () => null }) as never,
    askAgent: () => nothing,
    between: (least: number) => least,
    slips: () => false,
    random: () => 0,
    tell: nothing,
    shown: nothing,
    counted: nothing,
    lost: nothing,
    ended: (_run: unknown, end: End) => void ends.push(end),
  };
  const temporal = new Lived(around, life);
  temporal.startWith('capp', { workflowId: 'capp/apps/round', args: [{}] });
  while (clock.step(NOW + 3_600_000)) await temporal.follow(idle);
  return ends[0] ?? null;
}

const publish = (runtime: Runtime): Promise<unknown> =>
  runtime.localWrite('Publish').publish({} as never, {} as never, {} as never);

test.each<readonly [string, (runtime: Runtime) => unknown]>([
  ['and asks only what time it is', (runtime) => runtime.now()],
  ['and waits for what is so already', (runtime) => runtime.until(() => true)],
  ['by local activities that take no time', publish],
])('it goes round %s', async (_, step) => {
  const end = await endOf(async (_start, runtime) => {
    for (;;) await step(runtime);
  });
  expect(end?.is).toBe('stuck');
  expect(String(end !== null && 'error' in end && end.error.message)).toMatch(
    /^capp\/apps\/round goes round and round/,
  );
});

/** Twice as many questions as are too many at one instant. */
test('a life goes on as long as it likes whose time passes', async () => {
  let rounds = 0;
  const end = await endOf(async (_start, runtime) => {
    for (; rounds < 12_000; rounds += 1) {
      await publish(runtime);
      await runtime.sleep(1, 'Go on');
    }
  });
  expect([end?.is, rounds]).toEqual(['done', 12_000]);
});
