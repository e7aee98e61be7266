// Problems of users of the Go operator that its tests do not cover: cases,
// and weakness W26.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { cappKey } from '../../../crds/ocm/work-identity.ts';
import { CONFIG_MAP, NAMESPACE, SECRET } from '../../../crds/kubernetes/core.ts';
import { CAPP_KEY, HUB_CAPPS, HUB_CAPPS_ALLOWED } from '../../../crds/labels.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import {
  capp,
  conditionOf,
  createCapp,
  newNamespace,
  readCapp,
  siteOf,
  untilCondition,
  untilGone,
  untilReady,
  type CappOptions,
  manifestIn,
  manifestsOf,
  workOf,
} from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

const HAS_PLACEMENT = 'rcs.dana.io/has-placement';
const ADMISSION = 'admissionregistration.k8s.io/v1';
const POLICY: Resource = {
  apiVersion: ADMISSION,
  kind: 'ValidatingAdmissionPolicy',
  plural: 'validatingadmissionpolicies',
  namespaced: false,
};
const BINDING: Resource = {
  ...POLICY,
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
};

let stack: TestbedStack;
let namespace: string;
/**
 * `<namespace>-b`. The Go operator gives the Capp c in it and the Capp b-c in `namespace` the same work name.
 */
let neighbour: string;
let first: string;
let second: string;

const make = (name: string, rest: Partial<CappOptions> = {}): Promise<Capp> =>
  createCapp(stack.hub, { namespace, name, ...rest });
const ready = (name: string, where = namespace): Promise<Capp> =>
  untilReady(stack.hub, { namespace: where, name });
const secret = (name: string) =>
  stack.hub.create(SECRET, { metadata: { namespace, name }, data: { value: btoa(name) } });
const envFrom = (name: string, secretName: string) => ({
  name,
  valueFrom: { secretKeyRef: { name: secretName, key: 'value' } },
});

async function worksOf(key: { namespace: string; name: string }): Promise<readonly ManifestWork[]> {
  return (
    await stack.hub.list<ManifestWork>(MANIFEST_WORK, {
      labelSelector: `${CAPP_KEY}=${cappKey(key.namespace, key.name)}`,
    })
  ).items;
}

beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'conformance-derived');
  neighbour = `${namespace}-b`;
  [first = '', second = ''] = stack.sites;
  await stack.hub.create(NAMESPACE, { metadata: { name: neighbour } });
  for (const name of ['twice', 'for-init', 'projected', 'for-logs']) await secret(name);
  await stack.hub.create(CONFIG_MAP, { metadata: { namespace, name: 'projected' }, data: { a: 'b' } });
  await refuseOn(second, 'w-26');

  await make('x-6', { container: { env: [envFrom('ONE', 'twice'), envFrom('TWO', 'twice')] } });
  await make('x-7', { container: { envFrom: [{ configMapRef: { name: 'nowhere', optional: true } }] } });
  await make('x-10');
  const annotated = capp({ namespace, name: 'x-11', spec: { site: first } });
  await stack.hub.create(CAPP, {
    ...annotated,
    metadata: { ...annotated.metadata, annotations: { [HAS_PLACEMENT]: second } },
  });
  await make('b-c', { spec: { site: first } });
  await createCapp(stack.hub, { namespace: neighbour, name: 'c', spec: { site: first } });
  await make('x-18', referringEverywhere());
  await make('w-26', { spec: { site: second } });
});
afterAll(async () => {
  for (const kind of [POLICY, BINDING])
    await stack.site(second).remove(kind, { namespace: null, name: namespace });
  await stack.close();
});

/** Adds an admission policy to a site that refuses this Capp. Resolves when it is in force. */
async function refuseOn(site: string, name: string): Promise<void> {
  const kube = stack.site(site);
  const metadata = { name: namespace };
  const rules = [
    {
      apiGroups: ['rcs.dana.io'],
      apiVersions: ['*'],
      resources: ['capps'],
      operations: ['CREATE', 'UPDATE'],
    },
  ];
  const validations = [
    { expression: `object.metadata.namespace != "${namespace}" || object.metadata.name != "${name}"` },
  ];
  await kube.create(POLICY, {
    metadata,
    spec: { matchConstraints: { resourceRules: rules }, validations },
  } as KubeObject);
  await kube.create(BINDING, {
    metadata,
    spec: { policyName: namespace, validationActions: ['Deny'] },
  } as KubeObject);
  // The Namespace is the site's own, and its admin opens it to Capps of the hub.
  await kube.create(NAMESPACE, { metadata: { name: namespace, labels: { [HUB_CAPPS]: HUB_CAPPS_ALLOWED } } });
  const dryRun = `/apis/${CAPP.apiVersion}/namespaces/${namespace}/capps?dryRun=All`;
  await eventually(() =>
    kube.raw('POST', dryRun, { body: capp({ namespace, name }) }).then(() => undefined, String),
  );
}

function referringEverywhere(): Partial<CappOptions> {
  const sources = [{ configMap: { name: 'projected' } }, { secret: { name: 'projected' } }];
  return {
    container: { volumeMounts: [{ name: 'both', mountPath: '/both' }] },
    pod: {
      initContainers: [{ name: 'init', image: 'ghcr.io/me/init:v1', env: [envFrom('VALUE', 'for-init')] }],
      volumes: [{ name: 'both', projected: { sources } }],
    },
    spec: {
      logSpec: {
        type: 'elastic',
        host: 'elastic.example.com',
        index: 'i',
        user: 'u',
        passwordSecret: 'for-logs',
      },
    },
  };
}

test('X-6 a Secret that is used twice is in the work once', async () => {
  const work = await workOf(stack.hub, { namespace, name: 'x-6' }, siteOf(await ready('x-6')));
  expect(manifestsOf(work).filter(({ kind }) => kind === 'Secret')).toHaveLength(1);
});

test('X-7 an optional reference to a missing object does not delay the Capp', async () => {
  expect(conditionOf(await ready('x-7'), 'Applied')?.status).toBe('True');
});

test('X-10 a deleted Capp whose status and history are lost leaves no work', async () => {
  const key = { namespace, name: 'x-10' };
  await ready('x-10');
  expect(await worksOf(key)).toHaveLength(1);
  await stack.temporal.workflow.getHandle(`capp/${namespace}/x-10`).terminate('terminated by the test');
  await stack.hub.patch(
    CAPP,
    key,
    { status: { applicationLinks: null, migration: null } },
    { subresource: 'status' },
  );
  await stack.hub.remove(CAPP, key);
  await untilGone(stack.hub, key);
  expect(await worksOf(key)).toEqual([]);
});

test('X-11 the annotation has-placement does not decide the site, whoever writes it and when', async () => {
  const key = { namespace, name: 'x-11' };
  expect(siteOf(await ready('x-11'))).toBe(first);
  await stack.hub.patch(CAPP, key, {
    metadata: { annotations: { [HAS_PLACEMENT]: second } },
    spec: { scaleMetric: 'cpu' },
  });
  expect(siteOf(await ready('x-11'))).toBe(first);
  expect((await worksOf(key)).map(({ metadata }) => metadata.namespace)).toEqual([first]);
});

test('X-13 two Capps with the same work name in the Go operator have a work each, and the deletion of one does not affect the other', async () => {
  const [one, other] = [
    { namespace, name: 'b-c' },
    { namespace: neighbour, name: 'c' },
  ];
  await Promise.all([ready('b-c'), ready('c', neighbour)]);
  const names = [await worksOf(one), await worksOf(other)].map((works) =>
    works.map(({ metadata }) => metadata.name),
  );
  expect(names).toEqual([[expect.any(String)], [expect.any(String)]]);
  expect(names[0]).not.toEqual(names[1]);
  await stack.hub.remove(CAPP, one);
  await untilGone(stack.hub, one);
  expect(await worksOf(other)).toHaveLength(1);
  expect(conditionOf(await readCapp(stack.site(first), other), 'Ready')?.status).toBe('True');
});

test('X-18 the work contains the objects that init containers, projected volumes and logs refer to', async () => {
  const work = await workOf(stack.hub, { namespace, name: 'x-18' }, siteOf(await ready('x-18')));
  for (const name of ['for-init', 'projected', 'for-logs'])
    expect(manifestIn(work, 'Secret', name)).toMatchObject({ data: { value: btoa(name) } });
  expect(manifestIn(work, 'ConfigMap', 'projected')).toMatchObject({ data: { a: 'b' } });
});

test('W26 the Capp reports that its site refuses it', async () => {
  const found = await untilCondition(
    stack.hub,
    { namespace, name: 'w-26' },
    { type: 'Applied', status: 'False', reason: 'Rejected' },
  );
  expect(conditionOf(found, 'Ready')?.reason).toBe('Rejected');
});
