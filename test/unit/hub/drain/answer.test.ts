// How a drain's answers reach many Capps: twenty at a time, within one try; the result names the Capps that
// were not told.
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { hubAnswer } from '../../../../activities/hub/drain/answer.ts';
import { hubTurnRequests } from '../../../../activities/hub/drain/turn-request.ts';
import type { DrainAnswer } from '../../../../workflows/drain/residents.ts';
import { aTry } from '../../../support/builders/process/tries.ts';

/** How the workflow of a Capp receives a signal, by the Capp's name. */
type Hear = (capp: string) => Promise<void>;

interface Told {
  readonly capp: string;
  readonly signal: string;
  readonly word: unknown;
}

interface Started {
  readonly workflowId: string;
  readonly signal: string;
  readonly signalArgs: readonly [unknown];
}

/** What Temporal answers when it is asked how long tasks have waited. */
type Backlog = () => Promise<object>;

function aClient(
  hear: Hear,
  describeTaskQueue: Backlog = async () => ({ stats: {} }),
): {
  readonly client: Client;
  readonly told: Told[];
  readonly deadlines: number[];
  most(): number;
} {
  const told: Told[] = [];
  const deadlines: number[] = [];
  let underWay = 0;
  let most = 0;
  const getHandle = (id: string) => ({
    signal: async ({ name: signal }: { readonly name: string }, word: unknown) => {
      const capp = id.replace('capp/', '');
      told.push({ capp, signal, word });
      underWay += 1;
      most = Math.max(most, underWay);
      await hear(capp).finally(() => (underWay -= 1));
    },
  });
  const withDeadline = <T>(deadline: number, call: () => Promise<T>): Promise<T> => {
    deadlines.push(deadline);
    return call();
  };
  const withAbortSignal = <T>(_signal: AbortSignal, call: () => Promise<T>): Promise<T> => call();
  const signalWithStart = (_type: string, { workflowId, signal, signalArgs: [word] }: Started) =>
    getHandle(workflowId).signal({ name: signal }, word);
  const client = {
    workflow: { getHandle, signalWithStart },
    withDeadline,
    withAbortSignal,
    options: { namespace: 'default' },
    connection: { workflowService: { describeTaskQueue } },
  } as unknown as Client;
  return { client, told, deadlines, most: () => most };
}

const answers = (count: number): DrainAnswer[] =>
  Array.from({ length: count }, (_, index) => ({ capp: `apps/app-${index}`, say: 'Wait' }));
const soon: Hear = () => new Promise((resolve) => void setTimeout(resolve, 1));

test('each Capp gets its own answer once, at most twenty at a time', async () => {
  const { client, told, most } = aClient(soon);
  const all: DrainAnswer[] = [
    { capp: 'apps/go', say: 'Go' },
    { capp: 'apps/off', say: 'Leave' },
    ...answers(98),
  ];
  expect(await aTry().run(() => hubAnswer(client).answer('site-1', all))).toEqual({
    gone: [],
    untold: [],
    backlogMs: 0,
  });
  expect(told).toHaveLength(100);
  expect(new Set(told.map(({ capp }) => capp)).size).toBe(100);
  expect(told).toContainEqual({
    capp: 'apps/go',
    signal: 'permit',
    word: { cluster: 'site-1', answer: 'Go' },
  });
  expect(told).toContainEqual({ capp: 'apps/off', signal: 'leave', word: { cluster: 'site-1' } });
  expect(most()).toBe(20);
});

test('a Capp without a workflow and one whose signal fails are named in the result, and all others get their answers', async () => {
  const { client, told } = aClient(async (capp) => {
    if (capp === 'apps/app-3') throw new WorkflowNotFoundError('there is none', 'capp/apps/app-3', undefined);
    if (capp === 'apps/app-5') throw new Error('the server is busy');
  });
  const answered = await aTry().run(() => hubAnswer(client).answer('site-1', answers(50)));
  expect(answered).toMatchObject({ gone: ['apps/app-3'], untold: ['apps/app-5'] });
  expect(told).toHaveLength(50);
});

test('when the time of a try is over no more Capps are told, and the result names them', async () => {
  const { client, told, deadlines } = aClient(
    () => new Promise((resolve) => void setTimeout(resolve, 2_100)),
  );
  const before = Date.now();
  // Half a second of it is for the answer's way back.
  const { gone, untold } = await aTry({ startToCloseMs: 2_500 }).run(() =>
    hubAnswer(client).answer('site-1', answers(100)),
  );
  expect(gone).toEqual([]);
  expect(told).toHaveLength(20);
  expect(untold).toHaveLength(80);
  expect(untold.some((capp) => told.some((one) => one.capp === capp))).toBe(false);
  for (const deadline of deadlines) expect(deadline).toBeLessThanOrEqual(before + 3_000);
});

test('when a try is cancelled no more Capps are told, and the result names them', async () => {
  const one = aTry();
  const { client, told } = aClient(async () => one.cancel());
  const { gone, untold } = await one.run(() => hubAnswer(client).answer('site-1', answers(100)));
  expect(gone).toEqual([]);
  expect(told.length).toBeLessThanOrEqual(20);
  expect(untold).toHaveLength(100 - told.length);
});

test('the result says how long the oldest task of the hub workers has waited; Temporal is asked once in five seconds', async () => {
  let looks = 0;
  const stats = { approximateBacklogAge: { seconds: '1', nanos: 500_000_000 } };
  const { client } = aClient(soon, async () => {
    looks += 1;
    return { stats };
  });
  const { answer } = hubAnswer(client);
  for (let time = 0; time < 3; time += 1)
    expect(await aTry().run(() => answer('site-1', answers(1)))).toMatchObject({ backlogMs: 1_500 });
  expect(looks).toBe(1);
});

test.each<[string, Backlog]>([
  ['refuses to say it', async () => Promise.reject(new Error('permission denied'))],
  ['does not know it', async () => ({})],
])('answers reach the Capps when Temporal %s', async (_name, backlog) => {
  const { client, told } = aClient(soon, backlog);
  const answered = await aTry().run(() => hubAnswer(client).answer('site-1', answers(2)));
  expect(answered).toEqual({ gone: [], untold: [], backlogMs: null });
  expect(told).toHaveLength(2);
});

test.each(['requestTurn', 'settle'] as const)(
  'a try of %s that is cancelled before it begins sends no signal',
  async (name) => {
    const { client, told } = aClient(soon);
    const over = aTry();
    over.cancel('TIMED_OUT');
    const say = hubTurnRequests(client)[name] as (cluster: string, word: object) => Promise<void>;
    await expect(over.run(() => say('site-1', { say: 'pause' }))).rejects.toMatchObject({
      type: 'Unreachable',
    });
    expect(told).toEqual([]);
  },
);
