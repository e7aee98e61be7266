// A hub starts on an etcd of somebody else's only where its own objects are, or none, and knows when they
// went back.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { isShut } from '../../../../deploy/hub/admit/restored.ts';
import type { HubConfig } from '../../../../deploy/hub/config/config.ts';
import { claimForHub, lookAtStore, storeOfHub } from '../../../../deploy/hub/store/claim.ts';
import { renewStore, type HubStore } from '../../../../deploy/hub/store/store.ts';
import { checkStore, wentBack, wentBackMeanwhile } from '../../../../deploy/hub/store/whose.ts';

const etcd = { mode: 'external', prefix: '/a', servers: ['https://etcd-1:2379'], tls: null } as const;
const OURS = { id: 'ours', authority: 'sha256:1' };
const held = (part: Partial<HubStore>): HubStore => ({
  newestLease: 100,
  hub: null,
  isEmpty: false,
  ...part,
});
const fresh = { version: 1, etcd, id: 'ours', authority: null } as const;
const old = { ...fresh, authority: 'sha256:1' } as const;
const { id: _, ...nameless } = old;

test.each([
  ['nothing, and the hub is new', held({ isEmpty: true }), null],
  ['nothing, and the hub has begun', held({ isEmpty: true }), fresh],
  ['what this hub has stored', held({ hub: OURS }), old],
  ['what a hub that an earlier program has made has stored', held({}), nameless],
  ['its own, though an earlier program has forgotten its name meanwhile', held({ hub: OURS }), nameless],
])('it starts where there is %s', (_what, store, made) => {
  expect(() => checkStore(etcd, store, made)).not.toThrow();
});

const THEIRS = { id: 'theirs', authority: 'sha256:2' };
test.each([
  ['another hub’s objects', held({ hub: THEIRS }), null, 'is another hub’s. Give another etcd.prefix'],
  ['another hub’s, for a hub with objects', held({ hub: THEIRS }), old, 'is another hub’s'],
  ['another hub’s, for one without a name', held({ hub: THEIRS }), nameless, 'is another hub’s'],
  [
    'another hub’s of the same authority',
    held({ hub: { ...THEIRS, authority: 'sha256:1' } }),
    old,
    'free its place: etcdctl del --prefix /a/',
  ],
  ['objects of nobody known', held({}), null, 'is the objects of an API server already'],
  ['objects of nobody known, before it has any', held({}), fresh, 'the objects of an API server already'],
  [
    'nothing, though it has objects',
    held({ isEmpty: true }),
    old,
    'is empty, and this hub has objects. Give the servers that it had',
  ],
])('it is refused where there is %s', (_what, store, made, said) => {
  expect(() => checkStore(etcd, store, made)).toThrow(said);
  expect(() => checkStore(etcd, store, made)).toThrow(
    /^etcd\.servers \(--etcd-servers\): what is below \/a in the etcd at https:\/\/etcd-1:2379 is /,
  );
});

test.each([
  ['an earlier', 99, true, true],
  ['no', 0, true, true],
  ['the same', 100, false, false],
  ['a later', 101, false, false],
  ['a far later', 1_000_000_100, false, true],
])(
  'with %s newest lease than at the last look etcd went back: at a start %s, in a running hub %s',
  (_what, newestLease, atStart, running) => {
    const last = { newestLease: 100 };
    expect(wentBack({ newestLease }, last)).toBe(atStart);
    expect(wentBackMeanwhile({ newestLease }, last)).toBe(running);
    expect(wentBack({ newestLease }, null) || wentBackMeanwhile({ newestLease }, null)).toBe(false);
  },
);

describe('with an etcd that answers as it is told', () => {
  let dir: string;
  let server: Server;
  /** What stands under each key, and at which revision. */
  let kept: Map<string, { value: string; revision: number }>;
  let refuses: number | null;
  /** A user of etcd who may read, and not write. */
  let refusesWrites: boolean;
  let config: HubConfig;
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'whose-etcd-'));
    kept = new Map();
    refuses = null;
    refusesWrites = false;
    server = createServer((request, response) => {
      // As etcd 3.6 says where it wants a user.
      const text = '{"code":3, "message":"etcdserver: user name is empty"}';
      if (refuses !== null) return void response.writeHead(refuses).end(text);
      if (refusesWrites && request.url?.endsWith('/txn') === true)
        return void response.writeHead(403).end(text);
      void json(request).then((asked) => {
        response.end(JSON.stringify(answered(request.url ?? '', asked as Asked)));
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const servers = [`http://127.0.0.1:${(server.address() as AddressInfo).port}`];
    config = { dataDirectory: dir, etcd: { ...etcd, servers } } as unknown as HubConfig;
  });
  afterEach(async () => {
    await new Promise((done) => server.close(done));
    rmSync(dir, { recursive: true });
  });

  interface Asked {
    readonly key?: string;
    readonly range_end?: string;
    readonly count_only?: boolean;
    readonly compare?: readonly { readonly target: string; readonly value?: string }[];
    readonly success?: readonly { request_put: { key: string; value: string } }[];
  }
  const plain = (text = ''): string => Buffer.from(text, 'base64').toString();

  function written({ compare = [], success = [] }: Asked): object {
    const [only, put] = [compare[0], success[0]?.request_put];
    const [name, value] = [plain(put?.key), plain(put?.value)];
    const there = kept.get(name)?.value;
    const succeeded = only?.target === 'CREATE' ? there === undefined : there === plain(only?.value);
    const revision = Math.max(0, ...[...kept.values()].map((one) => one.revision)) + 1;
    if (succeeded) kept.set(name, { value, revision });
    // As etcd's JSON has it: what is false is left out.
    return { ...(succeeded ? { succeeded } : {}), header: { revision: String(revision) } };
  }

  /** All of it is as it was at that revision. */
  function goBack(revision: number): void {
    for (const one of kept.values()) one.revision = revision;
  }

  function answered(url: string, asked: Asked): object {
    if (url.endsWith('/txn')) return written(asked);
    const { key, range_end: end, count_only: isCount } = asked;
    const [from, to] = [plain(key), plain(end)];
    const found = [...kept].filter(([name]) => (to === '' ? name === from : name >= from && name < to));
    if (isCount === true) return { count: String(found.length) };
    const newest = found.toSorted(([, a], [, b]) => b.revision - a.revision).slice(0, 1);
    return {
      kvs: newest.map(([, { value, revision }]) => ({
        value: Buffer.from(value).toString('base64'),
        mod_revision: String(revision),
      })),
    };
  }

  test('a hub claims its place once, and finds it as it left it', async () => {
    expect(await storeOfHub(config, null)).toEqual({ warnings: [], shut: null, id: null });
    await claimForHub(config, OURS, null);
    await claimForHub(config, OURS, null);
    expect(await storeOfHub(config, old)).toEqual({ warnings: [], shut: null, id: 'ours' });
    expect(await storeOfHub(config, nameless)).toMatchObject({ id: 'ours' });
    await expect(storeOfHub(config, null)).rejects.toThrow('is another hub’s');
    await expect(claimForHub(config, THEIRS, null)).rejects.toThrow('is another hub’s');
  });

  test('what went back while the hub stood still, or while it ran, shuts its doors', async () => {
    kept.set('/a/leases/kube-system/apiserver-x', { value: '', revision: 500 });
    await claimForHub(config, OURS, null);
    goBack(400);
    expect(await storeOfHub(config, old)).toMatchObject({ shut: { at: null } });
    await claimForHub(config, OURS, { at: null });
    expect(isShut(dir)).toBe(true);
    // The mark is the ground from now on, and opening the doors ends it.
    rmSync(join(dir, 'state', 'restored.json'));
    expect(await storeOfHub(config, old)).toMatchObject({ shut: null });
    await lookAtStore(config, false);
    expect(isShut(dir)).toBe(false);
    kept.set('/a/leases/kube-system/apiserver-x', { value: '', revision: 1_000_000_400 });
    await lookAtStore(config, false);
    expect(isShut(dir)).toBe(true);
  });

  test('an API server that stops in order and takes its Lease away shuts no doors', async () => {
    kept.set('/a/leases/kube-system/apiserver-x', { value: '', revision: 500 });
    await claimForHub(config, OURS, null);
    kept.set('/a/leases/kube-system/apiserver-x', { value: '', revision: 600 });
    await lookAtStore(config, false);
    kept.delete('/a/leases/kube-system/apiserver-x');
    expect(await storeOfHub(config, old)).toMatchObject({ shut: null });
    await lookAtStore(config, false);
    expect(isShut(dir)).toBe(false);
    goBack(400);
    expect(await storeOfHub(config, old)).toMatchObject({ shut: { at: null } });
  });

  test('an etcd that lets the hub look and not write is looked at all the same, and what it said is remembered', async () => {
    kept.set('/a/leases/kube-system/apiserver-x', { value: '', revision: 500 });
    await claimForHub(config, OURS, null);
    refusesWrites = true;
    kept.set('/a/leases/kube-system/apiserver-x', { value: '', revision: 600 });
    await lookAtStore(config, false);
    expect(isShut(dir)).toBe(false);
    goBack(550);
    expect(await storeOfHub(config, old)).toMatchObject({ shut: { at: null } });
  });

  test('a hub to which the place does not belong any more says nothing there, and is as far as nothing says', async () => {
    await claimForHub(config, OURS, null);
    const external = config.etcd as Parameters<typeof renewStore>[0];
    expect(await renewStore(external, OURS)).toBeGreaterThan(0);
    expect(await renewStore(external, THEIRS)).toBe(0);
    expect(await storeOfHub(config, old)).toMatchObject({ id: 'ours' });
  });

  test('the mark of a hub that was restored from a backup keeps the time of that, also when its etcd went back', async () => {
    const mark = join(dir, 'state', 'restored.json');
    const at = '2026-03-01T12:00:00Z';
    kept.set('/a/leases/kube-system/apiserver-x', { value: '', revision: 500 });
    await claimForHub(config, OURS, { at });
    await claimForHub(config, OURS, { at: null });
    kept.set('/a/leases/kube-system/apiserver-x', { value: '', revision: 1_000_000_400 });
    await lookAtStore(config, false);
    expect(JSON.parse(readFileSync(mark, 'utf8'))).toEqual({ at });
  });

  test('doors that a person has opened are not shut again by the Leases of the time between', async () => {
    kept.set('/a/leases/kube-system/apiserver-x', { value: '', revision: 400 });
    await claimForHub(config, OURS, { at: null });
    rmSync(join(dir, 'state', 'restored.json'));
    kept.set('/a/leases/kube-system/apiserver-x', { value: '', revision: 1_000_000_400 });
    await lookAtStore(config, true);
    expect(isShut(dir)).toBe(false);
    await lookAtStore(config, false);
    expect(isShut(dir)).toBe(false);
  });

  test.each([400, 401, 404, 501])(
    'where etcd answers %i nobody can look, and the hub starts with a warning that names what is needed',
    async (status) => {
      refuses = status;
      const { warnings } = await storeOfHub(config, old);
      expect(warnings).toEqual([expect.stringContaining(`etcd answers with ${status}.`)]);
      expect(warnings[0]).toContain('--enable-grpc-gateway');
      await claimForHub(config, OURS, null);
      await lookAtStore(config, false);
    },
  );
});
