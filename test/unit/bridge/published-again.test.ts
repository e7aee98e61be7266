// When the bridge looks again at Temporal: a hub that has just begun is not called broken for half a minute.
import { jest } from '@jest/globals';
import { keepPublishing } from '../../../bridge/published/again.ts';
import type { PublishedLook } from '../../../bridge/published/look.ts';
import { publisher } from '../../../bridge/published/publish.ts';
import { BRIDGE_TIMES } from '../../../bridge/times.ts';
import type { HubStatusReport } from '../../../crds/hub/hub-status.ts';
import type { KubeObject } from '../../../kube/resource.ts';

const { published, publishedAmiss, begun } = BRIDGE_TIMES;
const AT = Date.parse('2026-11-30T12:00:00Z');
const POLLED: PublishedLook = {
  reachable: true,
  missingSearchAttributes: [],
  polled: { '1.2-3': AT },
  currentBuild: '1.2-3',
};
const UNPOLLED: PublishedLook = { ...POLLED, polled: {} };
const AWAY: PublishedLook = { reachable: false, problem: 'Unreachable' };

/** A publisher that sees these looks one after the other, and begins at the time that `now` gives first. */
function publisherOf(now: () => number, ...looks: PublishedLook[]) {
  let status: HubStatusReport | undefined;
  const object = { metadata: { name: 'hub', uid: 'a', resourceVersion: '1' } };
  const kube = {
    get: async () => ({ ...object, status }),
    create: async () => object,
    apply: async (_kind: unknown, applied: KubeObject & { status?: HubStatusReport }) => {
      status = applied.status;
      return { ...object, status };
    },
  };
  const seen = looks.values();
  return publisher({
    kube: kube as never,
    look: async () => seen.next().value ?? POLLED,
    agents: async () => ({}),
    own: { namespace: 'default', ui: null, version: '1.2' },
    now,
  });
}

test('soon while no hub worker polls, or Temporal is known to be away, and seldom when all is well', async () => {
  const publish = publisherOf(() => AT, UNPOLLED, UNPOLLED, POLLED, AWAY, AWAY, AWAY, POLLED);
  const waits: number[] = [];
  for (let count = 0; count < 7; count += 1) waits.push(await publish());
  expect(waits).toEqual([
    publishedAmiss.ms,
    publishedAmiss.ms,
    published.ms,
    // One failure may be a moment's: what is published stays.
    publishedAmiss.ms,
    publishedAmiss.ms,
    publishedAmiss.ms,
    published.ms,
  ]);
});

test('seldom in an outage of a hub that has run for long', async () => {
  let now = AT;
  const publish = publisherOf(() => now, AWAY, AWAY, UNPOLLED, AWAY, AWAY, UNPOLLED);
  const waits: number[] = [];
  for (let count = 0; count < 6; count += 1) {
    if (count === 3) now += begun.ms;
    waits.push(await publish());
  }
  const soon = publishedAmiss.ms;
  expect(waits).toEqual([soon, soon, soon, published.ms, published.ms, published.ms]);
});

describe('again and again', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('after the end of the last look, never two at once, and not after the end', async () => {
    let began = 0;
    let end = (_ms: number): void => undefined;
    const stop = keepPublishing(() => {
      began += 1;
      return new Promise((resolve) => {
        end = resolve;
      });
    });
    await jest.advanceTimersByTimeAsync(published.ms * 3);
    expect(began).toBe(1);
    end(publishedAmiss.ms);
    await jest.advanceTimersByTimeAsync(publishedAmiss.ms - 1);
    expect(began).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(began).toBe(2);
    stop();
    end(publishedAmiss.ms);
    await jest.advanceTimersByTimeAsync(published.ms);
    expect(began).toBe(2);
  });
});
