// Long lives on a server that calls a history long after 30 events: the state goes on from run to run, and no ring is lost on the way.
import { move, permit } from '../../../workflows/messages.ts';
import type { Start } from '../../../workflows/capp/state.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { record } from '../../support/flow/flow.ts';
import { quiet } from '../../support/flow/quiet.ts';
import { openStage, type Stage } from '../../support/testbeds/flow.ts';
import { startTemporal, type TemporalForTests } from '../../support/flow/temporal.ts';

quiet();

let server: TemporalForTests;
const stages: Stage[] = [];

beforeAll(async () => {
  server = await startTemporal({
    dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': '30', 'system.enableActivityEagerExecution': 'false' },
  });
}, 90_000);

afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

afterAll(async () => {
  await server.stop();
});

async function ready(name: string): Promise<Stage> {
  const stage = await openStage({ address: server.address, namespace: 'default', name });
  stages.push(stage);
  await stage.startHub();
  await stage.startAgent();
  await stage.ring('spec');
  await stage.untilReady();
  return stage;
}

test('a life at rest goes on in the next run as it was', async () => {
  const stage = await ready('rest');
  const { runId } = await stage.describe();
  const before = await stage.state();
  let rings = 1;
  await eventually(async () => {
    await stage.ring('spec');
    rings += 1;
    await stage.until(({ ringsAnswered }) => ringsAnswered === rings);
    return (await stage.describe()).runId === runId ? undefined : true;
  });
  const after = await stage.state();
  const copies = { 'site-1': { ...before.copies['site-1'], appliedAtRing: rings } };
  expect(after).toEqual({ ...before, ringsHeard: rings, seen: rings, copies, told: after.statusDecidedAt });
  expect(stage.world.works.size).toBe(1);
  await record('a-long-life', await stage.history(runId));
}, 90_000);

test('under fire every edit is shipped, through any number of runs', async () => {
  const stage = await ready('fire');
  const { world } = stage;
  const runs = new Set<string>();
  for (let edit = 2; edit <= 60; edit += 1) {
    world.edit();
    await stage.ring('spec');
    runs.add((await stage.describe()).runId);
  }
  await stage.until(({ copies }) => copies['site-1']?.generation === 60 && copies['site-1'].finding?.verdict === 'Ready', 30_000);
  await eventually(() => world.condition('Ready')?.observedGeneration === 60 || undefined);
  const { ringsAnswered, ringsHeard } = await stage.state();
  expect(ringsAnswered).toBe(ringsHeard);
  expect(runs.size).toBeGreaterThan(1);
  expect(world.works.size).toBe(1);
}, 90_000);

test('a life that waits for its turn goes from run to run, however often it looks where to go', async () => {
  const stage = await ready('held');
  const { world } = stage;
  world.decision = 'site-2';
  world.tainted.add('site-1');
  await stage.ring('decision');
  await stage.until(({ leave }) => leave?.permit !== null && leave !== null);
  await stage.client.workflow.getHandle('capp/apps/held').signal(permit, { cluster: 'site-1', answer: 'Wait' });
  await stage.until(({ leave }) => leave?.permit?.answer === 'Wait');
  const runs = new Set([(await stage.describe()).runId]);
  const until = (count: number, cause: 'decision' | 'site') =>
    eventually(async () => {
      await stage.ring(cause);
      await stage.until(({ due }) => due.length === 0);
      runs.add((await stage.describe()).runId);
      return runs.size >= count ? true : undefined;
    });
  await until(3, 'decision');
  // Nothing is chosen any more, and what was chosen last goes on to the next run.
  await until(4, 'site');
  const [begun] = (await stage.history()).events ?? [];
  const input = JSON.parse(String(begun?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]?.data)) as Start;
  expect(input.record?.cluster).toBe('site-2');
  expect(await stage.state()).toMatchObject({ serving: 'site-1', leave: { to: 'site-2', permit: { answer: 'Wait' } } });
  await stage.startAgent('site-2');
  await stage.client.workflow.getHandle('capp/apps/held').signal(permit, { cluster: 'site-1', answer: 'Go' });
  await stage.until(({ serving, move }) => serving === 'site-2' && move === null, 30_000);
}, 90_000);

test('an Update that waits keeps no life from its next run: it hears that the request goes on, and so it does', async () => {
  const stage = await ready('asked');
  stage.world.decision = 'site-2';
  const handle = stage.client.workflow.getHandle('capp/apps/asked');
  const moving = handle.executeUpdate(move, { args: [{ to: 'site-2', by: 'you' }] });
  const answered = moving.then(
    () => 'moved',
    (error: unknown) => String((error as { cause?: unknown }).cause),
  );
  const { runId } = await stage.describe();
  await stage.until(({ copies }) => copies['site-2']?.stamp !== undefined && copies['site-2'].stamp !== null);
  await eventually(async () => {
    await stage.ring('spec');
    await stage.until(({ due }) => due.length === 0);
    return (await stage.describe()).runId === runId ? undefined : true;
  });
  expect(await answered).toContain('the request goes on');
  await stage.startAgent('site-2');
  await stage.until(({ serving, move: under }) => serving === 'site-2' && under === null, 30_000);
}, 90_000);

test('Updates that come while a life goes from run to run are all answered', async () => {
  const stage = await ready('often');
  const handle = stage.client.workflow.getHandle('capp/apps/often');
  const runs = new Set<string>();
  const answers: Promise<string>[] = [];
  await eventually(async () => {
    const asked = handle.executeUpdate(move, { args: [{ to: 'site-1', by: 'you' }] });
    answers.push(asked.then(String, (error: unknown) => String((error as { cause?: unknown }).cause)));
    await stage.ring('spec');
    runs.add((await stage.describe()).runId);
    return runs.size > 2 ? true : undefined;
  });
  // The last is the server's own word: something came in the moment in which the run ended.
  const known = /AlreadyThere|another request took its place|goes on|unexpected workflow task failure/;
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(known);
}, 90_000);
