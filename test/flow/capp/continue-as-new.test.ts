// Long lives on a server that calls a history long after 30 events: the state goes on from run to run, and no
// ring is lost on the way.
import { move, permit } from '../../../workflows/messages.ts';
import type { Start } from '../../../workflows/capp/state.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { record } from '../../support/flow/flow.ts';
import { quietLogs } from '../../support/flow/quiet-logs.ts';
import { openFlowTestbed, type FlowTestbed } from '../../support/testbeds/flow.ts';
import { startTemporal, type TemporalForTests } from '../../support/flow/temporal.ts';

quietLogs();

let server: TemporalForTests;
const stages: FlowTestbed[] = [];

beforeAll(async () => {
  server = await startTemporal({
    dynamicConfig: {
      'limit.historyCount.suggestContinueAsNew': '30',
      'system.enableActivityEagerExecution': 'false',
    },
  });
}, 300_000);

afterEach(async () => {
  for (const testbed of stages.splice(0)) await testbed.close();
});

afterAll(async () => {
  await server.stop();
});

async function ready(name: string): Promise<FlowTestbed> {
  const testbed = await openFlowTestbed({ address: server.address, namespace: 'default', name });
  stages.push(testbed);
  await testbed.startHub();
  await testbed.startAgent();
  await testbed.ring('spec');
  await testbed.untilReady();
  return testbed;
}

test('a life at rest goes on in the next run as it was', async () => {
  const testbed = await ready('rest');
  const { runId } = await testbed.describe();
  const before = await testbed.state();
  let rings = 1;
  await eventually(async () => {
    await testbed.ring('spec');
    rings += 1;
    await testbed.until(({ ringsAnswered }) => ringsAnswered === rings);
    return (await testbed.describe()).runId === runId ? undefined : true;
  });
  const after = await testbed.state();
  const copies = { 'site-1': { ...before.copies['site-1'], appliedAtRing: rings } };
  expect(after).toEqual({
    ...before,
    ringsHeard: rings,
    ringsAnswered: rings,
    copies,
    statusDecidedAt: after.statusDecidedAt,
  });
  expect(testbed.world.works.size).toBe(1);
  await record('a-long-life', await testbed.history(runId));
}, 300_000);

test('under fire every edit is shipped, through any number of runs', async () => {
  const testbed = await ready('fire');
  const { world } = testbed;
  const runs = new Set<string>();
  for (let edit = 2; edit <= 60; edit += 1) {
    world.edit();
    await testbed.ring('spec');
    runs.add((await testbed.describe()).runId);
  }
  await testbed.until(
    ({ copies }) => copies['site-1']?.generation === 60 && copies['site-1'].finding?.verdict === 'Ready',
  );
  await eventually(() => world.condition('Ready')?.observedGeneration === 60 || undefined);
  const { ringsAnswered, ringsHeard } = await testbed.state();
  expect(ringsAnswered).toBe(ringsHeard);
  expect(runs.size).toBeGreaterThan(1);
  expect(world.works.size).toBe(1);
}, 300_000);

test('a life that waits for its turn goes from run to run, however often it looks where to go', async () => {
  const testbed = await ready('held');
  const { world } = testbed;
  world.decision = 'site-2';
  world.tainted.add('site-1');
  await testbed.ring('decision');
  await testbed.until(({ leave }) => leave?.permit !== null && leave !== null);
  await testbed.client.workflow
    .getHandle('capp/apps/held')
    .signal(permit, { cluster: 'site-1', answer: 'Wait' });
  await testbed.until(({ leave }) => leave?.permit?.answer === 'Wait');
  const runs = new Set([(await testbed.describe()).runId]);
  const until = (count: number, cause: 'decision' | 'site') =>
    eventually(async () => {
      await testbed.ring(cause);
      await testbed.until(({ due }) => due.length === 0);
      runs.add((await testbed.describe()).runId);
      return runs.size >= count ? true : undefined;
    });
  await until(3, 'decision');
  // Nothing is chosen any more, and what was chosen last goes on to the next run.
  await until(4, 'site');
  const [begun] = (await testbed.history()).events ?? [];
  const input = JSON.parse(
    String(begun?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]?.data),
  ) as Start;
  expect(input.record?.cluster).toBe('site-2');
  expect(await testbed.state()).toMatchObject({
    serving: 'site-1',
    leave: { to: 'site-2', permit: { answer: 'Wait' } },
  });
  await testbed.startAgent('site-2');
  await testbed.client.workflow
    .getHandle('capp/apps/held')
    .signal(permit, { cluster: 'site-1', answer: 'Go' });
  await testbed.until(({ serving, move }) => serving === 'site-2' && move === null);
}, 300_000);

test('an Update that waits keeps no life from its next run: it hears that the request goes on, and so it does', async () => {
  const testbed = await ready('asked');
  testbed.world.decision = 'site-2';
  const handle = testbed.client.workflow.getHandle('capp/apps/asked');
  const moving = handle.executeUpdate(move, { args: [{ to: 'site-2', by: 'you' }] });
  const answered = moving.then(
    () => 'moved',
    (error: unknown) => String((error as { cause?: unknown }).cause),
  );
  const { runId } = await testbed.describe();
  await testbed.until(
    ({ copies }) => copies['site-2']?.stamp !== undefined && copies['site-2'].stamp !== null,
  );
  await eventually(async () => {
    await testbed.ring('spec');
    await testbed.until(({ due }) => due.length === 0);
    return (await testbed.describe()).runId === runId ? undefined : true;
  });
  expect(await answered).toContain('the request goes on');
  await testbed.startAgent('site-2');
  await testbed.until(({ serving, move: under }) => serving === 'site-2' && under === null);
}, 300_000);

test('Updates that come while a life goes from run to run are all answered', async () => {
  const testbed = await ready('often');
  const handle = testbed.client.workflow.getHandle('capp/apps/often');
  const runs = new Set<string>();
  const answers: Promise<string>[] = [];
  await eventually(async () => {
    const asked = handle.executeUpdate(move, { args: [{ to: 'site-1', by: 'you' }] });
    answers.push(asked.then(String, (error: unknown) => String((error as { cause?: unknown }).cause)));
    // A workflow may have ten Updates under way, and the server refuses more: the next waits for the fifth
    // before it.
    await answers.at(-5);
    await testbed.ring('spec');
    runs.add((await testbed.describe()).runId);
    return runs.size > 2 ? true : undefined;
  });
  // The last is the server's own word: something came in the moment in which the run ended.
  const known = /AlreadyThere|another request replaced it|goes on|unexpected workflow task failure/;
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(known);
}, 300_000);
