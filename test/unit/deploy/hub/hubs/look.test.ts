// What `cappstan hubs` finds and says, of directories as hubs leave them. No server runs.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hubConfig } from '../../../../../deploy/hub/config/config.ts';
import { rememberConfig } from '../../../../../deploy/hub/backup/configured.ts';
import { hubLock, remember } from '../../../../../deploy/hub/data-directory.ts';
import { hubsAskedBy } from '../../../../../deploy/hub/hubs/command-line.ts';
import { isHub, knownFolder, knownHubs, rememberStart } from '../../../../../deploy/hub/hubs/known.ts';
import { lookAtHubs, type SeenHub } from '../../../../../deploy/hub/hubs/look.ts';
import { stateOf, type HubFacts } from '../../../../../deploy/hub/hubs/state.ts';
import { textOf } from '../../../../../deploy/hub/hubs/text.ts';
import { acquire } from '../../../../../deploy/local/supervise/lock.ts';

let folder: string;
let known: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hubs-'));
  known = join(folder, 'known');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A hub that was started there, and does not run. */
function hubIn(name: string, port: number): string {
  const directory = join(folder, name);
  remember(directory, { version: 1, etcd: { mode: 'embed', prefix: '/registry' }, authority: null });
  const flags = {
    dataDirectory: directory,
    'apiserver.port': port,
    'apiserver.externalHostname': 'hub.example',
  };
  rememberConfig(hubConfig({ file: null, flags, directory: folder }).config, 'hub.example');
  rememberStart(directory, known);
  return directory;
}

const READY = { name: 'hub-worker', phase: 'ready', lastEnd: null } as const;
const HELD: HubFacts = { directory: '/srv/a', isHeld: true, isShut: false, processes: [READY] };

test('hubs that were started are listed by name, also those that stand still, with address and version', async () => {
  const [b, a] = [hubIn('b', 9444), hubIn('a', 9443)];
  const seen = (await lookAtHubs([], knownHubs(known))).filter((hub) => hub.dataDirectory.startsWith(folder));
  expect(seen.map(({ dataDirectory }) => dataDirectory)).toEqual([a, b]);
  expect(seen[1]).toMatchObject({
    name: 'b',
    state: 'Stopped',
    problem: null,
    address: 'https://hub.example:9444',
    gateway: 'hub.example:7443',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
    sites: null,
    memoryBytes: null,
  });
});

test('a hub whose directory was deleted is left out, and forgotten by the next start of another', async () => {
  const [a, b] = [hubIn('a', 9443), hubIn('b', 9444)];
  rmSync(a, { recursive: true });
  const seen = await lookAtHubs([], knownHubs(known));
  expect(seen.map(({ dataDirectory }) => dataDirectory)).not.toContain(a);
  expect(readdirSync(known)).toHaveLength(2);
  rememberStart(b, known);
  expect(knownHubs(known)).toEqual([b]);
});

test('a hub whose disk is not mounted, or does not answer, is not forgotten', () => {
  const disk = join(folder, 'disk');
  const [on, at, b] = [hubIn('disk/a', 9443), hubIn('place', 9444), hubIn('b', 9445)];
  rmSync(on, { recursive: true });
  rmSync(at, { recursive: true });
  mkdirSync(at);
  rememberStart(b, known);
  expect(new Set(knownHubs(known))).toEqual(new Set([on, at, b]));
  rmSync(disk, { recursive: true });
  rememberStart(b, known);
  expect(knownHubs(known)).toContain(on);
  // As a disk that fails, it is no answer that there is nothing.
  symlinkSync(disk, disk);
  expect([isHub(on), isHub(at)]).toEqual([null, false]);
});

test('one that cannot be read hides no other', async () => {
  const [a, b] = [hubIn('a', 9443), hubIn('b', 9444)];
  writeFileSync(join(a, 'state', 'config.json'), '{');
  writeFileSync(join(known, 'torn.json'), '{');
  const seen = (await lookAtHubs([], knownHubs(known))).filter((hub) => hub.dataDirectory.startsWith(folder));
  expect(seen).toMatchObject([
    { dataDirectory: a, problem: expect.stringContaining('config.json is not valid JSON') as string },
    { dataDirectory: b, problem: null, address: 'https://hub.example:9444' },
  ]);
});

test('what a start that was killed has left is deleted by the next one, and what another one writes now is not', () => {
  const a = hubIn('a', 9443);
  const [left, written] = ['0123.json.17.new', '0123.json.18.new'].map((name) => join(known, name));
  for (const file of [left, written]) writeFileSync(file ?? '', '{');
  utimesSync(left ?? '', 0, 0);
  expect(knownHubs(known)).toEqual([a]);
  rememberStart(a, known);
  expect(readdirSync(known).filter((name) => name.endsWith('.new'))).toEqual(['0123.json.18.new']);
});

test('a user without a home has a hub all the same, which is in no list', () => {
  const directory = join(folder, 'a');
  mkdirSync(directory);
  writeFileSync(known, 'no folder');
  expect(() => rememberStart(directory, known)).not.toThrow();
  expect(knownHubs(known)).toEqual([]);
});

test('a directory that is given and holds no hub is refused by its name', async () => {
  await expect(lookAtHubs([folder], [])).rejects.toThrow(`--data-dir: there is no hub in ${folder}.`);
  expect(isHub(folder)).toBe(false);
});

test('while a command holds the directory, the hub does not count as stopped', async () => {
  const directory = hubIn('a', 9443);
  const lock = await acquire(hubLock(directory));
  const seen = (await lookAtHubs([directory], [])).find((hub) => hub.dataDirectory === directory);
  await lock?.release();
  expect(seen).toMatchObject({ state: 'NotReady', problem: 'It is starting, or stopping.', memoryBytes: 0 });
});

test('a hub that two paths lead to is listed once, by the one that was given', async () => {
  const [directory, link] = [hubIn('a', 9443), join(folder, 'link')];
  symlinkSync(directory, link);
  rememberStart(link, known);
  expect(knownHubs(known)).toHaveLength(2);
  const seen = (await lookAtHubs([link], knownHubs(known))).filter((hub) =>
    hub.dataDirectory.startsWith(folder),
  );
  expect(seen.map(({ dataDirectory }) => dataDirectory)).toEqual([link]);
});

test.each<[string, Partial<HubFacts>, string, RegExp | null]>([
  ['runs with all its processes', {}, 'Running', null],
  ['has no worker yet', { processes: [{ ...READY, name: 'etcd' }] }, 'NotReady', /starting/],
  [
    'has a process that keeps ending',
    { processes: [READY, { name: 'temporal', phase: 'backoff', lastEnd: 'exit code 1' }] },
    'NotReady',
    /^Not ready: temporal \(exit code 1\)\. See \/srv\/a\/logs\.$/,
  ],
  ['was restored', { isShut: true, processes: [] }, 'Shut', /cappstan hub admit --data-dir \/srv\/a$/],
  ['was restored and stands still', { isHeld: false, isShut: true }, 'Stopped', null],
  ['is another user’s', { processes: null }, 'Running', /its owner's alone/],
  ['is another user’s and stands still', { isHeld: false, processes: null }, 'Stopped', /its owner's alone/],
])('of a hub that %s the state is said', (_, facts, state, problem) => {
  const said = stateOf({ ...HELD, ...facts });
  expect(said.state).toBe(state);
  if (problem === null) expect(said.problem).toBeNull();
  else expect(said.problem).toMatch(problem);
});

const SEEN: SeenHub = {
  name: 'a',
  state: 'Running',
  problem: null,
  address: 'https://hub.example:9443',
  gateway: 'hub.example:7443',
  version: '0.1.0',
  sites: 2,
  capps: 0,
  memoryBytes: 1_610_612_736,
  dataDirectory: '/srv/a',
};

test('people get a table, and programs the same as JSON or YAML', () => {
  const stopped = {
    ...SEEN,
    name: 'longer',
    state: 'Stopped',
    sites: null,
    capps: null,
    memoryBytes: null,
  } as const;
  expect(textOf([SEEN, stopped], 'table').split('\n')).toEqual([
    'NAME     STATE     ADDRESS                    VERSION   SITES   CAPPS   MEMORY   DIRECTORY',
    'a        Running   https://hub.example:9443   0.1.0     2       0       1536Mi   /srv/a',
    'longer   Stopped   https://hub.example:9443   0.1.0     -       -       -        /srv/a',
  ]);
  expect(JSON.parse(textOf([SEEN], 'json'))).toEqual([SEEN]);
  expect(textOf([SEEN], 'yaml')).toContain('- name: a\n');
  expect(textOf([], 'json')).toBe('[]');
});

test('what a terminal would obey is not printed', () => {
  const table = textOf([{ ...SEEN, name: 'a\u001B[2Jb', dataDirectory: '/srv/\u009B1m\u202E\n' }], 'table');
  expect(table).toContain('a?[2Jb');
  expect(table).toContain('/srv/?1m??');
});

test.each([
  [['-o', 'wide'], /no output format "wide": use json, yaml/],
  [['--ports'], /--ports.*See cappstan hubs --help/],
  [['a'], /"a" belongs to no flag/],
  [['--data-dir', ''], /--data-dir needs a folder/],
])('the command line %j is refused', (args, sentence) => {
  expect(() => hubsAskedBy(args)).toThrow(sentence);
});

test('further directories may be given, and are absolute', () => {
  const { directories, format } = hubsAskedBy(['--data-dir', '/srv/a', '--data-dir', 'b', '-o', 'json']);
  expect(directories).toEqual(['/srv/a', join(process.cwd(), 'b')]);
  expect(format).toBe('json');
});

test('what was started is kept where the user’s state is', () => {
  expect(knownFolder({ XDG_STATE_HOME: '/s' })).toBe('/s/cappstan/hubs');
  expect(knownFolder({ XDG_STATE_HOME: '' })).toMatch(/\/\.local\/state\/cappstan\/hubs$/);
});
