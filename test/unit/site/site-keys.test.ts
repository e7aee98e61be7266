// The keys of a site, as they stand in its Secret: also what somebody else has written there.
import { generateKeyPairSync } from 'node:crypto';
import type { Secret } from '../../../crds/kubernetes/core.ts';
import { privateKeyOf, publicBytesOf } from '../../../crds/sealing/hpke.ts';
import { keyIdOf } from '../../../crds/sealing/site-key.ts';
import type { Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';
import { siteKeys } from '../../../site/sealing/keys.ts';

const PLACE = 'place';

function rawKey(): { id: string; raw: Buffer } {
  const { d = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' });
  const raw = Buffer.from(d, 'base64url');
  return { id: keyIdOf(publicBytesOf(privateKeyOf(raw))), raw };
}

/** An API server that has only this Secret, and what was written to it. */
function server(data: Record<string, string> | null) {
  let held = data;
  let writes = 0;
  let conflicts = 0;
  const kube = {
    get: async () => (held === null ? null : { metadata: { uid: 'u', resourceVersion: '1' }, data: held }),
    create: async (_kind: unknown, object: Secret) => {
      writes += 1;
      held = { ...object.data };
      return object;
    },
    patch: async (_kind: unknown, _key: unknown, body: { data: Record<string, string> }) => {
      if (conflicts > 0) {
        conflicts -= 1;
        throw new ApiError({ method: 'PATCH', path: '', code: 409, reason: 'Conflict' });
      }
      writes += 1;
      held = { ...held, ...body.data };
    },
  } as unknown as Kube;
  return { kube, held: () => held, writes: () => writes, beConflicting: () => void (conflicts = 1) };
}

test('a key is made once', async () => {
  const { kube, writes } = server(null);
  const first = await siteKeys(kube, PLACE);
  const second = await siteKeys(kube, PLACE);
  expect(second.current).toEqual(first.current);
  expect(first.find(keyIdOf(first.current))).not.toBeNull();
  expect(writes()).toBe(1);
});

test.each<[string, (id: string) => Record<string, string>]>([
  ['names no key of now', () => ({})],
  ['names one that it does not have', () => ({ current: btoa('0123456789abcdef') })],
  ['names the field itself', () => ({ current: btoa('current') })],
])('where the Secret %s, another is made, and the old one still opens', async (_, named) => {
  const { id, raw } = rawKey();
  const { kube, beConflicting, writes } = server({ [id]: raw.toString('base64'), ...named(id) });
  beConflicting();
  const keys = await siteKeys(kube, PLACE);
  expect(keyIdOf(keys.current)).not.toBe(id);
  expect(keys.find(id)).not.toBeNull();
  expect(writes()).toBe(1);
});

test('what stands under an id is a key only if the id is its own', async () => {
  const [mine, other] = [rawKey(), rawKey()];
  const { kube } = server({
    current: btoa(mine.id),
    [mine.id]: mine.raw.toString('base64'),
    [other.id]: mine.raw.toString('base64'),
    short: btoa('too short'),
  });
  const keys = await siteKeys(kube, PLACE);
  expect(keys.find(mine.id)).not.toBeNull();
  for (const id of [other.id, 'short', 'current', 'missing']) expect(keys.find(id)).toBeNull();
});
