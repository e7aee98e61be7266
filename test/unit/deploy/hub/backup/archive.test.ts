import { createWriteStream, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { pack, type Header } from 'tar-stream';
import { parse } from 'yaml';
import {
  partOf,
  readArchive,
  writeArchive,
  type ArchivePart,
} from '../../../../../deploy/hub/backup/archive.ts';
import { configFileOf, givenFiles } from '../../../../../deploy/hub/backup/configured.ts';
import {
  identitiesIn,
  sealerOf,
  type Keys,
  type ArchiveLock,
} from '../../../../../deploy/hub/backup/seal.ts';
import { hubConfig, type HubConfig } from '../../../../../deploy/hub/config/config.ts';
import { FIELDS } from '../../../../../deploy/hub/config/fields.ts';
import { ConfigRefused } from '../../../../../deploy/hub/config/refused.ts';

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'archive-'));
  file = join(folder, 'backup');
});
afterAll(() => rm(folder, { recursive: true }));

const LARGE = 'etcd'.repeat(100_000);
const PARTS = [
  ['backup.json', '{}'],
  ['etcd.db', LARGE],
  ['cert/ca.crt', 'ca'],
] as const;

async function write(parts: readonly ArchivePart[], lock: ArchiveLock | null = null): Promise<Buffer> {
  const all = (async function* () {
    for (const part of parts) yield part;
  })();
  await writeArchive(all, { lock, at: new Date(0), to: createWriteStream(file) });
  return readFileSync(file);
}

async function read(keys: Keys | null = null): Promise<readonly (readonly [string, string])[]> {
  const parts: [string, string][] = [];
  await readArchive(file, keys, async ({ name, content }) => {
    parts.push([name, await text(content)]);
  });
  return parts;
}

const written = (): ArchivePart[] => PARTS.map(([name, content]) => partOf(name, content));

test('what is read is what was written, in order', async () => {
  await write(written());
  expect(await read()).toEqual(PARTS);
});

test('encrypted for a key of age, it opens by that one alone', async () => {
  const [mine, other] = [await generateX25519Identity(), await generateX25519Identity()];
  const bytes = await write(written(), { recipients: [await identityToRecipient(mine)] });
  expect(bytes.subarray(0, 22).toString()).toBe('age-encryption.org/v1\n');
  expect(bytes.includes('SHA256SUMS')).toBe(false);
  expect(await read({ identities: await identitiesIn(`# created\n${mine}\n`, 'key') })).toEqual(PARTS);
  await expect(read({ identities: [other] })).rejects.toThrow('does not open');
  await expect(read()).rejects.toThrow('is encrypted');
  await expect(identitiesIn(other.slice(0, 40), 'key')).rejects.toThrow(ConfigRefused);
});

test('a secret key that is given as a recipient is refused, and not quoted', () => {
  const seal = (): unknown => sealerOf({ recipients: ['AGE-SECRET-KEY-1CANARY'] });
  expect(seal).toThrow('is no recipient of age');
  expect(seal).not.toThrow('CANARY');
});

/** Each gets what is in the .gz of a good one. */
const CHANGES: Readonly<Record<string, (tar: Buffer) => Buffer>> = {
  'a byte of a part': (tar) => changed(tar, tar.indexOf('etcdetcd') + 5000, 'X'),
  'a digest': (tar) => changed(tar, tar.indexOf('  etcd.db') - 1, '-'),
  'the end': (tar) => tar.subarray(0, tar.lastIndexOf('SHA256SUMS')),
  'the end, rounded': (tar) =>
    Buffer.concat([tar.subarray(0, tar.lastIndexOf('SHA256SUMS')), Buffer.alloc(1024)]),
};

function changed(bytes: Buffer, at: number, by: string): Buffer {
  const copy = Buffer.from(bytes);
  copy.write(by, at);
  return copy;
}

test.each(Object.keys(CHANGES))('one in which %s was changed is refused', async (what) => {
  const tar = gunzipSync(await write(written()));
  writeFileSync(file, gzipSync(CHANGES[what]?.(tar) ?? tar));
  await expect(read()).rejects.toThrow('is no whole backup of a hub');
});

test.each(['../escaped', 'cert/../../escaped', '/etc/passwd', 'cert/', 'state/hub.json', 'cert/.hidden'])(
  'a part named %s is refused before it is taken',
  async (name) => {
    await write([...written(), partOf(name, 'x')]);
    const taken: string[] = [];
    const reading = readArchive(file, null, async ({ name: one, content }) => {
      taken.push(one);
      await text(content);
    });
    await expect(reading).rejects.toThrow('is no whole backup of a hub');
    expect(taken).toEqual(PARTS.map(([one]) => one));
  },
);

const MIB = 1_048_576;
test.each<[string, Pick<Header, 'name'> & Partial<Header>, number]>([
  ['a symbolic link', { name: 'cert/ca.crt', type: 'symlink', linkname: '/etc/passwd' }, 0],
  ['a hard link', { name: 'cert/ca.crt', type: 'link', linkname: '../../escaped' }, 0],
  ['a directory', { name: 'cert/ca.crt', type: 'directory' }, 0],
  ['a device', { name: 'cert/ca.crt', type: 'character-device' }, 0],
  ['a path by which tar extends a short name', { name: `cert/${'a/'.repeat(200)}../escaped` }, 1],
  ['a first part that fills the memory', { name: 'backup.json' }, MIB + 1],
  ['a list of digests that fills the memory', { name: 'SHA256SUMS' }, MIB + 1],
])('%s is refused before it is taken', async (_what, header, size) => {
  const archive = pack();
  archive.entry({ ...header, ...(size === 0 ? {} : { size }) }, Buffer.alloc(size));
  archive.finalize();
  writeFileSync(file, gzipSync(await buffer(archive)));
  const taken: string[] = [];
  const reading = readArchive(file, null, ({ name }) => Promise.resolve(void taken.push(name)));
  await expect(reading).rejects.toThrow('is no part of one');
  expect(taken).toEqual([]);
});

test('an archive of endless parts is refused', async () => {
  const archive = pack();
  for (let part = 0; part <= 1_000; part += 1) archive.entry({ name: `cert/${part}` }, '');
  archive.finalize();
  writeFileSync(file, gzipSync(await buffer(archive)));
  await expect(read()).rejects.toThrow('"cert/1000" is no part of one');
});

test('a part that fails, or is shorter than it was said to be, makes the whole fail', async () => {
  const failing = Readable.from(
    (async function* () {
      yield Buffer.from('some');
      throw new Error('etcd has ended');
    })(),
  );
  await expect(write([{ name: 'etcd.db', size: 100, content: failing }])).rejects.toThrow('etcd has ended');
  await expect(write([{ ...partOf('etcd.db', 'abc'), size: 100 }])).rejects.toThrow(/\S/);
});

test('what keeps this machine from taking a part is said as it is', async () => {
  await write(written());
  const full = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC', syscall: 'write' });
  await expect(readArchive(file, null, () => Promise.reject(full))).rejects.toBe(full);
});

const GIVEN = {
  apiserver: ', caFile: /old/ca.crt, caKeyFile: /old/ca.key',
  temporal:
    'temporal: { mode: external, address: "t:1", namespace: mine, serverName: t, caFile: /old/t.crt, certFile: /old/c.crt, keyFile: /old/c.key }',
};
test.each([
  ['alone', '', ''],
  ['with an authority', GIVEN.apiserver, ''],
  ['with a Temporal', '', GIVEN.temporal],
  ['with both', GIVEN.apiserver, GIVEN.temporal],
  ['with a Temporal without TLS', '', 'temporal: { mode: external, address: "t:1" }'],
])('the file of a restored hub says what the hub was started with: %s', (_, authority, temporal) => {
  const given = `
bindAddress: 127.0.0.1
apiserver: { externalHostname: hub.example, port: 9444, externalPort: 443${authority} }
etcd: { prefix: /mine }
${temporal}
gateway: { port: 7444, externalHostname: agents.example, externalPort: 444 }
publish: { secret: platform/hub, kubeconfigFile: /elsewhere/platform.kubeconfig }
reader: { userServer: "https://proxy:9092", userServerCaFile: /elsewhere/ca.crt }
argocd: { namespace: argocd, account: cd, userServer: "https://proxy:9092", userServerCaFile: /elsewhere/ca.crt }
metal: { provisionNamespaces: [metal, racks], provisionClusterSets: [edge] }
notifications: "on"
sealing: "on"
image: "registry.example/cappstan:1@sha256:${'a'.repeat(64)}"
`;
  const read_ = (content: string) =>
    hubConfig({ file: { path: '/x/ocmconfig.yaml', text: content }, flags: {}, directory: '/' }).config;
  const before = read_(given);
  const files = new Map(givenFiles(before).map(({ name, path }) => [path, `/srv/new/cert/given-${name}`]));
  const after = read_(configFileOf(before, '/srv/new', (name) => `/srv/new/cert/given-${name}`));
  const moved = JSON.stringify({ ...before, dataDirectory: '/srv/new' }).replaceAll(
    /\/old\/[\w.]+/g,
    (path) => files.get(path) ?? path,
  );
  expect(after).toEqual(JSON.parse(moved));
  expect(JSON.stringify(after)).not.toContain('/old/');
});

test('what a hub can be started with is in the file of a restored one, but for what only an external etcd has', () => {
  const file = parse(
    configFileOf(
      hubConfig({
        file: {
          path: '/x/ocmconfig.yaml',
          text: `
apiserver: { externalHostname: hub.example, externalPort: 443${GIVEN.apiserver} }
${GIVEN.temporal}
gateway: { externalHostname: agents.example, externalPort: 444 }
publish: { secret: platform/hub, kubeconfigFile: /elsewhere/platform.kubeconfig }
reader: { userServer: "https://proxy:9092", userServerCaFile: /elsewhere/ca.crt }
argocd: { namespace: argocd, account: cd, userServer: "https://proxy:9092", userServerCaFile: /elsewhere/ca.crt }
metal: { provisionNamespaces: [metal], provisionClusterSets: [edge] }
notifications: "on"
sealing: "on"
image: "registry.example/cappstan:1"
`,
        },
        flags: {},
        directory: '/',
      }).config,
      '/srv/new',
      (name) => name,
    ),
  ) as Record<string, unknown>;
  const missing = FIELDS.map(({ path }) => path).filter(
    (path) => path.split('.').reduce<unknown>((at, part) => (at as typeof file)?.[part], file) === undefined,
  );
  // An external Temporal has its own web interface.
  expect(missing).toEqual(['etcd.servers', 'etcd.caFile', 'etcd.certFile', 'etcd.keyFile', 'temporal.ui']);
});

test('the web interface of its own Temporal is kept where somebody wants it', () => {
  const written = (ui?: string): string =>
    configFileOf(
      hubConfig({ file: null, flags: ui === undefined ? {} : { 'temporal.ui': ui }, directory: '/' }).config,
      '/srv/new',
      (name) => name,
    );
  expect(parse(written('on'))).toMatchObject({ temporal: { ui: 'on' } });
  expect(written()).not.toContain('temporal');
});

test('a hub that was kept before it could have a Temporal of somebody else’s is restored, too', () => {
  const { temporal: _, ...kept } = hubConfig({ file: null, flags: {}, directory: '/' }).config;
  expect(configFileOf(kept as HubConfig, '/srv/new', (name) => name)).not.toContain('temporal');
});
