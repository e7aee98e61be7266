import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  checkAuthority,
  checkForeignAuthority,
  checkOwnAuthority,
  fingerprintOf,
  type Authority,
} from '../../../../deploy/hub/authority.ts';
import { authority, P384, RSA, writeAuthority } from '../../../support/builders/authority.ts';

const DAY_MS = 86_400_000;

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'authority-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

const said = (given: Authority): Promise<string> =>
  checkAuthority(given, Date.now()).then(
    (warnings) => `warns: ${warnings.join(' ')}`,
    (error: Error) => `${error.name}: ${error.message}`,
  );

test.each([
  ['RSA', RSA],
  ['P-384', P384],
])('a root with a key of %s can be used', async (_name, algorithm) => {
  const given = await writeAuthority(dir, 'ca', await authority('root', { algorithm }));
  expect(await said(given)).toBe('warns: ');
});

test('the key of another authority is refused', async () => {
  const ours = await writeAuthority(dir, 'ours', await authority('ours'));
  const theirs = await writeAuthority(dir, 'theirs', await authority('theirs'));
  expect(await said({ cert: ours.cert, key: theirs.key })).toBe(
    `ConfigRefused: apiserver.caKeyFile (--ca-key-file): ${theirs.key} is not the key of ${ours.cert}. Give a pair that belongs together.`,
  );
});

test('a certificate that may not sign is refused', async () => {
  const given = await writeAuthority(dir, 'leaf', await authority('leaf', { isAuthority: false }));
  expect(await said(given)).toContain('is no authority (CA:FALSE)');
});

test('one that has ended is refused, and one that ends soon is warned of', async () => {
  const ended = await writeAuthority(dir, 'ended', await authority('ended', { endsIn: -DAY_MS }));
  expect(await said(ended)).toMatch(/ended on \d{4}-\d\d-\d\d\. Give one that is valid, with the same key/);
  const soon = await writeAuthority(dir, 'soon', await authority('soon', { endsIn: 89 * DAY_MS }));
  expect(await said(soon)).toMatch(/^warns: .* ends on \d{4}-\d\d-\d\d, and with it every certificate/);
});

test('one that has not begun by the clock of this machine is refused, and the clock is what is to be set', async () => {
  const given = await writeAuthority(dir, 'ca', await authority('root'));
  const early = Date.now() - 400 * DAY_MS;
  await expect(checkAuthority(given, early)).rejects.toThrow(
    /^apiserver\.caFile \(--ca-file\): \S+ begins at \S+Z, and the clock of this machine says \S+Z\. Set the clock/,
  );
  await expect(checkOwnAuthority(given.cert, early)).rejects.toThrow('Set the clock (timedatectl shows it)');
  await expect(checkOwnAuthority(given.cert, Date.now())).resolves.toBeUndefined();
});

test('one in the middle of a chain without its root is warned of, because Node accepts it nowhere', async () => {
  const root = await authority('root');
  const middle = await authority('middle', { by: root });
  expect(await said(await writeAuthority(dir, 'a', middle))).toContain('lacks its root');
  expect(await said(await writeAuthority(dir, 'b', middle, [root]))).toBe('warns: ');
});

test('files that are missing, empty, no PEM or with a passphrase are named with the field', async () => {
  const given = await writeAuthority(dir, 'ca', await authority('root'));
  const other = join(dir, 'other');
  expect(await said({ ...given, cert: other })).toContain(`(--ca-file): ${other} does not exist. Give`);
  writeFileSync(other, '');
  expect(await said({ ...given, cert: other })).toContain(`${other} holds no certificate`);
  writeFileSync(other, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
  expect(await said({ ...given, cert: other })).toContain(`${other} holds no certificate`);
  const secret = createPrivateKey(readFileSync(given.key));
  writeFileSync(
    other,
    secret.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }),
  );
  expect(await said({ ...given, key: other })).toContain(`${other} holds no key without a passphrase`);
});

test('its fingerprint is that of its key: a renewed authority is the same, another one is not', async () => {
  const kept = await authority('root');
  const before = await fingerprintOf((await writeAuthority(dir, 'ca', kept)).cert);
  expect(before).toMatch(/^sha256:[\da-f]{64}$/);
  const other = await writeAuthority(dir, 'other', await authority('root'));
  expect(await fingerprintOf(other.cert)).not.toBe(before);
});

test('the authority of somebody else’s server must be there, and be one', async () => {
  const { cert, key } = await writeAuthority(dir, 'proxy', await authority('proxy'));
  await checkForeignAuthority('the field', cert);
  await expect(checkForeignAuthority('the field', join(dir, 'none'))).rejects.toThrow(
    /^the field: \S+none does not exist\. Give the path of a PEM file that you may read\.$/,
  );
  await expect(checkForeignAuthority('the field', dir)).rejects.toThrow('cannot be read (EISDIR)');
  await expect(checkForeignAuthority('the field', key)).rejects.toThrow(
    /^the field: .* holds no certificate/,
  );
});
