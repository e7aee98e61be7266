// Whose data directories `cappstan hubs` believes. No server runs: a hub that nobody runs is made to look as
// if it ran, and its kubeconfig names a program.
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hubLock, remember } from '../../../../../deploy/hub/data-directory.ts';
import { disbelief, disbeliefIn, type Step } from '../../../../../deploy/hub/hubs/believed.ts';
import { lookAtHubs, type SeenHub } from '../../../../../deploy/hub/hubs/look.ts';
import { acquire } from '../../../../../deploy/local/supervise/lock.ts';
import { writeJson } from '../../../../../deploy/local/supervise/json-file.ts';

const OWN = { uid: 1000, ownGroup: 1000, unmapped: null };
const FILE = '/home/me/hub/state/hub.json';
const step = (path: string, over: Partial<Step> = {}): Step => ({
  path,
  uid: 1000,
  gid: 1000,
  mode: 0o755,
  isAbove: !path.startsWith('/home/me/hub'),
  ...over,
});
const steps = (...over: readonly Step[]): readonly Step[] =>
  [
    step('/', { uid: 0, gid: 0 }),
    step('/home', { uid: 0, gid: 0 }),
    step('/home/me'),
    step('/home/me/hub'),
    step('/home/me/hub/state'),
    step(FILE, { mode: 0o600 }),
  ].map((one) => over.find(({ path }) => path === one.path) ?? one);

test.each<[string, Step]>([
  ['all of it is ours', step('/')],
  ['a folder of ours may be written by our own group', step('/home/me', { mode: 0o775 })],
  ['root has made it', step('/home/me/hub', { uid: 0, gid: 0 })],
  ['it is below a folder like /tmp', step('/home', { uid: 0, gid: 0, mode: 0o1777 })],
])('a hub is believed where %s', (_, one) => {
  expect(disbeliefIn(steps(one), OWN)).toBeNull();
});

test('nobody else comes into a directory that is its owner’s alone', () => {
  const open = step('/home/me/hub/state', { mode: 0o777 });
  expect(disbeliefIn(steps(step('/home/me/hub', { mode: 0o700 }), open), OWN)).toBeNull();
  expect(disbeliefIn(steps(open), OWN)).toMatch(/^Others can write \/home\/me\/hub\/state,/);
});

test.each<[string, Step, string]>([
  ['its directory is another user’s', step('/home/me/hub', { uid: 7, mode: 0o700 }), 'hub is another user'],
  ['its file is another user’s', step(FILE, { uid: 7, mode: 0o600 }), 'hub.json is another user'],
  ['a folder above it is another user’s', step('/home/me', { uid: 7 }), '/home/me is another user'],
  ['anybody can write a folder above it', step('/home/me', { mode: 0o777 }), 'write /home/me, '],
  ['another group can', step('/home/me', { gid: 50, mode: 0o775 }), 'write /home/me, '],
  ['anybody can make files in it', step('/home/me/hub', { mode: 0o1777 }), 'write /home/me/hub, '],
  ['anybody can write the file', step(FILE, { mode: 0o666 }), `write ${FILE}, `],
])('a hub is not believed where %s', (_, one, words) => {
  expect(disbeliefIn(steps(one), OWN)).toContain(words);
});

test('root believes no user, and a user believes root', () => {
  expect(disbeliefIn(steps(), { uid: 0, ownGroup: 0, unmapped: null })).toMatch(
    /^\/home\/me is another user's/,
  );
  expect(disbeliefIn([step('/', { uid: 0, gid: 0 })], OWN)).toBeNull();
});

test('a group that others share, or may share, writes nothing that is believed', () => {
  const shared = { ...OWN, ownGroup: null };
  expect(disbeliefIn(steps(step('/home/me', { mode: 0o775 })), shared)).toContain('write /home/me, ');
  expect(disbeliefIn(steps(), shared)).toBeNull();
});

test('whom a user namespace does not know may own what is above the directory, and nothing of it', () => {
  const inside = { uid: 1000, ownGroup: null, unmapped: 65_534 };
  const root = [step('/', { uid: 65_534, gid: 65_534 }), step('/home', { uid: 65_534, gid: 65_534 })];
  expect(disbeliefIn(steps(...root), inside)).toBeNull();
  expect(disbeliefIn(steps(...root), OWN)).toMatch(/^\/ is another user's/);
  const theirs = step('/home/me/hub', { uid: 65_534, mode: 0o700 });
  expect(disbeliefIn(steps(...root, theirs), inside)).toMatch(/hub is another user's/);
  // Also where it does not know us: then all who are unknown look like us.
  const alike = steps().map((one) => ({ ...one, uid: 65_534 }));
  expect(disbeliefIn(alike, { ...inside, uid: 65_534 })).toMatch(/hub is another user's/);
});

describe('a hub that says that it runs, with a kubeconfig that starts a program', () => {
  let folder: string;
  let directory: string;
  let trace: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'believed-'));
    chmodSync(folder, 0o755);
    directory = join(folder, 'hub');
    trace = join(folder, 'it ran');
    remember(directory, { version: 1, etcd: { mode: 'embed', prefix: '/registry' }, authority: null });
    const ready = { name: 'hub-worker', phase: 'ready', lastEnd: null };
    writeJson(join(directory, 'state', 'processes.json'), { processes: [ready] });
    writeJson(join(directory, 'hub.kubeconfig'), {
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
      users: [
        {
          name: 'u',
          user: {
            exec: {
              apiVersion: 'client.authentication.k8s.io/v1',
              command: '/bin/sh',
              args: ['-c', 'touch "$0"', trace],
              interactiveMode: 'Never',
            },
          },
        },
      ],
    });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function seen(): Promise<SeenHub | undefined> {
    const lock = await acquire(hubLock(directory));
    const all = await lookAtHubs([directory], []);
    await lock?.release();
    return all.find((hub) => hub.dataDirectory === directory);
  }

  test('is asked by its owner', async () => {
    expect(await seen()).toMatchObject({ state: 'Running', sites: null });
    expect(existsSync(trace)).toBe(true);
  });

  test('starts nothing where others can write, also if its directory was given', async () => {
    chmodSync(directory, 0o777);
    expect(await seen()).toMatchObject({
      address: null,
      problem: `Others can write ${directory}, so nothing of this hub is read. See to it that only its owner can: chmod go-w ${directory}`,
    });
    chmodSync(directory, 0o755);
    chmodSync(join(directory, 'hub.kubeconfig'), 0o666);
    expect((await seen())?.problem).toContain(`Others can write ${join(directory, 'hub.kubeconfig')},`);
    expect(existsSync(trace)).toBe(false);
  });

  test('is believed before it has a kubeconfig', () => {
    rmSync(join(directory, 'hub.kubeconfig'));
    expect(disbelief(directory)).toBeNull();
  });
});
