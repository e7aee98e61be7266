// Which keys of its own a hub does not start without.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkOwnKeys } from '../../../../deploy/hub/own-keys.ts';
import { openPki } from '../../../../deploy/local/kubernetes/pki.ts';
import { read } from '../../../support/builders/hub-config.ts';

const OWN = read(null).config;
let dir: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'own-keys-'));
  await (await openPki(dir)).another('etcd-ca');
});
afterEach(() => rmSync(dir, { recursive: true }));

test('what a hub has made is taken, and so is a folder that is not there yet', () => {
  expect(readdirSync(dir)).toEqual(expect.arrayContaining(['ca.crt', 'etcd-ca.crt', 'service-accounts.key']));
  // As a restored hub has that of somebody else's Temporal.
  writeFileSync(join(dir, 'given-temporal-ca.crt'), readFileSync(join(dir, 'ca.crt')));
  expect(() => checkOwnKeys(dir, OWN, true)).not.toThrow();
  expect(() => checkOwnKeys(join(dir, 'none'), OWN, false)).not.toThrow();
});

test.each(['ca.key', 'etcd-ca.key', 'request-header-ca.key'])(
  '%s is missed before anything starts',
  (name) => {
    rmSync(join(dir, name));
    expect(() => checkOwnKeys(dir, OWN, false)).toThrow(
      `${join(dir, name)} is missing: without it this hub can issue no certificate of`,
    );
  },
);

test('what somebody gave is taken where it lies in the folder, with its key elsewhere', () => {
  for (const name of ['ca', 'etcd-ca', 'temporal-ca']) {
    writeFileSync(join(dir, `${name}.crt`), readFileSync(join(dir, 'ca.crt')));
    rmSync(join(dir, `${name}.key`), { force: true });
  }
  const ca = (section: string, name: string): string[] => [`--${section}-ca-file`, join(dir, `${name}.crt`)];
  const flags = [
    ['--ca-file', join(dir, 'ca.crt'), '--ca-key-file', '/vault/ca.key'],
    ['--etcd-mode', 'external', '--etcd-servers', 'https://e:1', ...ca('etcd', 'etcd-ca')],
    ['--temporal-mode', 'external', '--temporal-address', 't:1', ...ca('temporal', 'temporal-ca')],
  ];
  const given = read(null, ...flags.flat()).config;
  expect(() => checkOwnKeys(dir, given, true)).not.toThrow();
  expect(() => checkOwnKeys(dir, OWN, true)).toThrow(/ca\.key is missing.*etcd-ca\.key.*temporal-ca\.key/s);
  rmSync(join(dir, 'request-header-ca.key'));
  expect(() => checkOwnKeys(dir, given, true)).toThrow('request-header-ca.key is missing');
});

test('one of another certificate, or no key, is refused and not quoted', () => {
  writeFileSync(join(dir, 'ca.key'), readFileSync(join(dir, 'etcd-ca.key')));
  expect(() => checkOwnKeys(dir, OWN, true)).toThrow(`${join(dir, 'ca.key')} is not the key of`);
  writeFileSync(join(dir, 'ca.key'), 'canary');
  expect(() => checkOwnKeys(dir, OWN, true)).toThrow(/^(?!.*canary).*ca\.key is not the key of/);
});

test('the key of accounts is made by a new hub, and missed by one that has given tokens', () => {
  rmSync(join(dir, 'service-accounts.key'));
  expect(() => checkOwnKeys(dir, OWN, false)).not.toThrow();
  expect(() => checkOwnKeys(dir, OWN, true)).toThrow(
    'with another one every token that this hub has given ends',
  );
});
