// What somebody does to an opened Secret is put right at the next look, which nobody has to ask for. The API
// server here is a fake in memory: a real one has no clock that a test could move.
import { jest } from '@jest/globals';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { Secret } from '../../../crds/kubernetes/core.ts';
import { sealedFor, type CappSecret } from '../../../crds/sealing/capp-secret.ts';
import { publicBytesOf } from '../../../crds/sealing/hpke.ts';
import { keyIdOf, SITE_KEYS } from '../../../crds/sealing/site-key.ts';
import type { Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import type { Optional } from '../../../kube/watch/optional.ts';
import { sealing } from '../../../site/sealing/sealing.ts';

const AT = { namespace: 'apps', name: 'db' };
const GOOD = { password: btoa('good') };

interface Named {
  readonly name: string;
}

/** A site with a key, to which one Secret came sealed. */
function aSite() {
  const { privateKey } = generateKeyPairSync('x25519');
  const [id, raw] = [keyIdOf(publicBytesOf(privateKey)), privateKey.export({ format: 'jwk' }).d ?? ''];
  const keys = { current: btoa(id), [id]: Buffer.from(raw, 'base64url').toString('base64') };
  const spec = sealedFor(publicBytesOf(privateKey), AT, { data: GOOD }, randomBytes(32));
  const one = { metadata: { ...AT, uid: 'u', generation: 1 }, spec } as CappSecret;
  const held: { secret: Secret | null } = { secret: null };
  const kube = {
    get: async (_kind: unknown, { name }: Named) =>
      name === SITE_KEYS ? { metadata: { name }, data: keys } : null,
    create: async (_kind: unknown, object: KubeObject) => {
      if (object.metadata.name === AT.name) held.secret = object;
      return object;
    },
    patch: async (_kind: unknown, _key: Named, body: unknown, options?: { type?: string }) => {
      if (options !== undefined && options.type !== 'json') return one;
      if (held.secret === null)
        throw new ApiError({ method: 'PATCH', path: '', code: 404, reason: 'NotFound' });
      if (options?.type !== 'json') held.secret = { ...held.secret, ...(body as Pick<Secret, 'data'>) };
      return held.secret;
    },
  } as unknown as Kube;
  const sealed = {
    served: () => true,
    get: () => one,
    list: () => [one],
    subscribe: () => () => undefined,
    onServed: () => () => undefined,
  } as unknown as Optional<CappSecret>;
  return { kube, sealed, held };
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test.each([
  ['edits', (secret: Secret): Secret | null => ({ ...secret, data: { password: btoa('bad') } })],
  ['deletes', (): Secret | null => null],
])('an opened Secret that somebody %s is put right within five minutes, again and again', async (_, does) => {
  const { kube, sealed, held } = aSite();
  const errors: unknown[] = [];
  const admits = () => Promise.resolve(true);
  const onError = (_key: string, error: unknown) => errors.push(error);
  const site = sealing({ kube, sealed, place: 'place', reserved: [], admits, onError });
  site.start();
  await jest.advanceTimersByTimeAsync(1_000);
  expect(held.secret?.data).toEqual(GOOD);
  for (let time = 0; time < 2; time += 1) {
    if (held.secret !== null) held.secret = does(held.secret);
    expect(held.secret?.data).not.toEqual(GOOD);
    await jest.advanceTimersByTimeAsync(300_000);
    expect(held.secret?.data).toEqual(GOOD);
  }
  expect(errors).toEqual([]);
  jest.useRealTimers();
  await site.stop();
});
