// A watch against a real API server: the first list, the changes after it, and its end.
import { CONFIG_MAP, SECRET, type Secret } from '../../../crds/kubernetes/core.ts';
import type { ListOptions } from '../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import { watch } from '../../../kube/watch/watch.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { hears, listed, watchTestbed, streaming } from '../../support/testbeds/watch.ts';

const testbed = watchTestbed();

describe('a watch', () => {
  it('reports the existing objects, marked as initial, and then the changes', async () => {
    await testbed.make('a');
    const following = testbed.follow();
    await following.synced;
    expect(following.told).toEqual(['initial Added a']);
    await testbed.make('b');
    await testbed.edit('a');
    await testbed.remove('b');
    await hears(following, ['initial Added a', 'Added b', 'Modified a', 'Deleted b']);
    const [, , modified, deleted] = following.changes;
    expect(modified?.previous).toEqual(following.changes[0]?.object);
    expect(deleted?.object).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'b' } });
    expect(following.problems).toEqual([]);
  });

  it('knows its resourceVersion', async () => {
    const following = testbed.follow();
    expect(following.resourceVersion()).toBe('');
    await following.synced;
    const { metadata } = await testbed.make('a');
    await hears(following, ['Added a']);
    expect(following.resourceVersion()).toBe(metadata.resourceVersion);
  });

  it('reports its present problem, and that it has recovered before the next event', async () => {
    const following = testbed.follow();
    await following.synced;
    await streaming(testbed);
    expect(following.problem()).toBeNull();
    testbed.proxy.cut();
    await eventually(() => following.problem() ?? undefined);
    expect(following.problem()).toMatchObject({ code: 0 });
    testbed.proxy.heal();
    await eventually(() => (following.problem() === null ? true : undefined));
    expect(following.told).toEqual([]);
  });

  it('of a kind that does not exist reports that until the kind exists', async () => {
    const following = testbed.follow({
      resource: { apiVersion: 'none.example/v1', kind: 'None', plural: 'nones', namespaced: true },
    });
    await eventually(() => following.problem() ?? undefined);
    expect(following.problem()).toMatchObject({ code: 404 });
  });

  it('reads a long first list in pages', async () => {
    const client = {
      ...testbed.kube,
      list: <T extends KubeObject>(resource: Resource, options?: ListOptions<T>) =>
        testbed.kube.list<T>(resource, { ...options, limit: 2 }),
    };
    for (const name of ['a', 'b', 'c', 'd', 'e']) await testbed.make(name);
    const told: string[] = [];
    const watching = watch<KubeObject>(
      client,
      { resource: CONFIG_MAP, namespace: testbed.namespace },
      ({ object }) => told.push(object.metadata.name),
    );
    testbed.hold(watching);
    await watching.synced;
    expect(told).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(listed(testbed)).toBe(3);
  });

  it('with a label selector reports an object that no longer matches as Deleted', async () => {
    const following = testbed.follow({ labelSelector: 'colour=red' });
    await following.synced;
    await testbed.make('a', { colour: 'red' });
    await testbed.make('b', { colour: 'blue' });
    await testbed.direct.patch(
      CONFIG_MAP,
      { namespace: testbed.namespace, name: 'a' },
      { metadata: { labels: { colour: 'green' } } },
    );
    await hears(following, ['Added a', 'Deleted a']);
  });

  it('of metadata reports nothing else', async () => {
    const secret = (name: string): Promise<unknown> =>
      testbed.direct.create<Secret & KubeObject>(SECRET, {
        metadata: { name, namespace: testbed.namespace },
        data: { a: btoa('c4n4ry') },
      });
    await secret('before');
    const following = testbed.follow({ resource: SECRET, metadataOnly: true });
    await following.synced;
    await secret('after');
    await hears(following, ['initial Added before', 'Added after']);
    expect(following.changes.map(({ object }) => object.kind)).toEqual(['Secret', 'Secret']);
    expect(JSON.stringify(following.changes)).not.toContain(btoa('c4n4ry'));
  });

  it('reports a replaced object as Deleted and Added', async () => {
    await testbed.make('a');
    const following = testbed.follow();
    await following.synced;
    await testbed.remove('a');
    await testbed.make('a');
    await hears(following, ['initial Added a', 'Deleted a', 'Added a']);
  });

  it('goes on when a listener throws, and reports the error', async () => {
    const problems: unknown[] = [];
    let calls = 0;
    const watching = watch<KubeObject>(
      testbed.kube,
      { resource: CONFIG_MAP, namespace: testbed.namespace, onProblem: (error) => problems.push(error) },
      () => {
        calls += 1;
        throw new Error('a fault of ours');
      },
    );
    testbed.hold(watching);
    await watching.synced;
    await testbed.make('a');
    await testbed.make('b');
    await eventually(() => (calls === 2 ? true : undefined));
    expect(problems).toHaveLength(2);
  });

  it('that is stopped reports nothing more and holds no connection', async () => {
    const following = testbed.follow();
    await following.synced;
    await streaming(testbed);
    await following.stop();
    await testbed.make('a');
    await eventually(() => (testbed.proxy.streams.length === 0 ? true : undefined));
    expect(following.told).toEqual([]);
    const early = testbed.follow();
    await early.stop();
    await expect(early.synced).rejects.toThrow('stopped before its first list');
  });
});
