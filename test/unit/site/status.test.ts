import type { Capp } from '../../../crds/capp/capp.ts';
import type { Pod } from '../../../crds/kubernetes/core.ts';
import { isHealthy } from '../../../crds/capp/status.ts';
import type { KnativeRevision, KnativeService, NfsPvc } from '../../../crds/kubernetes/knative.ts';
import type { Fault } from '../../../site/objects/fault.ts';
import { siteStatus } from '../../../site/status.ts';
import { aCapp } from '../../support/builders/capps.ts';
import { aPod, aRevision, aService, is, revisionAt, type Truth } from '../../support/builders/knative.ts';

const NOW = '2026-11-21T08:00:00Z';
const BEFORE = '2026-11-21T07:00:00Z';
const NO_ROUTE = { mappings: [], fault: null };

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
  return siteStatus(capp, { service, revisions, pods, fault, volumes, route: NO_ROUTE }, NOW);
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
    ['is unknown before Knative has a Service', {}, 'Unknown', 'Deploying'],
    [
      'is unknown while Knative is behind',
      { service: aService({ observed: 0, created: 'r1', ready: 'r1', conditions: serves }) },
      'Unknown',
      'Deploying',
    ],
    ['is true once the newest revision serves', { service: running }, 'True', 'Ready'],
    [
      'is not true while only an older revision is ready',
      {
        service: aService({ created: 'r2', ready: 'r1', conditions: serves }),
        revisions: [aRevision('r2', is('Ready', 'Unknown'))],
      },
      'Unknown',
      'Deploying',
    ],
    [
      'is unknown while a revision starts',
      { service: starting, revisions: [unsure], pods: [aPod('r1', 'ContainerCreating')] },
      'Unknown',
      'Deploying',
    ],
    [
      'is false when an image cannot be pulled',
      { service: starting, revisions: [unsure], pods: [aPod('r1', 'ImagePullBackOff')] },
      'False',
      'ImageNeverReady',
    ],
    [
      'is false when an image is not a name',
      { service: starting, revisions: [unsure], pods: [aPod('r1', 'InvalidImageName')] },
      'False',
      'ImageNeverReady',
    ],
    [
      'is false when Knative cannot resolve an image',
      {
        service: starting,
        revisions: [aRevision('r1', is('ContainerHealthy', 'False', 'ContainerMissing'))],
      },
      'False',
      'ImageNeverReady',
    ],
    [
      'is false when a container crashes',
      { service: starting, revisions: [unsure], pods: [aPod('r1', 'CrashLoopBackOff')] },
      'False',
      'RolloutFailed',
    ],
    [
      'is false when Knative says that the container exits',
      { service: starting, revisions: [aRevision('r1', is('ContainerHealthy', 'False', 'ExitCode1'))] },
      'False',
      'RolloutFailed',
    ],
    [
      'is unknown while there is no node for it',
      { service: starting, revisions: [aRevision('r1', is('ResourcesAvailable', 'False', 'Unschedulable'))] },
      'Unknown',
      'Deploying',
    ],
    [
      'is false when Knative has given up',
      {
        service: starting,
        revisions: [aRevision('r1', is('ResourcesAvailable', 'False', 'ProgressDeadlineExceeded'))],
      },
      'False',
      'RolloutFailed',
    ],
    [
      'does not blame a new generation for the pods of the last one',
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
      'does not blame a revision for another one’s pods',
      { service: starting, revisions: [unsure], pods: [aPod('r0', 'ImagePullBackOff')] },
      'Unknown',
      'Deploying',
    ],
    [
      'does not look at pods that are going',
      {
        service: starting,
        revisions: [unsure],
        pods: [aPod('r1', 'CrashLoopBackOff', { deletionTimestamp: NOW })],
      },
      'Unknown',
      'Deploying',
    ],
    [
      'is false when Knative cannot make a revision',
      { service: aService({ conditions: failed }) },
      'False',
      'RolloutFailed',
    ],
    [
      'is false when the route does not work',
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
      'is what stood in the way of writing',
      { fault: { reason: 'NameTaken', message: 'm' } },
      'False',
      'NameTaken',
    ],
    [
      'is true for a disabled Capp of which nothing runs',
      { capp: aCapp({ spec: { state: 'disabled' } }) },
      'True',
      'Disabled',
    ],
    [
      'is unknown for a disabled Capp that still runs',
      { capp: aCapp({ spec: { state: 'disabled' } }), service: running },
      'Unknown',
      'Deploying',
    ],
  ])('%s', (_title, world, status, reason) => {
    expect(conditionOf(world, 'Ready')).toMatchObject({ status, reason, observedGeneration: 1 });
  });

  it('repeats nothing that a container said', () => {
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
    ['is false before anything runs', {}, false],
    ['is true when the newest revision serves', { service: running }, true],
    [
      'is true when a newer revision fails',
      { service: aService({ created: 'r2', ready: 'r1', conditions: failed }) },
      true,
    ],
    [
      'is false for a first revision without a route',
      { service: aService({ created: 'r1', ready: 'r1', conditions: deploying }) },
      false,
    ],
    [
      'goes on while a route is being changed',
      { capp: served, service: aService({ created: 'r2', ready: 'r1', conditions: deploying }) },
      true,
    ],
    [
      'ends with its route',
      {
        capp: served,
        service: aService({ created: 'r1', ready: 'r1', conditions: [is('RoutesReady', 'False')] }),
      },
      false,
    ],
    [
      'ends when its revision breaks',
      { capp: served, service: running, revisions: [aRevision('r1', is('Ready', 'False'))] },
      false,
    ],
    ['ends with its Service', { capp: served }, false],
  ])('%s', (_title, world, want) => {
    expect(isHealthy(statusOf(world))).toBe(want);
  });
});

describe('the status of a Capp on its site', () => {
  it('shows what Knative says, its address and its revisions, oldest first', () => {
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

  it('keeps the times of what did not change', () => {
    const first = statusOf({ service: running });
    const later = siteStatus(
      { ...aCapp(), status: first },
      {
        service: running,
        revisions: [],
        pods: [],
        fault: null,
        volumes: { nfsPvcs: [], fault: null },
        route: NO_ROUTE,
      },
      '2026-11-21T09:00:00Z',
    );
    expect(later).toEqual(first);
  });

  it.each<[string, World, Truth, string]>([
    ['are waited for', {}, 'False', 'NotBound'],
    [
      'are bound',
      { nfsPvcs: [{ metadata: { name: 'data' }, status: { pvPhase: 'Bound', pvcPhase: 'Bound' } }] },
      'True',
      'Bound',
    ],
    [
      'are half bound',
      { nfsPvcs: [{ metadata: { name: 'data' }, status: { pvPhase: 'Bound' } }] },
      'False',
      'NotBound',
    ],
    ['cannot be had', { volumesFault: { reason: 'NotServed', message: 'm' } }, 'False', 'NotServed'],
  ])('says of volumes that they %s, and holds no rollout back', (_title, world, status, reason) => {
    const volumesSpec = {
      nfsVolumes: [{ name: 'data', server: 's', path: '/p', capacity: { storage: '1Gi' } }],
    };
    const all = { capp: aCapp({ spec: { volumesSpec } }), service: running, ...world };
    expect(conditionOf(all, 'VolumesReady')).toMatchObject({ status, reason });
    expect(conditionOf(all, 'Ready')).toMatchObject({ status: 'True' });
  });
});

it('tells of a hostname, its certificate and logs besides, where they are asked for, and holds no rollout back', () => {
  const types = (capp: Capp) =>
    statusOf({ capp, service: running }).conditions?.map(({ type, status }) => `${type} ${status}`);
  const logSpec = { type: 'elastic-datastream', host: 'h', user: 'u', passwordSecret: 'p' };
  const asking = aCapp({ spec: { routeSpec: { hostname: 'a.example.com', tlsEnabled: true }, logSpec } });
  expect(types(aCapp())).toEqual(['Ready True', 'Serving True']);
  expect(types(asking)).toEqual([
    'Ready True',
    'Serving True',
    'RouteReady Unknown',
    'CertificateReady False',
    'LoggingReady False',
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
