// Which Capps were left behind while no bridge watched, and to which Capp a work belongs: both follow from
// metadata, and never from what a site may write.
import { cappsOfWork, worksOfCapp } from '../../../../bridge/resync/own-works.ts';
import { isStale } from '../../../../bridge/resync/stale.ts';
import type { BridgeWatched } from '../../../../bridge/changes/watched.ts';
import { claimText, keyIdOf, SEALING_CLAIM } from '../../../../crds/sealing/site-key.ts';
import { dependenciesDigest, hashedWorkName } from '../../../../crds/ocm/work-identity.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import type { Subject } from '../../../../crds/kubernetes/core.ts';
import { CAPP_KEY, DEPENDENCIES, PAUSED } from '../../../../crds/labels.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { byNames, labelsFor, ownWork } from '../../../support/builders/works.ts';

const SECRET: KubeObject = {
  metadata: { name: 'keys', namespace: 'apps', uid: 'secret-1', resourceVersion: '7' },
};
const capp = aCapp({
  pod: { containers: [{ name: 'app', image: 'app', envFrom: [{ secretRef: { name: 'keys' } }] }] },
});

function published(status: 'True' | 'False', observedGeneration = 1): Capp {
  const condition = {
    type: 'Ready',
    status,
    reason: 'Ready',
    message: '',
    lastTransitionTime: '2026-03-01T12:00:00Z',
    observedGeneration,
  };
  return {
    ...capp,
    status: { observedGeneration, applicationLinks: { site: 'site-1' }, conditions: [condition] },
  };
}

function paused(one: Capp, value = 'yes'): Capp {
  return { ...one, metadata: { ...one.metadata, annotations: { [PAUSED]: value } } };
}

function saysPaused(one: Capp): Capp {
  const conditions = (one.status?.conditions ?? []).flatMap((ready) => [
    ready,
    { ...ready, type: 'Migrating', status: 'False' as const, reason: 'Paused' },
  ]);
  return { ...one, status: { ...one.status, conditions } };
}

function aWork(
  cluster = 'site-1',
  secrets: readonly KubeObject[] = [SECRET],
  readers: readonly Subject[] = [],
  sealedTo: string | null = null,
): KubeObject {
  const versions = secrets.map(({ metadata }) => ({ kind: 'Secret' as const, metadata }));
  const digest = dependenciesDigest(versions, readers, sealedTo);
  const annotations = { ...labelsFor('apps', 'app').annotations, [DEPENDENCIES]: digest };
  return ownWork({}, { namespace: cluster, annotations });
}

const ALICE: Subject = { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'alice' };
const LENT: KubeObject = {
  metadata: { name: 'lent', namespace: 'apps', uid: 'secret-2', resourceVersion: '9' },
};

interface Around {
  readonly readers?: readonly Subject[];
  readonly lent?: string;
  /** What the RCSConfig says of sealing; null: there is none. */
  readonly sealing?: 'Off' | 'Required' | null;
  /** What the site claims. */
  readonly claim?: string;
}

/** The part of the caches that these decisions read. */
function watched(
  works: readonly KubeObject[],
  secrets: readonly KubeObject[] = [SECRET],
  { readers = [], lent = '', sealing = 'Off', claim = '' }: Around = {},
): BridgeWatched {
  const binding = {
    metadata: { name: 'admins', namespace: 'apps' },
    roleRef: { name: 'admin' },
    subjects: readers,
  };
  const account = { metadata: { name: 'default', namespace: 'apps' }, imagePullSecrets: [{ name: lent }] };
  const get = (objects: readonly KubeObject[]) => (key: { name: string }) =>
    objects.find(({ metadata }) => metadata.name === key.name);
  const caches = {
    capps: byNames([capp]),
    works: byNames(works),
    secrets: { get: get(secrets) },
    configMaps: { get: get([]) },
    configs: byNames(sealing === null ? [] : [{ metadata: { name: 'c' }, spec: { secrets: { sealing } } }]),
    clusters: {
      get: () => ({ status: { clusterClaims: [{ name: SEALING_CLAIM, value: claim }] } }),
    },
    serviceAccounts: { get: get([account]) },
    roleBindings: { by: (_index: string, namespace: string) => (namespace === 'apps' ? [binding] : []) },
  };
  return caches as unknown as BridgeWatched;
}

function unlabelled({ metadata }: KubeObject): KubeObject {
  const { [CAPP_KEY]: _key, ...labels } = metadata.labels ?? {};
  return { metadata: { ...metadata, labels } };
}

function renamed({ metadata }: KubeObject): KubeObject {
  return { metadata: { ...metadata, ...labelsFor('apps', 'victim') } };
}

const KEY = Buffer.alloc(32, 7);
const CLAIM = claimText(KEY);
const sealed = aWork('site-1', [SECRET], [], keyIdOf(KEY));

test.each<[string, boolean, KubeObject, Around]>([
  ['as it is, where the RCSConfig asks for sealing', true, aWork(), { sealing: 'Required', claim: CLAIM }],
  ['as it is, for a site that claims no key', true, aWork(), { sealing: 'Required' }],
  ['sealed to the key of the site', false, sealed, { sealing: 'Required', claim: CLAIM }],
  ['sealed to a former key', true, sealed, { sealing: 'Required', claim: claimText(Buffer.alloc(32, 8)) }],
  ['sealed, where nothing asks for it any more', true, sealed, { sealing: 'Off', claim: CLAIM }],
  ['sealed, while there is no RCSConfig', false, sealed, { sealing: null, claim: CLAIM }],
  ['as it is, while there is no RCSConfig', false, aWork(), { sealing: null, claim: CLAIM }],
])('a Capp whose Secrets went %s is stale: %s', (_form, stale, work, around) => {
  expect(isStale(watched([work], [SECRET], around), published('True'))).toBe(stale);
});

const renewed: KubeObject = { metadata: { ...SECRET.metadata, resourceVersion: '8' } };

test.each<[string, boolean, Capp, BridgeWatched]>([
  [
    'is Ready on the site in its status, with all its dependencies',
    false,
    published('True'),
    watched([aWork()]),
  ],
  ['was never looked at', true, capp, watched([])],
  [
    'was edited',
    true,
    { ...published('True'), metadata: { ...capp.metadata, generation: 2 } },
    watched([aWork()]),
  ],
  [
    'is being deleted',
    true,
    { ...published('True'), metadata: { ...capp.metadata, deletionTimestamp: 'x' } },
    watched([aWork()]),
  ],
  ['was paused, and its status does not say so', true, paused(published('True')), watched([aWork()])],
  ['was paused, and its status says so', false, paused(saysPaused(published('True'))), watched([aWork()])],
  [
    'was resumed, and its status says that it is paused',
    true,
    saysPaused(published('True')),
    watched([aWork()]),
  ],
  [
    'was paused by the word false, which pauses nothing',
    false,
    paused(published('True'), 'false'),
    watched([aWork()]),
  ],
  [
    'was paused and is not Ready, so something else must be done first',
    false,
    paused(published('False')),
    watched([aWork()]),
  ],
  ['is not Ready, for its newest generation', false, published('False'), watched([aWork()])],
  ['is Ready and has no work', true, published('True'), watched([])],
  ['is Ready and has two works', true, published('True'), watched([aWork(), aWork('site-2')])],
  [
    'is Ready and has its work on a site that its status does not name',
    true,
    published('True'),
    watched([aWork('site-2')]),
  ],
  ['is Ready and its work has lost our label', true, published('True'), watched([unlabelled(aWork())])],
  [
    'is Ready and the annotations of its work name another Capp',
    true,
    published('True'),
    watched([renamed(aWork())]),
  ],
  ['has a Secret that was changed', true, published('True'), watched([aWork()], [renewed])],
  ['has a Secret that was deleted', true, published('True'), watched([aWork()], [])],
  [
    'has the log readers that its work carries',
    false,
    published('True'),
    watched([aWork('site-1', [SECRET], [ALICE])], [SECRET], { readers: [ALICE] }),
  ],
  ['has a new log reader', true, published('True'), watched([aWork()], [SECRET], { readers: [ALICE] })],
  ['has lost a log reader', true, published('True'), watched([aWork('site-1', [SECRET], [ALICE])])],
  [
    'has a new pull secret from its ServiceAccount',
    true,
    published('True'),
    watched([aWork()], [SECRET, LENT], { lent: 'lent' }),
  ],
  [
    'has a pull secret that its work carries',
    false,
    published('True'),
    watched([aWork('site-1', [SECRET, LENT])], [SECRET, LENT], { lent: 'lent' }),
  ],
])('a Capp that %s counts as left behind: %s', (_name, is, one, caches) => {
  expect(isStale(caches, one)).toBe(is);
});

describe('of two Capps whose namespaces and names make the same work name', () => {
  const [one, other] = [
    aCapp({ namespace: 'a', name: 'b-c' }),
    aCapp({ namespace: 'a-b', name: 'c', uid: 'uid-2' }),
  ];
  const usual = ownWork({ namespace: 'a', name: 'b-c' });
  const hashed = ownWork({ namespace: 'a-b', name: 'c' }, { name: hashedWorkName('a-b', 'c') });
  const known = { capps: byNames([one, other]), works: byNames([usual, hashed]) } as unknown as BridgeWatched;

  test('each has its own work', () => {
    expect([one, other].map((capp) => worksOfCapp(known, capp))).toEqual([[usual], [hashed]]);
  });

  test('a change of the work that could belong to either rings both, and a change of a work with a hashed name rings its own Capp', () => {
    expect(cappsOfWork(known, usual)).toEqual(['a/b-c', 'a-b/c']);
    expect(cappsOfWork(known, hashed)).toEqual(['a-b/c']);
  });
});

test.each<[string, string[], KubeObject]>([
  ['labelled as ours, of a Capp that exists', ['apps/app'], aWork()],
  ['named for a Capp and annotated for another', ['apps/app'], renamed(aWork())],
  [
    'named for a Capp, without annotations',
    ['apps/app'],
    { metadata: { name: 'mw-create-apps-app', namespace: 'site-1' } },
  ],
  ['labelled as ours, of a Capp that is gone', ['apps/gone'], ownWork({ name: 'gone' })],
  [
    'named for no Capp and annotated for one',
    [],
    { metadata: { ...aWork().metadata, name: 'addon-cappstan-deploy-0' } },
  ],
  ["another owner's", [], { metadata: { name: 'theirs', namespace: 'site-1' } }],
])('a change of a work that is %s rings %j', (_name, owners, work) => {
  expect(cappsOfWork(watched([]), work)).toEqual(owners);
});
