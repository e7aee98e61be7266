// Whether a Capp was left behind while nobody watched: told from metadata alone.
import { isStale } from '../../bridge/stale.ts';
import type { Watched } from '../../bridge/watched.ts';
import { cappOfWork, dependenciesDigest } from '../../crds/capp-key.ts';
import type { Capp } from '../../crds/capp.ts';
import { CAPP_NAME, CAPP_NAMESPACE, DEPENDENCIES } from '../../crds/labels.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { aCapp } from '../support/capps.ts';

const SECRET: KubeObject = { metadata: { name: 'keys', namespace: 'apps', uid: 'secret-1', resourceVersion: '7' } };
const capp = aCapp({ pod: { containers: [{ name: 'app', image: 'app', envFrom: [{ secretRef: { name: 'keys' } }] }] } });

function published(status: 'True' | 'False', observedGeneration = 1): Capp {
  const condition = { type: 'Ready', status, reason: 'Ready', message: '', lastTransitionTime: '2026-03-01T12:00:00Z', observedGeneration };
  return { ...capp, status: { observedGeneration, applicationLinks: { site: 'site-1' }, conditions: [condition] } };
}

function aWork(cluster = 'site-1', secrets: readonly KubeObject[] = [SECRET]): KubeObject {
  const digest = dependenciesDigest(secrets.map(({ metadata }) => ({ kind: 'Secret', metadata })));
  const annotations = { [CAPP_NAMESPACE]: 'apps', [CAPP_NAME]: 'app', [DEPENDENCIES]: digest };
  return { metadata: { name: 'mw-create-apps-app', namespace: cluster, annotations } };
}

/** Only what is asked of caches here. */
function watched(works: readonly KubeObject[], secrets: readonly KubeObject[] = [SECRET]): Watched {
  const get = (objects: readonly KubeObject[]) => (key: { name: string }) => objects.find(({ metadata }) => metadata.name === key.name);
  const caches = {
    works: { by: (_index: string, key: string) => works.filter((work) => cappOfWork(work).includes(key)) },
    secrets: { get: get(secrets) },
    configMaps: { get: get([]) },
  };
  return caches as unknown as Watched;
}

const renewed: KubeObject = { metadata: { ...SECRET.metadata, resourceVersion: '8' } };

test.each<[string, boolean, Capp, Watched]>([
  ['is Ready where it says, with what it needs', false, published('True'), watched([aWork()])],
  ['was never looked at', true, capp, watched([])],
  ['was edited', true, { ...published('True'), metadata: { ...capp.metadata, generation: 2 } }, watched([aWork()])],
  ['is going', true, { ...published('True'), metadata: { ...capp.metadata, deletionTimestamp: 'x' } }, watched([aWork()])],
  ['is not Ready, as was said', false, published('False'), watched([aWork()])],
  ['is Ready and has no work', true, published('True'), watched([])],
  ['is Ready and has two works', true, published('True'), watched([aWork(), aWork('site-2')])],
  ['is Ready on a site that it does not name', true, published('True'), watched([aWork('site-2')])],
  ['has a Secret that was changed', true, published('True'), watched([aWork()], [renewed])],
  ['has a Secret that was deleted', true, published('True'), watched([aWork()], [])],
])('a Capp that %s was left behind: %s', (_name, is, one, caches) => {
  expect(isStale(caches, one)).toBe(is);
});

test.each<[string, string[], KubeObject]>([
  ['names its Capp', ['apps/app'], aWork()],
  ["is somebody else's", [], { metadata: { name: 'theirs', namespace: 'site-1' } }],
])('a work that %s belongs to %j', (_name, owners, work) => {
  expect(cappOfWork(work)).toEqual(owners);
});
