// The bridge rings the Capps of a site once when its agent has been silent for five minutes, once when the
// agent is back, and not otherwise.
import { listenForSilence } from '../../../../bridge/sites/silence.ts';
import type { BridgeWatched } from '../../../../bridge/changes/watched.ts';
import type { RingCall } from '../../../../bridge/ringer.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import type { Change } from '../../../../kube/watch/store.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { MINUTE, NOW } from '../../../support/builders/states.ts';

const SILENT_AFTER = 5 * MINUTE;

function onSite(name: string, site: string, reason = 'Serving'): Capp {
  const condition = {
    type: 'Available',
    status: 'True' as const,
    reason,
    message: '',
    lastTransitionTime: '2026-03-01T12:00:00Z',
  };
  return {
    ...aCapp({ name, uid: `uid-${name}` }),
    status: { applicationLinks: { site }, conditions: [condition] },
  };
}

/** Three Capps on two sites whose agents poll each minute until a test says otherwise. */
function setting(...capps: Capp[]) {
  const objects = new Map(capps.map((capp) => [capp.metadata.name, capp]));
  const listeners = new Set<(change: Change<Capp>) => void>();
  const cache = {
    list: () => [...objects.values()],
    subscribe: (listener: (change: Change<Capp>) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const rung: RingCall[] = [];
  const polls = new Map<string, number | null>();
  const faults: unknown[] = [];
  let now = NOW;
  let isDown = false;
  const silence = listenForSilence({
    watched: { capps: cache } as unknown as Pick<BridgeWatched, 'capps'>,
    ringer: { ring: (call) => void rung.push(call) },
    lastPoll: (cluster) =>
      isDown ? Promise.reject(new Error('Temporal is away')) : Promise.resolve(polls.get(cluster) ?? null),
    silentAfterMs: SILENT_AFTER,
    onError: (_cluster, error) => faults.push(error),
    now: () => now,
  });
  return {
    silence,
    faults,
    listeners,
    poll: (...clusters: string[]) => clusters.forEach((cluster) => polls.set(cluster, now)),
    forget: (cluster: string) => polls.set(cluster, null),
    turnTemporal: (on: boolean) => void (isDown = !on),
    put: (object: Capp) => {
      const previous = objects.get(object.metadata.name);
      objects.set(object.metadata.name, object);
      if (previous === undefined) throw new Error('no such Capp');
      for (const listener of listeners) listener({ type: 'Modified', object, previous, initial: false });
    },
    /** Looks each minute, and returns the rings: name, cause, and when the agent was last seen. */
    pass: async (minutes: number, ...polling: string[]): Promise<string[]> => {
      for (let minute = 0; minute < minutes; minute += 1) {
        now += MINUTE;
        for (const cluster of polling) polls.set(cluster, now);
        await silence.look();
      }
      return rung
        .splice(0)
        .map(({ name, cause, seen = {} }) =>
          [name, cause, ...Object.values(seen).map((at) => at - NOW)].join(' '),
        );
    },
  };
}

const three = () => [onSite('a', 'site-1'), onSite('b', 'site-1'), onSite('c', 'site-2')] as const;

test('Capps whose agents poll are not rung for', async () => {
  expect(await setting(...three()).pass(1_000, 'site-1', 'site-2')).toEqual([]);
});

test('the Capps of a silent site are rung for once, with the time at which its agent was last seen', async () => {
  const place = setting(...three());
  place.poll('site-1', 'site-2');
  await place.silence.look();
  expect(await place.pass(5, 'site-2')).toEqual([]);
  expect(await place.pass(1, 'site-2')).toEqual(['a site 0', 'b site 0']);
  expect(await place.pass(1_000, 'site-2')).toEqual([]);
});

test('when the agent is back, the Capps whose status says AgentSilent are rung for once', async () => {
  const place = setting(...three());
  place.poll('site-1', 'site-2');
  await place.pass(6, 'site-2');
  place.put(onSite('a', 'site-1', 'AgentSilent'));
  expect(await place.pass(3, 'site-2')).toEqual([]);
  expect(await place.pass(1, 'site-1', 'site-2')).toEqual(['a site']);
  expect(await place.pass(100, 'site-1', 'site-2')).toEqual([]);
  place.put(onSite('a', 'site-1'));
  expect(await place.pass(7, 'site-2')).toEqual(['a site 6600000', 'b site 6600000']);
});

test('a Capp whose status says AgentSilent before the bridge counts the agent as silent is rung for when the agent polls again', async () => {
  const place = setting(...three());
  await place.pass(1, 'site-1', 'site-2');
  place.put(onSite('a', 'site-1', 'AgentSilent'));
  expect(await place.pass(2, 'site-2')).toEqual([]);
  expect(await place.pass(2, 'site-1', 'site-2')).toEqual(['a site']);
});

test('a bridge that starts while an agent is silent counts from its own start, and rings no Capp that says AgentSilent already', async () => {
  const place = setting(onSite('a', 'site-1', 'AgentSilent'), onSite('b', 'site-1'));
  expect(await place.pass(6)).toEqual([]);
  expect(await place.pass(1)).toEqual(['b site']);
  expect(await place.pass(1, 'site-1')).toEqual(['a site']);
});

test('while Temporal cannot be reached no agent counts as silent, and that time is not counted afterwards', async () => {
  const place = setting(...three());
  await place.pass(1, 'site-1', 'site-2');
  place.turnTemporal(false);
  expect(await place.pass(60)).toEqual([]);
  expect(place.faults).toHaveLength(120);
  place.turnTemporal(true);
  place.forget('site-1');
  expect(await place.pass(5, 'site-2')).toEqual([]);
  expect(await place.pass(3, 'site-2')).toEqual(['a site 60000', 'b site 60000']);
});

test('an agent whose last poll Temporal no longer knows does not count as silent at once', async () => {
  const place = setting(...three());
  await place.pass(1, 'site-1', 'site-2');
  place.forget('site-1');
  expect(await place.pass(5, 'site-2')).toEqual([]);
  expect(await place.pass(1, 'site-1', 'site-2')).toEqual([]);
});

test('a Capp without a site is never rung for, and stopping ends the subscription', async () => {
  const place = setting(aCapp());
  expect(await place.pass(10)).toEqual([]);
  place.silence.stop();
  expect(place.listeners.size).toBe(0);
});
