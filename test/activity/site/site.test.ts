// The site operator on a real API server: Services, volumes and status of Capps; the test plays Knative.
import { CAPP } from '../../../crds/capp/capp.ts';
import { POD, type Pod } from '../../../crds/kubernetes/core.ts';
import {
  KNATIVE_REVISION,
  KNATIVE_SERVICE,
  NFS_PVC,
  type KnativeRevision,
  type KnativeService,
  type KnativeServiceStatus,
  type NfsPvc,
} from '../../../crds/kubernetes/knative.ts';
import { serveBare } from '../../support/servers/api/definitions.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { is } from '../../support/builders/site/knative.ts';
import { at, siteTestbed } from '../../support/testbeds/site/site.ts';

/** Creates the ServiceAccount that Pods need, because no controller creates it here. */
const SERVICE_ACCOUNT = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  namespaced: true,
};
const nfs = (name: string) => ({ name, server: 's', path: '/p', capacity: { storage: '1Gi' } });

const testbed = siteTestbed();
beforeAll(() => testbed.kube.create(SERVICE_ACCOUNT, { metadata: at('default') }));

const service = (name: string) =>
  eventually(async () => (await testbed.kube.get<KnativeService>(KNATIVE_SERVICE, at(name))) ?? undefined);

/**
 * Plays Knative: creates a revision for the Service's present generation, and sets the conditions of both.
 */
async function knativeSays(name: string, revision: string, status: KnativeServiceStatus): Promise<void> {
  const { metadata } = await service(name);
  const labels = { 'serving.knative.dev/configuration': name };
  const object: KnativeRevision = { metadata: { ...at(revision), labels } };
  const known = await testbed.kube.get(KNATIVE_REVISION, at(revision));
  if (known === null)
    await testbed.kube.create(KNATIVE_REVISION, {
      ...object,
      apiVersion: KNATIVE_REVISION.apiVersion,
      kind: KNATIVE_REVISION.kind,
    });
  const full = {
    observedGeneration: metadata.generation,
    url: `http://${name}`,
    latestCreatedRevisionName: revision,
    ...status,
  };
  await testbed.kube.patch(KNATIVE_SERVICE, at(name), { status: full }, { subresource: 'status' });
}

const ready = (revision: string): KnativeServiceStatus => ({
  latestReadyRevisionName: revision,
  conditions: [is('ConfigurationsReady', 'True'), is('RoutesReady', 'True'), is('Ready', 'True')],
});
const starting: KnativeServiceStatus = {
  conditions: [is('ConfigurationsReady', 'Unknown'), is('Ready', 'Unknown')],
};

async function podSays(revision: string, name: string, reason: string): Promise<void> {
  const labels = { 'serving.knative.dev/service': name, 'serving.knative.dev/revision': revision };
  const pod: Pod & { spec: object } = {
    metadata: { ...at(`${revision}-pod`), labels },
    spec: { containers: [{ name: 'app', image: 'i' }] },
  };
  await testbed.kube.create(POD, pod);
  const status = {
    containerStatuses: [
      { name: 'app', ready: false, restartCount: 0, image: 'i', imageID: '', state: { waiting: { reason } } },
    ],
  };
  await testbed.kube.patch(POD, at(`${revision}-pod`), { status }, { subresource: 'status' });
}

describe('before the site serves Knative', () => {
  it('a Capp reports NotServed, and is deployed as soon as Knative is served', async () => {
    await testbed.make('early', { volumesSpec: { nfsVolumes: [nfs('early-data')] } });
    await testbed.says('early', 'Ready', 'NotServed');
    await testbed.says('early', 'VolumesReady', 'NotServed');
    await Promise.all(
      [KNATIVE_SERVICE, KNATIVE_REVISION, NFS_PVC].map((kind) => serveBare(testbed.kube, kind)),
    );
    await testbed.says('early', 'Ready', 'Deploying');
    await testbed.says('early', 'VolumesReady', 'NotBound');
  }, 300_000);
});

describe('a Capp', () => {
  it('gets a Knative Service, and is Ready when that is', async () => {
    const capp = await testbed.make('hello');
    const { metadata } = await service('hello');
    expect(metadata.ownerReferences).toEqual([
      { apiVersion: CAPP.apiVersion, kind: CAPP.kind, name: 'hello', uid: capp.metadata.uid },
    ]);
    await knativeSays('hello', 'hello-1', starting);
    await testbed.says('hello', 'Ready', 'Deploying');
    await knativeSays('hello', 'hello-1', ready('hello-1'));
    await testbed.says('hello', 'Ready', 'Ready');
    // Revisions have a watch of their own, which may be behind that of Services.
    await eventually(async () => {
      expect((await testbed.live('hello')).status).toMatchObject({
        observedGeneration: 1,
        applicationLinks: { consoleLink: 'http://hello' },
        knativeObjectStatus: { latestReadyRevisionName: 'hello-1' },
        revisions: [{ name: 'hello-1' }],
        stateStatus: { state: 'enabled' },
      });
      return true;
    });
  });

  it('that is settled causes no write, even when the operator restarts', async () => {
    await testbed.make('calm', { volumesSpec: { nfsVolumes: [nfs('calm-data')] } });
    await knativeSays('calm', 'calm-1', ready('calm-1'));
    await testbed.says('calm', 'Ready', 'Ready');
    await eventually(async () =>
      (await testbed.live('calm')).status?.revisions?.length === 1 ? true : undefined,
    );
    await testbed.operator.idle();
    const versions = () =>
      Promise.all([testbed.live('calm'), service('calm')]).then((both) =>
        both.map(({ metadata }) => metadata.resourceVersion),
      );
    const before = await testbed.atRest(versions);
    await testbed.restart();
    await testbed.operator.idle();
    expect(await versions()).toEqual(before);
  });

  it('that is edited is Ready only when the new generation is', async () => {
    await testbed.make('edited', { routeSpec: { routeTimeoutSeconds: 60 } });
    await knativeSays('edited', 'edited-1', ready('edited-1'));
    await testbed.says('edited', 'Ready', 'Ready');
    await testbed.edit('edited', { routeSpec: { routeTimeoutSeconds: null }, scaleMetric: 'rps' });
    const capp = await testbed.says('edited', 'Ready', 'Deploying');
    expect(capp.status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Serving', status: 'True' }),
    );
    const { spec } = await service('edited');
    expect(spec?.template?.spec).not.toHaveProperty('timeoutSeconds');
    expect(spec?.template?.metadata?.annotations).toMatchObject({ 'autoscaling.knative.dev/metric': 'rps' });
    await knativeSays('edited', 'edited-2', ready('edited-2'));
    await testbed.says('edited', 'Ready', 'Ready');
  });

  it('gets its Service restored when another client edits or deletes it', async () => {
    await testbed.make('guarded');
    await service('guarded');
    const patch = {
      spec: { template: { metadata: { annotations: { 'autoscaling.knative.dev/target': '99' } } } },
    };
    await testbed.kube.patch(KNATIVE_SERVICE, at('guarded'), patch);
    const targetOf = (object: KnativeService) =>
      object.spec?.template?.metadata?.annotations?.['autoscaling.knative.dev/target'];
    await eventually(async () => (targetOf(await service('guarded')) === '10' ? true : undefined));
    const { uid } = (await service('guarded')).metadata;
    await testbed.kube.remove(KNATIVE_SERVICE, at('guarded'));
    await eventually(async () => ((await service('guarded')).metadata.uid === uid ? undefined : true));
  });

  it('that is disabled loses its Service and is Ready, and gets it back when it is enabled', async () => {
    await testbed.make('pausing');
    await service('pausing');
    await testbed.edit('pausing', { state: 'disabled' });
    await testbed.says('pausing', 'Ready', 'Disabled');
    await eventually(async () =>
      (await testbed.kube.get(KNATIVE_SERVICE, at('pausing'))) === null ? true : undefined,
    );
    await testbed.edit('pausing', { state: 'enabled' });
    await service('pausing');
    await testbed.says('pausing', 'Ready', 'Deploying');
  });

  it('whose image cannot be pulled gets ImageNeverReady within moments', async () => {
    await testbed.make('unpullable');
    await knativeSays('unpullable', 'unpullable-1', starting);
    await podSays('unpullable-1', 'unpullable', 'ImagePullBackOff');
    await testbed.says('unpullable', 'Ready', 'ImageNeverReady');
  });

  it('does not take over a Service of another owner, and is deployed when that is gone', async () => {
    const foreign = {
      apiVersion: KNATIVE_SERVICE.apiVersion,
      kind: 'Service',
      metadata: at('taken'),
      spec: { template: { spec: { mine: true } } },
    };
    const made: KnativeService = await testbed.kube.create<KnativeService>(KNATIVE_SERVICE, foreign);
    await testbed.make('taken');
    await testbed.says('taken', 'Ready', 'NameTaken');
    expect((await service('taken')).metadata.resourceVersion).toBe(made.metadata.resourceVersion);
    await testbed.kube.remove(KNATIVE_SERVICE, at('taken'));
    await testbed.says('taken', 'Ready', 'Deploying');
  });

  it('gets the NFS volumes that it names, reports their state, and loses those that it no longer names', async () => {
    await testbed.make('voluminous', { volumesSpec: { nfsVolumes: [nfs('one'), nfs('two')] } });
    await testbed.says('voluminous', 'VolumesReady', 'NotBound');
    const bound = { status: { pvPhase: 'Bound', pvcPhase: 'Bound' } };
    for (const name of ['one', 'two'])
      await testbed.kube.patch(NFS_PVC, at(name), bound, { subresource: 'status' });
    const capp = await testbed.says('voluminous', 'VolumesReady', 'Bound');
    expect(capp.status?.volumesStatus).toEqual({
      nfsVolumesStatus: ['one', 'two'].map((volumeName) => ({ volumeName, nfsPvcStatus: bound.status })),
    });
    await testbed.edit('voluminous', { volumesSpec: { nfsVolumes: [nfs('two')] } });
    await eventually(async () =>
      (await testbed.kube.get<NfsPvc>(NFS_PVC, at('one'))) === null ? true : undefined,
    );
    expect(await testbed.kube.get<NfsPvc>(NFS_PVC, at('two'))).not.toBeNull();
  });
});
