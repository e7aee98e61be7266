// How a drain's answers are brought to many Capps: a few at a time, within one try, and who has not heard is named.
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { hubAnswer } from '../../../activities/hub/drain/answer.ts';
import { tryWithin } from '../../../activities/trying.ts';
import type { DrainAnswer } from '../../../workflows/drain/residents.ts';

const LATER = 3_600_000;

/** What a Capp's workflow does with a signal, by the Capp's name. */
type Hear = (capp: string) => Promise<void>;

interface Told {
  readonly capp: string;
  readonly signal: string;
  readonly word: unknown;
}

function aClient(hear: Hear): { readonly client: Client; readonly told: Told[]; readonly deadlines: number[]; most(): number } {
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
  const client = { workflow: { getHandle }, withDeadline, withAbortSignal } as unknown as Client;
  return { client, told, deadlines, most: () => most };
}

const answers = (count: number): DrainAnswer[] => Array.from({ length: count }, (_, index) => ({ capp: `apps/app-${index}`, say: 'Wait' }));
const soon: Hear = () => new Promise((resolve) => void setTimeout(resolve, 1));
const within = <T>(milliseconds: number, work: () => Promise<T>): Promise<T> =>
  tryWithin({ until: Date.now() + milliseconds, signal: new AbortController().signal }, work);

test('each Capp is told once, in its own words, twenty at a time at most', async () => {
  const { client, told, most } = aClient(soon);
  const all: DrainAnswer[] = [{ capp: 'apps/go', say: 'Go' }, { capp: 'apps/off', say: 'Leave' }, ...answers(98)];
  expect(await within(LATER, () => hubAnswer(client).answer('site-1', all))).toEqual({ gone: [], untold: [] });
  expect(told).toHaveLength(100);
  expect(new Set(told.map(({ capp }) => capp)).size).toBe(100);
  expect(told).toContainEqual({ capp: 'apps/go', signal: 'permit', word: { cluster: 'site-1', answer: 'Go' } });
  expect(told).toContainEqual({ capp: 'apps/off', signal: 'leave', word: { cluster: 'site-1' } });
  expect(most()).toBe(20);
});

test('one that is gone and one that cannot be told do not keep the others from hearing, and are named', async () => {
  const { client, told } = aClient(async (capp) => {
    if (capp === 'apps/app-3') throw new WorkflowNotFoundError('there is none', 'capp/apps/app-3', undefined);
    if (capp === 'apps/app-5') throw new Error('the server is busy');
  });
  const answered = await within(LATER, () => hubAnswer(client).answer('site-1', answers(50)));
  expect(answered).toEqual({ gone: ['apps/app-3'], untold: ['apps/app-5'] });
  expect(told).toHaveLength(50);
});

test('when the time of a try is over nobody else is told, and they are named', async () => {
  const { client, told, deadlines } = aClient(() => new Promise((resolve) => void setTimeout(resolve, 100)));
  const before = Date.now();
  const { gone, untold } = await within(50, () => hubAnswer(client).answer('site-1', answers(100)));
  expect(gone).toEqual([]);
  expect(told).toHaveLength(20);
  expect(untold).toHaveLength(80);
  expect(untold.some((capp) => told.some((one) => one.capp === capp))).toBe(false);
  for (const deadline of deadlines) expect(deadline).toBeLessThanOrEqual(before + 1_000);
});
