// What a CappSecret is bound to, what its bytes show, and what comes out of it.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { Secret } from '../../../crds/kubernetes/core.ts';
import { opened, sealedFor } from '../../../crds/sealing/capp-secret.ts';
import { contentOf, packed, unpacked } from '../../../crds/sealing/content.ts';
import { publicBytesOf } from '../../../crds/sealing/hpke.ts';
import { claimText, keyIdOf, SEALING_CLAIM, siteKeyOf } from '../../../crds/sealing/site-key.ts';

const VALUE = 'canary-of-sealing';
const secret: Secret = {
  metadata: { name: 'db' },
  type: 'Opaque',
  data: { password: btoa(VALUE), empty: '', bytes: Buffer.from([0, 255, 128]).toString('base64') },
};
const content = contentOf(secret);
const place = { namespace: 'apps', name: 'db' };
const site = generateKeyPairSync('x25519').privateKey;
const publicKey = publicBytesOf(site);
const hubKey = randomBytes(32);
const sealed = sealedFor(publicKey, place, content, hubKey);

test('the site gets what was sealed, and its bytes show none of it', () => {
  expect(opened(site, place, sealed)).toEqual(content);
  const shown = JSON.stringify(sealed) + Buffer.from(sealed.sealed, 'base64').toString('latin1');
  for (const word of [VALUE, btoa(VALUE), 'password', 'Opaque']) expect(shown).not.toContain(word);
});

test('the same content for the same key and place has the same bytes', () => {
  expect(sealedFor(publicKey, place, content, hubKey)).toEqual(sealed);
  const reordered = { ...content, data: Object.fromEntries(Object.entries(content.data).toReversed()) };
  expect(sealedFor(publicKey, place, reordered, hubKey)).toEqual(sealed);
});

test('the bytes of another place, key, content or hub say nothing of these', () => {
  const other = publicBytesOf(generateKeyPairSync('x25519').privateKey);
  const ephemeralOf = (one: { sealed: string }) =>
    Buffer.from(one.sealed, 'base64').subarray(0, 32).toString('hex');
  const all = [
    sealed,
    sealedFor(publicKey, { ...place, name: 'dc' }, content, hubKey),
    sealedFor(publicKey, { ...place, namespace: 'apqs' }, content, hubKey),
    sealedFor(other, place, content, hubKey),
    sealedFor(publicKey, place, { ...content, type: 'other' }, hubKey),
    sealedFor(publicKey, place, { ...content, data: { ...content.data, empty: btoa('x') } }, hubKey),
    sealedFor(publicKey, place, content, randomBytes(32)),
  ];
  expect(new Set(all.map(ephemeralOf)).size).toBe(all.length);
});

test('it opens under its own name, in its own namespace and by its own key alone', () => {
  expect(() => opened(site, { ...place, name: 'dc' }, sealed)).toThrow();
  expect(() => opened(site, { ...place, namespace: 'other' }, sealed)).toThrow();
  expect(() => opened(site, place, { ...sealed, keyId: '0123456789abcdef' })).toThrow();
  expect(() => opened(generateKeyPairSync('x25519').privateKey, place, sealed)).toThrow();
});

test('what two hubs seal to the one key of a site opens there, whichever sealed it', () => {
  const others = sealedFor(publicKey, place, content, randomBytes(32));
  expect(others.keyId).toBe(sealed.keyId);
  expect([sealed, others].map((one) => opened(site, place, one))).toEqual([content, content]);
});

test('a name cannot be shifted into the namespace, or back', () => {
  const moved = sealedFor(publicKey, { namespace: 'a","b', name: 'c' }, content, hubKey);
  expect(() => opened(site, { namespace: 'a', name: 'b","c' }, moved)).toThrow();
});

test('a Secret grows on its way no more than one that is not sealed', () => {
  const big = contentOf({
    metadata: { name: 'big' },
    data: { big: Buffer.alloc(300_000).toString('base64') },
  });
  const before = JSON.stringify(big.data).length;
  expect(sealedFor(publicKey, place, big, hubKey).sealed.length - before).toBeLessThan(300);
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['less than a length', Buffer.from([0, 0, 1])],
  ['no JSON', Buffer.from([0, 0, 0, 1, 0x7b])],
  ['another JSON', Buffer.from('\0\0\0\x02{}')],
  ['values cut off', packed(content).subarray(0, -1)],
  ['more than its values', Buffer.concat([packed(content), Buffer.from([0])])],
])('%s is no content', (_what, bytes) => {
  expect(() => unpacked(bytes)).toThrow(/^What was sealed is/);
});

test('a site is sealed to by the key that it claims, if that is one', () => {
  const claiming = (value: unknown) =>
    ({ status: { clusterClaims: [{ name: SEALING_CLAIM, value }] } }) as Parameters<typeof siteKeyOf>[0];
  expect(siteKeyOf(claiming(claimText(publicKey)))).toEqual(publicKey);
  expect(sealed.keyId).toBe(keyIdOf(publicKey));
  for (const bad of [undefined, 7, '', 'x25519.', `${claimText(publicKey)}AA`, claimText(publicKey).slice(7)])
    expect(siteKeyOf(claiming(bad))).toBeNull();
  expect(siteKeyOf({})).toBeNull();
  expect(siteKeyOf(undefined)).toBeNull();
});
