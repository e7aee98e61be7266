import { CAPP, type Capp } from '../../crds/capp.ts';
import { NAMESPACE, POD, type Pod } from '../../crds/core.ts';
import {
  KNATIVE_REVISION,
  KNATIVE_SERVICE,
  NFS_PVC,
  type KnativeRevision,
  type KnativeService,
  type KnativeServiceStatus,
  type NfsPvc,
} from '../../crds/knative.ts';
import { connect, type Kube } from '../../kube/client.ts';
import { siteOperator, type SiteOperator } from '../../site/operator.ts';
import { startApiServer, type ApiServerForTests } from '../support/api-server.ts';
import { serveBare, serveOurs } from '../support/definitions.ts';
import { eventually } from '../support/eventually.ts';
import { is } from '../support/knative.ts';

const NS = 'apps';
const at = (name: string) => ({ namespace: NS, name });
/** Pods need one, and nobody makes it here. */
const SERVICE_ACCOUNT = { apiVersion: 'v1', kind: 'ServiceAccount', plural: 'serviceaccounts', namespaced: true };
const nfs = (name: string) => ({ name, server: 's', path: '/p', capacity: { storage: '1Gi' } });

let server: ApiServerForTests;
let kube: Kube;
let operator: SiteOperator;
const failures: unknown[] = [];

function start(): SiteOperator {
  return siteOperator(kube, { onProblem: () => undefined, onError: (_key, error) => void failures.push(error) });
}

beforeAll(async () => {
  server = await startApiServer();
  kube = connect({ kubeconfig: server.kubeconfig });
  await serveOurs(kube);
  await kube.create(NAMESPACE, { metadata: { name: NS } });
  await kube.create(SERVICE_ACCOUNT, { metadata: at('default') });
  operator = start();
}, 60_000);

afterAll(async () => {
  await operator?.stop();
  await kube?.close();
  await server?.stop();
});

async function make(name: string, spec: object = {}, pod: object = {}): Promise<Capp> {
  const template = { spec: { containers: [{ name: 'app', image: 'i:1' }], ...pod } };
  const capp = { apiVersion: CAPP.apiVersion, kind: CAPP.kind, metadata: at(name), spec: { configurationSpec: { template }, ...spec } };
  await kube.raw('POST', `/apis/${CAPP.apiVersion}/namespaces/${NS}/capps`, { body: capp });
  return live(name);
}

async function live(name: string): Promise<Capp> {
  const capp = await kube.get<Capp>(CAPP, at(name));
  if (capp === null) throw new Error(`there is no Capp ${name}`);
  return capp;
}

const edit = (name: string, spec: object) => kube.patch<Capp>(CAPP, at(name), { spec });
const service = (name: string) => eventually(async () => (await kube.get<KnativeService>(KNATIVE_SERVICE, at(name))) ?? undefined);

/** Waits for a condition of the Capp about its present generation. */
async function says(name: string, type: string, reason: string): Promise<Capp> {
  let last: unknown;
  try {
    return await eventually(async () => {
      const capp = await live(name);
      last = capp.status?.conditions;
      const found = capp.status?.conditions?.find((condition) => condition.type === type);
      return found?.reason === reason && found.observedGeneration === capp.metadata.generation ? capp : undefined;
    });
  } catch (cause) {
    throw new Error(`${name} does not say ${type}/${reason}, but ${JSON.stringify(last)}`, { cause });
  }
}

/** Plays Knative: a revision of the Service's present generation, and what is to be said about it. */
async function knativeSays(name: string, revision: string, status: KnativeServiceStatus): Promise<void> {
  const { metadata } = await service(name);
  const labels = { 'serving.knative.dev/configuration': name };
  const object: KnativeRevision = { metadata: { ...at(revision), labels } };
  const known = await kube.get(KNATIVE_REVISION, at(revision));
  if (known === null)
    await kube.create(KNATIVE_REVISION, { ...object, apiVersion: KNATIVE_REVISION.apiVersion, kind: KNATIVE_REVISION.kind });
  const full = { observedGeneration: metadata.generation, url: `http://${name}`, latestCreatedRevisionName: revision, ...status };
  await kube.patch(KNATIVE_SERVICE, at(name), { status: full }, { subresource: 'status' });
}

const ready = (revision: string): KnativeServiceStatus => ({
  latestReadyRevisionName: revision,
  conditions: [is('ConfigurationsReady', 'True'), is('RoutesReady', 'True'), is('Ready', 'True')],
});
const starting: KnativeServiceStatus = { conditions: [is('ConfigurationsReady', 'Unknown'), is('Ready', 'Unknown')] };

async function podSays(revision: string, name: string, reason: string): Promise<void> {
  const labels = { 'serving.knative.dev/service': name, 'serving.knative.dev/revision': revision };
  const pod: Pod & { spec: object } = {
    metadata: { ...at(`${revision}-pod`), labels },
    spec: { containers: [{ name: 'app', image: 'i' }] },
  };
  await kube.create(POD, pod);
  const status = {
    containerStatuses: [{ name: 'app', ready: false, restartCount: 0, image: 'i', imageID: '', state: { waiting: { reason } } }],
  };
  await kube.patch(POD, at(`${revision}-pod`), { status }, { subresource: 'status' });
}

describe('before the site serves what a Capp needs', () => {
  it('says so, and goes on as soon as it does', async () => {
    await make('early', { volumesSpec: { nfsVolumes: [nfs('early-data')] } });
    await says('early', 'Ready', 'NotServed');
    await says('early', 'VolumesReady', 'NotServed');
    await Promise.all([KNATIVE_SERVICE, KNATIVE_REVISION, NFS_PVC].map((kind) => serveBare(kube, kind)));
    await says('early', 'Ready', 'Deploying');
    await says('early', 'VolumesReady', 'NotBound');
  }, 30_000);
});

describe('a Capp', () => {
  it('becomes a Service, and is Ready when Knative says so', async () => {
    const capp = await make('hello');
    const { metadata } = await service('hello');
    expect(metadata.ownerReferences).toEqual([{ apiVersion: CAPP.apiVersion, kind: CAPP.kind, name: 'hello', uid: capp.metadata.uid }]);
    await knativeSays('hello', 'hello-1', starting);
    await says('hello', 'Ready', 'Deploying');
    await knativeSays('hello', 'hello-1', ready('hello-1'));
    await says('hello', 'Ready', 'Ready');
    // The revisions come by a watch of their own, which may be behind the Service's.
    await eventually(async () => {
      expect((await live('hello')).status).toMatchObject({
        observedGeneration: 1,
        applicationLinks: { consoleLink: 'http://hello' },
        knativeObjectStatus: { latestReadyRevisionName: 'hello-1' },
        revisions: [{ name: 'hello-1' }],
        stateStatus: { state: 'enabled' },
      });
      return true;
    });
  });

  it('that is settled costs no write, also when the operator starts anew', async () => {
    await make('calm', { volumesSpec: { nfsVolumes: [nfs('calm-data')] } });
    await knativeSays('calm', 'calm-1', ready('calm-1'));
    await says('calm', 'Ready', 'Ready');
    await eventually(async () => ((await live('calm')).status?.revisions?.length === 1 ? true : undefined));
    await operator.idle();
    const versions = () =>
      Promise.all([live('calm'), service('calm')]).then((both) => both.map(({ metadata }) => metadata.resourceVersion));
    const before = await versions();
    await operator.stop();
    operator = start();
    await operator.synced;
    await operator.idle();
    expect(await versions()).toEqual(before);
  });

  it('that is edited is Ready only once the new generation is', async () => {
    await make('edited', { routeSpec: { routeTimeoutSeconds: 60 } });
    await knativeSays('edited', 'edited-1', ready('edited-1'));
    await says('edited', 'Ready', 'Ready');
    await edit('edited', { routeSpec: { routeTimeoutSeconds: null }, scaleMetric: 'rps' });
    const capp = await says('edited', 'Ready', 'Deploying');
    expect(capp.status?.conditions).toContainEqual(expect.objectContaining({ type: 'Serving', status: 'True' }));
    const { spec } = await service('edited');
    expect(spec?.template?.spec).not.toHaveProperty('timeoutSeconds');
    expect(spec?.template?.metadata?.annotations).toMatchObject({ 'autoscaling.knative.dev/metric': 'rps' });
    await knativeSays('edited', 'edited-2', ready('edited-2'));
    await says('edited', 'Ready', 'Ready');
  });

  it('gets its Service back as it was when somebody edits or deletes it', async () => {
    await make('guarded');
    await service('guarded');
    const patch = { spec: { template: { metadata: { annotations: { 'autoscaling.knative.dev/target': '99' } } } } };
    await kube.patch(KNATIVE_SERVICE, at('guarded'), patch);
    const targetOf = (object: KnativeService) => object.spec?.template?.metadata?.annotations?.['autoscaling.knative.dev/target'];
    await eventually(async () => (targetOf(await service('guarded')) === '10' ? true : undefined));
    const { uid } = (await service('guarded')).metadata;
    await kube.remove(KNATIVE_SERVICE, at('guarded'));
    await eventually(async () => ((await service('guarded')).metadata.uid === uid ? undefined : true));
  });

  it('that is disabled stops its workload and is Ready, and runs again when it is enabled', async () => {
    await make('pausing');
    await service('pausing');
    await edit('pausing', { state: 'disabled' });
    await says('pausing', 'Ready', 'Disabled');
    await eventually(async () => ((await kube.get(KNATIVE_SERVICE, at('pausing'))) === null ? true : undefined));
    await edit('pausing', { state: 'enabled' });
    await service('pausing');
    await says('pausing', 'Ready', 'Deploying');
  });

  it('whose image cannot be pulled says so within moments', async () => {
    await make('unpullable');
    await knativeSays('unpullable', 'unpullable-1', starting);
    await podSays('unpullable-1', 'unpullable', 'ImagePullBackOff');
    await says('unpullable', 'Ready', 'ImageNeverReady');
  });

  it('takes no object that is not its own, and goes on when it is gone', async () => {
    const foreign = {
      apiVersion: KNATIVE_SERVICE.apiVersion,
      kind: 'Service',
      metadata: at('taken'),
      spec: { template: { spec: { mine: true } } },
    };
    const made: KnativeService = await kube.create<KnativeService>(KNATIVE_SERVICE, foreign);
    await make('taken');
    await says('taken', 'Ready', 'NameTaken');
    expect((await service('taken')).metadata.resourceVersion).toBe(made.metadata.resourceVersion);
    await kube.remove(KNATIVE_SERVICE, at('taken'));
    await says('taken', 'Ready', 'Deploying');
  });

  it('asks for its volumes, tells how they are, and lets go of those it no longer names', async () => {
    await make('voluminous', { volumesSpec: { nfsVolumes: [nfs('one'), nfs('two')] } });
    await says('voluminous', 'VolumesReady', 'NotBound');
    const bound = { status: { pvPhase: 'Bound', pvcPhase: 'Bound' } };
    for (const name of ['one', 'two']) await kube.patch(NFS_PVC, at(name), bound, { subresource: 'status' });
    const capp = await says('voluminous', 'VolumesReady', 'Bound');
    expect(capp.status?.volumesStatus).toEqual({
      nfsVolumesStatus: ['one', 'two'].map((volumeName) => ({ volumeName, nfsPvcStatus: bound.status })),
    });
    await edit('voluminous', { volumesSpec: { nfsVolumes: [nfs('two')] } });
    await eventually(async () => ((await kube.get<NfsPvc>(NFS_PVC, at('one'))) === null ? true : undefined));
    expect(await kube.get<NfsPvc>(NFS_PVC, at('two'))).not.toBeNull();
  });
});
