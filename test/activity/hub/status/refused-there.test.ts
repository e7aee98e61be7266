// What the API server of a site refuses of what travels with a Capp that runs, in its own words and by OCM's
// own work agent: the hub says who refuses, or which field, and the Capp is not Ready over what is there.
import { CAPP } from '../../../../crds/capp/capp.ts';
import { CONFIG_MAP, SECRET, type ConfigMap, type Secret } from '../../../../crds/kubernetes/core.ts';
import { APPLIED_MANIFEST_WORK } from '../../../../crds/ocm/ocm.ts';
import { connect, type Kube } from '../../../../kube/client.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import type { CappRef, State } from '../../../../workflows/capp/state.ts';
import { conditionOf } from '../../../../testbed/capps.ts';
import { API_TIMEOUT_MS, eventually } from '../../../../testbed/eventually.ts';
import { aFinding } from '../../../support/builders/states.ts';
import { startApiServer, type ApiServerForTests } from '../../../support/servers/api/api-server.ts';
import { serveBare, serveOurs } from '../../../support/servers/api/definitions.ts';
import { refusesBy } from '../../../support/servers/api/refusing-policy.ts';
import { startWorkAgentOf } from '../../../support/servers/site/work-agent.ts';
import { APPS, startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';

const QUOTA = { apiVersion: 'v1', kind: 'ResourceQuota', plural: 'resourcequotas', namespaced: true };
const CANARY = 'c4n4ry';
const WAIT = { withinMs: 90_000, everyMs: 200 };
const at = (name: string) => ({ namespace: APPS, name });

let stage: HubForTests;
let server: ApiServerForTests;
let site: Kube;
let stopAgent: () => Promise<void>;
beforeAll(async () => {
  [stage, server] = await Promise.all([startHub(), startApiServer()]);
  site = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await serveOurs(site);
  await serveBare(site, APPLIED_MANIFEST_WORK);
  const places = { hub: stage.kubeconfig, site: server.kubeconfig, host: server.kubeconfig };
  stopAgent = await startWorkAgentOf(places, 'site-1');
}, 300_000);
afterAll(async () => {
  await stopAgent?.();
  await site?.close();
  await server?.stop();
  await stage?.stop();
});

const writeMap = (name: string, color: string) =>
  stage.kube.apply<ConfigMap>(
    CONFIG_MAP,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: at(name), data: { color } },
    { fieldManager: 'test', force: true },
  );
const writeSecret = (name: string, more: object = {}) =>
  stage.kube.create<Secret & KubeObject>(SECRET, {
    metadata: at(name),
    data: { key: Buffer.from(CANARY).toString('base64') },
    ...more,
  });

interface Shipped {
  readonly ref: CappRef;
  readonly state: State;
}

/** Its site has all of it. */
async function running(name: string, container: object): Promise<Shipped> {
  const ref = await stage.make({ name, container: { ...container } });
  const { state } = await stage.ship(ref);
  await applied(ref, 'True');
  return { ref, state };
}

async function applied(ref: CappRef, status: 'True' | 'False'): Promise<void> {
  await eventually(async () => {
    const work = await stage.work(ref);
    const found = work?.status?.conditions?.find(({ type }) => type === 'Applied');
    const isNow = found?.observedGeneration === work?.metadata.generation;
    return isNow && found?.status === status ? true : undefined;
  }, WAIT);
}

/** Ships what was edited, and publishes that the site operator calls the Capp Ready, as it does. */
async function said({ ref, state }: Shipped) {
  const shipped = await stage.ship(ref, state);
  await applied(ref, 'False');
  const copy = shipped.state.copies['site-1'];
  if (copy === undefined) throw new Error('nothing was shipped');
  const copies = { 'site-1': { ...copy, finding: aFinding(), heard: true } };
  const now = { ...shipped.state, copies, statusDecidedAt: Date.now() };
  await stage.hub.publish(ref, now, { record: null, mirror: null, at: Date.now() });
  const capp = await stage.read(ref);
  expect(JSON.stringify(capp.status)).not.toContain(CANARY);
  return { ready: conditionOf(capp, 'Ready'), applied: conditionOf(capp, 'Applied') };
}

test('a policy that refuses to change a ConfigMap is named', async () => {
  await writeMap('painted', 'red');
  const capp = await running('painter', { envFrom: [{ configMapRef: { name: 'painted' } }] });
  const when = "object.metadata.name == 'painted'";
  await refusesBy(site, 'stays.example.com', 'configmaps', {
    operation: 'UPDATE',
    when,
    reason: 'Forbidden',
  });
  // A policy counts a moment after it is written.
  await eventually(async () => {
    const change = site.patch(CONFIG_MAP, at('painted'), { metadata: { annotations: { tried: 'yes' } } });
    return change.then(
      () => undefined,
      () => true as const,
    );
  }, WAIT);
  await writeMap('painted', 'green');
  const { ready, applied: found } = await said(capp);
  expect(ready).toMatchObject({ status: 'False', reason: 'Rejected' });
  expect(found?.message).toContain(
    'site-1 refuses ConfigMap painted, and keeps what it had, by ValidatingAdmissionPolicy stays.example.com. Ask whoever runs site-1',
  );
}, 300_000);

test('a ConfigMap that is immutable there is named, with how the new content gets there', async () => {
  await writeMap('sealed', 'red');
  await stage.kube.patch(CONFIG_MAP, at('sealed'), { immutable: true });
  const capp = await running('sealer', { envFrom: [{ configMapRef: { name: 'sealed' } }] });
  await stage.kube.remove(CONFIG_MAP, at('sealed'));
  await writeMap('sealed', 'green');
  const { ready, applied: found } = await said(capp);
  expect(ready).toMatchObject({ status: 'False', reason: 'Rejected' });
  expect(found?.message).toBe(
    'site-1 refuses ConfigMap sealed, and keeps what it had: it is immutable there. Give the new content a new name, and name that in the Capp; or delete it on site-1.',
  );
}, 300_000);

test('a Secret that was made again with another type arrives: the work agent makes it again, too', async () => {
  await writeSecret('typed');
  const { ref, state } = await running('typist', { envFrom: [{ secretRef: { name: 'typed' } }] });
  await stage.kube.remove(SECRET, at('typed'));
  await writeSecret('typed', { type: 'example.com/other' });
  await stage.ship(ref, state);
  await eventually(async () => {
    const found = await site.get<Secret>(SECRET, at('typed'));
    return found?.type === 'example.com/other' ? true : undefined;
  }, WAIT);
}, 300_000);

test('a quota that has no room for a further Secret is named', async () => {
  const capp = await running('hoarder', {});
  const hard = { secrets: '0' };
  await site.create(QUOTA, { metadata: at('few'), spec: { hard } } as KubeObject);
  await site.patch(QUOTA, at('few'), { status: { hard, used: hard } }, { subresource: 'status' });
  await eventually(async () => {
    const tried = site.raw('POST', `/api/v1/namespaces/${APPS}/secrets?dryRun=All`, {
      body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'tried' } },
    });
    return tried.then(
      () => undefined,
      () => true as const,
    );
  }, WAIT);
  await writeSecret('extra');
  const env = [{ name: 'A', valueFrom: { secretKeyRef: { name: 'extra', key: 'key' } } }];
  const container = { name: 'app', image: 'ghcr.io/me/app:v1', env };
  const configurationSpec = { template: { spec: { containers: [container] } } };
  await stage.kube.patch(CAPP, at('hoarder'), { spec: { configurationSpec } });
  const { ready, applied: found } = await said(capp);
  expect(ready).toMatchObject({ status: 'False', reason: 'Rejected' });
  expect(found?.message).toContain('ResourceQuota few of its namespace there is used up.');
}, 300_000);
