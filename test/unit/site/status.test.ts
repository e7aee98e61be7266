// The status of a Capp on its site, derived from its Knative Service, revisions, pods and volumes.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { Pod } from '../../../crds/kubernetes/core.ts';
import { isHealthy } from '../../../crds/capp/status.ts';
import type { KnativeRevision, KnativeService, NfsPvc } from '../../../crds/kubernetes/knative.ts';
import type { Fault } from '../../../site/objects/fault.ts';
import { siteStatus } from '../../../site/status.ts';
import { aCapp } from '../../support/builders/capps.ts';
import { SEEN_NOTHING } from '../../support/builders/site.ts';
import { aPod, aRevision, aService, is, revisionAt, type Truth } from '../../support/builders/knative.ts';

const NOW = '2026-11-21T08:00:00Z';
const BEFORE = '2026-11-21T07:00:00Z';

interface World {
  readonly capp?: Capp;
  readonly service?: KnativeService | null;
  readonly revisions?: readonly KnativeRevision[];
  readonly pods?: readonly Pod[];
  readonly fault?: Fault | null;
  readonly nfsPvcs?: readonly NfsPvc[];
  readonly volumesFault?: Fault | null;
}

function statusOf(world: World) {
  const {
    capp = aCapp(),
    service = null,
    revisions = [],
    pods = [],
    fault = null,
    nfsPvcs = [],
    volumesFault = null,
  } = world;
  const volumes = { nfsPvcs, fault: volumesFault };
  return siteStatus(capp, { ...SEEN_NOTHING, service, revisions, pods, fault, volumes }, NOW);
}

const conditionOf = (world: World, type: string) =>
  statusOf(world).conditions?.find((one) => one.type === type);
const serves = [is('ConfigurationsReady', 'True'), is('RoutesReady', 'True'), is('Ready', 'True')];
const deploying = [
  is('ConfigurationsReady', 'Unknown'),
  is('RoutesReady', 'Unknown'),
  is('Ready', 'Unknown'),
];
const failed = [
  is('ConfigurationsReady', 'False', 'RevisionFailed'),
  is('RoutesReady', 'True'),
  is('Ready', 'False'),
];
const running = aService({ created: 'r1', ready: 'r1', conditions: serves });
const starting = aService({ created: 'r1', conditions: deploying });
const unsure = aRevision('r1', is('Ready', 'Unknown'));

describe('Ready', () => {
  it.each<[string, World, Truth, string]>([
    ['is Unknown before Knative has a Service', {}, 'Unknown', 'Deploying'],
    [
      'is Unknown while Knative has not observed the newest generation',
      { service: aService({ observed: 0, created: 'r1', ready: 'r1', conditions: serves }) },
      'Unknown',
      'Deploying',
    ],
    ['is True once the newest revision serves', { service: running }, 'True', 'Ready'],
    [
      'is Unknown while only an older revision is ready',
      {
        service: aService({ created: 'r2', ready: 'r1', conditions: serves }),
        revisions: [aRevision('r2', is('Ready', 'Unknown'))],
      },
      'Unknown',
      'Deploying',
    ],
    [
      'is Unknown while a revision starts',
      { service: starting, revisions: [unsure], pods: [aPod('r1', 'ContainerCreating')] },
      'Unknown',
      'Deploying',
    ],
    [
      'is False when an image cannot be pulled',
      { service: starting, revisions: [unsure], pods: [aPod('r1', 'ImagePullBackOff')] },
      'False',
      'ImageNeverReady',
    ],
    [
      'is False when the name of an image is invalid',
      { service: starting, revisions: [unsure], pods: [aPod('r1', 'InvalidImageName')] },
      'False',
      'ImageNeverReady',
    ],
    [
      'is False when Knative cannot resolve an image',
      {
        service: starting,
        revisions: [aRevision('r1', is('ContainerHealthy', 'False', 'ContainerMissing'))],
      },
      'False',
      'ImageNeverReady',
    ],
    [
      'is False when a container crashes',
      { service: starting, revisions: [unsure], pods: [aPod('r1', 'CrashLoopBackOff')] },
      'False',
      'RolloutFailed',
    ],
    [
      'is False when Knative reports that the container exits',
      { service: starting, revisions: [aRevision('r1', is('ContainerHealthy', 'False', 'ExitCode1'))] },
      'False',
      'RolloutFailed',
    ],
    [
      'is Unknown while no node has room for the pod',
      { service: starting, revisions: [aRevision('r1', is('ResourcesAvailable', 'False', 'Unschedulable'))] },
      'Unknown',
      'Deploying',
    ],
    [
      "is False when Knative's progress deadline has passed",
      {
        service: starting,
        revisions: [aRevision('r1', is('ResourcesAvailable', 'False', 'ProgressDeadlineExceeded'))],
      },
      'False',
      'RolloutFailed',
    ],
    [
      'is Unknown for a new generation when the pods of the last one fail',
      {
        service: aService({
          created: 'r1',
          conditions: [is('ConfigurationsReady', 'Unknown', 'OutOfDate'), is('Ready', 'Unknown')],
        }),
        revisions: [unsure],
        pods: [aPod('r1', 'ImagePullBackOff')],
      },
      'Unknown',
      'Deploying',
    ],
    [
      'is Unknown when only the pods of another revision fail',
      { service: starting, revisions: [unsure], pods: [aPod('r0', 'ImagePullBackOff')] },
      'Unknown',
      'Deploying',
    ],
    [
      'ignores pods that are being deleted',
      {
        service: starting,
        revisions: [unsure],
        pods: [aPod('r1', 'CrashLoopBackOff', { deletionTimestamp: NOW })],
      },
      'Unknown',
      'Deploying',
    ],
    [
      'is False when Knative cannot create a revision',
      { service: aService({ conditions: failed }) },
      'False',
      'RolloutFailed',
    ],
    [
      'is False when the route is not ready',
      {
        service: aService({
          created: 'r1',
          ready: 'r1',
          conditions: [is('ConfigurationsReady', 'True'), is('RoutesReady', 'False'), is('Ready', 'False')],
        }),
        revisions: [aRevision('r1', is('Ready', 'True'))],
      },
      'False',
      'RolloutFailed',
    ],
    [
      'is False with the fault that kept the Service from being written',
      { fault: { reason: 'NameTaken', message: 'm' } },
      'False',
      'NameTaken',
    ],
    [
      'is True for a disabled Capp without a Service',
      { capp: aCapp({ spec: { state: 'disabled' } }) },
      'True',
      'Disabled',
    ],
    [
      'is Unknown for a disabled Capp that still has a Service',
      { capp: aCapp({ spec: { state: 'disabled' } }), service: running },
      'Unknown',
      'Deploying',
    ],
  ])('%s', (_title, world, status, reason) => {
    expect(conditionOf(world, 'Ready')).toMatchObject({ status, reason, observedGeneration: 1 });
  });

  it('never quotes what a container wrote', () => {
    const exits = {
      ...is('ContainerHealthy', 'False', 'ExitCode1'),
      message: 'Container failed with: canary of the container',
    };
    for (const world of [
      { service: starting, revisions: [unsure], pods: [aPod('r1', 'CrashLoopBackOff')] },
      { service: starting, revisions: [aRevision('r1', exits)] },
    ]) {
      expect(JSON.stringify(statusOf(world).conditions)).not.toContain('canary');
    }
  });
});

describe('Serving', () => {
  const served = withStatus(aCapp(), [{ type: 'Serving', status: 'True' }]);
  it.each<[string, World, boolean]>([
    ['is False before there is a Service', {}, false],
    ['is True when the newest revision serves', { service: running }, true],
    [
      'is True when an older revision serves and a newer one fails',
      { service: aService({ created: 'r2', ready: 'r1', conditions: failed }) },
      true,
    ],
    [
      'is False for a first revision without a route',
      { service: aService({ created: 'r1', ready: 'r1', conditions: deploying }) },
      false,
    ],
    [
      'stays True while the route changes',
      { capp: served, service: aService({ created: 'r2', ready: 'r1', conditions: deploying }) },
      true,
    ],
    [
      'becomes False when the route fails',
      {
        capp: served,
        service: aService({ created: 'r1', ready: 'r1', conditions: [is('RoutesReady', 'False')] }),
      },
      false,
    ],
    [
      'becomes False when the serving revision fails',
      { capp: served, service: running, revisions: [aRevision('r1', is('Ready', 'False'))] },
      false,
    ],
    ['becomes False when the Service is gone', { capp: served }, false],
  ])('%s', (_title, world, want) => {
    expect(isHealthy(statusOf(world))).toBe(want);
  });
});

describe('the status of a Capp on its site', () => {
  it('shows the status of the Knative Service, its address and its revisions, oldest first', () => {
    const status = statusOf({
      service: running,
      revisions: [revisionAt('r2', NOW), revisionAt('r1', BEFORE)],
    });
    expect(status).toMatchObject({
      observedGeneration: 1,
      knativeObjectStatus: running.status,
      applicationLinks: { consoleLink: 'http://app.apps.example.com' },
      revisions: [{ name: 'r1', revisionsStatus: { actualReplicas: 1 } }, { name: 'r2' }],
      stateStatus: { state: 'enabled', lastChange: NOW },
    });
  });

  it('shows nothing of Knative when the Capp is disabled', () => {
    const status = statusOf({
      capp: aCapp({ spec: { state: 'disabled' } }),
      service: running,
      revisions: [unsure],
    });
    expect(Object.keys(status).toSorted()).toEqual(['conditions', 'observedGeneration', 'stateStatus']);
  });

  it('keeps the times of conditions that did not change', () => {
    const first = statusOf({ service: running });
    const later = siteStatus(
      { ...aCapp(), status: first },
      { ...SEEN_NOTHING, service: running },
      '2026-11-21T09:00:00Z',
    );
    expect(later).toEqual(first);
  });

  it.each<[string, World, Truth, string]>([
    ['are missing', {}, 'False', 'NotBound'],
    [
      'are bound',
      { nfsPvcs: [{ metadata: { name: 'data' }, status: { pvPhase: 'Bound', pvcPhase: 'Bound' } }] },
      'True',
      'Bound',
    ],
    [
      'have a bound PersistentVolume but no bound claim',
      { nfsPvcs: [{ metadata: { name: 'data' }, status: { pvPhase: 'Bound' } }] },
      'False',
      'NotBound',
    ],
    ['cannot be created', { volumesFault: { reason: 'NotServed', message: 'm' } }, 'False', 'NotServed'],
  ])(
    'has VolumesReady for volumes that %s, and Ready does not depend on it',
    (_title, world, status, reason) => {
      const volumesSpec = {
        nfsVolumes: [{ name: 'data', server: 's', path: '/p', capacity: { storage: '1Gi' } }],
      };
      const all = { capp: aCapp({ spec: { volumesSpec } }), service: running, ...world };
      expect(conditionOf(all, 'VolumesReady')).toMatchObject({ status, reason });
      expect(conditionOf(all, 'Ready')).toMatchObject({ status: 'True' });
    },
  );
});

it('the status of a Capp has RouteReady, CertificateReady and LoggingReady only for a Capp that asks for them, and Ready does not depend on them', () => {
  const types = (capp: Capp) =>
    statusOf({ capp, service: running }).conditions?.map(({ type, status }) => `${type} ${status}`);
  const logSpec = { type: 'elastic-datastream', host: 'h', user: 'u', passwordSecret: 'p' };
  const asking = aCapp({ spec: { routeSpec: { hostname: 'a.example.com', tlsEnabled: true }, logSpec } });
  expect(types(aCapp())).toEqual(['Ready True', 'Serving True']);
  expect(types(asking)).toEqual([
    'Ready True',
    'Serving True',
    'RouteReady Unknown',
    'CertificateReady Unknown',
    'LoggingReady Unknown',
  ]);
});

function withStatus(capp: Capp, conditions: readonly { type: string; status: Truth }[]): Capp {
  const full = conditions.map(({ type, status }) => ({
    type,
    status,
    reason: 'R',
    message: '',
    lastTransitionTime: BEFORE,
  }));
  return { ...capp, status: { conditions: full } };
}
