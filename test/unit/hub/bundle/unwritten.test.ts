// Works of a Bundle that the hub's API server does not write: the others are written, each is told, and none
// is written in vain turn after turn.
import { jest } from '@jest/globals';
import { aConfigMap } from '../../../support/builders/fleet/bundles.ts';
import { bundleWorld } from '../../../support/testbeds/fleet/bundle-world.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const DEADLINE_S = 900;

beforeEach(() => void jest.useFakeTimers({ now: NOW }));
afterEach(() => void jest.useRealTimers());

const after = (ms: number) => jest.setSystemTime(Date.now() + ms);

function began(clusters: readonly string[], more: object = {}) {
  const strategy = { maxConcurrent: '100%', maxFailures: 0, deadlineSeconds: DEADLINE_S, ...more };
  const world = bundleWorld(clusters, { strategy });
  const turn = async (): Promise<number> => {
    const { wakeAt, isMore } = await world.turn();
    expect(isMore).toBe(false);
    for (const cluster of world.works.keys()) world.apply(cluster);
    return (wakeAt ?? Infinity) - Date.now();
  };
  const said = () => world.bundle.status?.failing?.map(({ cluster, reason }) => `${cluster} ${reason}`) ?? [];
  const conditionOf = (of: string) => world.bundle.status?.conditions?.find(({ type }) => type === of);
  return { world, turn, said, conditionOf };
}

test.each([0, 409, 429, 500, 503])(
  'a work that the hub answers %i for keeps no other from being written, is told, and is tried again',
  async (code) => {
    const { world, turn, said, conditionOf } = began(['a', 'b', 'c']);
    world.codes['b'] = code;
    const waits = await turn();
    expect([...world.works.keys()].toSorted()).toEqual(['a', 'c']);
    expect(said()).toContain('b WriteFailed');
    expect(world.bundle.status?.failed).toBe(0);
    expect(conditionOf('Stalled')).toMatchObject({ status: 'False' });
    expect(waits).toBe(5_000);

    after(2_000);
    await turn();
    expect(world.tries).toEqual([]);
    after(3_000);
    await turn();
    expect(world.tries).toEqual(['b']);

    delete world.codes['b'];
    after(5_000);
    await turn();
    await turn();
    expect(world.works.has('b')).toBe(true);
    expect(said()).toEqual([]);
    expect(conditionOf('Ready')).toMatchObject({ status: 'True' });
  },
);

test('an edit that one site of a Bundle does not get is on the others, and its words quote no manifest', async () => {
  const { world, turn, said } = began(['a', 'b']);
  await turn();
  await turn();
  world.codes['a'] = 503;
  const { metadata, spec } = world.bundle;
  const data = { color: 'canary-value' };
  const manifests = [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 's', namespace: 'apps' }, data },
  ];
  world.bundle = { ...world.bundle, metadata: { ...metadata, generation: 2 }, spec: { ...spec, manifests } };
  await turn();
  const carries = (cluster: string) =>
    JSON.stringify(world.works.get(cluster)?.spec).includes('canary-value');
  expect([carries('a'), carries('b')]).toEqual([false, true]);
  expect(said()).toContain('a WriteFailed');
  expect(JSON.stringify(world.bundle.status)).not.toContain('canary-value');
});

test('a work that is gone when it is patched is made again, and is not called a site that nobody knows', async () => {
  const { world, turn, said } = began(['a']);
  await turn();
  await turn();
  world.codes['a'] = 404;
  const { metadata, spec } = world.bundle;
  world.bundle = {
    ...world.bundle,
    metadata: { ...metadata, generation: 2 },
    spec: { ...spec, onRemoval: 'Orphan' },
  };
  await turn();
  expect(said()).toEqual(['a WriteFailed']);
});

test('a work that cannot be written is tried at longer and longer intervals until its deadline, and has failed then', async () => {
  const { world, turn, said, conditionOf } = began(['a']);
  world.codes['a'] = 500;
  const times: number[] = [];
  for (let turns = 0; turns < 60 && conditionOf('Stalled')?.status !== 'True'; turns += 1) {
    const wait = await turn();
    if (world.tries.length > 0) times.push((Date.now() - NOW) / 1_000);
    after(Math.min(wait, 60_000));
  }
  expect(times).toEqual([0, 5, 10, 20, 40, 80, 160, 320, 620]);
  expect(Date.now() - NOW).toBeLessThanOrEqual(DEADLINE_S * 1_000 + 60_000);
  expect(conditionOf('Stalled')).toMatchObject({ status: 'True' });
  expect(said()).toEqual(['a WriteFailed']);
  after(3_600_000);
  await turn();
  expect(world.tries).toEqual([]);
});

test('the only work of a Bundle that is refused for good is told in the same turn, and tried after ten minutes', async () => {
  const { world, turn, said, conditionOf } = began(['a']);
  world.codes['a'] = 413;
  await turn();
  expect(said()).toEqual(['a Refused']);
  expect(conditionOf('Stalled')).toMatchObject({ status: 'True', reason: 'Refused' });
  after(599_000);
  await turn();
  expect(world.tries).toEqual([]);
  after(1_000);
  await turn();
  expect(world.tries).toEqual(['a']);
});

test('what the hub refused of a revision keeps no site from the next one, which mends it', async () => {
  const { world, turn, said } = began(['a']);
  world.codes['a'] = 413;
  await turn();
  expect(said()).toEqual(['a Refused']);
  delete world.codes['a'];
  world.edit({ manifests: [aConfigMap({ color: 'mended' })] });
  await turn();
  expect(world.tries).toEqual(['a']);
  expect([said(), world.works.has('a')]).toEqual([['a Shipping'], true]);
  await turn();
  expect(said()).toEqual([]);
});
