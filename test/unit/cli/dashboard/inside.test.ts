// What a tab is sent, and when; and what is waited for when the dashboard ends.
import { jest } from '@jest/globals';
import { insideOf, type InsideOptions } from '../../../../cli/dashboard/feed/inside.ts';
import { goneOf } from '../../../../cli/dashboard/feed/gone.ts';
import type { DashboardFacts } from '../../../../cli/dashboard/view/facts.ts';
import { deferred } from '../../../../kube/deferred.ts';
import { facts, ready } from '../../../support/builders/facts.ts';

interface Sent {
  readonly set: Readonly<Record<string, unknown>>;
  readonly drop: readonly string[];
  readonly first: boolean;
}

/** Watches that show what the test says, and a hub that answers nothing but what a test gives it. */
function aFeed(hub: object = {}) {
  const listeners = new Set<() => void>();
  let shown: () => DashboardFacts = () => facts({ capps: [ready('shop', 'a')] });
  const ending = new AbortController();
  const onChange = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const options = {
    hub: { context: 'test', server: 'https://hub', namespace: 'apps', ...hub },
    user: 'dana',
    watches: {
      facts: () => shown(),
      scope: null,
      loading: () => [],
      brokenSince: () => null,
      gone: goneOf(),
      onChange,
      stop: async () => undefined,
    },
    pulse: { silentSince: () => null, onChange, stop: () => undefined },
    ending: ending.signal,
  } as unknown as InsideOptions;
  return {
    inside: insideOf(options),
    listeners,
    end: () => ending.abort(),
    show(next: () => DashboardFacts) {
      shown = next;
      for (const listener of listeners) listener();
    },
  };
}

describe('a stream', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  function open({ inside }: ReturnType<typeof aFeed>) {
    const sent: Sent[] = [];
    const leaving = new AbortController();
    const ended = inside.stream(
      new URLSearchParams({ view: 'apps' }),
      (value) => sent.push(value as Sent),
      leaving.signal,
    );
    return { sent, ended, leave: () => leaving.abort() };
  }

  it('has the whole picture first, then what has changed, and nothing more once the tab has left', async () => {
    const feed = aFeed();
    const { sent, ended, leave } = open(feed);
    expect(sent).toMatchObject([{ first: true, set: { 'app/apps/shop': { name: 'shop' } } }]);
    feed.show(() => facts());
    await jest.advanceTimersByTimeAsync(1000);
    expect(sent.slice(1)).toEqual([{ first: false, set: {}, drop: ['app/apps/shop'] }]);
    leave();
    await ended;
    expect([feed.listeners.size, jest.getTimerCount()]).toEqual([0, 0]);
  });

  it('tells a page every few seconds that the program is there, also when nothing changes', async () => {
    const { sent, leave, ended } = open(aFeed());
    for (let seconds = 0; seconds < 60; seconds += 10) {
      const before = sent.length;
      await jest.advanceTimersByTimeAsync(10_000);
      expect(sent.length).toBeGreaterThan(before);
    }
    expect(sent.slice(1).every(({ set, first }) => !first && Object.keys(set).length === 0)).toBe(true);
    expect(sent.length).toBeLessThan(20);
    leave();
    await ended;
  });

  it('is drawn five times a second at most, however often something changes', async () => {
    const feed = aFeed();
    const { sent, leave, ended } = open(feed);
    for (let at = 0; at < 100; at += 1) {
      feed.show(() => facts({ capps: [ready(`shop-${at}`, 'a')] }));
      await jest.advanceTimersByTimeAsync(10);
    }
    expect(sent.length).toBeLessThanOrEqual(6);
    leave();
    await ended;
  });

  it.each(['at once', 'later'])(
    'whose picture cannot be made %s ends, and takes nothing else with it',
    async (when) => {
      const feed = aFeed();
      const broken = () => {
        throw new RangeError('Invalid time value');
      };
      if (when === 'at once') feed.show(broken);
      const { ended } = open(feed);
      const failed = ended.catch((error: unknown) => error);
      if (when === 'later') feed.show(broken);
      await jest.advanceTimersByTimeAsync(1000);
      expect(await failed).toEqual(new RangeError('Invalid time value'));
      expect([feed.listeners.size, jest.getTimerCount()]).toEqual([0, 0]);
    },
  );

  it('beyond the fourth has one picture, and frees its place', async () => {
    const feed = aFeed();
    const four = Array.from({ length: 4 }, () => open(feed));
    const fifth = open(feed);
    await fifth.ended;
    expect(fifth.sent).toMatchObject([{ first: true }]);
    const [one] = four;
    one?.leave();
    await one?.ended;
    const next = open(feed);
    expect(feed.listeners.size).toBe(4);
    for (const { leave, ended } of [...four, next]) {
      leave();
      await ended;
    }
  });
});

describe('when the dashboard ends', () => {
  it('an act that is under way is waited for', async () => {
    const reading = deferred<never>();
    const { inside } = aFeed({ kube: { get: () => reading.promise } });
    const act = inside.act({ act: 'pause', namespace: 'apps', name: 'shop', seen: '' });
    let isSettled = false;
    const settled = inside.settled().then(() => (isSettled = true));
    await Promise.resolve();
    expect(isSettled).toBe(false);
    reading.reject(new Error('the end'));
    await act.catch(() => undefined);
    await settled;
    await inside.settled();
  });
});

test('what no page sends is no act', async () => {
  const { inside } = aFeed();
  expect(await inside.act({ act: 'pause', name: [] })).toMatchObject({ status: 400 });
  expect(await inside.act({ act: 'constructor', name: 'shop' })).toMatchObject({ status: 400 });
});
