// The order in which the bridge rings, and how it starts workflows: what is new goes before what settles.
import type { Client } from '@temporalio/client';
import { ringer, type RingCall } from '../../../bridge/ringer.ts';
import type { Ring } from '../../../workflows/types/ring.ts';

interface Start {
  readonly workflowId: string;
  readonly priority?: { readonly priorityKey?: number };
  readonly signalArgs?: readonly [Ring];
  readonly args?: readonly unknown[];
}

/** The ringer, and what it has sent; each send ends when the test says so. */
function bell() {
  const sent: Start[] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const signalWithStart = (_type: string, options: Start): Promise<void> => {
    sent.push(options);
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    return gate.promise;
  };
  const client = { workflow: { signalWithStart } } as unknown as Pick<Client, 'workflow'>;
  const rings = ringer(client, () => undefined, { pauseMs: () => 1_000 });
  const ring = (name: string, more: Partial<RingCall> = {}): void =>
    rings.ring({ namespace: 'apps', name, cause: 'spec', changed: null, uid: `uid-of-${name}`, ...more });
  const begun = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  const fail = async (): Promise<void> => {
    for (const gate of gates.splice(0)) gate.reject(new Error('Temporal is away'));
    await begun();
  };
  const answer = async (): Promise<void> => {
    for (const gate of gates.splice(0)) gate.resolve();
    await begun();
  };
  const end = async (): Promise<void> => {
    while (rings.queue.size() > 0) await answer();
  };
  const stop = async (): Promise<void> => {
    const stopped = rings.queue.stop();
    await end();
    await stopped;
  };
  return {
    ring,
    /** Resolves when all that may be sent now is on its way. */
    begun,
    fail,
    answer,
    end,
    stop,
    names: () => sent.map(({ workflowId }) => workflowId.split('/').at(-1)),
    sent,
  };
}

test('the causes of one change become one ring', async () => {
  const { ring, end, sent } = bell();
  ring('app', { cause: 'spec' });
  ring('app', { cause: 'meta' });
  await end();
  expect(sent.map(({ signalArgs }) => signalArgs?.[0].causes)).toEqual([['spec', 'meta']]);
});

test('a new Capp is rung before a thousand that settle', async () => {
  const { ring, begun, stop, names } = bell();
  for (let index = 0; index < 1_000; index += 1) ring(`old-${index}`, { yields: true });
  ring('new');
  await begun();
  expect(names().at(-1)).toBe('new');
  expect(names().length).toBeLessThan(32);
  await stop();
});

test('a Capp that settles and is edited does not yield any more', async () => {
  const { ring, begun, stop, names, sent } = bell();
  for (let index = 0; index < 100; index += 1) ring(`old-${index}`, { yields: true });
  ring('old-99', { cause: 'request' });
  await begun();
  expect(names().at(-1)).toBe('old-99');
  expect(sent.at(-1)?.priority).toBeUndefined();
  await stop();
});

test('a workflow that is begun again starts with a priority below that of a new one', async () => {
  const { ring, end, sent } = bell();
  ring('old', { yields: true });
  ring('new');
  await end();
  expect(sent.map(({ priority }) => priority?.priorityKey ?? 3)).toEqual([4, 3]);
});

test('rings that settle wait in the bridge, and a new Capp passes them there', async () => {
  const { ring, begun, answer, stop, names } = bell();
  for (let index = 0; index < 100; index += 1) ring(`old-${index}`, { yields: true });
  for (let turn = 0; turn < 5; turn += 1) await answer();
  expect(names()).toHaveLength(8);
  ring('new');
  await begun();
  expect(names().at(-1)).toBe('new');
  await stop();
});

test('what came while a ring could not be sent goes before it: a Capp made anew has its own uid', async () => {
  const { ring, begun, fail, end, sent } = bell();
  ring('app', { uid: 'former', cause: 'spec' });
  await begun();
  ring('app', { uid: 'new', cause: 'meta' });
  await fail();
  await end();
  expect(sent.at(-1)?.signalArgs?.[0]).toMatchObject({ causes: ['spec', 'meta'] });
  expect(sent.at(-1)?.args?.[0]).toMatchObject({ capp: { uid: 'new' } });
});
