// What nobody can read, said to the real workflow of a Capp on a real Temporal by whoever reaches it: it is
// as if it had not come, but for being counted.
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { agentQueue, cappWorkflowId, HUB_QUEUE } from '../../../workflows/names.ts';
import { storiesOf } from '../../support/flow/flow.ts';
import { livesOn } from '../../support/flow/lives-on.ts';
import {
  answerRaw,
  jsonPayload,
  UNREADABLE_PAYLOADS,
  signalRaw,
  type RawPayload,
} from '../../support/flow/raw-temporal.ts';

const story = storiesOf('unreadable');

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
