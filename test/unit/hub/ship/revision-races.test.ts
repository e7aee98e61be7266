// Whatever tries of the hub worker run at once, are cut off or come late: the last tries to end leave the
// newest revisions of this Capp, each once, and a further try writes nothing.
import { isKept, keepRevision } from '../../../../activities/hub/ship/revision.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import { numberOf, revisionName } from '../../../../crds/capp-revision.ts';
import { CAPP_OF_REVISION } from '../../../../crds/labels.ts';
import type { Kube } from '../../../../kube/client.ts';
import { ApiError } from '../../../../kube/failure.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { random as randomFrom } from '../../../support/builders/random.ts';
import { aPlacedState } from '../../../support/builders/states.ts';

const RUNS = 400;
const LIMIT = 3;

const failure = (code: number, reason = '') => new ApiError({ method: 'POST', path: '/', code, reason });

/** Objects in memory. Each call takes a while, and may be cut off before or after it was carried out. */
function aServer(random: () => number) {
  const objects = new Map<string, KubeObject>();
  let writes = 0;
  let cutOff = 0;
  const call = async <T>(work: () => T): Promise<T> => {
    for (let turns = Math.floor(random() * 6); turns > 0; turns -= 1) await Promise.resolve();
    if (random() < cutOff) throw failure(0, 'Timeout');
    const result = work();
    if (random() < cutOff) throw failure(0, 'Timeout');
    return result;
  };
  const kube = {
    create: (_: unknown, object: KubeObject) =>
      call(() => {
        if (objects.has(object.metadata.name)) throw failure(409, 'AlreadyExists');
        writes += 1;
        objects.set(object.metadata.name, { ...object, metadata: { ...object.metadata, uid: `r${writes}` } });
        return object;
      }),
    getMetadata: (_: unknown, { name }: { name: string }) => call(() => objects.get(name) ?? null),
    list: () => call(() => ({ items: [...objects.values()] })),
    remove: (_: unknown, { name }: { name: string }, { uid }: { uid: string }) =>
      call(() => {
        if (objects.get(name)?.metadata.uid !== uid) return false;
        writes += 1;
        return objects.delete(name);
      }),
  } as unknown as Kube;
  return {
    kube,
    objects,
    writes: () => writes,
    cutsOff: (chance: number) => void (cutOff = chance),
    numbers: () => [...objects.values()].map(numberOf).toSorted((a, b) => a - b),
  };
}

const generation = (number: number): Capp => aCapp({ generation: number });

test(`in ${RUNS} histories with edits at once, restarts in between and late tries, the newest stay, each once`, async () => {
  for (let seed = 0; seed < RUNS; seed += 1) {
    const random = randomFrom(seed).next;
    const server = aServer(random);
    const old = { ...aCapp(), metadata: { ...aCapp().metadata, uid: 'of-an-earlier-one' } };
    if (random() < 0.5) await keepRevision(server.kube, old, () => LIMIT);
    const last = 1 + Math.floor(random() * 8);
    server.cutsOff(random() * 0.4);
    const tries = Array.from({ length: last }, (_, index) => index + 1).flatMap((number) =>
      Array.from({ length: 1 + Math.floor(random() * 2) }, () => number),
    );
    const underWay = tries.map((number) => async (): Promise<void> => {
      await keepRevision(server.kube, generation(number), () => LIMIT).catch(() => undefined);
    });
    if (random() < 0.5) for (const one of underWay) await one();
    else await Promise.all(underWay.map((one) => one()));
    server.cutsOff(0);
    for (const number of tries.slice(-2)) await keepRevision(server.kube, generation(number), () => LIMIT);
    const own = [...server.objects.values()].filter(
      ({ metadata }) => metadata.ownerReferences?.[0]?.uid === aCapp().metadata.uid,
    );
    expect({ seed, newest: Math.max(...own.map(numberOf)) }).toEqual({ seed, newest: last });
    expect(own.length).toBeLessThanOrEqual(LIMIT);
    const before = server.writes();
    await keepRevision(server.kube, generation(last), () => LIMIT);
    expect({ seed, writes: server.writes() }).toEqual({ seed, writes: before });
  }
});

test('a late try of a generation that was trimmed away leaves at most that one too many, until the next is kept', async () => {
  const server = aServer(() => 0.5);
  for (const number of [1, 2, 3, 4, 5]) await keepRevision(server.kube, generation(number), () => LIMIT);
  expect(server.numbers()).toEqual([3, 4, 5]);
  await keepRevision(server.kube, generation(1), () => LIMIT);
  expect(server.numbers().slice(-3)).toEqual([3, 4, 5]);
  await keepRevision(server.kube, generation(6), () => LIMIT);
  expect(server.numbers()).toEqual([4, 5, 6]);
});

test('revisions of another Capp whose name begins alike are not counted, and not removed', async () => {
  const server = aServer(() => 0.5);
  const other = { name: revisionName('app', 99999), labels: { [CAPP_OF_REVISION]: 'app' }, uid: 'x' };
  server.objects.set(other.name, { metadata: other });
  for (const number of [1, 2, 3, 4]) await keepRevision(server.kube, generation(number), () => LIMIT);
  expect(server.numbers()).toEqual([2, 3, 4, 99999]);
});

describe('a revision of an earlier Capp that does not go', () => {
  const former = (metadata: Partial<KubeObject['metadata']>): KubeObject => ({
    metadata: { name: revisionName(aCapp().metadata.name, 1), uid: 'of-old', ...metadata },
  });
  const servedBy = (objects: readonly KubeObject[]) => {
    const asked: string[] = [];
    let turn = 0;
    const kube = {
      create: async () => {
        asked.push('create');
        throw failure(409, 'AlreadyExists');
      },
      getMetadata: async () => objects[turn++ % objects.length] ?? null,
      remove: async (_: unknown, _key: unknown, { uid }: { uid: string }) => void asked.push(`remove ${uid}`),
    } as unknown as Kube;
    return { kube, asked };
  };

  test('because of somebody’s finalizer holds up no rollout, and is not removed again', async () => {
    const { kube, asked } = servedBy([
      former({ deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['somebody/holds'] }),
    ]);
    await keepRevision(kube, generation(1), () => LIMIT);
    expect(asked).toEqual(['create', 'create']);
  });

  test('because somebody makes it again and again is removed once, and holds up no rollout', async () => {
    const { kube, asked } = servedBy([former({ uid: 'a' }), former({ uid: 'b' }), former({ uid: 'c' })]);
    await keepRevision(kube, generation(1), () => LIMIT);
    expect(asked).toEqual(['create', 'remove a', 'create']);
  });
});

test('while the API server does not answer, the try fails; what it refuses is not tried again', async () => {
  const failing = (code: number) => ({ create: () => Promise.reject(failure(code)) }) as unknown as Kube;
  for (const code of [0, 409, 429, 500, 503])
    await expect(keepRevision(failing(code), generation(1))).rejects.toMatchObject({ code });
  for (const code of [403, 404, 413, 422]) await keepRevision(failing(code), generation(1));
});

test('what is probably there is looked for, and made only if it is not', async () => {
  const server = aServer(() => 0.5);
  const keep = (number: number) => keepRevision(server.kube, generation(number), () => LIMIT, true);
  await keep(1);
  expect(server.numbers()).toEqual([1]);
  const made: unknown[] = [];
  const create = (...args: unknown[]) => {
    made.push(args);
    return Promise.reject(failure(409, 'AlreadyExists'));
  };
  await keepRevision({ ...server.kube, create }, generation(1), () => LIMIT, true);
  expect(made).toEqual([]);
  const old = { ...aCapp(), metadata: { ...aCapp().metadata, uid: 'of-an-earlier-one', generation: 2 } };
  await keepRevision(server.kube, old, () => LIMIT);
  await keep(2);
  expect(server.objects.get(revisionName('app', 2))?.metadata.ownerReferences).toMatchObject([
    { uid: 'uid-1' },
  ]);
});

test('only a generation that this hub has shipped counts as kept', () => {
  const { copies } = aPlacedState();
  const stamped = (stamp: string | null) => ({
    ...aPlacedState(),
    copies: Object.fromEntries(Object.entries(copies).map(([site, copy]) => [site, { ...copy, stamp }])),
  });
  const capp = generation(2);
  expect(isKept(capp, stamped('uid-1/2/hash/inc'))).toBe(true);
  for (const stamp of ['uid-1/1/h/i', 'uid-1/22/h/i', 'uid-9/2/h/i', null])
    expect(isKept(capp, stamped(stamp))).toBe(false);
});
