// Checks of an app on a real Temporal: the site's agent asks a real HTTP server, which is the ingress here,
// and the verdict counts for exactly what it was asked about.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApplicationFailure } from '@temporalio/common';
import { places } from '../../../activities/agent/verify/places.ts';
import { agentVerify, verified } from '../../../activities/agent/verify/verify.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import { ROLLOUT } from '../../../crds/labels.ts';
import type { Kube } from '../../../kube/client.ts';
import { eventually } from '../../../testbed/eventually.ts';
import type { VerifyQuestion } from '../../../workflows/ports/agent.ts';
import type { VerificationOrder } from '../../../workflows/types/verification.ts';
import { aCapp } from '../../support/builders/capps.ts';
import { record, storiesOf } from '../../support/flow/flow.ts';
import type { FlowTestbed } from '../../support/testbeds/flow.ts';

const story = storiesOf('verification');

let server: Server;
let status = 200;
let requests = 0;
/** What the first requests are answered with. */
let answers: readonly number[] = [];

beforeAll(async () => {
  server = createServer((_, response) => {
    requests += 1;
    response.writeHead(answers[requests - 1] ?? status).end('ok');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  status = 200;
  requests = 0;
  answers = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const REF = { namespace: 'apps', name: 'app' };

function anOrder(key: string, count = 3, intervalMs = 20): VerificationOrder {
  const check = { name: 'answers', path: '/healthz', expect: "status == 200 && body.contains('ok')" };
  return { key, checks: [{ ...check, intervalMs, count, failureLimit: 0, inconclusiveLimit: 1 }] };
}

/** An agent's view of its site, with that server as the ingress, and the Capp with the stamp that it has. */
function seenBy({ world }: FlowTestbed, cluster: string, isOn = () => true) {
  const { port } = server.address() as AddressInfo;
  const there = (): Capp => ({
    ...aCapp({ annotations: { [ROLLOUT]: world.works.get(cluster)?.stamp ?? '' } }),
    status: { knativeObjectStatus: { url: 'http://app.apps.example' } },
  });
  const site = { get: () => (isOn() ? there() : undefined), read: () => Promise.resolve(there()) };
  const kube = { get: (() => Promise.resolve(null)) as Kube['get'] };
  return { kube, site, ingress: { http: `127.0.0.1:${port}`, https: null }, prometheusKey: null };
}

/** What the agent of a site does. */
function measuring(testbed: FlowTestbed): void {
  testbed.world.checked = (cluster, question: VerifyQuestion, signal) => {
    const ways = { atOnce: places(5, 5), atPrometheus: places(5, 5) };
    return verified({ ...seenBy(testbed, cluster), ...ways }, REF, question, signal);
  };
}

const verdict = ({ world }: FlowTestbed): string | undefined => world.condition('Verified')?.reason;
const verdicts = (testbed: FlowTestbed): readonly string[] =>
  testbed.world.published.flatMap(({ conditions }) =>
    conditions.filter(({ type }) => type === 'Verified').map(({ reason }) => reason),
  );

async function started(testbed: FlowTestbed): Promise<void> {
  measuring(testbed);
  await testbed.startHub();
  await testbed.startAgent();
  await testbed.ring('spec');
}

story('an app that answers as expected is verified, in a history as long as its verdict', async (testbed) => {
  testbed.world.orders = { order: anOrder('key-1', 10) };
  await started(testbed);
  await eventually(() => verdict(testbed) === 'ChecksPassed' || undefined);
  expect(requests).toBe(10);
  const history = await testbed.history();
  const asked = (history.events ?? []).filter(
    ({ activityTaskScheduledEventAttributes: asking }) => asking?.activityType?.name === 'verify',
  );
  expect(asked).toHaveLength(1);
  await record('checks-that-pass', history);
});

story('an app that answers 500 is Ready, and has failed', async (testbed) => {
  status = 500;
  testbed.world.orders = { order: anOrder('key-1', 50) };
  await started(testbed);
  await eventually(() => verdict(testbed) === 'ChecksFailed' || undefined);
  expect(testbed.world.condition('Ready')?.status).toBe('True');
  expect(testbed.world.condition('Verified')?.message).toMatch(
    /^Check answers failed on site-1: 0 of 1 measurements were successful, 1 failed \(failureLimit 0\).*status 500, where status == 200 && body\.contains\('ok'\) is expected\.$/,
  );
  expect(requests).toBe(1);
  await record('checks-that-fail', await testbed.history());
});

story('another try is another verdict, and the same order is not asked for again', async (testbed) => {
  status = 500;
  testbed.world.orders = { order: anOrder('key-1') };
  await started(testbed);
  await eventually(() => verdict(testbed) === 'ChecksFailed' || undefined);
  status = 200;
  await testbed.ring('meta');
  await testbed.untilReady();
  expect([verdict(testbed), requests]).toEqual(['ChecksFailed', 1]);
  testbed.world.orders = { order: anOrder('key-2') };
  await testbed.ring('meta');
  await eventually(() => verdict(testbed) === 'ChecksPassed' || undefined);
  expect(requests).toBe(4);
});

story('a verdict about a former generation counts for nothing', async (testbed) => {
  testbed.world.orders = { order: anOrder('key-1', 100, 20) };
  await started(testbed);
  await eventually(() => requests > 2 || undefined);
  testbed.world.orders = {};
  testbed.world.edit();
  await testbed.ring('spec');
  await eventually(() => testbed.world.condition('Ready')?.observedGeneration === 2 || undefined);
  await testbed.untilReady();
  expect(verdicts(testbed)).not.toContain('ChecksPassed');
  expect(testbed.world.condition('Verified')).toBeUndefined();
});

story('checks that lose their agent count on: what had failed has failed', async (testbed) => {
  const order = anOrder('key-1', 20, 50);
  testbed.world.orders = {
    order: { ...order, checks: order.checks.map((one) => ({ ...one, failureLimit: 1 })) },
  };
  let tries = 0;
  answers = [500];
  testbed.world.checked = async (cluster, question) => {
    tries += 1;
    let isOn = true;
    const parts = seenBy(testbed, cluster, () => isOn);
    const answered = agentVerify(parts).verify({ ...REF, uid: '' }, question);
    if (tries > 1) return answered;
    await eventually(() => requests >= 2 || undefined);
    isOn = false;
    await answered;
    // One failure more is one too many, but only for who knows of the first.
    answers = [...Array.from({ length: requests }, () => 200), 500];
    throw ApplicationFailure.create({ type: 'Unreachable', message: 'it is stopped' });
  };
  await testbed.startHub();
  await testbed.startAgent();
  await testbed.ring('spec');
  await eventually(() => verdict(testbed) === 'ChecksFailed' || undefined);
  expect(testbed.world.condition('Verified')?.message).toContain('2 failed (failureLimit 1)');
  expect(tries).toBe(2);
});

story('an answer that cannot be read is no verdict', async (testbed) => {
  testbed.world.orders = { order: anOrder('key-1') };
  await testbed.startHub();
  await testbed.startAgent();
  testbed.world.checked = () => Promise.resolve({ verdict: 'Passed' });
  await testbed.ring('spec');
  await eventually(() => verdict(testbed) === 'ChecksInconclusive' || undefined);
  expect(testbed.world.condition('Verified')?.message).toContain('cannot be read');
});

story(
  'a move sends users to the new site, and removes the old copy, only when the checks passed there',
  async (testbed) => {
    await started(testbed);
    await testbed.untilReady();
    await testbed.startAgent('site-2');
    let isOpen = false;
    measuring(testbed);
    const { checked } = testbed.world;
    testbed.world.checked = async (cluster, question, signal) => {
      await eventually(() => isOpen || undefined);
      return checked(cluster, question, signal);
    };
    testbed.world.orders = { moveOrder: anOrder('move-1') };
    testbed.world.decision = 'site-2';
    testbed.world.tainted.add('site-1');
    await testbed.ring('decision');
    await eventually(() => testbed.world.condition('Migrating')?.reason === 'AwaitsChecks' || undefined);
    expect(testbed.world.works.get('site-1')?.leaving).toBe(false);
    expect(testbed.world.published.at(-1)?.serving).toBe('site-1');
    isOpen = true;
    await testbed.until(({ serving }) => serving === 'site-2');
    expect(requests).toBe(3);
    await record('a-move-with-checks', await testbed.history());
  },
);

story('a move whose new copy fails its checks is given up, and the old copy stays', async (testbed) => {
  await started(testbed);
  await testbed.untilReady();
  await testbed.startAgent('site-2');
  status = 500;
  testbed.world.orders = { moveOrder: anOrder('move-1') };
  testbed.world.decision = 'site-2';
  testbed.world.tainted.add('site-1');
  await testbed.ring('decision');
  const after = await testbed.until(({ lastMove }) => lastMove?.result === 'Failed');
  expect(after.serving).toBe('site-1');
  expect(after.lastMove?.message).toContain('Check answers failed on site-2');
  expect(testbed.world.works.get('site-1')?.leaving).toBe(false);
});

story('a Capp that is disabled moves without a check, and the old copy goes', async (testbed) => {
  testbed.world.say('Ready', { reason: 'Disabled' });
  await started(testbed);
  await testbed.untilReady();
  await testbed.startAgent('site-2');
  testbed.world.orders = { moveOrder: anOrder('move-1') };
  testbed.world.decision = 'site-2';
  testbed.world.tainted.add('site-1');
  await testbed.ring('decision');
  await testbed.until(({ serving, move }) => serving === 'site-2' && move === null);
  expect(requests).toBe(0);
  await record('a-move-without-its-checks', await testbed.history());
});
