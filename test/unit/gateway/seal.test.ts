// Sealed task tokens open for the site and the ServiceAccount that they were given to, and for nobody else.
import { createSecretKey, randomBytes } from 'node:crypto';
import { sharedKeys } from '../../../gateway/shared-keys.ts';
import { seal, unseal, type SealKey } from '../../../gateway/seal.ts';
import { GATEWAY_TIMES } from '../../../gateway/times.ts';
import type { Kube } from '../../../kube/client.ts';
import { oneSecret } from '../../support/builders/process/one-secret.ts';

const SITE = { cluster: 'site-1', account: 'uid-1' };
const TASK = { type: 'awaitVerdict', token: Buffer.from('a token of Temporal') };
const newKey = (): SealKey => ({ id: randomBytes(4), secret: createSecretKey(randomBytes(32)) });
const only = (key: SealKey) => ({
  current: () => key,
  find: (id: Buffer) => Promise.resolve(id.equals(key.id) ? key : null),
});

test('a token comes back with its type, and no two sealings are the same', async () => {
  const key = newKey();
  const [first, second] = [seal(key, SITE, TASK), seal(key, SITE, TASK)];
  expect(first.equals(second)).toBe(false);
  expect(await unseal(only(key), SITE, first)).toEqual(TASK);
  expect(first.includes('Temporal')).toBe(false);
});

test.each([
  ['another site', { cluster: 'site-10', account: 'uid-1' }],
  ['another account of the site', { cluster: 'site-1', account: 'uid-2' }],
  ['names that run together', { cluster: 'site-1\nuid', account: '-1' }],
])('%s cannot open it', async (_who, other) => {
  const key = newKey();
  await expect(unseal(only(key), other, seal(key, SITE, TASK))).rejects.toThrow(/not given to this site/);
});

test('every changed bit, another key, and what is too short or too long are refused', async () => {
  const key = newKey();
  const sealed = seal(key, SITE, TASK);
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 0x80;
    await expect(unseal(only(key), SITE, changed)).rejects.toThrow(/not given/);
  }
  await expect(unseal(only(newKey()), SITE, sealed)).rejects.toThrow(/not given/);
  for (const bytes of [Buffer.alloc(0), sealed.subarray(0, 20), Buffer.alloc(5_000)])
    await expect(unseal(only(key), SITE, bytes)).rejects.toThrow(/not given/);
});

test('replicas share their keys; the former key opens for as long as it sealed, and no longer', async () => {
  const { kube, writes } = oneSecret();
  let now = 1_000_000;
  const place = { namespace: 'cappstan-system', now: () => now };
  const [one, two] = [await sharedKeys(kube, place), await sharedKeys(kube, place)];
  expect(two.current()).toEqual(one.current());
  expect(writes).toEqual(['create']);
  const sealed = seal(one.current(), SITE, TASK);
  await one.refresh();
  expect(writes).toEqual(['create']);

  now += GATEWAY_TIMES.keyLife.ms;
  await one.refresh();
  expect(writes).toEqual(['create', 'patch']);
  expect(await unseal(one, SITE, sealed)).toEqual(TASK);
  // The other replica hears of the new key when it meets it.
  expect(await unseal(two, SITE, seal(one.current(), SITE, TASK))).toEqual(TASK);

  now += GATEWAY_TIMES.keyLife.ms;
  await one.refresh();
  await expect(unseal(one, SITE, sealed)).rejects.toThrow(/too old/);
});

test('a key that nobody knows makes a gateway read once a second at most', async () => {
  const { kube } = oneSecret();
  let reads = 0;
  const get = ((...given) => {
    reads += 1;
    return kube.get(...given);
  }) as Kube['get'];
  const counting = { ...kube, get };
  let now = 1_000_000;
  const keys = await sharedKeys(counting, { namespace: 'cappstan-system', now: () => now });
  const before = reads;
  for (let tries = 0; tries < 50; tries += 1) await keys.find(randomBytes(4));
  expect(reads).toBe(before);
  now += 1_000;
  for (let tries = 0; tries < 50; tries += 1) await keys.find(randomBytes(4));
  expect(reads).toBe(before + 1);
});
