// The order in which the bridge rings, and how it starts workflows: what is new goes before what settles.
import type { Client } from '@temporalio/client';
import { ringer, type Call } from '../../../bridge/ringer.ts';

interface Start {
  readonly workflowId: string;
  readonly priority?: { readonly priorityKey?: number };
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
  const rings = ringer(client, () => undefined);
  const ring = (name: string, more: Partial<Call> = {}): void =>
    rings.ring({ namespace: 'apps', name, cause: 'spec', mark: null, uid: `uid-of-${name}`, ...more });
  const end = async (): Promise<void> => {
    while (rings.queue.size() > 0) {
      for (const gate of gates.splice(0)) gate.resolve();
      await new Promise((resolve) => void setImmediate(resolve));
    }
  };
  return { ring, end, names: () => sent.map(({ workflowId }) => workflowId.split('/').at(-1)), sent };
}

test('a new Capp is rung before a thousand that settle', async () => {
  const { ring, end, names } = bell();
  for (let index = 0; index < 1_000; index += 1) ring(`old-${index}`, { yields: true });
  ring('new');
  expect(names().at(-1)).toBe('new');
  expect(names().length).toBeLessThan(32);
  await end();
  expect(names()).toHaveLength(1_001);
});

test('a Capp that settles and is edited does not yield any more', async () => {
  const { ring, end, names, sent } = bell();
  for (let index = 0; index < 100; index += 1) ring(`old-${index}`, { yields: true });
  ring('old-99', { cause: 'request' });
  expect(names().at(-1)).toBe('old-99');
  expect(sent.at(-1)?.priority).toBeUndefined();
  ring('old-50', { cause: 'work', yields: true });
  await end();
  expect(names().indexOf('old-50')).toBe(51);
});

test('a workflow that is begun again starts with a priority below that of a new one', async () => {
  const { ring, end, sent } = bell();
  ring('old', { yields: true });
  ring('new');
  await end();
  expect(sent.map(({ priority }) => priority?.priorityKey ?? 3)).toEqual([4, 3]);
});
