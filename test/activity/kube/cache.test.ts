// A cache that follows a real API server: lookups, notifications, and how new it is.
import { CONFIG_MAP } from '../../../crds/kubernetes/core.ts';
import { cache, type Cache } from '../../../kube/watch/cache.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { EXPIRED, watchTestbed, streaming } from '../../support/testbeds/watch.ts';

const testbed = watchTestbed();

describe('a cache', () => {
  function keep(): Cache<KubeObject> {
    const kept = cache<KubeObject>(testbed.kube, {
      resource: CONFIG_MAP,
      namespace: testbed.namespace,
      transform: ({ metadata: { name, namespace: home, uid, resourceVersion, labels } }) => ({
        metadata: {
          name,
          ...(home === undefined ? {} : { namespace: home }),
          ...(labels === undefined ? {} : { labels }),
          uid: uid ?? '',
          resourceVersion: resourceVersion ?? '',
        },
      }),
      indexes: {
        colour: ({ metadata }) =>
          metadata.labels?.['colour'] === undefined ? [] : [metadata.labels['colour']],
      },
    });
    testbed.hold(kept);
    return kept;
  }

  const names = (objects: readonly KubeObject[]): string[] =>
    objects.map(({ metadata }) => metadata.name).toSorted();

  it('finds objects by key, by namespace and by index, and keeps only the fields of its transform', async () => {
    await testbed.make('a', { colour: 'red' });
    await testbed.edit('a', { big: 'x'.repeat(100) });
    const kept = keep();
    await kept.synced;
    expect(kept.get({ namespace: testbed.namespace, name: 'a' })).not.toHaveProperty('data');
    await testbed.make('b', { colour: 'red' });
    await eventually(() => (kept.list().length === 2 ? true : undefined));
    expect([
      names(kept.list(testbed.namespace)),
      names(kept.list('elsewhere')),
      names(kept.by('colour', 'red')),
    ]).toEqual([['a', 'b'], [], ['a', 'b']]);
    await testbed.remove('a');
    await eventually(() =>
      kept.get({ namespace: testbed.namespace, name: 'a' }) === undefined ? true : undefined,
    );
    expect(names(kept.by('colour', 'red'))).toEqual(['b']);
  });

  it('shows a change before it notifies listeners, and a listener that throws or unsubscribes does not disturb others', async () => {
    const kept = keep();
    await kept.synced;
    const [seen, also]: [boolean[], string[]] = [[], []];
    kept.subscribe(({ object }) => {
      seen.push(
        kept.get({ namespace: testbed.namespace, name: object.metadata.name }) === object &&
          kept.caughtUpWith(object.metadata.resourceVersion ?? ''),
      );
      throw new Error('a fault of one listener');
    });
    const leave = kept.subscribe(({ object }) => also.push(object.metadata.name));
    await testbed.make('a');
    await eventually(() => (also.length === 1 ? true : undefined));
    leave();
    await testbed.make('b');
    await eventually(() => (seen.length === 2 ? true : undefined));
    expect([seen, also]).toEqual([[true, true], ['a']]);
  });

  it('tells since when it follows: not while it is interrupted, and anew only after another list', async () => {
    const kept = keep();
    expect(kept.followsSince()).toBeNull();
    await kept.synced;
    await streaming(testbed);
    const first = kept.followsSince() ?? 0;
    expect(first).toBeGreaterThan(0);
    testbed.proxy.cut();
    await eventually(() => (kept.problem() === null ? undefined : true));
    expect(kept.followsSince()).toBeNull();
    testbed.proxy.heal();
    await eventually(() => (kept.problem() === null ? true : undefined));
    expect(kept.followsSince()).toBe(first);
    await streaming(testbed);
    const goneAt = Date.now();
    for (const stream of testbed.proxy.streams)
      stream.inject(`${JSON.stringify({ type: 'ERROR', object: EXPIRED })}\n`);
    await eventually(() => ((kept.followsSince() ?? first) === first ? undefined : true));
    expect(kept.followsSince()).toBeGreaterThanOrEqual(goneAt);
  });

  it('has caught up with a resource version after an event or a bookmark', async () => {
    const kept = keep();
    expect(kept.caughtUpWith('1')).toBe(false);
    await kept.synced;
    await streaming(testbed);
    const { metadata } = await testbed.make('a');
    const caughtUp = (version: string): Promise<unknown> =>
      new Promise((resolve) => {
        const leave = kept.onSeen(() => {
          if (!kept.caughtUpWith(version)) return;
          leave();
          resolve(true);
        });
        if (kept.caughtUpWith(version)) resolve(true);
      });
    await caughtUp(metadata.resourceVersion ?? '');
    const far = String(Number(kept.resourceVersion()) + 1000);
    expect(kept.caughtUpWith(far)).toBe(false);
    const bookmark = { type: 'BOOKMARK', object: { kind: 'ConfigMap', metadata: { resourceVersion: far } } };
    for (const stream of testbed.proxy.streams) stream.inject(`${JSON.stringify(bookmark)}\n`);
    await caughtUp(far);
    expect(names(kept.list())).toEqual(['a']);
    expect(kept.changedAt()).toBe(metadata.resourceVersion);
    await testbed.remove('a');
    await eventually(() => (kept.list().length === 0 ? true : undefined));
    expect(Number(kept.changedAt())).toBeGreaterThan(Number(metadata.resourceVersion));
  });

  it("equals the server's state after many writes and cut connections", async () => {
    const kept = keep();
    await kept.synced;
    const replay = new Map<string, string | undefined>();
    const faults: string[] = [];
    kept.subscribe(({ type, object: { metadata } }) => {
      const has = replay.has(metadata.name);
      if (has === (type === 'Added')) faults.push(`${type} ${metadata.name}`);
      if (type === 'Deleted' && replay.get(metadata.name) !== metadata.uid)
        faults.push(`another ${metadata.name}`);
      if (type === 'Deleted') replay.delete(metadata.name);
      else replay.set(metadata.name, metadata.uid);
    });
    for (let round = 0; round < 40; round += 1) {
      const name = `n${round % 7}`;
      if (round % 5 === 0) await testbed.make(name).catch(() => testbed.edit(name));
      else if (round % 3 === 0) await testbed.remove(name);
      else await testbed.make(name).catch(() => testbed.edit(name));
      if (round % 6 === 0) for (const stream of testbed.proxy.streams) stream.sever();
      if (round % 11 === 0)
        for (const stream of testbed.proxy.streams)
          stream.inject(`${JSON.stringify({ type: 'ERROR', object: EXPIRED })}\n`);
    }
    const { items } = await testbed.direct.list<KubeObject>(CONFIG_MAP, { namespace: testbed.namespace });
    const truth = new Map(items.map(({ metadata }) => [metadata.name, metadata.uid]));
    await eventually(() => {
      expect(replay).toEqual(truth);
      return true;
    });
    expect(faults).toEqual([]);
    expect(names(kept.list())).toEqual(names(items));
  });
});
