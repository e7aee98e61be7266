import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { atRestFlags } from '../../../../deploy/hub/at-rest.ts';
import { checkDirectory, madeFile, remember } from '../../../../deploy/hub/data-directory.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'data-directory-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

const WANTED = { etcd: { mode: 'embed', prefix: '/registry' }, authority: null } as const;
const said = (place: string, wanted: Parameters<typeof checkDirectory>[1] = WANTED): Promise<unknown> =>
  checkDirectory(place, wanted).catch((error: Error) => error.message);

test.each([
  ['that is empty', ''],
  ['that does not exist', 'a/b/c'],
])('a directory %s holds no hub, and stays as it is', async (_name, below) => {
  const place = join(dir, below);
  const before = existsSync(place);
  expect(await said(place)).toBeNull();
  expect(existsSync(place)).toBe(before);
});

test('a directory with something else in it is refused by name', async () => {
  writeFileSync(join(dir, 'photo.jpg'), '');
  expect(await said(dir)).toBe(
    `dataDirectory (--data-dir): ${dir} is no hub's, and holds photo.jpg. Give an empty directory, or one that a hub has made.`,
  );
});

test('what says whose hub it is is not to be deleted when it is damaged', async () => {
  const place = join(dir, 'hub');
  remember(place, { version: 1, ...WANTED });
  writeFileSync(madeFile(place), '');
  expect(await said(place)).toBe(
    `dataDirectory (--data-dir): ${madeFile(place)} is damaged, or not yours to read. It says whose hub that is: put it back from a backup, and do not delete it.`,
  );
});

test('a file in the place of the directory is refused', async () => {
  const file = join(dir, 'file');
  writeFileSync(file, '');
  expect(await said(join(file, 'hub'))).toContain(`${file} is a file. Give a directory.`);
});

test('a start that was interrupted before there was an authority can be repeated', async () => {
  remember(join(dir, 'hub'), { version: 1, ...WANTED });
  expect(await said(join(dir, 'hub'), { ...WANTED, authority: 'sha256:a' })).toMatchObject({
    authority: null,
  });
  expect(statSync(join(dir, 'hub')).mode & 0o777).toBe(0o700);
  expect(statSync(madeFile(join(dir, 'hub'))).mode & 0o777).toBe(0o600);
});

test.each([
  [
    'another authority',
    { ...WANTED, authority: 'sha256:b' },
    /authority sha256:a, and this is sha256:b: all sites rest on it\. .*apiserver\.caFile/,
  ],
  ['no authority, for its files are gone', WANTED, /authority sha256:a, and this is none/],
  [
    'another store',
    { etcd: { mode: 'external', prefix: '/registry' }, authority: 'sha256:a' },
    /etcd\.mode \(--etcd-mode\) embed, and this is external/,
  ],
  [
    'another prefix',
    { etcd: { mode: 'embed', prefix: '/x' }, authority: 'sha256:a' },
    /etcd\.prefix \(--etcd-prefix\) \/registry, and this is \/x/,
  ],
] as const)('a hub is not started with %s', async (_name, wanted, sentence) => {
  remember(dir, { version: 1, etcd: WANTED.etcd, authority: 'sha256:a' });
  expect(await said(dir, wanted)).toMatch(sentence);
});

test('data of a version that nobody knows yet is refused', async () => {
  remember(dir, { version: 2 as 1, ...WANTED });
  expect(await said(dir)).toContain('is of version 2, which this program does not know. Use a newer one.');
});

describe('at rest', () => {
  const parts = (): { certificates: string; logs: string; isOld: boolean } => {
    const certificates = join(dir, 'cert');
    mkdirSync(certificates, { recursive: true });
    return { certificates, logs: join(dir, 'logs'), isOld: false };
  };

  test('all that may hold a Secret’s value is encrypted, by one key that is kept', () => {
    const [flag = ''] = atRestFlags(parts());
    const file = flag.split('=')[1] ?? '';
    const text = readFileSync(file, 'utf8');
    const [{ resources, providers }] = (
      parse(text) as { resources: [{ resources: string[]; providers: object[] }] }
    ).resources;
    expect(resources).toEqual(
      expect.arrayContaining([
        'secrets',
        'manifestworks.work.open-cluster-management.io',
        'manifestworkreplicasets.work.open-cluster-management.io',
        'bundles.rcs.dana.io',
      ]),
    );
    expect(Object.keys(providers[0] ?? {})).toEqual(['secretbox']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    atRestFlags(parts());
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('a hub of an earlier version encrypts what that did not, by the key that it has', () => {
    const [flag = ''] = atRestFlags(parts());
    const file = flag.split('=')[1] ?? '';
    const now = readFileSync(file, 'utf8');
    const earlier = now.replace(/.*manifestworkreplicasets.*\n/, '');
    expect(earlier).not.toBe(now);
    writeFileSync(file, earlier);
    atRestFlags({ ...parts(), isOld: true });
    const { resources } = parse(readFileSync(file, 'utf8')) as { resources: [{ resources: string[] }] };
    expect(resources[0].resources).toContain('manifestworkreplicasets.work.open-cluster-management.io');
    const providers = (text: string): unknown =>
      (parse(text) as { resources: [{ providers: unknown }] }).resources[0].providers;
    expect(providers(readFileSync(file, 'utf8'))).toEqual(providers(now));
  });

  test('a hub that has lost its key gets no new one, which would read nothing', () => {
    expect(() => atRestFlags({ ...parts(), isOld: true })).toThrow(
      /encryption\.yaml is missing: .*Put it back/,
    );
  });

  test('a file without the key, such as after a loss of power, is refused as one that is missing', () => {
    const [flag = ''] = atRestFlags(parts());
    writeFileSync(flag.split('=')[1] ?? '', '');
    expect(() => atRestFlags({ ...parts(), isOld: true })).toThrow(
      /encryption\.yaml is empty: .*Put it back/,
    );
  });

  test('the audit log has no contents', () => {
    const flags = atRestFlags(parts());
    const policy = flags.find((flag) => flag.startsWith('--audit-policy-file='))?.split('=')[1] ?? '';
    const levels = (parse(readFileSync(policy, 'utf8')) as { rules: { level: string }[] }).rules.map(
      ({ level }) => level,
    );
    expect(new Set(levels)).toEqual(new Set(['None', 'Metadata']));
    expect(levels.at(-1)).toBe('Metadata');
  });
});
