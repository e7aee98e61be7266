// Each of our processes is killed between the steps of rollouts and in deletions, and they complete.
import { CAPP } from '../../../crds/capp/capp.ts';
import { KNATIVE_SERVICE } from '../../../crds/kubernetes/knative.ts';
import { MANIFEST_WORK } from '../../../crds/ocm/ocm.ts';
import { createCapp, newNamespace, siteOf, untilGone, untilReady } from '../../../testbed/capps.ts';
import { closeBarrier, type Barrier, type Write } from '../../support/servers/api/barrier.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

let stack: TestbedStack;
let namespace: string;
beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'crash');
});
afterAll(() => stack.close());

interface Stop {
  /** The write that the barrier blocks. */
  readonly before: string;
  readonly on: 'hub' | 'site-1';
  readonly write: (name: string) => Write;
  /** Whether the rollout has reached the barrier. */
  readonly reached: (name: string) => Promise<boolean>;
}

const WAIT = { withinMs: 180_000, everyMs: 50 };

const created =
  (apiGroup: string, resource: string) =>
  (name: string): Write => ({ apiGroup, resource, operations: ['CREATE'], name });
const updated =
  (resource: string) =>
  (name: string): Write => ({ apiGroup: 'rcs.dana.io', resource, operations: ['UPDATE'], name });
const workOf = (name: string): string => `mw-create-${namespace}-${name}`;

const STOPS: readonly Stop[] = [
  {
    before: 'the work',
    on: 'hub',
    write: (name) => created('work.open-cluster-management.io', 'manifestworks')(workOf(name)),
    reached: (name) => hasWorkflow(name),
  },
  {
    before: 'the annotation has-placement',
    on: 'hub',
    write: updated('capps'),
    reached: (name) => hasWorkflow(name),
  },
  { before: "the hub's status", on: 'hub', write: updated('capps/status'), reached: (name) => hasWork(name) },
  {
    before: "the site's Capp",
    on: 'site-1',
    write: created('rcs.dana.io', 'capps'),
    reached: (name) => hasWork(name),
  },
  {
    before: 'the Knative Service',
    on: 'site-1',
    write: created('serving.knative.dev', 'services'),
    reached: (name) => hasSiteCapp(name),
  },
  {
    before: "the site's status",
    on: 'site-1',
    write: updated('capps/status'),
    reached: (name) => hasService(name),
  },
];

const PROCESSES = ['bridge', 'gateway', 'hub-worker', 'webhook', 'site-1-agent', 'site-1-operator'];

const nameOf = (stop: Stop): string => `stop-${STOPS.indexOf(stop)}`;

/** Each Capp is blocked at a step of its own. */
async function blocked(stop: Stop): Promise<Barrier> {
  const name = nameOf(stop);
  const barrier = await closeBarrier(stack.cluster(stop.on), stop.write(name));
  await createCapp(stack.hub, { namespace, name, spec: { site: 'site-1' } });
  await eventually(async () => {
    if (await stop.reached(name)) return true;
    throw new Error(`The rollout has not come to its write of ${stop.before}`);
  }, WAIT);
  return barrier;
}

test('rollouts that are blocked, each before another of its writes, complete after every process was killed', async () => {
  const barriers: Barrier[] = [];
  try {
    for (const stop of STOPS) barriers.push(await blocked(stop));
    const restarts = [];
    for (const process of PROCESSES) restarts.push(await stack.killNow(process));
    await Promise.all(restarts.map((restarted) => restarted()));
  } finally {
    for (const barrier of barriers) await barrier.open();
  }
  for (const stop of STOPS) {
    const ready = await untilReady(stack.hub, { namespace, name: nameOf(stop) });
    expect([stop.before, siteOf(ready)]).toEqual([stop.before, 'site-1']);
  }
  const { items } = await stack.hub.list(MANIFEST_WORK, { namespace: 'site-1' });
  const works = items
    .map(({ metadata }) => metadata.name)
    .filter((name) => name.includes(`${namespace}-stop-`));
  expect(works.toSorted()).toEqual(STOPS.map((stop) => workOf(nameOf(stop))));
});

test('a deletion completes after any process was killed', async () => {
  const going = PROCESSES.map((process) => ({
    process,
    key: { namespace, name: `gone-${process.replaceAll('-', '')}` },
  }));
  for (const { key } of going) await createCapp(stack.hub, { ...key, spec: { site: 'site-1' } });
  for (const { key } of going) await untilReady(stack.hub, key);
  for (const { process, key } of going) {
    await stack.hub.remove(CAPP, key);
    const restarted = await stack.killNow(process);
    await untilGone(stack.hub, key);
    await untilGone(stack.site('site-1'), key);
    await restarted();
  }
});

test('a rollout completes after Temporal was killed and restarted', async () => {
  const key = { namespace, name: 'durable' };
  await createCapp(stack.hub, { ...key, spec: { site: 'site-1' } });
  await stack.kill('temporal');
  await untilReady(stack.hub, key);
  await stack.hub.patch(CAPP, key, { spec: { state: 'disabled' } });
  const ready = await untilReady(stack.hub, key);
  expect(ready.status?.observedGeneration).toBe(2);
});

async function hasWorkflow(name: string): Promise<boolean> {
  try {
    const { historyLength } = await stack.temporal.workflow.getHandle(`capp/${namespace}/${name}`).describe();
    return historyLength > 5;
  } catch {
    return false;
  }
}

async function hasWork(name: string): Promise<boolean> {
  return (await stack.hub.get(MANIFEST_WORK, { namespace: 'site-1', name: workOf(name) })) !== null;
}

async function hasSiteCapp(name: string): Promise<boolean> {
  return (await stack.site('site-1').get(CAPP, { namespace, name })) !== null;
}

async function hasService(name: string): Promise<boolean> {
  return (await stack.site('site-1').get(KNATIVE_SERVICE, { namespace, name })) !== null;
}
