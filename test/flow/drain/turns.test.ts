// Capps and drains as they are, together: who must leave waits for its turn, moves, and the drain hears how
// it went.
import { hubTurnRequests } from '../../../activities/hub/drain/turn-request.ts';
import type { DrainProgress } from '../../../workflows/drain/decide/progress.ts';
import { drainChanged, migrate, pause, progress, resume, stopNow } from '../../../workflows/messages.ts';
import { cappWorkflowId, HUB_QUEUE, TURNS_WORKFLOW, turnsWorkflowId } from '../../../workflows/names.ts';
import type { Hub } from '../../../workflows/ports/hub.ts';
import { asks, aResident } from '../../support/builders/drain/drains.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { record, storiesOf } from '../../support/flow/flow.ts';
import type { FlowTestbed } from '../../support/testbeds/flow.ts';

const story = storiesOf('turns');
const ID = turnsWorkflowId('site-1');
/** Clusters that have a Drain. */
const drained = new Set<string>();
beforeEach(() => drained.clear());

/**
 * Ready on site-1; turn requests reach the drain, which finds this Capp on the cluster. Nothing answers on
 * site-2 yet.
 */
async function settledAlone(testbed: FlowTestbed, plain: Partial<Hub> = {}): Promise<void> {
  const { world, client, capp } = testbed;
  const resident = aResident(capp.name, { namespace: capp.namespace });
  const cappsOn: Hub['cappsOn'] = async (cluster) => {
    const isThere = world.capp?.deleting === false && (await testbed.state()).serving === cluster;
    return { capps: isThere ? [resident] : [], isLast: true };
  };
  const readDrain: Hub['readDrain'] = async (cluster) => ({ drain: drained.has(cluster) ? asks() : null });
  await testbed.startHub({
    activities: { ...world.hub, ...hubTurnRequests(client), cappsOn, readDrain, ...plain },
  });
  await testbed.startAgent('site-1');
  await testbed.ring('spec');
  await testbed.untilReady();
}

async function settled(testbed: FlowTestbed): Promise<void> {
  await settledAlone(testbed);
  await testbed.startAgent('site-2');
}

/** A person creates a Drain, and others may watch while it is carried out. */
async function ordered(
  testbed: FlowTestbed,
  cluster = 'site-1',
): Promise<{ result(): Promise<DrainProgress>; view(): Promise<DrainProgress> }> {
  drained.add(cluster);
  const { workflow } = testbed.client;
  const workflowId = turnsWorkflowId(cluster);
  const start = { workflowId, taskQueue: HUB_QUEUE, args: [{ cluster }], signal: drainChanged };
  const handle = await workflow.signalWithStart(TURNS_WORKFLOW, start);
  return {
    result: async () => (await handle.result()) as DrainProgress,
    view: async () => workflow.getHandle(workflowId).query(progress),
  };
}

async function emptied(testbed: FlowTestbed): Promise<DrainProgress> {
  const order = await ordered(testbed);
  return order.result();
}

story(
  'a Capp that must leave waits while its drain is paused, goes on its permit, and is counted',
  async (testbed) => {
    await settled(testbed);
    const { workflow } = testbed.client;
    const start = { workflowId: ID, taskQueue: HUB_QUEUE, args: [{ cluster: 'site-1' }], signal: pause };
    const drain = await workflow.signalWithStart(TURNS_WORKFLOW, start);
    testbed.world.decision = 'site-2';
    testbed.world.tainted.add('site-1');
    await testbed.ring('decision');
    await testbed.until(({ leave }) => leave?.permit?.answer === 'Wait');
    expect(await drain.query(progress)).toMatchObject({ phase: 'Paused', waiting: 1, targets: {} });
    await drain.signal(resume);
    await testbed.until(({ serving, move }) => serving === 'site-2' && move === null);
    await eventually(async () => ((await drain.query(progress)).moved === 1 ? true : undefined));
    await record('a-move-in-turn', await testbed.history());
    expect(await workflow.getHandle(ID).executeUpdate(stopNow)).toMatchObject({
      waiting: 0,
      targets: {},
      stayed: {},
    });
    await drain.result();
  },
);

story(
  'a Capp that a person’s drain tells to leave moves without asking, and the drain ends when it has',
  async (testbed) => {
    await settled(testbed);
    testbed.world.decision = 'site-2';
    expect(await emptied(testbed)).toMatchObject({ moved: 1, stayed: {} });
    expect(await testbed.state()).toMatchObject({ serving: 'site-2', move: null });
    expect(testbed.world.calls).not.toContain('requestTurn');
  },
);

story('a Capp that its user has pinned stays, and the drain says why', async (testbed) => {
  testbed.world.site = 'site-1';
  await settled(testbed);
  const result = await emptied(testbed);
  expect(result).toMatchObject({
    moved: 0,
    stayed: { Pinned: 1 },
    named: [{ capp: `apps/${testbed.capp.name}`, why: 'Pinned' }],
  });
  expect(await testbed.state()).toMatchObject({ serving: 'site-1', move: null });
});

story(
  'a Capp that moves already when a person’s drain tells it to leave goes on as it does, and the drain hears of it',
  async (testbed) => {
    await settledAlone(testbed);
    testbed.world.decision = 'site-2';
    await testbed.client.workflow
      .getHandle(cappWorkflowId(testbed.capp.namespace, testbed.capp.name))
      .signal(migrate, { to: 'site-2', by: 'you' });
    const { move } = await testbed.until(
      ({ copies }) => copies['site-2']?.stamp !== undefined && copies['site-2'].stamp !== null,
    );
    const order = await ordered(testbed);
    await testbed.until(({ awaitedBy }) => awaitedBy?.['site-1'] !== undefined);
    await testbed.startAgent('site-2');
    expect(await order.result()).toMatchObject({ phase: 'Done', moved: 1, stayed: {} });
    expect(await testbed.state()).toMatchObject({
      serving: 'site-2',
      lastMove: { result: 'Moved', since: move?.since, request: move?.request?.id },
    });
  },
);

story('a Capp that is deleted on its way gives its lane back at once', async (testbed) => {
  await settledAlone(testbed);
  testbed.world.decision = 'site-2';
  const order = await ordered(testbed);
  await testbed.until(({ move }) => move !== null);
  expect(await order.view()).toMatchObject({ targets: { 'site-2': 1 } });
  if (testbed.world.capp !== null) testbed.world.capp.deleting = true;
  await testbed.ring('meta');
  await eventually(async () => (Object.keys((await order.view()).targets).length === 0 ? true : undefined));
  expect(await order.result()).toMatchObject({ phase: 'Done', moved: 0, stayed: {} });
});

story(
  'a Capp that a person sends elsewhere after it was told to leave gives its lane back when it has gone',
  async (testbed) => {
    await settledAlone(testbed);
    testbed.world.decision = 'site-2';
    const order = await ordered(testbed);
    await testbed.until(({ move }) => move?.to === 'site-2');
    testbed.world.decision = 'site-3';
    await testbed.client.workflow
      .getHandle(cappWorkflowId(testbed.capp.namespace, testbed.capp.name))
      .signal(migrate, { to: 'site-3', by: 'you' });
    await testbed.until(({ move }) => move?.to === 'site-3');
    await testbed.startAgent('site-3');
    expect(await order.result()).toMatchObject({ phase: 'Done', moved: 1, stayed: {} });
    expect(await testbed.state()).toMatchObject({ serving: 'site-3' });
  },
);

story('a Capp whose name another object takes on its way gives its lane back', async (testbed) => {
  await settledAlone(testbed);
  testbed.world.decision = 'site-2';
  const order = await ordered(testbed);
  await testbed.until(({ move }) => move !== null);
  testbed.world.capp = { uid: 'uid-2', generation: 1, deleting: false, missing: null, deadlineSeconds: 600 };
  await testbed.ring('spec');
  await testbed.until(({ capp, awaitedBy }) => capp.uid === 'uid-2' && awaitedBy?.['site-1'] === undefined);
  await eventually(async () => (Object.keys((await order.view()).targets).length === 0 ? true : undefined));
});

story('a Capp that is told to leave a site where it is not says so', async (testbed) => {
  const seen = [[aResident(testbed.capp.name)], []];
  await settledAlone(testbed, { cappsOn: async () => ({ capps: seen.shift() ?? [], isLast: true }) });
  const order = await ordered(testbed, 'site-9');
  expect(await order.result()).toMatchObject({ phase: 'Done', moved: 0, stayed: {}, targets: {} });
  expect(await testbed.state()).toMatchObject({ serving: 'site-1', request: null, move: null });
});

story('a report that comes twice, because its answer was lost, counts once', async (testbed) => {
  const { settle } = hubTurnRequests(testbed.client);
  const twice: Hub['settle'] = async (cluster, news) => {
    await settle(cluster, news);
    await settle(cluster, news);
  };
  await settledAlone(testbed, { settle: twice });
  await testbed.startAgent('site-2');
  testbed.world.decision = 'site-2';
  const order = await ordered(testbed);
  expect(await order.result()).toMatchObject({ phase: 'Done', moved: 1, stayed: {} });
});

story('a drain that could not be told how it went is told later', async (testbed) => {
  let failures = 2;
  const { settle } = hubTurnRequests(testbed.client);
  const seldom: Hub['settle'] = (cluster, news) => {
    failures -= 1;
    return failures < 0 ? settle(cluster, news) : Promise.reject(new Error('Temporal is busy'));
  };
  await settledAlone(testbed, { settle: seldom });
  await testbed.startAgent('site-2');
  testbed.world.decision = 'site-2';
  const order = await ordered(testbed);
  await testbed.until(({ serving, move }) => serving === 'site-2' && move === null);
  await testbed.ring('spec');
  expect(await order.result()).toMatchObject({ phase: 'Done', moved: 1, stayed: {} });
  expect(failures).toBeLessThan(0);
});
