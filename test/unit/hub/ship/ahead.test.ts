// What a Capp refers to is read together with the Capp, where that saves a way, and never before the Capp was
// written as it is shipped.
import { readAhead, readWhile } from '../../../../activities/hub/ship/ahead.ts';
import { hubApply } from '../../../../activities/hub/ship/apply.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import { MANAGED_BY, MANAGED_BY_HUB } from '../../../../crds/labels.ts';
import { references } from '../../../../crds/capp/references.ts';
import type { Kube } from '../../../../kube/client.ts';
import { ApiError } from '../../../../kube/failure.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { aState } from '../../../support/builders/states.ts';

const REF = { namespace: 'apps', name: 'app', uid: 'uid-1' };

function referring(names: readonly string[], metadata: Partial<Capp['metadata']> = {}): Capp {
  const capp = aCapp();
  const envFrom = names.map((name) => ({ secretRef: { name } }));
  const spec = { containers: [{ name: 'app', image: 'app', envFrom }] };
  return {
    ...capp,
    metadata: { ...capp.metadata, resourceVersion: '7', ...metadata },
    spec: { ...capp.spec, configurationSpec: { template: { spec } } },
  };
}

const server = (known: Capp | undefined, failure?: Error) => {
  const asked: string[] = [];
  const kube = {
    get: async (_kind: unknown, { name }: { name: string }) => {
      asked.push(name);
      if (failure !== undefined) throw failure;
      return { metadata: { name }, data: {} };
    },
  } as unknown as Kube;
  const caches = { capps: { get: () => known }, serviceAccounts: { get: () => undefined } };
  return { asked, sources: { kube, caches } as unknown as Parameters<typeof readAhead>[0] };
};

test('what the cache knows it to refer to is read at once, and is used if the Capp is that one', async () => {
  const capp = referring(['one', 'two']);
  const { asked, sources } = server(capp);
  const ahead = readAhead(sources, REF);
  expect(asked).toEqual(['one', 'two']);
  const read = await readWhile(ahead, capp, references(capp));
  expect(read?.secrets.map(({ metadata }) => metadata.name)).toEqual(['one', 'two']);
});

test('it is read again if the Capp was written since, or refers to something else by now', () => {
  const capp = referring(['one']);
  const ahead = readAhead(server(capp).sources, REF);
  const written = referring(['one'], { resourceVersion: '8' });
  expect(readWhile(ahead, written, references(written))).toBeNull();
  expect(readWhile(ahead, capp, references(capp, ['of-its-account']))).toBeNull();
  expect(readWhile(null, capp, references(capp))).toBeNull();
});

test.each<[string, Capp | undefined]>([
  ['that the cache does not know', undefined],
  ['of another uid', referring(['one'], { uid: 'of-an-earlier-one' })],
  ['that is being deleted', referring(['one'], { deletionTimestamp: '2026-01-01T00:00:00Z' })],
  ['that is paused', referring(['one'], { annotations: { 'rcs.dana.io/paused': 'true' } })],
  ['that refers to nothing', referring([])],
  ['that refers to too much', referring(Array.from({ length: 65 }, (_, index) => `secret-${index}`))],
])('nothing is read ahead for a Capp %s', (_title, capp) => {
  const { asked, sources } = server(capp);
  expect(readAhead(sources, REF)).toBeNull();
  expect(asked).toEqual([]);
});

test('a failure counts for whoever uses it, and for nobody else', async () => {
  const capp = referring(['one']);
  const failure = new ApiError({ method: 'GET', path: '/', code: 503, reason: '' });
  const ahead = readAhead(server(capp, failure).sources, REF);
  await new Promise((resolve) => void setImmediate(resolve));
  await expect(readWhile(ahead, capp, references(capp))).rejects.toBe(failure);
});

test.each([
  ['a first rollout asks for the Capp and its Secrets at once', null, {}, ['Capp', 'Secret', 'Secret']],
  [
    'an edit asks for the Capp alone',
    { metadata: { name: 'mw-create-apps-app', labels: { [MANAGED_BY]: MANAGED_BY_HUB } } },
    {},
    ['Capp'],
  ],
  [
    'a generation that was refused is asked for alone',
    null,
    { refused: { reason: 'HostnameTaken', message: '' } },
    ['Capp'],
  ],
] as const)('%s', async (_title, work, state, wanted) => {
  const asked: string[] = [];
  const stopped = new Error('nothing more is asked');
  const kube = {
    get: ({ kind }: Resource): Promise<KubeObject | null> => {
      if (kind === 'ManifestWork') return Promise.resolve(work);
      asked.push(kind);
      return new Promise((_, reject) => void setImmediate(() => reject(stopped)));
    },
    within: () => kube,
  } as unknown as Kube;
  const caches = {
    capps: { get: () => referring(['one', 'two']), by: () => [] },
    works: { by: () => [] },
    serviceAccounts: { get: () => undefined },
  };
  const { apply } = hubApply({ kube, caches } as unknown as Parameters<typeof hubApply>[0]);
  await expect(apply(REF, 'site-1', aState(state), null)).rejects.toThrow();
  expect(asked.toSorted()).toEqual(wanted);
});
