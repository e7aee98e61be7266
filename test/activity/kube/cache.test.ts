import { CONFIG_MAP } from '../../../crds/kubernetes/core.ts';
import { cache, type Cache } from '../../../kube/watch/cache.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { EXPIRED, raiseWatchStage, streaming } from '../../support/testbeds/watch.ts';

const stage = raiseWatchStage();

describe('a cache', () => {
  function keep(): Cache<KubeObject> {
    const kept = cache<KubeObject>(stage.kube, {
      resource: CONFIG_MAP,
      namespace: stage.namespace,
      transform: ({ metadata: { name, namespace: home, uid, resourceVersion, labels } }) => ({
        metadata: {
          name,
          ...(home === undefined ? {} : { namespace: home }),
          ...(labels === undefined ? {} : { labels }),
          uid: uid ?? '',
          resourceVersion: resourceVersion ?? '',
        },
      }),
      indexes: { colour: ({ metadata }) => (metadata.labels?.['colour'] === undefined ? [] : [metadata.labels['colour']]) },
    });
    stage.hold(kept);
    return kept;
  }

  const names = (objects: readonly KubeObject[]): string[] => objects.map(({ metadata }) => metadata.name).toSorted();

  it('answers by key, by namespace and by index, and keeps only what it was told to', async () => {
    await stage.make('a', { colour: 'red' });
    await stage.edit('a', { big: 'x'.repeat(100) });
    const kept = keep();
    await kept.synced;
    expect(kept.get({ namespace: stage.namespace, name: 'a' })).not.toHaveProperty('data');
    await stage.make('b', { colour: 'red' });
    await eventually(() => (kept.list().length === 2 ? true : undefined));
    expect([names(kept.list(stage.namespace)), names(kept.list('elsewhere')), names(kept.by('colour', 'red'))]).toEqual([
      ['a', 'b'],
      [],
      ['a', 'b'],
    ]);
    await stage.remove('a');
    await eventually(() => (kept.get({ namespace: stage.namespace, name: 'a' }) === undefined ? true : undefined));
    expect(names(kept.by('colour', 'red'))).toEqual(['b']);
  });

  it('shows a change before it tells of it, to each listener until it leaves', async () => {
    const kept = keep();
    await kept.synced;
    const [seen, also]: [boolean[], string[]] = [[], []];
    kept.subscribe(({ object }) => {
      seen.push(
        kept.get({ namespace: stage.namespace, name: object.metadata.name }) === object &&
          kept.caughtUpWith(object.metadata.resourceVersion ?? ''),
      );
      throw new Error('a fault of one listener');
    });
    const leave = kept.subscribe(({ object }) => also.push(object.metadata.name));
    await stage.make('a');
    await eventually(() => (also.length === 1 ? true : undefined));
    leave();
    await stage.make('b');
    await eventually(() => (seen.length === 2 ? true : undefined));
    expect([seen, also]).toEqual([[true, true], ['a']]);
  });

  it('knows when it has caught up: by an event, or by a bookmark without one', async () => {
    const kept = keep();
    expect(kept.caughtUpWith('1')).toBe(false);
    await kept.synced;
    await streaming(stage);
    const { metadata } = await stage.make('a');
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
    for (const stream of stage.proxy.streams) stream.inject(`${JSON.stringify(bookmark)}\n`);
    await caughtUp(far);
    expect(names(kept.list())).toEqual(['a']);
  });

  it('is the same as the server after a storm of writes and cuts', async () => {
    const kept = keep();
    await kept.synced;
    const replay = new Map<string, string | undefined>();
    const faults: string[] = [];
    kept.subscribe(({ type, object: { metadata } }) => {
      const has = replay.has(metadata.name);
      if (has === (type === 'Added')) faults.push(`${type} ${metadata.name}`);
      if (type === 'Deleted' && replay.get(metadata.name) !== metadata.uid) faults.push(`another ${metadata.name}`);
      if (type === 'Deleted') replay.delete(metadata.name);
      else replay.set(metadata.name, metadata.uid);
    });
    for (let round = 0; round < 40; round += 1) {
      const name = `n${round % 7}`;
      if (round % 5 === 0) await stage.make(name).catch(() => stage.edit(name));
      else if (round % 3 === 0) await stage.remove(name);
      else await stage.make(name).catch(() => stage.edit(name));
      if (round % 6 === 0) for (const stream of stage.proxy.streams) stream.sever();
      if (round % 11 === 0)
        for (const stream of stage.proxy.streams) stream.inject(`${JSON.stringify({ type: 'ERROR', object: EXPIRED })}\n`);
    }
    const { items } = await stage.direct.list<KubeObject>(CONFIG_MAP, { namespace: stage.namespace });
    const truth = new Map(items.map(({ metadata }) => [metadata.name, metadata.uid]));
    await eventually(() => {
      expect(replay).toEqual(truth);
      return true;
    });
    expect(faults).toEqual([]);
    expect(names(kept.list())).toEqual(names(items));
  });
});
