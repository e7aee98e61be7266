// How the Kubernetes client waits and retries: Retry-After, broken connections, deadlines and cancellation.
import { inspect } from 'node:util';
import { CONFIG_MAP, type ConfigMap } from '../../../crds/kubernetes/core.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import type { ApiServerForTests } from '../../support/servers/api/api-server.ts';
import type { FaultProxy } from '../../support/servers/network/fault-proxy.ts';
import { failure, faultyServer, first } from '../../support/servers/api/faulty-server.ts';
import { KUBE_TIMES } from '../../../kube/times.ts';
import { API_TIMEOUT_MS } from '../../../testbed/eventually.ts';

const NS = 'kube-patience';
const MAPS = `/api/v1/namespaces/${NS}/configmaps`;
const EXPIRED = JSON.stringify({
  kind: 'Status',
  code: 410,
  reason: 'Expired',
  message: 'the token is too old',
});

let server: ApiServerForTests;
let proxy: FaultProxy;
let direct: Kube;
let kube: Kube;

faultyServer(NS, (given) => ({ server, proxy, direct, kube } = given));

const key = { namespace: NS, name: 'a' };

describe('a server that answers with an error', () => {
  it.each([429, 503])(
    '%d and Retry-After gets the request again after that time, also a write',
    async (answer) => {
      proxy.fault(first(1, { answer, headers: { 'retry-after': '1' } }));
      const began = performance.now();
      await kube.patch(CONFIG_MAP, key, { data: { [`after-${answer}`]: 'x' } });
      expect(performance.now() - began).toBeGreaterThanOrEqual(1000);
      expect(await direct.get<ConfigMap & KubeObject>(CONFIG_MAP, key)).toHaveProperty(
        ['data', `after-${answer}`],
        'x',
      );
    },
  );

  it('with a Retry-After beyond the deadline makes the request fail at once', async () => {
    proxy.fault(() => ({ answer: 429, headers: { 'retry-after': '60' } }));
    const { error, tookMs } = await failure(kube.get(CONFIG_MAP, key, { deadlineMs: 30_000 }));
    expect(error).toMatchObject({ code: 429, reason: 'TooManyRequests', retryAfterMs: 60_000 });
    expect(tookMs).toBeLessThan(20_000);
  });

  it('with Retry-After again and again gets only a few requests', async () => {
    proxy.fault(() => ({ answer: 429, headers: { 'retry-after': '0' } }));
    expect((await failure(kube.get(CONFIG_MAP, key))).error).toMatchObject({ code: 429 });
    expect(proxy.seen.length).toBeLessThan(12);
  });

  it('without Retry-After gets no second request', async () => {
    proxy.fault(() => ({ answer: 500 }));
    expect((await failure(kube.get(CONFIG_MAP, key))).error).toMatchObject({
      code: 500,
      reason: 'InternalError',
    });
    expect(proxy.seen).toHaveLength(1);
  });
});

describe('a connection that breaks', () => {
  it('makes the client retry a read once', async () => {
    proxy.fault(first(1, { sever: 'before' }));
    expect(await kube.get(CONFIG_MAP, key)).toMatchObject({ metadata: key });
    proxy.fault(() => ({ sever: 'before' }));
    expect((await failure(kube.get(CONFIG_MAP, key))).error).toMatchObject({ code: 0 });
  });

  it('makes a write fail, because it may have succeeded', async () => {
    proxy.fault(first(1, { sever: 'after' }));
    const { error } = await failure(
      kube.create(CONFIG_MAP, { metadata: { name: 'doubt', namespace: NS, labels: { in: 'doubt' } } }),
    );
    expect(error).toMatchObject({ code: 0, reason: 'Unreachable', message: `POST ${MAPS}: Unreachable` });
    expect(proxy.seen).toHaveLength(1);
    expect(await direct.get(CONFIG_MAP, { namespace: NS, name: 'doubt' })).not.toBeNull();
    await direct.remove(CONFIG_MAP, { namespace: NS, name: 'doubt' });
  });
});

describe('a missing answer', () => {
  it('is waited for until the deadline', async () => {
    proxy.fault(() => 'hang');
    const { error, tookMs } = await failure(kube.get(CONFIG_MAP, key, { deadlineMs: 300 }));
    expect(error).toMatchObject({ code: 0, reason: 'Timeout' });
    expect(tookMs).toBeLessThan(KUBE_TIMES.call.ms);
  });

  it.each([
    ['during the request', 'hang' as const],
    ['during a Retry-After', { answer: 429, headers: { 'retry-after': '5' } }],
  ])(
    "is no longer waited for when the caller cancels %s, and the error is the caller's reason",
    async (_, fault) => {
      proxy.fault(() => fault);
      const reason = new Error('no longer needed');
      const giveUp = new AbortController();
      setTimeout(() => giveUp.abort(reason), 100);
      expect((await failure(kube.get(CONFIG_MAP, key, { signal: giveUp.signal }))).error).toBe(reason);
      expect((await failure(kube.get(CONFIG_MAP, key, { signal: giveUp.signal }))).error).toBe(reason);
    },
  );

  it('that the server reports as a timeout is an error, not an object', async () => {
    proxy.fault(() => ({
      answer: 200,
      headers: { 'content-type': 'text/html' },
      body: '<html>c4n4ry</html>',
    }));
    const { error } = await failure(kube.get(CONFIG_MAP, key));
    expect(error).toMatchObject({ code: 0, reason: 'Unreadable' });
    expect(inspect(error)).not.toContain('c4n4ry');
  });
});

describe('a server that rejects the token', () => {
  it('gets the request once more with a token that was read anew, but not for every request', async () => {
    const fresh = connect({ kubeconfig: proxy.kubeconfig });
    proxy.fault(first(1, { answer: 401 }));
    await fresh.patch(CONFIG_MAP, key, { data: { proven: 'x' } });
    expect(proxy.seen).toHaveLength(2);
    proxy.forget();
    proxy.fault(() => ({ answer: 401 }));
    for (let count = 0; count < 20; count += 1)
      expect((await failure(fresh.get(CONFIG_MAP, key))).error).toMatchObject({
        code: 401,
        reason: 'Unauthorized',
      });
    // It reads anew at most once in a second.
    expect(proxy.seen.length).toBeLessThan(40);
    await fresh.close();
  });
});

describe('a client with bounds', () => {
  const limited = (ms: number, signal = new AbortController().signal): Kube =>
    kube.within({ until: Date.now() + ms, signal });

  it('reads and writes as usual, and closing it does not close the client behind it', async () => {
    const mine = limited(30_000);
    expect(await mine.get(CONFIG_MAP, key)).toMatchObject({ metadata: key });
    await mine.patch(CONFIG_MAP, key, { data: { limited: 'x' } });
    await mine.close();
    expect(await kube.get(CONFIG_MAP, key)).toHaveProperty('data.limited', 'x');
  });

  it('ends all its requests by its deadline', async () => {
    proxy.fault(() => 'hang');
    const mine = limited(400);
    const began = performance.now();
    expect((await failure(mine.get(CONFIG_MAP, key, { deadlineMs: 200 }))).error).toMatchObject({
      code: 0,
      reason: 'Timeout',
    });
    expect((await failure(mine.get(CONFIG_MAP, key))).error).toMatchObject({ code: 0, reason: 'Timeout' });
    expect(performance.now() - began).toBeLessThan(KUBE_TIMES.call.ms);
  });

  it('does not wait for a Retry-After beyond its deadline', async () => {
    proxy.fault(() => ({ answer: 429, headers: { 'retry-after': '60' } }));
    const { error, tookMs } = await failure(limited(30_000).patch(CONFIG_MAP, key, { data: { late: 'x' } }));
    expect(error).toMatchObject({ code: 429, retryAfterMs: 60_000 });
    expect(tookMs).toBeLessThan(20_000);
  });

  it('sends no request after its deadline or after its cancellation', async () => {
    const reason = new Error('cancelled');
    expect((await failure(limited(0).patch(CONFIG_MAP, key, { data: { late: 'x' } }))).error).toMatchObject({
      code: 0,
      reason: 'Timeout',
    });
    const cancelled = limited(5000, AbortSignal.abort(reason));
    expect((await failure(cancelled.patch(CONFIG_MAP, key, { data: { late: 'x' } }))).error).toBe(reason);
    expect((await failure(cancelled.list(CONFIG_MAP))).error).toBe(reason);
    expect(proxy.seen).toEqual([]);
  });

  it('ends a Retry-After wait when it is cancelled', async () => {
    const reason = new Error('cancelled');
    const giveUp = new AbortController();
    proxy.fault(() => {
      setTimeout(() => giveUp.abort(reason), 100);
      return { answer: 429, headers: { 'retry-after': '5' } };
    });
    expect(
      (await failure(limited(30_000, giveUp.signal).patch(CONFIG_MAP, key, { data: { late: 'x' } }))).error,
    ).toBe(reason);
    expect(proxy.seen).toHaveLength(1);
  });

  it('passes its deadline to the server as the timeout of each write', async () => {
    await limited(30_000).patch(CONFIG_MAP, key, { data: { timely: 'x' } }, { fieldManager: 'test' });
    await limited(30_000).create(CONFIG_MAP, { metadata: { name: 'timely', namespace: NS } });
    await limited(30_000).remove(CONFIG_MAP, { namespace: NS, name: 'timely' });
    const tooShort = kube.raw('PATCH', `${MAPS}/a?timeout=1us`, {
      body: { data: { tooShort: 'x' } },
      contentType: 'application/merge-patch+json',
    });
    await expect(tooShort).rejects.toMatchObject({ code: 504 });
    expect(await direct.get(CONFIG_MAP, key)).not.toHaveProperty('data.tooShort');
    const limits = proxy.seen.slice(0, 3).map(({ path }) => /[?&]timeout=(\d+)ms$/.exec(path)?.[1]);
    expect(limits).toHaveLength(3);
    for (const limit of limits) {
      expect(Number(limit)).toBeLessThanOrEqual(KUBE_TIMES.call.ms);
      expect(Number(limit)).toBeGreaterThan(1000);
    }
  });
});

describe('a list whose continue token expires', () => {
  it('is started again and returns all items', async () => {
    let expired = 0;
    proxy.fault(({ path }) => {
      if (!path.includes('continue=') || expired > 0) return undefined;
      expired += 1;
      return { answer: 410, headers: { 'content-type': 'application/json' }, body: EXPIRED };
    });
    const { items } = await kube.list<KubeObject>(CONFIG_MAP, { namespace: NS, limit: 2 });
    expect(expired).toBe(1);
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
});

describe('six hundred concurrent requests', () => {
  it('are all answered, over a few connections', async () => {
    const names = Array.from({ length: 600 }, (_, index) => `many-${index}`);
    const client = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
    await Promise.all(
      names.map((name) =>
        client.create(CONFIG_MAP, { metadata: { name, namespace: NS, labels: { many: 'yes' } } }),
      ),
    );
    const { items } = await client.list<KubeObject>(CONFIG_MAP, {
      namespace: NS,
      labelSelector: 'many=yes',
      limit: 50,
    });
    expect(items).toHaveLength(600);
    await client.close();
  }, 300_000);
});
