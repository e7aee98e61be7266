// Capps of a set that the hub's API server does not write: the others are written, each is told, and none is
// written in vain turn after turn.
import { jest } from '@jest/globals';
import { ApiError } from '../../../kube/failure.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import type { RolloutMemory } from '../../../workflows/stages/memory.ts';
import { setWorld } from '../../support/testbeds/fleet/set-world.ts';
import { turningSets } from '../../support/testbeds/fleet/turning.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const DEADLINE_S = 900;

beforeEach(() => void jest.useFakeTimers({ now: NOW }));
afterEach(() => void jest.useRealTimers());

/** A set whose Capps are refused with the code that `codes` has for their site. */
function began(clusters: readonly string[], strategy: object = {}) {
  const codes: Record<string, number> = {};
  const tries: string[] = [];
  const spec = {
    strategy: { maxConcurrent: '100%', maxFailures: 0, deadlineSeconds: DEADLINE_S, ...strategy },
  };
  const world = setWorld({ clusters, spec, readyAfterMs: 1, ring: () => undefined });
  const around = (kube: Kube): Kube => ({
    ...kube,
    within: () => around(kube),
    apply: async (resource, object, options) => {
      if (options.subresource === undefined) attempt(object);
      return kube.apply(resource, object, options);
    },
  });
  const attempt = ({ metadata: { name } }: KubeObject): void => {
    const cluster = name.replace('many-', '');
    tries.push(cluster);
    const code = codes[cluster];
    if (code !== undefined)
      throw new ApiError({ method: 'PATCH', path: `/capps/${name}`, code, reason: 'Why' });
  };
  const sets = turningSets({ ...world.options, kube: around(world.options.kube) });
  let memory: RolloutMemory | null = null;
  const look = async (): Promise<number> => {
    tries.length = 0;
    const ref = { kind: 'CappSet', namespace: 'apps', name: 'many' } as const;
    const turned = await sets.turnFleet(ref, { memory, minimumVersions: {}, most: 100, isAgain: false });
    if (turned.outcome !== 'Turned') throw new Error(turned.outcome);
    memory = turned.memory;
    return turned.isMore ? 0 : (turned.wakeAt ?? Infinity) - Date.now();
  };
  const after = (ms: number) => jest.setSystemTime(Date.now() + ms);
  const said = () => world.set.status?.failing?.map(({ site, reason }) => `${site} ${reason}`);
  const stalled = () => world.set.status?.conditions?.find(({ type }) => type === 'Stalled');
  return { codes, tries, world, look, after, said, stalled };
}

test.each([0, 404, 409, 429, 500, 503])(
  'a Capp that the hub answers %i for keeps no other from being written, is told, and is tried again',
  async (code) => {
    const { codes, tries, world, look, after, said, stalled } = began(['a', 'b', 'c']);
    codes['b'] = code;
    const waits = await look();
    expect([...world.capps.keys()]).toEqual(['many-a', 'many-c']);
    expect(said()).toContain('b WriteFailed');
    expect(JSON.stringify(world.set.status)).not.toContain('ghcr.io');
    expect(stalled()).toMatchObject({ status: 'False' });
    expect(waits).toBe(5_000);

    after(2_000);
    await look();
    expect(tries).toEqual([]);
    after(3_000);
    await look();
    expect(tries).toEqual(['b']);

    delete codes['b'];
    after(5_000);
    await look();
    expect(world.capps.has('many-b')).toBe(true);
    expect(said()).not.toContain('b WriteFailed');
  },
);

test('a Capp that cannot be written is tried at longer and longer intervals until its deadline, and has failed then', async () => {
  const { codes, tries, look, after, said, stalled } = began(['a']);
  codes['a'] = 500;
  const times: number[] = [];
  for (let turn = 0; turn < 40 && stalled()?.status !== 'True'; turn += 1) {
    const wait = await look();
    if (tries.length > 0) times.push((Date.now() - NOW) / 1_000);
    after(Math.min(wait, 60_000));
  }
  expect(times).toEqual([0, 5, 10, 20, 40, 80, 160, 320, 620]);
  expect(Date.now() - NOW).toBeLessThanOrEqual(DEADLINE_S * 1_000 + 60_000);
  expect(stalled()).toMatchObject({ status: 'True', reason: 'SitesFailed' });
  expect(said()).toEqual(['a WriteFailed']);
  after(3_600_000);
  await look();
  expect(tries).toEqual([]);
});

test('the only Capp of a set that is refused for good is told in the same look', async () => {
  const { codes, look, said, stalled } = began(['a']);
  codes['a'] = 422;
  await look();
  expect(said()).toEqual(['a Rejected']);
  expect(stalled()).toMatchObject({ status: 'True', reason: 'SitesFailed' });
});

test('a site whose turn comes because another was refused gets it at once', async () => {
  const { codes, world, look } = began(['a', 'b'], { maxConcurrent: 1, maxFailures: 1 });
  codes['a'] = 422;
  expect(await look()).toBe(0);
  await look();
  expect([...world.capps.keys()]).toEqual(['many-b']);
});

test('however many sites refuse their Capps, each is asked once', async () => {
  const clusters = Array.from({ length: 250 }, (_, index) => `s${index + 100}`);
  const { codes, tries, world, look, after, said } = began(clusters, { maxFailures: '100%' });
  for (const cluster of clusters) codes[cluster] = 403;
  const all: string[] = [];
  for (let turn = 0; turn < 10; turn += 1) {
    await look();
    all.push(...tries);
    after(2_000);
  }
  expect(all.toSorted()).toEqual(clusters);
  expect(said()?.slice(0, 2)).toEqual(['s100 Rejected', 's101 Rejected']);
  expect(world.set.status?.failing?.every(({ message }) => message.includes('many-s1'))).toBe(true);
  expect(world.set.status?.failed).toBe(250);
});
