// The status of a Capp on its site, derived from its Knative Service, revisions, pods and volumes.
import type { Capp } from '../../../../crds/capp/capp.ts';
import { isHealthy } from '../../../../crds/capp/status.ts';
import { siteStatus } from '../../../../site/status/status.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { SEEN_NOTHING } from '../../../support/builders/site/site.ts';
import { aRevision, aService, is, revisionAt, type Truth } from '../../../support/builders/site/knative.ts';
import {
  NOW,
  BEFORE,
  type World,
  statusOf,
  conditionOf,
  deploying,
  failed,
  running,
  unsure,
} from '../../../support/builders/site/site-reports.ts';

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
