// An agent starts although the API server of its site does not answer yet.
import { ApiError } from '../../../kube/failure.ts';
import type { Kube } from '../../../kube/client.ts';
import { ownCapps } from '../../../workers/agent/own-capps.ts';
import { aCapp } from '../../support/builders/capps.ts';

const unavailable = (): Promise<never> =>
  Promise.reject(new ApiError({ method: 'GET', path: '/', code: 503, reason: 'x' }));
const never = new Promise<never>(() => undefined);

const warned: string[] = [];
const log = { warn: (_: object, text: string) => void warned.push(text) } as never;
beforeEach(() => (warned.length = 0));

/** Fails so often, and then has no record of hubs. */
function answering(after: number): { readonly kube: Pick<Kube, 'get'>; readonly asked: () => number } {
  let asked = 0;
  const get = (): Promise<null> => {
    asked += 1;
    return asked <= after ? unavailable() : Promise.resolve(null);
  };
  return { kube: { get }, asked: () => asked };
}

test('it asks until there is an answer, and says once that there is none', async () => {
  const { kube, asked } = answering(2);
  const isOurs = await ownCapps(kube, 'a', { log, stopping: never });
  expect(isOurs?.(aCapp({}))).toBe(true);
  expect([asked(), warned.length]).toEqual([3, 1]);
});

test('it stops when it is told to, whether or not there is an answer', async () => {
  const { kube } = answering(Infinity);
  expect(await ownCapps(kube, 'a', { log, stopping: Promise.resolve() })).toBeNull();
  const silent = { get: () => never } as unknown as Pick<Kube, 'get'>;
  expect(await ownCapps(silent, 'a', { log, stopping: Promise.resolve() })).toBeNull();
});
