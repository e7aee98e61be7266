// What a Capp refers to is read together with the Capp, where that saves a way, and never before the Capp was
// written as it is shipped.
import { readAhead, readWhile } from '../../../../activities/hub/ship/ahead.ts';
import { hubApply } from '../../../../activities/hub/ship/apply.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import { FINALIZER, MANAGED_BY, MANAGED_BY_HUB } from '../../../../crds/labels.ts';
import { references } from '../../../../crds/capp/references.ts';
import type { ManifestWork } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import { ApiError } from '../../../../kube/failure.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { aTry } from '../../../support/builders/process/tries.ts';
import { aState } from '../../../support/builders/states.ts';

type Parts = Parameters<typeof hubApply>[0];

const cachesWith = (known: Capp): Parts['caches'] => {
  const none = { get: () => undefined, by: () => [], list: () => [] };
  const namespaces = { get: ({ name }: { name: string }) => ({ metadata: { name } }) };
  const others = { works: none, configs: none, clusters: none, serviceAccounts: none, roleBindings: none };
  return { capps: { ...none, get: () => known }, namespaces, ...others } as unknown as Parts['caches'];
};

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
    within: () => kube,
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

test('nothing is read ahead in a namespace where no Capp may run', () => {
  const capp = referring(['one']);
  const { asked, sources } = server(capp);
  expect(readAhead(sources, { ...REF, namespace: 'kube-system' })).toBeNull();
  expect(readAhead({ ...sources, reserved: ['app*'] }, REF)).toBeNull();
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
  ['a first rollout asks for the Capp and its Secrets at once', null, {}, 1, ['Capp', 'Secret', 'Secret']],
  [
    'an edit asks for the Capp alone',
    { metadata: { name: 'mw-create-apps-app', labels: { [MANAGED_BY]: MANAGED_BY_HUB } } },
    {},
    1,
    ['Capp'],
  ],
  [
    'a generation that was refused is asked for alone',
    null,
    { refused: { reason: 'HostnameTaken', message: '' } },
    1,
    ['Capp'],
  ],
  ['a try after one that failed asks for the Capp alone', null, {}, 2, ['Capp']],
] as const)('%s', async (_title, work, state, attempt, wanted) => {
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
  const { apply } = hubApply({ kube, caches: cachesWith(referring(['one', 'two'])) } as Parts);
  const trying = aTry({ attempt }).run(() => apply(REF, 'site-1', aState(state), null));
  await expect(trying).rejects.toThrow();
  expect(asked.toSorted()).toEqual(wanted);
});

/** Ends when the work is made. Secrets with these names are never answered. */
function hubOf(known: Capp, live: Capp, unanswered: readonly string[] = []) {
  const asked: string[] = [];
  const dropped: string[] = [];
  const made: ManifestWork[] = [];
  const kubeIn = (signal: AbortSignal | null): Kube =>
    ({
      get: async ({ kind }: Resource, { name }: { name: string }) => {
        if (kind === 'ManifestWork') return null;
        signal?.throwIfAborted();
        asked.push(kind === 'Capp' ? kind : name);
        if (kind === 'Capp') return live;
        if (!unanswered.includes(name)) return { kind, metadata: { namespace: 'apps', name } };
        const { promise, reject } = Promise.withResolvers<null>();
        signal?.addEventListener('abort', () => {
          dropped.push(name);
          reject(signal.reason);
        });
        return promise;
      },
      create: async (_kind: Resource, work: ManifestWork) => {
        made.push(work);
        throw new ApiError({ method: 'POST', path: '/', code: 409, reason: 'AlreadyExists' });
      },
      within: ({ signal: inner }: { signal: AbortSignal }) => kubeIn(inner),
    }) as unknown as Kube;
  const { apply } = hubApply({ kube: kubeIn(null), caches: cachesWith(known) } as unknown as Parts);
  const shipping = (): Promise<unknown> => apply(REF, 'site-1', aState({}), null).catch(() => undefined);
  return { asked, dropped, made, shipping };
}

const standing = (names: readonly string[], resourceVersion: string): Capp => ({
  ...referring(names, { resourceVersion, finalizers: [FINALIZER] }),
  status: { migration: { serving: 'site-1' } },
});

test('of a Capp that was written since, what it refers to now is shipped, and what was read ahead ends at once', async () => {
  const before = ['one', 'two', 'three', 'four', 'five'];
  const { asked, dropped, made, shipping } = hubOf(standing(before, '7'), standing(['new'], '8'), before);
  await shipping();
  const [work] = made;
  const carried = work?.spec?.workload.manifests?.filter(({ kind }) => kind === 'Secret') ?? [];
  expect(carried.map(({ metadata }) => metadata.name)).toEqual(['new']);
  expect(dropped).toEqual(['five', 'four', 'one', 'three']);
  expect(asked).not.toContain('two');
});

test('a repeat after a Conflict reads the Capp first, and then what it refers to', async () => {
  const { asked, made, shipping } = hubOf(standing(['one'], '7'), standing(['one'], '7'));
  await shipping();
  expect(made.length).toBeGreaterThan(1);
  const repeats = made.slice(1).flatMap(() => ['Capp', 'one']);
  expect(asked).toEqual(['one', 'Capp', ...repeats]);
});
