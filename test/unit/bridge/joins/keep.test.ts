// For which clusters the bridge starts or rings the workflow of a join, and which it leaves alone.
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { keepJoins } from '../../../../bridge/joins/keep.ts';
import type { ClusterJoin, JoinState } from '../../../../crds/join/cluster-join.ts';
import { CLUSTER_NAME } from '../../../../crds/join/signing-request.ts';
import { recordMap, recordOf, type NameRecord } from '../../../../crds/join/name-record.ts';
import { FOR_CLUSTER, FOR_UID, JOIN_TOKEN } from '../../../../crds/join/labels.ts';
import type { ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { keyText, type Key } from '../../../../kube/resource.ts';
import { eventually } from '../../../../testbed/eventually.ts';

const cluster = (name: string, hubAcceptsClient: boolean, token = ''): ManagedCluster => ({
  metadata: { name, uid: `uid-${name}`, annotations: token === '' ? {} : { [JOIN_TOKEN]: token } },
  spec: { hubAcceptsClient },
});
const tokenFor = (name: string, id: string, namespace = 'kube-system'): KubeObject => ({
  metadata: {
    namespace,
    name: `bootstrap-token-${id}`,
    annotations: { [FOR_CLUSTER]: name, [FOR_UID]: `uid-${name}` },
  },
});

const record = (name: string, more: Partial<NameRecord> = {}): KubeObject =>
  recordMap(name, { ...recordOf(`uid-${name}`, 1_000), ...more });

function cacheOf<T extends KubeObject>(objects: readonly T[]) {
  let listener: (change: object) => void = () => undefined;
  return {
    list: () => objects,
    get: (key: Key) =>
      objects.find(
        ({ metadata: { namespace = null, name } }) => keyText({ namespace, name }) === keyText(key),
      ),
    subscribe: (hear: typeof listener) => {
      listener = hear;
      return () => {
        listener = () => undefined;
      };
    },
    change: (object: T, initial = false) => listener({ type: 'Modified', object, previous: null, initial }),
  };
}

interface World {
  readonly clusters?: readonly ManagedCluster[];
  readonly tokens?: readonly KubeObject[];
  readonly running?: readonly string[];
  readonly declared?: readonly ClusterJoin[];
  readonly records?: readonly KubeObject[];
}

const declared = (cluster: string, state?: JoinState, more: object = {}): ClusterJoin => ({
  metadata: { namespace: 'joins', name: cluster, ...more },
  spec: { cluster },
  ...(state === undefined ? {} : { status: { state } }),
});

function bridge({ clusters = [], tokens = [], running = [], declared: joins = [], records }: World) {
  const calls: string[] = [];
  const watched = {
    clusters: cacheOf(clusters),
    secrets: cacheOf(tokens),
    agents: cacheOf<KubeObject>([]),
    requests: cacheOf<KubeObject>([]),
    // Those that were accepted are noted, unless a test says otherwise.
    configMaps: cacheOf<KubeObject>(records ?? clusters.map(({ metadata: { name } }) => record(name))),
    declared: cacheOf(joins),
  };
  const workflow = {
    list: async function* list() {
      for (const workflowId of running) yield await Promise.resolve({ workflowId });
    },
    signalWithStart: async (type: string, { workflowId, args }: { workflowId: string; args: unknown[] }) =>
      void calls.push(`start ${type} ${workflowId} ${JSON.stringify(args)}`),
    getHandle: (id: string) => ({
      signal: async () => {
        calls.push(`ring ${id}`);
        if (!running.includes(id)) throw new WorkflowNotFoundError('', id, undefined);
      },
    }),
  };
  const errors: unknown[] = [];
  const kept = keepJoins({ workflow } as unknown as Pick<Client, 'workflow'>, watched as never, (_, error) =>
    errors.push(error),
  );
  const settled = async (count: number): Promise<string[]> => {
    if (count > 0) await eventually(() => (calls.length >= count ? true : undefined), { withinMs: 5_000 });
    await new Promise((resolve) => void setImmediate(resolve));
    expect(errors).toEqual([]);
    return calls.splice(0).toSorted();
  };
  return { kept, watched, settled };
}

const STARTED = 'start join join/shop-7 []';

test('a cluster that is not accepted has a workflow; one that has joined needs none', async () => {
  const { kept, settled } = bridge({ clusters: [cluster('shop-7', false), cluster('shop-8', true)] });
  await kept.compare();
  expect(await settled(1)).toEqual([STARTED]);
});

test('an accepted one whose token is there has a workflow: somebody may come with it, or it is spent', async () => {
  const [own, other] = [cluster('shop-7', true, 'abcdef'), cluster('shop-8', true, 'zzzzzz')];
  // The token that shop-8 names is for shop-7, and one of the same name is in another namespace.
  const tokens = [
    tokenFor('shop-7', 'abcdef'),
    tokenFor('shop-7', 'zzzzzz'),
    tokenFor('shop-8', 'zzzzzz', 'team'),
  ];
  const { kept, settled } = bridge({ clusters: [own, other], tokens });
  await kept.compare();
  expect(await settled(1)).toEqual([STARTED]);
});

test('what runs is rung once at the start: somebody may have asked while no bridge watched', async () => {
  const clusters = [cluster('shop-7', false), cluster('shop-8', true)];
  const { kept, settled } = bridge({ clusters, running: ['join/shop-7', 'join/shop-8', 'join/a/b'] });
  await kept.compare();
  expect(await settled(2)).toEqual(['ring join/shop-8', STARTED]);
  await kept.compare();
  expect(await settled(0)).toEqual([]);
});

test('a workflow that runs is not started again, and one whose cluster is gone is rung: it ends', async () => {
  const running: string[] = [];
  const { kept, settled } = bridge({ clusters: [cluster('shop-7', false)], running });
  await kept.compare();
  expect(await settled(1)).toEqual([STARTED]);
  running.push('join/shop-7', 'join/gone', 'join/a/b');
  await kept.compare();
  expect(await settled(1)).toEqual(['ring join/gone']);
});

test('a change of the cluster, its request, its token or its add-on rings it', async () => {
  const seven = cluster('shop-7', false);
  const { watched, settled } = bridge({ clusters: [seven] });
  watched.clusters.change(seven);
  expect(await settled(1)).toEqual([STARTED]);
  watched.requests.change({ metadata: { name: 'shop-7-x', labels: { [CLUSTER_NAME]: 'shop-7' } } });
  expect(await settled(1)).toEqual([STARTED]);
  watched.secrets.change(tokenFor('shop-7', 'abcdef'));
  expect(await settled(1)).toEqual([STARTED]);
  watched.agents.change({ metadata: { namespace: 'shop-7', name: 'cappstan' } });
  expect(await settled(1)).toEqual([STARTED]);
});

test('a ClusterJoin that is not settled has a workflow, though its cluster is not there', async () => {
  const going = declared('shop-4', 'Joined', { deletionTimestamp: '2026-11-27T00:00:00Z' });
  const joins = [declared('shop-7'), declared('shop-5', 'Joined'), declared('shop-6', 'Refused'), going];
  const { kept, watched, settled } = bridge({ declared: joins });
  await kept.compare();
  expect(await settled(2)).toEqual(['start join join/shop-4 []', STARTED]);
  watched.declared.change(declared('shop-7'), true);
  expect(await settled(1)).toEqual([STARTED]);
});

test('when the hub says where it is, ClusterJoins that are not settled hear of it, and nobody of other ConfigMaps', async () => {
  const held = declared('shop-8', 'Refused');
  const conditions = [{ type: 'Joined', reason: 'NotTakenBack' }];
  const joins = [
    declared('shop-7'),
    { ...held, status: { ...held.status, conditions } } as unknown as ClusterJoin,
    declared('shop-9', 'Refused'),
  ];
  const { kept, watched, settled } = bridge({ declared: joins });
  const info = { metadata: { namespace: 'kube-public', name: 'cluster-info' } };
  watched.configMaps.change(info);
  expect(await settled(2)).toEqual([STARTED, 'start join join/shop-8 []']);
  watched.configMaps.change({ metadata: { namespace: 'kube-public', name: 'other' } });
  watched.configMaps.change({ metadata: { namespace: 'team', name: 'cluster-info' } });
  watched.configMaps.change(info, true);
  expect(await settled(0)).toEqual([]);
  await kept.stop();
  watched.declared.change(declared('shop-7'));
  watched.configMaps.change(info);
  expect(await settled(0)).toEqual([]);
});

test('other Secrets, requests of others and first lists ring nobody', async () => {
  const { watched, settled } = bridge({ clusters: [cluster('shop-7', false)] });
  watched.secrets.change({ metadata: { namespace: 'team', name: 'db' } });
  watched.secrets.change(tokenFor('shop-7', 'abcdef', 'team'));
  watched.secrets.change(tokenFor('shop-7', 'abcdef'), true);
  watched.requests.change({ metadata: { name: 'x' } });
  watched.requests.change({ metadata: { name: 'x', labels: { [CLUSTER_NAME]: 'shop-7' } } }, true);
  watched.agents.change({ metadata: { namespace: 'shop-7', name: 'cappstan' } }, true);
  expect(await settled(0)).toEqual([]);
});

test('a cluster that has joined is rung, in case its workflow still waits, and nothing is started', async () => {
  const { watched, settled } = bridge({ clusters: [cluster('shop-8', true)] });
  watched.clusters.change(cluster('shop-8', true));
  expect(await settled(1)).toEqual(['ring join/shop-8']);
});

test('one whose name is not noted has a workflow, which notes it: an accepted one, and one that is gone', async () => {
  const clusters = [cluster('shop-7', true)];
  const due = async (records: readonly KubeObject[], given = clusters): Promise<readonly string[]> => {
    const { kept, settled } = bridge({ clusters: given, records });
    await kept.compare();
    return settled(0);
  };
  expect(await due([])).toEqual([STARTED]);
  expect(await due([record('shop-7', { uid: 'of-an-earlier-one' })])).toEqual([STARTED]);
  expect(await due([record('shop-7')])).toEqual([]);
  expect(await due([record('shop-7')], [])).toEqual([STARTED]);
  expect(await due([record('shop-7', { endsAt: 1 })], [])).toEqual([]);
});
