// What an API server makes of the policy for works of Bundles while the RCSConfig that it asks is not there,
// or its kind is not served: nobody's works are refused; and why it is not stricter (decision 74).
import { CUSTOM_RESOURCE_DEFINITION, NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { MANIFEST_WORK } from '../../../crds/ocm/ocm.ts';
import { RELEASE_NAMESPACE } from '../../../deploy/local/cappstan/chart.ts';
import { pathOf, type KubeObject } from '../../../kube/resource.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { forHub, installAll, startCluster, type Cluster } from '../../support/servers/chart/chart.ts';
import type { RawClient, Reply } from '../../support/servers/api/identities.ts';

const SITE = 'site-1';
const NAME = 'cappstan-bundle-works';
const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const BINDINGS = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings';

let hub: Cluster;
let worker: RawClient;
let somebody: RawClient;
beforeAll(async () => {
  hub = await startCluster('hub');
  await installAll(hub.kube, await forHub({ 'addon.install': 'false' }));
  for (const name of [SITE, RCS_CONFIG_KEY.namespace])
    await hub.kube.create(NAMESPACE, { metadata: { name } }).catch(() => undefined);
  worker = await hub.as(`system:serviceaccount:${RELEASE_NAMESPACE}:cappstan-hub`);
  somebody = await hub.as('somebody', ['system:masters']);
}, 300_000);
afterAll(() => hub?.stop());

/** Tries to create a work of a Bundle that has no executor. */
function tries(as: RawClient): Promise<Reply> {
  const { apiVersion, kind } = MANIFEST_WORK;
  const path = `${pathOf(MANIFEST_WORK, { namespace: SITE, name: null })}?dryRun=All`;
  const metadata = { namespace: SITE, name: 'bundle-apps.base' };
  return as('POST', path, { apiVersion, kind, metadata, spec: { workload: { manifests: [] } } });
}

/** A policy counts a moment after it was written. */
async function becomes(said: string): Promise<void> {
  await eventually(async () => {
    const codes = [await tries(worker), await tries(somebody)].map(({ code }) =>
      code === 201 ? 'may' : 'may not',
    );
    const found = `the hub worker ${codes[0]}, somebody ${codes[1]}`;
    if (found !== said) throw new Error(`It is: ${found}.`);
    return true;
  });
}

/** How the policy would be if it were stricter. */
async function make(failurePolicy: string, parameterNotFoundAction: string): Promise<void> {
  const paramRef = { parameterNotFoundAction };
  expect((await somebody('PATCH', `${POLICIES}/${NAME}`, { spec: { failurePolicy } })).code).toBe(200);
  expect((await somebody('PATCH', `${BINDINGS}/${NAME}`, { spec: { paramRef } })).code).toBe(200);
}

const EVERYBODY_MAY = 'the hub worker may, somebody may';
const NOBODY_MAY = 'the hub worker may not, somebody may not';
const AS_MEANT = 'the hub worker may not, somebody may';

async function configured(): Promise<void> {
  const { apiVersion, kind } = RCS_CONFIG;
  const spec = { placements: ['all'], placementsNamespace: 'placements' };
  const config = { apiVersion, kind, metadata: RCS_CONFIG_KEY, spec } as unknown as KubeObject;
  await hub.kube.apply(RCS_CONFIG, config, { fieldManager: 'test', force: true });
  await becomes(AS_MEANT);
}

test('without an RCSConfig nobody is refused; a policy that refused then would refuse everybody', async () => {
  await configured();
  await hub.kube.remove(RCS_CONFIG, RCS_CONFIG_KEY);
  await becomes(EVERYBODY_MAY);
  await make('Fail', 'Deny');
  await becomes(NOBODY_MAY);
  await make('Ignore', 'Deny');
  await becomes(EVERYBODY_MAY);
  await make('Ignore', 'Allow');
  await configured();
});

interface Part extends KubeObject {
  readonly spec: object;
}

/** Creates a copy of the policy, or of its binding, with another name and some other fields. */
async function copy(path: string, changes: object): Promise<void> {
  const { apiVersion, kind, spec } = (await hub.kube.raw('GET', `${path}/${NAME}`)) as Part;
  const made = { apiVersion, kind, metadata: { name: 'never' }, spec: { ...spec, ...changes } };
  expect((await somebody('POST', path, made)).code).toBe(201);
}

test('where a kind was never served, a policy that may fail refuses everybody, and one that ignores failures nobody', async () => {
  await configured();
  const paramKind = { apiVersion: 'never.example/v1', kind: 'Never' };
  await copy(POLICIES, { paramKind, failurePolicy: 'Fail' });
  await copy(BINDINGS, { policyName: 'never' });
  await becomes(NOBODY_MAY);
  expect((await tries(somebody)).message).toContain('failed to find resource referenced by paramKind');
  await somebody('PATCH', `${POLICIES}/never`, { spec: { failurePolicy: 'Ignore' } });
  await becomes(AS_MEANT);
  for (const path of [BINDINGS, POLICIES]) await somebody('DELETE', `${path}/never`);
});

test('while the kind is not served any more, nobody is refused', async () => {
  await configured();
  const name = 'rcsconfigs.rcs.dana.io';
  await hub.kube.remove(CUSTOM_RESOURCE_DEFINITION, { namespace: null, name });
  await becomes(EVERYBODY_MAY);
});
