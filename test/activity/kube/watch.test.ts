import { CONFIG_MAP, SECRET, type Secret } from '../../../crds/kubernetes/core.ts';
import type { ListOptions } from '../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import { watch } from '../../../kube/watch/watch.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { hears, listed, raiseWatchStage, streaming } from '../../support/testbeds/watch.ts';

const stage = raiseWatchStage();

describe('a watch', () => {
  it('tells what is there, marked as initial, and then what happens', async () => {
    await stage.make('a');
    const following = stage.follow();
    await following.synced;
    expect(following.told).toEqual(['initial Added a']);
    await stage.make('b');
    await stage.edit('a');
    await stage.remove('b');
    await hears(following, ['initial Added a', 'Added b', 'Modified a', 'Deleted b']);
    const [, , modified, deleted] = following.changes;
    expect(modified?.previous).toEqual(following.changes[0]?.object);
    expect(deleted?.object).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'b' } });
    expect(following.problems).toEqual([]);
  });

  it('knows how new its knowledge is', async () => {
    const following = stage.follow();
    expect(following.resourceVersion()).toBe('');
    await following.synced;
    const { metadata } = await stage.make('a');
    await hears(following, ['Added a']);
    expect(following.resourceVersion()).toBe(metadata.resourceVersion);
  });

  it('knows what keeps it from following, and that it follows again before anything has happened', async () => {
    const following = stage.follow();
    await following.synced;
    await streaming(stage);
    expect(following.problem()).toBeNull();
    stage.proxy.cut();
    await eventually(() => following.problem() ?? undefined);
    expect(following.problem()).toMatchObject({ code: 0 });
    stage.proxy.heal();
    await eventually(() => (following.problem() === null ? true : undefined));
    expect(following.told).toEqual([]);
  });

  it('of a kind that there is not knows that, until there is', async () => {
    const following = stage.follow({ resource: { apiVersion: 'none.example/v1', kind: 'None', plural: 'nones', namespaced: true } });
    await eventually(() => following.problem() ?? undefined);
    expect(following.problem()).toMatchObject({ code: 404 });
  });

  it('reads a long first list in pages', async () => {
    const client = {
      ...stage.kube,
      list: <T extends KubeObject>(resource: Resource, options?: ListOptions) => stage.kube.list<T>(resource, { ...options, limit: 2 }),
    };
    for (const name of ['a', 'b', 'c', 'd', 'e']) await stage.make(name);
    const told: string[] = [];
    const watching = watch<KubeObject>(client, { resource: CONFIG_MAP, namespace: stage.namespace }, ({ object }) =>
      told.push(object.metadata.name),
    );
    stage.hold(watching);
    await watching.synced;
    expect(told).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(listed(stage)).toBe(3);
  });

  it('of a selection tells when an object leaves it', async () => {
    const following = stage.follow({ labelSelector: 'colour=red' });
    await following.synced;
    await stage.make('a', { colour: 'red' });
    await stage.make('b', { colour: 'blue' });
    await stage.direct.patch(CONFIG_MAP, { namespace: stage.namespace, name: 'a' }, { metadata: { labels: { colour: 'green' } } });
    await hears(following, ['Added a', 'Deleted a']);
  });

  it('of metadata brings nothing else', async () => {
    const secret = (name: string): Promise<unknown> =>
      stage.direct.create<Secret & KubeObject>(SECRET, { metadata: { name, namespace: stage.namespace }, data: { a: btoa('c4n4ry') } });
    await secret('before');
    const following = stage.follow({ resource: SECRET, metadataOnly: true });
    await following.synced;
    await secret('after');
    await hears(following, ['initial Added before', 'Added after']);
    expect(following.changes.map(({ object }) => object.kind)).toEqual(['Secret', 'Secret']);
    expect(JSON.stringify(following.changes)).not.toContain(btoa('c4n4ry'));
  });

  it('tells a namesake from the object it replaced', async () => {
    await stage.make('a');
    const following = stage.follow();
    await following.synced;
    await stage.remove('a');
    await stage.make('a');
    await hears(following, ['initial Added a', 'Deleted a', 'Added a']);
  });

  it('goes on when a listener throws, and says so', async () => {
    const problems: unknown[] = [];
    let calls = 0;
    const watching = watch<KubeObject>(
      stage.kube,
      { resource: CONFIG_MAP, namespace: stage.namespace, onProblem: (error) => problems.push(error) },
      () => {
        calls += 1;
        throw new Error('a fault of ours');
      },
    );
    stage.hold(watching);
    await watching.synced;
    await stage.make('a');
    await stage.make('b');
    await eventually(() => (calls === 2 ? true : undefined));
    expect(problems).toHaveLength(2);
  });

  it('that is stopped tells nothing more and holds no connection', async () => {
    const following = stage.follow();
    await following.synced;
    await streaming(stage);
    await following.stop();
    await stage.make('a');
    await eventually(() => (stage.proxy.streams.length === 0 ? true : undefined));
    expect(following.told).toEqual([]);
    const early = stage.follow();
    await early.stop();
    await expect(early.synced).rejects.toThrow('stopped before its first list');
  });
});
