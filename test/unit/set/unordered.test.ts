// Checks of Capps that the hub's API server does not take now: they are tried again until the deadline of the
// strategy, people read why, and sites behind the first ones are asked all the same.
import { jest } from '@jest/globals';
import { whyUnwritten } from '../../../activities/hub/rollout/refusals.ts';
import { APPROVE, VERIFY } from '../../../crds/labels.ts';
import { ApiError } from '../../../kube/failure.ts';
import type { Kube } from '../../../kube/client.ts';
import type { Key, KubeObject } from '../../../kube/resource.ts';
import type { RolloutMemory } from '../../../workflows/stages/memory.ts';
import { setWorld } from '../../support/testbeds/fleet/set-world.ts';
import { turningSets } from '../../support/testbeds/fleet/turning.ts';

beforeEach(() => void jest.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') }));
afterEach(() => void jest.useRealTimers());

const DEADLINE_S = 900;

/** A set whose Capps are all Ready; none has been asked to check, and these cannot be. */
async function ready(clusters: readonly string[], broken: ReadonlySet<string>) {
  const verify = [{ name: 'up', http: { path: '/' } }];
  const stages = [{ name: 'all', sites: { count: clusters.length }, verify }];
  const spec = { strategy: { maxConcurrent: '100%', stages, deadlineSeconds: DEADLINE_S } };
  const world = setWorld({ clusters, spec, readyAfterMs: 1, ring: () => undefined });
  const around = (kube: Kube): Kube =>
    ({
      ...kube,
      within: () => around(kube),
      patch: async (resource: Parameters<Kube['patch']>[0], key: Key, patch: KubeObject) => {
        if (resource.kind !== 'Capp') return kube.patch(resource, key, patch);
        const { name } = key;
        if (broken.has(name.replace('many-', '')))
          throw new ApiError({ method: 'PATCH', path: `/capps/${name}`, code: 503, reason: 'Why' });
        const annotations = { ...world.capps.get(name)?.metadata.annotations, ...patch.metadata.annotations };
        world.mark(name, { annotations });
        return world.capps.get(name);
      },
    }) as Kube;
  const sets = turningSets({ ...world.options, kube: around(world.options.kube) });
  let memory: RolloutMemory | null = null;
  let wakeAt: number | null = null;
  const turn = async (most: number): Promise<boolean> => {
    const ref = { kind: 'CappSet', namespace: 'apps', name: 'many' } as const;
    const turned = await sets.turnFleet(ref, { memory, minimumVersions: {}, most, isAgain: false });
    if (turned.outcome !== 'Turned') throw new Error(turned.outcome);
    memory = turned.memory;
    wakeAt = turned.wakeAt;
    return turned.isMore;
  };
  while (await turn(100));
  await jest.advanceTimersByTimeAsync(60_000);
  const orders = () =>
    [...world.capps.values()].filter(({ metadata }) => metadata.annotations?.[VERIFY] !== undefined).length;
  const wakesIn = () => (wakeAt ?? Infinity) - Date.now();
  const annotate = (annotations: Record<string, string>) =>
    void (world.set = { ...world.set, metadata: { ...world.set.metadata, annotations } });
  const verifyBy = (list?: object[]) =>
    world.edit({
      strategy: {
        ...spec.strategy,
        stages: [{ name: 'all', sites: { count: clusters.length }, ...(list && { verify: list }) }],
      },
    });
  return { turn, orders, wakesIn, annotate, verifyBy, status: () => world.set.status };
}

const named = (number: number) => Array.from({ length: number }, (_, at) => `s${at + 100}`);

test('a set whose Capp cannot be asked says so, and asks again a moment later', async () => {
  const broken = new Set(['s100']);
  const { turn, orders, wakesIn, status } = await ready(['s100', 's101'], broken);
  expect([await turn(100), orders(), wakesIn()]).toEqual([false, 1, 5_000]);
  const [failing] = status()?.failing ?? [];
  expect(failing).toMatchObject({ reason: 'WriteFailed' });
  expect(failing?.message).toContain('could not write the checks of Capp many-s100 just now (503 Why)');
  broken.clear();
  await turn(100);
  expect(orders()).toBe(1);
  await jest.advanceTimersByTimeAsync(5_000);
  await turn(100);
  expect([orders(), status()?.failing ?? []]).toEqual([2, []]);
});

test.each([
  [403, 'refuses to write the checks of Capp a (policy.example): 403 Why. Correct what refuses it'],
  [422, 'refuses to write the checks of Capp a (policy.example): 422 Why. Correct what refuses it'],
  [409, 'could not write the checks of Capp a just now (409 Why): somebody else was writing it'],
  [503, 'could not write the checks of Capp a just now (503 Why): it has too much to do'],
])('what the API server answers with %i is said as it is', (code, says) => {
  const error = new ApiError({ method: 'PATCH', path: '/', code, reason: 'Why', by: 'policy.example' });
  expect(whyUnwritten('the checks of Capp a', error)).toContain(says);
});

test('where none can be asked, no other turn follows at once', async () => {
  const clusters = named(130);
  const { turn, orders } = await ready(clusters, new Set(clusters));
  expect([await turn(100), orders()]).toEqual([false, 0]);
});

describe('what cannot be asked until the deadline comes to no verdict', () => {
  const late = async () => {
    const found = await ready(['s100'], new Set(['s100']));
    const reason = () => found.status()?.conditions?.find(({ type }) => type === 'Progressing')?.reason;
    for (let turns = 0; turns < 60 && reason() !== 'VerificationInconclusive'; turns += 1) {
      await found.turn(100);
      await jest.advanceTimersByTimeAsync(60_000);
    }
    return { ...found, reason };
  };

  test('a person decides, and it fails no site', async () => {
    const { turn, reason, status, annotate } = await late();
    expect(reason()).toBe('VerificationInconclusive');
    expect(status()).toMatchObject({ failed: 0, ready: 1, failing: [{ reason: 'WriteFailed' }] });
    annotate({ [APPROVE]: `all#${status()?.revision ?? ''}` });
    await turn(100);
    expect([reason(), status()?.failing ?? []]).toEqual(['Done', []]);
  });

  test('nothing is left of it where nobody asks for those checks any more', async () => {
    const { turn, reason, status, verifyBy } = await late();
    verifyBy();
    await turn(100);
    await turn(100);
    expect([reason(), status()?.failing ?? []]).toEqual(['Done', []]);
  });

  test('other checks are asked for at once, and have a deadline of their own', async () => {
    const { turn, reason, verifyBy, wakesIn } = await late();
    verifyBy([{ name: 'up', http: { path: '/other' } }]);
    await turn(100);
    expect([reason(), wakesIn()]).toEqual(['Verifying', 5_000]);
  });
});

test.each([5_000, 10_000, 15_000, 20_000, 30_000])(
  'sites behind a full turn of such as can never be asked are asked by the next one after %i ms',
  async (wait) => {
    const clusters = named(150);
    const { turn, orders } = await ready(clusters, new Set(clusters.slice(0, 100)));
    await turn(100);
    await jest.advanceTimersByTimeAsync(wait);
    await turn(100);
    expect(orders()).toBe(50);
  },
);
