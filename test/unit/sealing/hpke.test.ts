// Sealing as RFC 9180 says it: by its own test vector, and by what must not open.
import { generateKeyPairSync } from 'node:crypto';
import {
  open,
  privateKeyOf,
  publicBytesOf,
  seal,
  type SealedFor,
  UnusableKey,
} from '../../../crds/sealing/hpke.ts';

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const bound = (info: string, aad: string): SealedFor => ({ info: Buffer.from(info), aad: Buffer.from(aad) });

test('it seals as RFC 9180 does (appendix A.1.1, the first message)', () => {
  const aes128 = { id: 1, name: 'aes-128-gcm', keyLength: 16 } as const;
  const recipient = privateKeyOf(hex('4612c550263fc8ad58375df3f557aac531d26850903e55a9f23f21d8534e8ac8'));
  const ephemeral = privateKeyOf(hex('52c4a758a802cd8b936eceea314432798d5baf2d7e9235dc084ab1b9cfa2f736'));
  const to = publicBytesOf(recipient);
  expect(to.toString('hex')).toBe('3948cfe0ad1ddb695d780e59077195da6c56506b027329794ab02bca80815c4d');
  const plain = Buffer.from('Beauty is truth, truth beauty');
  const said = bound('Ode on a Grecian Urn', 'Count-0');
  const sealed = seal(to, { ephemeral, plain }, said, aes128);
  expect(sealed.toString('hex')).toBe(
    '37fda3567bdbd628e88668c3c8d7e97d1d1253b6d4ea6d44c150f741f1bf4431' +
      'f938558b5d72f1a23810b4be2ab4f84331acc02fc97babc53a52ae8218a355a96d8770ac83d07bea87e13c512a',
  );
  expect(open(recipient, sealed, said, aes128)).toEqual(plain);
});

const keys = () => generateKeyPairSync('x25519').privateKey;
const mine = keys();
const sealed = seal(
  publicBytesOf(mine),
  { ephemeral: keys(), plain: Buffer.from('a value') },
  bound('i', 'a'),
);

test('only the key opens it, for the same purpose and place', () => {
  expect(open(mine, sealed, bound('i', 'a')).toString()).toBe('a value');
  expect(() => open(keys(), sealed, bound('i', 'a'))).toThrow();
  expect(() => open(mine, sealed, bound('j', 'a'))).toThrow();
  expect(() => open(mine, sealed, bound('i', 'b'))).toThrow();
});

test.each([0, 31, 32, sealed.length - 17, sealed.length - 1])('a changed byte %s opens nothing', (at) => {
  const changed = Buffer.from(sealed);
  changed[at] = (changed[at] ?? 0) ^ 1;
  expect(() => open(mine, changed, bound('i', 'a'))).toThrow();
});

test.each([0, 16, 47])('what is cut off after %s bytes opens nothing', (length) => {
  expect(() => open(mine, sealed.subarray(0, length), bound('i', 'a'))).toThrow();
});

test('nothing is sealed to a key with which every secret is the same', () => {
  const plain = Buffer.from('a value');
  const sealTo = (key: Buffer) => () => seal(key, { ephemeral: keys(), plain }, bound('i', 'a'));
  expect(sealTo(Buffer.alloc(32))).toThrow(UnusableKey);
  expect(sealTo(Buffer.alloc(31))).toThrow(UnusableKey);
});
