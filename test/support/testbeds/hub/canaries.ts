// A secret's value wherever a person may put one on a hub, for tests that look for it where it must not be.
import { BUNDLE } from '../../../../crds/bundle/bundle.ts';
import { CAPP } from '../../../../crds/capp/capp.ts';
import { CONFIG_MAP, SECRET } from '../../../../crds/kubernetes/core.ts';
import { MANIFEST_WORK } from '../../../../crds/ocm/ocm.ts';
import { CAPP_SET } from '../../../../crds/set/cappset.ts';
import { RELEASE_NAMESPACE } from '../../../../deploy/local/cappstan/chart.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { Resource } from '../../../../kube/resource.ts';

const CANARY = 'c4n4ry-S3cret';
const encoded = Buffer.from(CANARY).toString('base64');
/** As it may be written. */
export const CANARIES = [CANARY, encoded, Buffer.from(CANARY).toString('hex')] as const;

const EVENT: Resource = { apiVersion: 'v1', kind: 'Event', plural: 'events', namespaced: true };
const DEPLOYMENT: Resource = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
};
const since = { lastTransitionTime: '2026-03-01T12:00:00Z' };

/** A canary wherever a person may put a secret on the hub. */
export async function plantCanaries(kube: Kube): Promise<void> {
  const namespace = 'default';
  const annotations = { 'example.com/token': CANARY };
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'door', namespace, annotations } };
  await kube.create(SECRET, { ...secret, data: { key: encoded } } as never);
  await kube.create(CONFIG_MAP, { metadata: { name: 'door', namespace }, data: { key: CANARY } } as never);
  const container = {
    name: 'app',
    image: 'app:v1',
    args: [`--password=${CANARY}`],
    env: [
      { name: 'TOKEN', value: CANARY },
      { name: 'KEY', valueFrom: { secretKeyRef: { name: 'door', key: 'key' } } },
    ],
    livenessProbe: {
      httpGet: { path: `/?${CANARY}`, httpHeaders: [{ name: 'Authorization', value: CANARY }] },
    },
  };
  const spec = { configurationSpec: { template: { spec: { containers: [container] } } } };
  await kube.create(CAPP, { metadata: { name: 'shop', namespace, annotations }, spec } as never);
  const set = { placement: 'all', template: { metadata: { annotations }, spec } };
  const override = { clusterSelector: {}, patch: { spec: { env: CANARY } } };
  await kube.create(CAPP_SET, {
    metadata: { name: 'shop', namespace },
    spec: { ...set, overrides: [override] },
  } as never);
  const manifests = [{ ...secret, stringData: { [`${CANARY}.key`]: CANARY } }];
  const bundle = {
    placement: 'all',
    manifests,
    ready: [{ kind: 'Secret', name: 'door', when: `'${CANARY}' != ''` }],
  };
  await kube.create(BUNDLE, { metadata: { name: 'doors', namespace }, spec: bundle } as never);
  await kube.create(MANIFEST_WORK, {
    metadata: { name: 'doors', namespace: 'site-1', annotations },
    spec: { workload: { manifests } },
  } as never);
  const message = `Secret "door" is invalid: data[key]: Invalid value: "${CANARY}": must be base64`;
  const conditions = [
    { type: 'Applied', status: 'False', reason: 'AppliedManifestFailed', message, ...since },
  ];
  const statusFeedback = { values: [{ name: 'key', fieldValue: { type: 'String', string: CANARY } }] };
  const resourceStatus = {
    manifests: [{ resourceMeta: { kind: 'Secret', name: 'door' }, conditions, statusFeedback }],
  };
  await kube.patch(
    MANIFEST_WORK,
    { namespace: 'site-1', name: 'doors' },
    { status: { conditions, resourceStatus } },
    { subresource: 'status' },
  );
  await kube.create(EVENT, {
    metadata: { name: 'shop.1', namespace },
    involvedObject: { apiVersion: 'rcs.dana.io/v1alpha1', kind: 'Capp', name: 'shop', namespace },
    reason: 'Said',
    message: CANARY,
    type: 'Normal',
    reportingComponent: 'somebody',
  } as never);
  const deployment = { namespace: RELEASE_NAMESPACE, name: 'cappstan-hub' };
  const variable = { name: 'PASSWORD', value: CANARY };
  const patch = [{ op: 'add', path: '/spec/template/spec/containers/0/env/-', value: variable }];
  await kube.patch(DEPLOYMENT, deployment, patch, { type: 'json' });
}

/** A Capp that keeps our finalizer would keep its definition from going. */
export async function removeCanaries(kube: Kube): Promise<void> {
  const key = { namespace: 'default', name: 'shop' };
  await kube.remove(CAPP, key);
  await kube.patch(CAPP, key, { metadata: { finalizers: null } });
}
