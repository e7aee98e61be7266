// The inventory of all its Capps that an agent sends at its start and at intervals.
import type { Client } from '@temporalio/client';
import { doorbell, type DoorbellOptions } from '../../../activities/agent/ring/doorbell.ts';
import { feed } from '../../../activities/agent/report/feed.ts';
import { told } from '../../../activities/agent/ring/told.ts';
import { siteCapps } from '../../../activities/agent/report/site-capps.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import type { KnativeService } from '../../../crds/kubernetes/knative.ts';
import { ROLLOUT } from '../../../crds/labels.ts';
import type { Kube } from '../../../kube/client.ts';
import type { Inventory } from '../../../workflows/types/ring.ts';
import { aCapp } from '../../support/builders/capps.ts';
import { fakeCache } from '../../support/builders/process/fake-cache.ts';
import { eventually } from '../../../testbed/eventually.ts';

const shipped = (name: string): Capp => aCapp({ name, annotations: { [ROLLOUT]: `uid-${name}/1/hash/one` } });

const NO_SERVER: Pick<Kube, 'get'> = { get: () => Promise.reject(new Error('nobody need ask it')) };

interface Trouble {
  /** How many signals are lost first. */
  readonly fails?: number;
  /** What keeps the watch from following. */
  readonly problem?: unknown;
}

/** An agent whose site has these Capps, and the signals that Temporal gets from it. */
function agent(
  capps: Capp[],
  { fails = 0, problem = null, ...given }: Partial<DoorbellOptions> & Trouble = {},
) {
  const heard: { id: string; inventory: Inventory }[] = [];
  let lost = fails;
  const getHandle = (id: string) => ({
    signal: async (_signal: unknown, inventory: Inventory): Promise<void> => {
      if (lost > 0) {
        lost -= 1;
        throw new Error('Temporal does not answer');
      }
      heard.push({ id, inventory });
    },
  });
  const hand = fakeCache(...capps);
  hand.fail(problem);
  const site = siteCapps({
    kube: NO_SERVER,
    capps: hand.cache,
    watchServices: () => fakeCache<KnativeService>().cache,
  });
  const bell = doorbell({
    client: { workflow: { getHandle } } as unknown as Client,
    cluster: 'site-1',
    capps: site,
    feed: feed(site),
    told: told(),
    onError: () => undefined,
    ...given,
  });
  return { heard, hand, stop: () => bell.stop() };
}

test('an agent that starts sends an inventory of all shipped Capps, each with its stamp', async () => {
  const { heard, stop } = agent([shipped('b'), aCapp({ name: 'of-nobody' }), shipped('a')]);
  const [first] = await eventually(() => (heard.length > 0 ? heard : undefined));
  expect(first?.id).toBe('site/site-1');
  expect(first?.inventory).toMatchObject({
    after: null,
    upTo: null,
    entries: [
      { namespace: 'apps', name: 'a', uid: 'uid-a', stamp: 'uid-a/1/hash/one' },
      { namespace: 'apps', name: 'b', uid: 'uid-b', stamp: 'uid-b/1/hash/one' },
    ],
  });
  await stop();
});

test('an agent without Capps sends an empty inventory', async () => {
  const { heard, stop } = agent([]);
  await eventually(() => (heard.length > 0 ? true : undefined));
  expect(heard[0]?.inventory).toEqual({ entries: [], after: null, upTo: null });
  await stop();
});

test('an agent repeats its inventory at intervals, so that a missed change is found without a restart', async () => {
  const { heard, stop } = agent([shipped('a')], { inventoryMs: 5 });
  await eventually(() => (heard.length >= 3 ? true : undefined));
  expect(heard[2]?.inventory.entries).toHaveLength(1);
  await stop();
});

test('a large inventory is sent in parts without gaps, and is sent again when a part is lost', async () => {
  const { heard, stop } = agent(
    Array.from({ length: 1_201 }, (_, index) => shipped(`app-${index}`)),
    { fails: 1 },
  );
  await eventually(() => (heard.length >= 3 ? true : undefined));
  expect(heard.map(({ inventory }) => inventory.entries.length)).toEqual([500, 500, 201]);
  const [one, two, three] = heard.map(({ inventory }) => inventory);
  expect([one?.after, one?.upTo === two?.after, two?.upTo === three?.after, three?.upTo]).toEqual([
    null,
    true,
    true,
    null,
  ]);
  await stop();
});

test("an agent that cannot reach its site's API server sends no inventory", async () => {
  const { heard, hand, stop } = agent([], { problem: new Error('away'), blindMs: 1 });
  await new Promise((resolve) => void setTimeout(resolve, 20));
  expect(heard).toEqual([]);
  hand.put(shipped('a'));
  hand.fail(null);
  await eventually(() => (heard.length > 0 ? true : undefined));
  expect(heard[0]?.inventory.entries).toHaveLength(1);
  await stop();
});
