// The Schedules that a bridge keeps on a real Temporal: one for each cluster with our agent, and a person's
// pause is a person's pause.
import { Client, Connection } from '@temporalio/client';
import { keepSchedules, type Schedules } from '../../../bridge/sites/schedules.ts';
import type { BridgeWatched } from '../../../bridge/changes/watched.ts';
import { ADD_ON } from '../../../crds/ocm/add-on.ts';
import type { ManagedCluster } from '../../../crds/ocm/ocm.ts';
import type { Key, KubeObject } from '../../../kube/resource.ts';
import type { Change } from '../../../kube/watch/store.ts';
import { clusterOfScheduleId, scheduleId } from '../../../workflows/names.ts';
import { eventually } from '../../../testbed/eventually.ts';

const NAMESPACE = 'schedules';

let client: Client;
const open: Schedules[] = [];
beforeAll(async () => {
  const connection = await Connection.connect({ address: process.env['FLOW_TEMPORAL_ADDRESS'] ?? '' });
  client = new Client({ connection, namespace: NAMESPACE });
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.stop()));
  for (const id of await scheduled()) await forget(id);
  await until([]);
});
afterAll(() => client.connection.close());

/** A Schedule is a workflow of the server's: until that has ended, its name is taken. */
async function forget(id: string): Promise<void> {
  await client.schedule.getHandle(id).delete();
  const keeper = client.workflow.getHandle(`temporal-sys-scheduler:${id}`);
  await eventually(async () => ((await keeper.describe()).status.name === 'RUNNING' ? undefined : true));
}

async function scheduled(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { scheduleId } of client.schedule.list()) ids.push(scheduleId);
  return ids.toSorted();
}

/** Visibility is a moment behind. */
function until(ids: readonly string[]): Promise<true> {
  return eventually(async () => {
    expect(await scheduled()).toEqual(ids);
    return true as const;
  });
}

/** A hub with clusters and agents, played in memory. */
class Hub {
  readonly #clusters = new Plain<ManagedCluster>();
  readonly #agents = new Plain<KubeObject>();
  readonly watched = { clusters: this.#clusters, agents: this.#agents } as unknown as Pick<
    BridgeWatched,
    'clusters' | 'agents'
  >;

  accept(name: string, hubAcceptsClient = true): this {
    this.#clusters.put({ metadata: { name }, spec: { hubAcceptsClient } });
    return this;
  }

  install(cluster: string): this {
    this.#agents.put({ metadata: { namespace: cluster, name: ADD_ON } });
    return this;
  }

  uninstall(cluster: string): void {
    this.#agents.drop({ namespace: cluster, name: ADD_ON });
  }

  forget(name: string): void {
    this.#clusters.drop({ namespace: null, name });
  }
}

/** As much of a cache as is looked at. */
class Plain<T extends KubeObject> {
  readonly #objects = new Map<string, T>();
  readonly #listeners = new Set<(change: Change<T>) => void>();

  list(namespace?: string): T[] {
    return [...this.#objects.values()].filter(
      ({ metadata }) => namespace === undefined || metadata.namespace === namespace,
    );
  }

  get({ namespace, name }: Key): T | undefined {
    return this.#objects.get(`${namespace ?? ''}/${name}`);
  }

  subscribe(listener: (change: Change<T>) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  put(object: T): void {
    this.#objects.set(`${object.metadata.namespace ?? ''}/${object.metadata.name}`, object);
    for (const listener of this.#listeners)
      listener({ type: 'Added', object, previous: null, initial: false });
  }

  drop(key: Key): void {
    const object = this.get(key);
    if (object === undefined) return;
    this.#objects.delete(`${key.namespace ?? ''}/${key.name}`);
    for (const listener of this.#listeners)
      listener({ type: 'Deleted', object, previous: object, initial: false });
  }
}

/** A bridge starts, in the place of the one before it. */
async function keep(hub: Hub, score = 3600, identity = 0): Promise<void> {
  await Promise.all(open.splice(0).map((one) => one.stop()));
  const intervals = { score, identity };
  const one = keepSchedules({ client, watched: hub.watched, intervals, onError: () => undefined });
  open.push(one);
  await one.ensureAll();
}

const [FIRST, SECOND] = [scheduleId('score', 'site-1'), scheduleId('score', 'site-2')];
const handle = () => client.schedule.getHandle(FIRST);

test('a cluster has one as soon as it is accepted and has our agent, in either order', async () => {
  const hub = new Hub().accept('site-1', false).install('site-1').accept('site-2').accept('site-3');
  await keep(hub);
  hub.accept('site-1');
  hub.install('site-2');
  await until([FIRST, SECOND]);
  const { spec, policies, action } = await handle().describe();
  expect(spec.intervals?.map(({ every }) => every)).toEqual([3_600_000]);
  expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 10_000 });
  expect(action).toMatchObject({
    workflowType: 'score',
    workflowId: FIRST,
    args: [{ cluster: 'site-1', intervalSeconds: 3600 }],
  });
});

test('the Schedule of an identity stands beside that of the score, and each goes alone when it is not wanted', async () => {
  const hub = new Hub().accept('site-1').install('site-1');
  const id = scheduleId('identity', 'site-1');
  await keep(hub, 3600, 3600);
  await until([id, FIRST].toSorted());
  const { action } = await client.schedule.getHandle(id).describe();
  expect(action).toMatchObject({ workflowType: 'identity', workflowId: id });
  await keep(hub, 0, 3600);
  await until([id]);
  await keep(hub, 3600);
  await until([FIRST]);
});

test('clusters have turns of their own within the interval, the same after a restart', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `shop-${index}`);
  const hub = names.reduce((all, name) => all.accept(name).install(name), new Hub());
  const offsets = async (): Promise<(number | undefined)[]> => {
    await until(names.map((name) => scheduleId('score', name)).toSorted());
    const specs = names.map((name) => client.schedule.getHandle(scheduleId('score', name)).describe());
    return (await Promise.all(specs)).map(({ spec }) => spec.intervals?.[0]?.offset);
  };
  await keep(hub);
  const before = await offsets();
  expect(new Set(before).size).toBeGreaterThan(10);
  expect(Math.max(...before.map((offset) => offset ?? 0))).toBeLessThan(3_600_000);
  await keep(hub);
  expect(await offsets()).toEqual(before);
});

test('those that are missing when a bridge starts are made, and those of clusters that are gone are deleted', async () => {
  await keep(new Hub().accept('site-1').install('site-1'));
  await until([FIRST]);
  await keep(new Hub().accept('site-2').install('site-2'));
  await until([SECOND]);
});

test.each<{ title: string; leave: (hub: Hub) => void }>([
  { title: 'the cluster', leave: (hub) => hub.forget('site-1') },
  { title: 'the agent', leave: (hub) => hub.uninstall('site-1') },
  { title: 'its acceptance', leave: (hub) => void hub.accept('site-1', false) },
])('one is gone with $title', async ({ leave }) => {
  const hub = new Hub().accept('site-1').install('site-1').accept('site-2').install('site-2');
  await keep(hub);
  await until([FIRST, SECOND]);
  leave(hub);
  await until([SECOND]);
});

test('one that a person has paused stays paused, also when the interval becomes another', async () => {
  const hub = new Hub().accept('site-1').install('site-1');
  await keep(hub);
  await until([FIRST]);
  await handle().pause('while we move racks');
  await keep(hub, 60);
  const { spec, state, action, policies } = await eventually(async () => {
    const found = await handle().describe();
    return found.spec.intervals?.[0]?.every === 60_000 ? found : undefined;
  });
  expect(spec.intervals).toHaveLength(1);
  expect(state).toMatchObject({ paused: true, note: 'while we move racks' });
  expect(action).toMatchObject({ args: [{ cluster: 'site-1', intervalSeconds: 60 }] });
  expect(policies.overlap).toBe('SKIP');
});

test('one that is as it should be is left alone', async () => {
  const hub = new Hub().accept('site-1').install('site-1');
  await keep(hub);
  await until([FIRST]);
  await handle().pause('leave it');
  const before = await handle().describe();
  hub.install('site-1');
  hub.accept('site-2').install('site-2');
  await until([FIRST, SECOND]);
  await open[0]?.stop();
  expect((await handle().describe()).info.lastUpdatedAt).toEqual(before.info.lastUpdatedAt);
});

test('with an interval of 0 there are none, and none of ours stay', async () => {
  const hub = new Hub().accept('site-1').install('site-1');
  await keep(hub);
  await until([FIRST]);
  await client.schedule.create({
    scheduleId: 'somebody-else',
    spec: { intervals: [{ every: '1d' }] },
    action: { type: 'startWorkflow', workflowType: 'other', taskQueue: 'other' },
  });
  await until([FIRST, 'somebody-else']);
  await keep(hub, 0);
  await until(['somebody-else']);
});

test.each([
  ['score/site-1', 'site-1'],
  ['score/', null],
  ['score/a/b', null],
  ['site/site-1', null],
])('the Schedule %s is for %s', (id, cluster) => expect(clusterOfScheduleId('score', id)).toBe(cluster));
