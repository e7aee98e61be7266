// Clusters join by their tokens: bridge, workflow and activities on a real Temporal and a real API server.
// What OCM's controllers write is written by the test.
import { hubJoins } from '../../../activities/hub/join/approve.ts';
import { keepJoins, watchRequests, type JoinsWatched } from '../../../bridge/joins/keep.ts';
import type { WorkflowKeeper } from '../../../bridge/kept/keep.ts';
import { stateOfRequest, type SigningRequest } from '../../../crds/join/signing-request.ts';
import { SECRET } from '../../../crds/kubernetes/core.ts';
import { JOINED_BY } from '../../../crds/join/labels.ts';
import { MANAGED_CLUSTER, MANAGED_CLUSTER_ADD_ON, type ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { allSynced, cache, stopAll, type Cache } from '../../../kube/watch/cache.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { joinWorkflowId } from '../../../workflows/names.ts';
import type { Joins as JoinActivities } from '../../../workflows/join/port.ts';
import { record, storiesOf } from '../../support/flow/flow.ts';
import type { Actor, FlowTestbed } from '../../support/testbeds/flow.ts';
import { joinTestbed, type Expected } from '../../support/testbeds/join/join.ts';
import { comes, ends, isThere } from '../../support/testbeds/join/join-arrivals.ts';

const story = storiesOf('joins');
/** Longer than fifty joins take on a busy machine. */
const LONG = { withinMs: 200_000 };

let caches: JoinsWatched & { readonly [kind in keyof JoinsWatched]: Cache<KubeObject> };
let bridge: WorkflowKeeper | null = null;

// Before the testbed closes.
afterAll(() => stopAll(Object.values(caches ?? {})));
const hub = joinTestbed();
beforeAll(async () => {
  const { kube } = hub;
  // What does not come is missed below.
  const onProblem = (): void => undefined;
  const metadataOnly = true;
  caches = {
    clusters: cache<ManagedCluster>(kube, { resource: MANAGED_CLUSTER, onProblem }),
    agents: cache(kube, { resource: MANAGED_CLUSTER_ADD_ON, metadataOnly, onProblem }),
    secrets: cache(kube, { resource: SECRET, metadataOnly, onProblem }),
    requests: watchRequests(kube, onProblem),
  };
  await allSynced(Object.values(caches));
}, 300_000);
afterEach(async () => {
  await bridge?.stop();
  bridge = null;
});

function startBridge({ client }: FlowTestbed): void {
  bridge = keepJoins(client, caches, () => undefined);
}

function startWorker(testbed: FlowTestbed, over: Partial<JoinActivities> = {}): Promise<Actor> {
  return testbed.startHub({ activities: { ...testbed.world.hub, ...hubJoins({ kube: hub.kube }), ...over } });
}

const statusOf = async ({ client }: FlowTestbed, cluster: string): Promise<string> =>
  (await client.workflow.getHandle(joinWorkflowId(cluster)).describe()).status.name;
const untilEnded = (testbed: FlowTestbed, cluster: string): Promise<true> =>
  eventually(async () => ((await statusOf(testbed, cluster)) === 'COMPLETED' ? true : undefined), LONG);
const untilAccepted = ({ cluster }: Expected): Promise<true> =>
  eventually(
    async () => ((await hub.clusterOf(cluster))?.spec?.hubAcceptsClient === true ? true : undefined),
    LONG,
  );
const stateOf = async ({ metadata }: SigningRequest): Promise<string> =>
  stateOfRequest((await hub.read(metadata.name)) ?? { metadata });
const untilIssued = ({ metadata }: SigningRequest): Promise<true> =>
  eventually(
    async () => ((await hub.read(metadata.name))?.status?.certificate === undefined ? undefined : true),
    LONG,
  );

story(
  'a cluster that comes with its token is let in, and its workflow ends when it has joined',
  async (testbed) => {
    await startWorker(testbed);
    startBridge(testbed);
    const who = await hub.expected();
    const request = await hub.asks(who.token, { cluster: who.cluster });
    await untilIssued(request);
    expect(await isThere(hub.kube, who.token)).toBe(true);
    await comes(hub.kube, who.cluster);
    await untilEnded(testbed, who.cluster);
    expect(await isThere(hub.kube, who.token)).toBe(false);
    const handle = testbed.client.workflow.getHandle(joinWorkflowId(who.cluster));
    const history = await handle.fetchHistory();
    expect(JSON.stringify(history)).not.toContain(who.token.secret);
    await record('a-join', history);
  },
);

story(
  'the hub worker is killed before it deletes a spent token: nobody gets in by that, and the next one deletes it',
  async (testbed) => {
    const [arrived, dead] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = await startWorker(testbed, {
      releaseToken: async () => {
        arrived.resolve();
        await dead.promise;
      },
    });
    startBridge(testbed);
    const who = await hub.expected();
    await untilIssued(await hub.asks(who.token, { cluster: who.cluster }));
    await comes(hub.kube, who.cluster);
    await arrived.promise;
    await first.stop();
    dead.resolve();
    expect(await isThere(hub.kube, who.token)).toBe(true);
    const thief = await hub.asks(who.token, { cluster: who.cluster });
    await startWorker(testbed);
    await eventually(async () => ((await isThere(hub.kube, who.token)) ? undefined : true), LONG);
    await untilEnded(testbed, who.cluster);
    expect(await stateOf(thief)).toBe('Pending');
    await record(
      'a-join-with-another-hub-worker',
      await testbed.client.workflow.getHandle(joinWorkflowId(who.cluster)).fetchHistory(),
    );
  },
);

story('fifty join at once, and as many who should not: only the expected are let in', async (testbed) => {
  const all = await Promise.all(Array.from({ length: 50 }, () => hub.expected()));
  const late = all.filter((_, index) => index % 10 === 9);
  /** Of each cluster, its own request among those of others. */
  const asked = await Promise.all(
    all.map(async (who, index) => {
      const other = all[(index + 1) % all.length] as Expected;
      const own = await hub.asks(who.token, { cluster: who.cluster });
      const strangers = [
        // With the token of another cluster, and in the name of another with its own.
        await hub.asks(other.token, { cluster: who.cluster }),
        await hub.asks(who.token, {
          cluster: who.cluster,
          commonName: `system:open-cluster-management:${other.cluster}:agent-1`,
        }),
      ];
      return { who, own, strangers };
    }),
  );
  for (const who of late) await ends(hub.kube, who.token);
  await startWorker(testbed);
  startBridge(testbed);
  await bridge?.compare();
  const good = asked.filter(({ who }) => !late.includes(who));
  await Promise.all(good.map(({ own }) => untilIssued(own)));
  // Each token once more, now that it is spent.
  const again = await Promise.all(good.map(({ who }) => hub.asks(who.token, { cluster: who.cluster })));
  await Promise.all(good.map(({ who }) => comes(hub.kube, who.cluster)));
  await Promise.all(
    good.map(({ who }) =>
      eventually(async () => ((await isThere(hub.kube, who.token)) ? undefined : true), LONG),
    ),
  );
  await Promise.all(good.map(({ who }) => untilEnded(testbed, who.cluster)));
  const states = await Promise.all([...asked.flatMap(({ strangers }) => strangers), ...again].map(stateOf));
  expect(new Set(states)).toEqual(new Set(['Pending']));
  for (const { who, own } of good)
    expect((await hub.clusterOf(who.cluster))?.metadata.annotations?.[JOINED_BY]).toContain(
      `/${own.metadata.name}/`,
    );
  for (const who of late)
    expect(await hub.clusterOf(who.cluster)).toMatchObject({ spec: { hubAcceptsClient: false } });
  for (const { own } of asked.filter(({ who }) => late.includes(who)))
    expect(await stateOf(own)).toBe('Pending');
});

story('Temporal has lost its data in the middle of a join: the bridge starts it again', async (testbed) => {
  const first = await startWorker(testbed);
  startBridge(testbed);
  const who = await hub.expected();
  await untilIssued(await hub.asks(who.token, { cluster: who.cluster }));
  await untilAccepted(who);
  await bridge?.stop();
  await first.stop();
  const lost = testbed.client.workflow.getHandle(joinWorkflowId(who.cluster));
  await lost.terminate();
  await comes(hub.kube, who.cluster);
  await startWorker(testbed);
  startBridge(testbed);
  await eventually(async () => {
    await bridge?.compare();
    return (await statusOf(testbed, who.cluster)) === 'COMPLETED' ? true : undefined;
  }, LONG);
  expect(await isThere(hub.kube, who.token)).toBe(false);
});
