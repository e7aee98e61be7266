// What nobody can read, said to real workflows on a real Temporal by whoever reaches it: it is as if it had
// not come, but for being counted.
import { WorkflowUpdateFailedError } from '@temporalio/client';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { configureNow, progress, requestTurn, stopNow } from '../../../workflows/messages.ts';
import {
  agentQueue,
  cappWorkflowId,
  HUB_QUEUE,
  SCORE_WORKFLOW,
  SITE_WORKFLOW,
  siteWorkflowId,
  TURNS_WORKFLOW,
  turnsWorkflowId,
} from '../../../workflows/names.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { storiesOf } from '../../support/flow/flow.ts';
import {
  answerRaw,
  jsonPayload,
  UNREADABLE_PAYLOADS,
  signalRaw,
  type RawPayload,
} from '../../support/flow/raw-temporal.ts';
import type { FlowTestbed } from '../../support/testbeds/flow.ts';

const story = storiesOf('unreadable');

function failedTasks({ events }: History): number {
  return (events ?? []).filter(({ workflowTaskFailedEventAttributes: failed }) => (failed ?? null) !== null)
    .length;
}

/** An edit is shipped and a deletion ends, and no turn of the workflow has failed on the way. */
async function livesOn(testbed: FlowTestbed, site = 'site-1'): Promise<void> {
  const { world, client, capp } = testbed;
  world.edit();
  const generation = world.capp?.generation;
  await testbed.ring('spec');
  await testbed.until(
    ({ copies }) => copies[site]?.generation === generation && copies[site]?.finding?.verdict === 'Ready',
  );
  if (world.capp !== null) world.capp.deleting = true;
  world.works.clear();
  await testbed.ring('meta');
  await eventually(async () => ((await testbed.describe()).status === 'COMPLETED' ? true : undefined));
  const handle = client.workflow.getHandle(cappWorkflowId(capp.namespace, capp.name));
  expect(failedTasks(await handle.fetchHistory())).toBe(0);
}

for (const signal of ['ring', 'permit', 'leave', 'migrate', 'no-such-signal']) {
  story(`a Capp hears no ${signal} that cannot be read, whatever it is, and goes on`, async (testbed) => {
    await testbed.startHub();
    await testbed.startAgent();
    await testbed.ring('spec');
    await testbed.untilReady();
    const id = cappWorkflowId(testbed.capp.namespace, testbed.capp.name);
    const poisons = Object.entries(UNREADABLE_PAYLOADS).filter(
      ([name]) => signal !== 'migrate' || name !== 'an object without anything',
    );
    for (const [, payloads] of poisons) await signalRaw(testbed.client, id, signal, payloads);
    if (signal !== 'no-such-signal') await testbed.until(({ unreadable }) => unreadable === poisons.length);
    const { ringsHeard, serving, request } = await testbed.state();
    expect({ ringsHeard, serving, request }).toEqual({ ringsHeard: 1, serving: 'site-1', request: null });
    await livesOn(testbed);
  });
}

story('a ring without measure leaves no more behind than one that somebody can answer', async (testbed) => {
  await testbed.startHub();
  await testbed.startAgent();
  await testbed.ring('spec');
  await testbed.untilReady();
  const many = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, index) => [`Kind${index}`, '9'.repeat(20)]),
  );
  const ring = {
    causes: Array.from({ length: 20_000 }, (_, index) => (index === 0 ? 'spec' : `cause-${index}`)),
    minimumVersions: { ...many, Capp: '9'.repeat(400), Placement: '-1', ManifestWork: 12 },
    seen: { ['constructor']: 1, ['__proto__']: 2, 'site-9': 3, 'site-1': 1e300 },
  };
  await signalRaw(testbed.client, cappWorkflowId(testbed.capp.namespace, testbed.capp.name), 'ring', [
    jsonPayload(JSON.stringify(ring)),
  ]);
  await testbed.until(({ ringsHeard, ringsAnswered }) => ringsHeard === 2 && ringsAnswered === 2);
  const state = await testbed.state();
  expect([state.minimumVersions, Object.keys(state.copies), JSON.stringify(state).length < 8_000]).toEqual([
    {},
    ['site-1'],
    true,
  ]);
  await livesOn(testbed);
});

story('a request to move that cannot be read is refused, and says what it should be', async (testbed) => {
  await testbed.startHub();
  await testbed.startAgent();
  await testbed.ring('spec');
  await testbed.untilReady();
  const handle = testbed.client.workflow.getHandle(cappWorkflowId(testbed.capp.namespace, testbed.capp.name));
  for (const wish of [null, 7, [], 'site-2', { to: 7 }]) {
    const asked = handle.executeUpdate<unknown, [unknown]>('move', { args: [wish] });
    await expect(asked).rejects.toThrow(WorkflowUpdateFailedError);
    await asked.catch((error: WorkflowUpdateFailedError) =>
      expect(error.cause?.message).toMatch(/"to":"site-2"/),
    );
  }
  await livesOn(testbed);
});

const ANSWERS = [
  'no payload',
  'an empty payload',
  'an encoding nobody knows',
  'half a JSON',
  'null',
  'an object without anything',
] as const;

for (const [index, [name, payloads]] of [
  ...ANSWERS.map((name) => [name, UNREADABLE_PAYLOADS[name] ?? null] as const),
  forged(),
].entries()) {
  story(
    `an agent that answers with ${name} is as one that does not answer, and is not asked without end`,
    async (testbed) => {
      // Not the site of the two stories before: a worker that has gone may have left a poll behind.
      const site = `site-${1 + ((index + 1) % 3)}`;
      testbed.world.decision = site;
      await testbed.startHub();
      await testbed.ring('spec');
      expect(await answerRaw(testbed.client, agentQueue(site), payloads)).toBe('awaitVerdict');
      await testbed.until(({ unreadable, copies }) => unreadable === 1 && copies[site]?.finding === null);
      const { raw } = await testbed.client.workflow
        .getHandle(cappWorkflowId(testbed.capp.namespace, testbed.capp.name))
        .describe();
      expect(raw.pendingActivities ?? []).toEqual([]);
      await testbed.startAgent(site);
      await livesOn(testbed, site);
    },
  );
}

function forged(): [string, readonly RawPayload[]] {
  const finding = {
    verdict: 'Ready',
    healthy: 'yes',
    reason: 'x'.repeat(40_000),
    message: 7,
    statusHash: {},
  };
  return ['fields of other kinds than it should', [jsonPayload(JSON.stringify({ finding, mirror: [] }))]];
}

for (const [name, input] of [
  ['null', null],
  [
    'a state without its parts',
    { version: 1, capp: { namespace: 'apps', name: 'app', uid: 'uid-1' }, copies: null, due: 'spec' },
  ],
] as const) {
  story(
    `the workflow of a Capp that is begun with ${name} finds out by its name what it is for`,
    async (testbed) => {
      await testbed.startHub();
      await testbed.startAgent();
      const workflowId = cappWorkflowId(testbed.capp.namespace, testbed.capp.name);
      await testbed.client.workflow.start('capp', { workflowId, taskQueue: HUB_QUEUE, args: [input] });
      await testbed.untilReady();
      await livesOn(testbed);
    },
  );
}

story('a site hears no audit that cannot be read, and goes on with those that can', async (testbed) => {
  await testbed.startHub();
  await testbed.startAgent();
  await testbed.ring('spec');
  await testbed.untilReady();
  const workflowId = siteWorkflowId('site-1');
  const handle = await testbed.client.workflow.start(SITE_WORKFLOW, {
    workflowId,
    taskQueue: HUB_QUEUE,
    args: [null],
  });
  for (const payloads of Object.values(UNREADABLE_PAYLOADS))
    await signalRaw(testbed.client, workflowId, 'audit', payloads);
  testbed.world.say('Ready', { statusHash: 'other' });
  const entry = {
    namespace: 'apps',
    name: testbed.capp.name,
    uid: 'uid-1',
    stamp: 'uid-1/1/hash/one',
    statusHash: 'other',
  };
  await handle.signal('audit', { entries: [null, { namespace: '../x' }, entry], after: null, upTo: null });
  await testbed.until(({ mirrored }) => mirrored === 'other');
  expect(failedTasks(await handle.fetchHistory())).toBe(0);
  await handle.terminate();
});

story('a drain hears no message that cannot be read, and says how many there were', async (testbed) => {
  await testbed.startHub();
  const workflowId = turnsWorkflowId('site-1');
  const handle = await testbed.client.workflow.signalWithStart(TURNS_WORKFLOW, {
    workflowId,
    taskQueue: HUB_QUEUE,
    args: [{ cluster: 'site-1' }],
    signal: requestTurn,
    signalArgs: [{ namespace: 'apps', name: 'somebody', to: null, priority: 0 }],
  });
  const poisons = Object.entries(UNREADABLE_PAYLOADS);
  for (const [, payloads] of poisons) {
    for (const signal of ['requestTurn', 'settled'])
      await signalRaw(testbed.client, workflowId, signal, payloads);
  }
  await expect(handle.executeUpdate(configureNow, { args: [null as never] })).rejects.toThrow(
    WorkflowUpdateFailedError,
  );
  expect(await handle.query(progress)).toMatchObject({
    waiting: 0,
    stayed: {},
    unreadable: 2 * poisons.length,
  });
  await handle.executeUpdate(stopNow);
  await handle.result();
  expect(failedTasks(await handle.fetchHistory())).toBe(0);
});

story(
  'what is begun with nothing that can be read ends at once, and says what it should be begun with',
  async (testbed) => {
    await testbed.startHub();
    const begun: readonly [string, string, string][] = [
      [SCORE_WORKFLOW, 'score/site-1/by-hand', '"cluster"'],
      ['plan', 'plan/site-1/by-hand', 'kubectl create'],
      ['drain', 'drain/site-2', 'kubectl create'],
      [TURNS_WORKFLOW, turnsWorkflowId('site-2'), '"cluster"'],
      [SITE_WORKFLOW, 'by-hand', 'site/<cluster>'],
      ['capp', 'by-hand-too', 'capp/<namespace>/<name>'],
    ];
    for (const [type, workflowId, message] of begun) {
      const handle = await testbed.client.workflow.start(type, {
        workflowId,
        taskQueue: HUB_QUEUE,
        args: [null],
      });
      await expect(handle.result()).rejects.toMatchObject({
        cause: { message: expect.stringContaining(message) as string },
      });
    }
  },
);

story('a score is not published of what an agent cannot have measured', async (testbed) => {
  await testbed.startHub();
  const poisons = [
    null,
    [jsonPayload('{}')],
    [jsonPayload('[')],
    [jsonPayload('{"figures":[{"name":"cpuAvailable","value":1e9}]}')],
  ];
  for (const [index, payloads] of poisons.entries()) {
    const order = { cluster: 'site-5', intervalSeconds: 60 };
    const handle = await testbed.client.workflow.start(SCORE_WORKFLOW, {
      workflowId: `score/site-5/${index}`,
      taskQueue: HUB_QUEUE,
      args: [order],
    });
    expect(await answerRaw(testbed.client, agentQueue('site-5'), payloads)).toBe('measure');
    expect(await handle.result()).toMatchObject({ agent: 'Silent' });
  }
});
