// What comes of a Capp of a set that the API server does not take.
import { writeChild, type WantedChild } from '../../../activities/hub/set/write-child.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import { SET_REVISION } from '../../../crds/labels.ts';
import { CAPP_SET } from '../../../crds/set/cappset.ts';
import { render, type RenderedChild } from '../../../crds/set/render.ts';
import type { Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';
import type { ApplyOptions } from '../../../kube/http/calls.ts';
import { aSet } from '../../support/builders/fleet/sets.ts';

const made = aSet('shop', { sites: { clusters: ['site-1'] } });
const set = { ...made, metadata: { ...made.metadata, uid: 'set-uid' } };
const site = { cluster: 'site-1', labels: {} };
const wanted: WantedChild = {
  set,
  cluster: 'site-1',
  name: 'shop-site-1',
  child: null,
  revision: 'r1',
  rendered: render(set.spec, site) as RenderedChild,
};

function refusing(code: number, reason: string): Kube {
  const apply = async () => {
    throw new ApiError({ method: 'PATCH', path: '/capps/shop-site-1', code, reason, fields: ['spec.site'] });
  };
  return { apply, getMetadata: async () => null } as unknown as Kube;
}

test.each<[number, string, string]>([
  [400, 'BadRequest', 'Rejected'],
  [403, 'Forbidden', 'Rejected'],
  [413, 'RequestEntityTooLarge', 'Rejected'],
  [422, 'Invalid', 'Rejected'],
])('an answer %i %s concerns that site alone, as %s, and names the Capp', async (code, reason, said) => {
  const outcome = await writeChild(refusing(code, reason), wanted, 0);
  expect(outcome).toMatchObject({ is: 'refused', refusal: { reason: said } });
  expect(outcome).toHaveProperty('refusal.message', expect.stringContaining('shop-site-1'));
});

const key = { namespace: 'apps', name: 'shop-site-1' };
const own = {
  metadata: { ...key, uid: 'child-uid', ownerReferences: [ownedBy('set-uid')] },
} as unknown as Capp;
const foreign = { metadata: { ...key, uid: 'their-uid' } } as unknown as Capp;

function ownedBy(uid: string) {
  const { apiVersion, kind } = CAPP_SET;
  return { apiVersion, kind, name: 'shop', uid, controller: true };
}

/** An API server as far as applies go: with the precondition that each of them must have. */
function serving(seen: Capp | null, live: Capp | null, written: object[] = []): Kube {
  const reads = [seen, live];
  const apply = async (_kind: unknown, { metadata }: Capp) => {
    const isMet =
      live === null
        ? metadata.uid === undefined
        : metadata.uid === live.metadata.uid || (metadata.uid ?? metadata.resourceVersion) === undefined;
    if (!isMet)
      throw new ApiError({ method: 'PATCH', path: '/capps/shop-site-1', code: 409, reason: 'Conflict' });
    written.push(metadata);
    return { metadata: { resourceVersion: '7' } };
  };
  return {
    apply,
    getMetadata: async () => (reads.length > 1 ? reads.shift() : reads[0]) ?? null,
  } as unknown as Kube;
}

test('a Capp that somebody makes between the read and the write is not taken over', async () => {
  const written: object[] = [];
  const outcome = await writeChild(serving(null, foreign, written), wanted, 0);
  expect(written).toEqual([]);
  expect(outcome).toMatchObject({ is: 'refused', refusal: { reason: 'NameTaken' } });
});

test("somebody's own Capp that the cache does not show yet is not taken over by its uid", async () => {
  const written: object[] = [];
  const outcome = await writeChild(serving(foreign, foreign, written), wanted, 0);
  expect(written).toEqual([]);
  expect(outcome).toMatchObject({ is: 'refused', refusal: { reason: 'NameTaken' } });
});

test('a Capp that replaces that of the set between the read and the write is not taken over', async () => {
  const written: object[] = [];
  const outcome = await writeChild(serving(foreign, foreign, written), { ...wanted, child: own }, 0);
  expect(written).toEqual([]);
  expect(outcome).toMatchObject({ is: 'refused', refusal: { reason: 'NameTaken' } });
});

test('a Capp that an earlier try has written is applied with its uid, and one that is being deleted is left alone', async () => {
  const written: object[] = [];
  expect(await writeChild(serving(own, own, written), wanted, 0)).toMatchObject({ is: 'there' });
  expect(written).toMatchObject([{ uid: 'child-uid' }]);
  const going = {
    ...own,
    metadata: { ...own.metadata, deletionTimestamp: '2026-03-01T12:00:00Z' },
  };
  expect(await writeChild(serving(going, going, written), wanted, 0)).toMatchObject({ is: 'waits' });
  expect(written).toHaveLength(1);
});

test('a Capp whose read fails may be somebody else’s, so nothing is written', async () => {
  const written: object[] = [];
  const getMetadata = async () =>
    Promise.reject(new ApiError({ method: 'GET', path: '/capps', code: 500, reason: 'Why' }));
  const kube = { ...serving(null, null, written), getMetadata } as unknown as Kube;
  await expect(writeChild(kube, wanted, 0)).rejects.toMatchObject({ code: 500 });
  expect(written).toEqual([]);
});

test('fields that somebody has changed are said of the Capp that the set has written, and of no other', async () => {
  const conflict = refusing(409, 'Conflict');
  const changed = { ...conflict, getMetadata: async () => own } as unknown as Kube;
  const update = { ...wanted, child: own };
  expect(await writeChild(changed, update, 0)).toMatchObject({ refusal: { reason: 'Overridden' } });
  await expect(writeChild(conflict, update, 0)).rejects.toThrow(ApiError);
});

test.each([0, 404, 429, 500, 503])('after an answer %i the turn is tried again', async (code) => {
  await expect(writeChild(refusing(code, 'Why'), wanted, 0)).rejects.toThrow(ApiError);
});

test.each<[string, readonly string[], boolean]>([
  ['names fields that somebody else owns concerns that site', ['.spec.site: FieldManagerConflict'], true],
  ['names no field is of writes that met, and is tried again', [], false],
])('a Conflict about the Capp of the set that %s', async (_, fields, isOverridden) => {
  const apply = async () => {
    throw new ApiError({
      method: 'PATCH',
      path: '/capps/shop-site-1',
      code: 409,
      reason: 'Conflict',
      fields,
    });
  };
  const kube = { apply, getMetadata: async () => own } as unknown as Kube;
  const outcome = writeChild(kube, { ...wanted, child: own }, 0);
  if (isOverridden)
    await expect(outcome).resolves.toMatchObject({ is: 'refused', refusal: { reason: 'Overridden' } });
  else await expect(outcome).rejects.toMatchObject({ code: 409 });
});

const NOTE = `.metadata.annotations.${SET_REVISION}: FieldManagerConflict`;

/** Somebody owns those fields; the Capp is at this version by now. */
function owned(fields: readonly string[], version: string, forced: object[]): Kube {
  const apply = async (_kind: unknown, { metadata }: Capp, { force = false }: ApplyOptions) => {
    if (force) forced.push(metadata);
    const isMet = metadata.resourceVersion === undefined || metadata.resourceVersion === version;
    if (force && isMet) return { metadata: { resourceVersion: '9' } };
    const named = isMet ? { fields } : {};
    throw new ApiError({
      method: 'PATCH',
      path: '/capps/shop-site-1',
      code: 409,
      reason: 'Conflict',
      ...named,
    });
  };
  return { apply, getMetadata: async () => own } as unknown as Kube;
}

test('what the hub notes is taken back by force from whoever has edited it, and nothing else is', async () => {
  const child = { ...own, metadata: { ...own.metadata, resourceVersion: '7' } };
  const of = async (version: string, ...fields: readonly string[]) => {
    const forced: object[] = [];
    const outcome = await writeChild(owned(fields, version, forced), { ...wanted, child }, 0).catch(
      (error: unknown) => error,
    );
    return [outcome, forced];
  };
  expect(await of('7', NOTE)).toMatchObject([
    { is: 'there', version: '9' },
    [{ uid: 'child-uid', resourceVersion: '7' }],
  ]);
  expect(await of('7', NOTE, NOTE)).toMatchObject([{ is: 'there' }, [{}]]);
  const image = '.spec.configurationSpec: FieldManagerConflict';
  const label = `.metadata.annotations.team: FieldManagerConflict`;
  for (const fields of [[image], [label], [NOTE, image]])
    expect(await of('7', ...fields)).toMatchObject([{ refusal: { reason: 'Overridden' } }, []]);
  // Somebody has changed the Capp since it was read, perhaps another field.
  expect(await of('8', NOTE)).toMatchObject([{ code: 409, fields: [] }, [{}]]);
});
