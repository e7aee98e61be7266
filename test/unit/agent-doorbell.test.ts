// What an agent says unasked: all that it has, at its start and again and again, and that a Capp has changed.
import type { Client } from '@temporalio/client';
import { doorbell, type DoorbellOptions } from '../../activities/agent/doorbell.ts';
import { feed } from '../../activities/agent/feed.ts';
import { told } from '../../activities/agent/told.ts';
import type { Capp } from '../../crds/capp.ts';
import { ROLLOUT } from '../../crds/labels.ts';
import type { Audit } from '../../workflows/ring.ts';
import { aCapp } from '../support/capps.ts';
import { eventually } from '../support/eventually.ts';

const shipped = (name: string): Capp => aCapp({ name, annotations: { [ROLLOUT]: `uid-${name}/1/hash/one` } });

/** An agent whose site has these Capps, and what Temporal hears of it. `fails` says how many signals are lost first. */
function agent(capps: readonly Capp[], given: Partial<DoorbellOptions> = {}, fails = 0) {
  const heard: { id: string; audit: Audit }[] = [];
  let lost = fails;
  const getHandle = (id: string) => ({
    signal: async (_signal: unknown, audit: Audit): Promise<void> => {
      if (lost > 0) {
        lost -= 1;
        throw new Error('Temporal does not answer');
      }
      heard.push({ id, audit });
    },
  });
  const site = { get: () => undefined, list: () => [...capps], subscribe: () => () => undefined };
  const bell = doorbell({
    client: { workflow: { getHandle } } as unknown as Client,
    cluster: 'site-1',
    capps: site,
    feed: feed(site, () => true),
    told: told(),
    onError: () => undefined,
    ...given,
  });
  return { heard, stop: () => bell.stop() };
}

test('an agent that starts says all that it has, each with its stamp', async () => {
  const { heard, stop } = agent([shipped('b'), aCapp({ name: 'of-nobody' }), shipped('a')]);
  const [first] = await eventually(() => (heard.length > 0 ? heard : undefined));
  expect(first?.id).toBe('site/site-1');
  expect(first?.audit).toMatchObject({
    after: null,
    upTo: null,
    entries: [
      { namespace: 'apps', name: 'a', uid: 'uid-a', stamp: 'uid-a/1/hash/one' },
      { namespace: 'apps', name: 'b', uid: 'uid-b', stamp: 'uid-b/1/hash/one' },
    ],
  });
  await stop();
});

test('an agent that has nothing says that it has nothing', async () => {
  const { heard, stop } = agent([]);
  await eventually(() => (heard.length > 0 ? true : undefined));
  expect(heard[0]?.audit).toEqual({ entries: [], after: null, upTo: null });
  await stop();
});

test('an agent says again and again what it has, so that what went unseen is found without a restart', async () => {
  const { heard, stop } = agent([shipped('a')], { auditMs: 5 });
  await eventually(() => (heard.length >= 3 ? true : undefined));
  expect(heard[2]?.audit.entries).toHaveLength(1);
  await stop();
});

test('a large site speaks in stretches that leave no gap, and begins anew if one is lost', async () => {
  const { heard, stop } = agent(
    Array.from({ length: 1_201 }, (_, index) => shipped(`app-${index}`)),
    {},
    1,
  );
  await eventually(() => (heard.length >= 3 ? true : undefined));
  expect(heard.map(({ audit }) => audit.entries.length)).toEqual([500, 500, 201]);
  const [one, two, three] = heard.map(({ audit }) => audit);
  expect([one?.after, one?.upTo === two?.after, two?.upTo === three?.after, three?.upTo]).toEqual([null, true, true, null]);
  await stop();
});
