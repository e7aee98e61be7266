// Which keys of its own a hub does not start without.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkOwnKeys } from '../../../../deploy/hub/own-keys.ts';
import { openPki } from '../../../../deploy/local/kubernetes/pki.ts';

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
  expect(() => checkOwnKeys(dir, true)).not.toThrow();
  expect(() => checkOwnKeys(join(dir, 'none'), false)).not.toThrow();
});

test.each(['ca.key', 'etcd-ca.key', 'request-header-ca.key'])(
  '%s is missed before anything starts',
  (name) => {
    rmSync(join(dir, name));
    expect(() => checkOwnKeys(dir, false)).toThrow(
      `${join(dir, name)} is missing: without it this hub can issue no certificate of`,
    );
  },
);

test('one of another certificate, or no key, is refused and not quoted', () => {
  writeFileSync(join(dir, 'ca.key'), readFileSync(join(dir, 'etcd-ca.key')));
  expect(() => checkOwnKeys(dir, true)).toThrow(`${join(dir, 'ca.key')} is not the key of`);
  writeFileSync(join(dir, 'ca.key'), 'canary');
  expect(() => checkOwnKeys(dir, true)).toThrow(/^(?!.*canary).*ca\.key is not the key of/);
});

test('the key of accounts is made by a new hub, and missed by one that has given tokens', () => {
  rmSync(join(dir, 'service-accounts.key'));
  expect(() => checkOwnKeys(dir, false)).not.toThrow();
  expect(() => checkOwnKeys(dir, true)).toThrow('with another one every token that this hub has given ends');
});
