// Reads, writes, deletions and errors of the Kubernetes client against a real API server.
import { inspect } from 'node:util';
import { CONFIG_MAP, NAMESPACE, SECRET, type ConfigMap, type Secret } from '../../../crds/kubernetes/core.ts';
import type { Kube } from '../../../kube/client.ts';
import { namespacedResources } from '../../../kube/discovery.ts';
import { isAlreadyExists, isConflict, isInvalid, type ApiError } from '../../../kube/failure.ts';
import type { Key, KubeObject, Resource } from '../../../kube/resource.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { bareServer } from '../../support/testbeds/hub/bare-server.ts';

const NS = 'kube-client';
const NOBODY = '00000000-0000-0000-0000-000000000000';
const CANARY = 'c4n4ry-of-a-secret';
const CRD: Resource = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

let kube: Kube;
bareServer(NS, (given) => (kube = given), { userAgent: 'client-test/1' });

function key(name: string): Key {
  return { namespace: NS, name };
}

function map(name: string, value = 'v'): ConfigMap & KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: NS }, data: { key: value } };
}

async function refusal(call: Promise<unknown>): Promise<ApiError> {
  return call.then(
    () => {
      throw new Error('it was not refused');
    },
    (error: unknown) => error as ApiError,
  );
}

describe('reading', () => {
  it('returns the object, and null when there is none', async () => {
    const made = await kube.create(CONFIG_MAP, map('read'));
    expect(await kube.get(CONFIG_MAP, key('read'))).toEqual(made);
    expect(await kube.get(CONFIG_MAP, key('absent'))).toBeNull();
    expect(await kube.getMetadata(CONFIG_MAP, key('absent'))).toBeNull();
  });

  it('only metadata returns nothing else, under the kind of the object', async () => {
    await kube.create<Secret & KubeObject>(SECRET, {
      metadata: { name: 'read', namespace: NS },
      data: { a: btoa(CANARY) },
    });
    const metadata = await kube.getMetadata(SECRET, key('read'));
    expect(metadata).toMatchObject({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'read', namespace: NS },
    });
    const { items } = await kube.list(SECRET, { namespace: NS, metadataOnly: true });
    expect(items).toMatchObject([{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'read' } }]);
    expect(inspect([metadata, items], { depth: 9 })).not.toContain(btoa(CANARY));
  });

  it('a list returns all pages, each item with its kind', async () => {
    const labels = { list: 'all' };
    await Promise.all(
      ['1', '2', '3', '4', '5'].map((name) =>
        kube.create(CONFIG_MAP, { metadata: { name: `page-${name}`, namespace: NS, labels } }),
      ),
    );
    const { items, resourceVersion } = await kube.list<KubeObject>(CONFIG_MAP, {
      namespace: NS,
      labelSelector: 'list=all',
      limit: 2,
    });
    expect(items.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual(
      [1, 2, 3, 4, 5].map((n) => `ConfigMap page-${n}`),
    );
    expect(resourceVersion).toMatch(/^\d+$/);
    const [only] = (await kube.list<KubeObject>(CONFIG_MAP, { fieldSelector: `metadata.name=page-3` })).items;
    expect(only?.metadata.namespace).toBe(NS);
  });

  it('a raw path returns text or JSON', async () => {
    expect(await kube.raw('GET', '/readyz')).toBe('ok');
    expect(await kube.raw('GET', '/version')).toMatchObject({ major: '1' });
  });

  it('finds every namespaced kind that can be listed', async () => {
    const found = await namespacedResources(kube);
    expect(found).toEqual(expect.arrayContaining([CONFIG_MAP, SECRET]));
    expect(found).toContainEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      plural: 'deployments',
      namespaced: true,
    });
    const plurals = found.map(({ plural }) => plural);
    for (const other of ['namespaces', 'bindings', 'localsubjectaccessreviews', 'deployments/status'])
      expect(plurals).not.toContain(other);
    await Promise.all(found.map((resource) => kube.list(resource, { namespace: NS, metadataOnly: true })));
  });
});

describe('writing', () => {
  it('creates an object once, and then reports AlreadyExists', async () => {
    await kube.create(CONFIG_MAP, map('once'));
    const error = await refusal(kube.create(CONFIG_MAP, map('once')));
    expect(isAlreadyExists(error)).toBe(true);
    expect(error.message).toBe(`POST /api/v1/namespaces/${NS}/configmaps: 409 AlreadyExists`);
  });

  it('patches by merge or by JSON Patch, with the uid as a precondition', async () => {
    const { metadata } = await kube.create(CONFIG_MAP, map('patched'));
    const merged = await kube.patch<ConfigMap & KubeObject>(CONFIG_MAP, key('patched'), {
      metadata: { uid: metadata.uid },
      data: { b: '2' },
    });
    expect(merged.data).toEqual({ key: 'v', b: '2' });
    const operations = [{ op: 'remove', path: '/data/key' }];
    const reduced = await kube.patch<ConfigMap & KubeObject>(CONFIG_MAP, key('patched'), operations, {
      type: 'json',
    });
    expect(reduced.data).toEqual({ b: '2' });
    const foreign = { metadata: { uid: NOBODY }, data: { b: '3' } };
    expect(isConflict(await refusal(kube.patch(CONFIG_MAP, key('patched'), foreign)))).toBe(true);
  });

  it('applies an object, a repeat changes nothing, and another field manager must force', async () => {
    const first = await kube.apply(CONFIG_MAP, map('applied'), { fieldManager: 'one' });
    const second = await kube.apply(CONFIG_MAP, map('applied'), { fieldManager: 'one' });
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    const other = map('applied', 'other');
    expect(isConflict(await refusal(kube.apply(CONFIG_MAP, other, { fieldManager: 'two' })))).toBe(true);
    expect((await kube.apply(CONFIG_MAP, other, { fieldManager: 'two', force: true })).data).toEqual({
      key: 'other',
    });
  });

  it.each(['applied', 'never-there'])('does not apply with a uid to another object: %s', async (name) => {
    const meant = { ...map(name), metadata: { name, namespace: NS, uid: NOBODY } };
    expect(
      isConflict(await refusal(kube.apply(CONFIG_MAP, meant, { fieldManager: 'one', force: true }))),
    ).toBe(true);
  });

  it('writes with the given field manager, or with that of the program', async () => {
    await kube.create(CONFIG_MAP, map('managed'), { fieldManager: 'given' });
    const patched = await kube.patch<KubeObject>(CONFIG_MAP, key('managed'), { data: { c: '1' } });
    const { managedFields } = patched.metadata as { managedFields?: readonly { manager: string }[] };
    expect(managedFields?.map(({ manager }) => manager).toSorted()).toEqual(['client-test', 'given']);
  });

  it('writes a status as a subresource', async () => {
    const name = 'kube-client-status';
    await kube.create(NAMESPACE, { metadata: { name } });
    const status = { conditions: [{ type: 'Tried', status: 'True' }] };
    await kube.patch(NAMESPACE, { namespace: null, name }, { status }, { subresource: 'status' });
    expect(await kube.get(NAMESPACE, { namespace: null, name })).toMatchObject({ status });
  });
});

describe('removing', () => {
  it('reports whether there was an object to remove', async () => {
    await kube.create(CONFIG_MAP, map('removed'));
    expect(await kube.remove(CONFIG_MAP, key('removed'))).toBe(true);
    expect(await kube.remove(CONFIG_MAP, key('removed'))).toBe(false);
  });

  it('never removes an object of the same name with another uid', async () => {
    const { metadata } = await kube.create(CONFIG_MAP, map('namesake'));
    const uid = metadata.uid ?? '';
    expect(await kube.remove(CONFIG_MAP, key('namesake'), { uid, propagation: 'Background' })).toBe(true);
    const successor = await kube.create(CONFIG_MAP, map('namesake'));
    expect(await kube.remove(CONFIG_MAP, key('namesake'), { uid })).toBe(false);
    expect(await kube.get(CONFIG_MAP, key('namesake'))).toEqual(successor);
  });

  it('refuses when the object has another resourceVersion', async () => {
    const { metadata } = await kube.create(CONFIG_MAP, map('changed'));
    const { uid = '', resourceVersion = '' } = metadata;
    await kube.patch(CONFIG_MAP, key('changed'), { data: { b: '2' } });
    expect(isConflict(await refusal(kube.remove(CONFIG_MAP, key('changed'), { uid, resourceVersion })))).toBe(
      true,
    );
  });
});

describe('an error', () => {
  it('names the invalid fields, and never their values', async () => {
    const labels = { secret: `${CANARY}!` };
    const data = { ['a'.repeat(300)]: btoa(CANARY) };
    const error = await refusal(
      kube.create<Secret & KubeObject>(SECRET, { metadata: { name: 'bad', namespace: NS, labels }, data }),
    );
    expect(isInvalid(error)).toBe(true);
    expect(error.fields).toContain('metadata.labels: FieldValueInvalid');
    expect(error.fields.some((field) => field.startsWith('data[aaa'))).toBe(true);
    expect(inspect(error, { depth: 9 })).not.toContain(CANARY);
    expect(inspect(error, { depth: 9 })).not.toContain(btoa(CANARY));
  });

  it('never quotes the body, even if the server could not parse it', async () => {
    const body = `{"kind":"Secret","data":{"a":"${CANARY}`;
    const error = await refusal(kube.raw('POST', `/api/v1/namespaces/${NS}/secrets`, { body }));
    expect(error).toMatchObject({ code: 400, reason: 'BadRequest' });
    expect(inspect(error, { depth: 9 })).not.toContain(CANARY);
  });
});

describe('a kind whose CRD was just created', () => {
  it('can be listed as soon as it is served, because the client obeys Retry-After', async () => {
    const resource: Resource = {
      apiVersion: 'example.com/v1',
      kind: 'Fresh',
      plural: 'freshes',
      namespaced: true,
    };
    expect(await refusal(kube.list(resource))).toMatchObject({ code: 404 });
    const schema = { openAPIV3Schema: { type: 'object' } };
    await kube.create(CRD, {
      metadata: { name: 'freshes.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { kind: 'Fresh', plural: 'freshes', singular: 'fresh' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    } as KubeObject);
    const refusals = new Set<number>();
    const listing = await eventually(() =>
      kube.list(resource).catch((error: ApiError) => {
        refusals.add(error.code);
        return undefined;
      }),
    );
    expect(listing.items).toEqual([]);
    expect([...refusals].filter((code) => code !== 404)).toEqual([]);
  });
});
