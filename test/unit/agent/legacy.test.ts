// What an agent makes of a Capp on a site that runs container-app-operator v0.3.6, which says neither Ready
// nor which generation it has seen.
import { asReported, isLegacy } from '../../../activities/agent/report/legacy.ts';
import { siteCapps } from '../../../activities/agent/report/site-capps.ts';
import { sightOf } from '../../../activities/agent/report/verdict.ts';
import type { CappStatus } from '../../../crds/capp/status.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import type { KnativeService } from '../../../crds/kubernetes/knative.ts';
import { ROLLOUT } from '../../../crds/labels.ts';
import type { Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';
import { aCapp } from '../../support/builders/capps.ts';
import { fakeCache } from '../../support/builders/fake-cache.ts';
import { aService, is } from '../../support/builders/knative.ts';

const STAMP = 'uid-1/3/hash/one';
const SEEN: CappStatus = { stateStatus: { state: 'enabled', lastChange: '2026-03-01T12:00:00Z' } };

/** As v0.3.6 leaves it: a status without Ready and observedGeneration. */
function onSite(status: CappStatus = SEEN, spec: Record<string, unknown> = {}): Capp {
  return { ...aCapp({ annotations: { [ROLLOUT]: STAMP }, generation: 5, spec }), status };
}

function stamped(service: KnativeService, stamp = STAMP): KnativeService {
  return { ...service, spec: { template: { metadata: { annotations: { [ROLLOUT]: stamp } } } } };
}

const ready = [is('Ready', 'True'), is('ConfigurationsReady', 'True'), is('RoutesReady', 'True')];
const DISABLED: CappStatus = { stateStatus: { state: 'disabled' } };

test.each<[string, string, boolean, Capp, KnativeService | null]>([
  [
    'its newest revision serves',
    'Ready Ready',
    true,
    onSite(),
    stamped(aService({ created: 'b', ready: 'b', conditions: ready })),
  ],
  [
    'an earlier generation of the Service was looked at',
    'Progressing Deploying',
    true,
    onSite(),
    stamped(aService({ created: 'b', ready: 'b', conditions: ready, observed: 0 })),
  ],
  [
    'its newest revision is not ready yet, an earlier one serves',
    'Progressing Deploying',
    true,
    onSite(),
    stamped(
      aService({
        created: 'b',
        ready: 'a',
        conditions: [is('Ready', 'Unknown'), is('RoutesReady', 'Unknown')],
      }),
    ),
  ],
  [
    'its first revision is ready and not routed yet',
    'Progressing Deploying',
    false,
    onSite(),
    stamped(
      aService({
        created: 'a',
        ready: 'a',
        conditions: [is('Ready', 'Unknown'), is('RoutesReady', 'Unknown')],
      }),
    ),
  ],
  [
    'its newest revision failed, an earlier one serves',
    'Failed RolloutFailed',
    true,
    onSite(),
    stamped(
      aService({
        created: 'b',
        ready: 'a',
        conditions: [
          is('Ready', 'False'),
          is('ConfigurationsReady', 'False', 'RevisionFailed'),
          is('RoutesReady', 'True'),
        ],
      }),
    ),
  ],
  [
    'its image cannot be had',
    'Failed ImageNeverReady',
    false,
    onSite(),
    stamped(
      aService({
        created: 'a',
        conditions: [is('Ready', 'False'), is('ConfigurationsReady', 'False', 'ContainerMissing')],
      }),
    ),
  ],
  [
    'its route does not work',
    'Failed RolloutFailed',
    false,
    onSite(),
    stamped(
      aService({
        created: 'a',
        ready: 'a',
        conditions: [is('ConfigurationsReady', 'True'), is('RoutesReady', 'False', 'Conflict')],
      }),
    ),
  ],
  [
    'its Service is of an earlier stamp',
    'Progressing NotObserved',
    true,
    onSite(),
    stamped(aService({ created: 'b', ready: 'b', conditions: ready }), 'uid-1/2/hash/one'),
  ],
  [
    'its Service has no stamp',
    'Progressing NotObserved',
    true,
    onSite(),
    aService({ created: 'b', ready: 'b', conditions: ready }),
  ],
  ['it has no Service', 'Progressing NotObserved', false, onSite(), null],
  ['it is disabled as asked', 'Ready Disabled', false, onSite(DISABLED, { state: 'disabled' }), null],
  ['it is to be disabled', 'Progressing NotObserved', false, onSite(SEEN, { state: 'disabled' }), null],
])('when %s, that is %s', (_name, verdict, healthy, capp, service) => {
  expect(isLegacy(capp)).toBe(true);
  const sight = sightOf(asReported(capp, service));
  expect([`${sight?.finding.verdict} ${sight?.finding.reason}`, sight?.finding.healthy]).toEqual([
    verdict,
    healthy,
  ]);
  expect(sight?.observed).toBe(!verdict.endsWith('NotObserved'));
});

test('nothing that a container printed is repeated', () => {
  const conditions = [
    { ...is('ConfigurationsReady', 'False', 'RevisionFailed'), message: 'container failed with: canary' },
  ];
  const sight = sightOf(asReported(onSite(), stamped(aService({ created: 'a', conditions }))));
  expect(JSON.stringify(sight?.finding)).not.toContain('canary');
});

test.each<[string, Capp]>([
  ['our own operator has looked at', onSite({ ...SEEN, observedGeneration: 4 })],
  ['nobody has looked at', { ...onSite(), status: {} }],
])('a Capp that %s is not read in this way', (_name, capp) => {
  expect(isLegacy(capp)).toBe(false);
});

const NO_SERVER: Pick<Kube, 'get'> = { get: () => Promise.reject(new Error('nobody need ask it')) };

const SERVING = stamped(aService({ created: 'a', ready: 'a', conditions: ready }));

test('a site of our own operator is never asked for its Services', () => {
  const own = fakeCache(onSite({ ...SEEN, observedGeneration: 5 }));
  const site = siteCapps({
    kube: NO_SERVER,
    capps: own.cache,
    watchServices: () => {
      throw new Error('nobody needs them');
    },
  });
  expect([
    site.list().length,
    site.get({ namespace: 'apps', name: 'app' })?.status?.observedGeneration,
  ]).toEqual([1, 5]);
});

test('a Capp of v0.3.6 is there once its Service is known, and news of that are news of it', async () => {
  const services = fakeCache(SERVING);
  const capps = fakeCache(onSite());
  await capps.sync();
  const site = siteCapps({ kube: NO_SERVER, capps: capps.cache, watchServices: () => services.cache });
  const heard: (string | undefined)[] = [];
  site.subscribe(({ object }) => heard.push(sightOf(object)?.finding.verdict));
  expect([site.list(), site.get({ namespace: 'apps', name: 'app' }), heard]).toEqual([[], undefined, []]);
  await services.sync();
  await site.settled();
  expect([site.list().length, heard]).toEqual([1, ['Ready']]);
  services.put(
    stamped(aService({ created: 'b', conditions: [is('ConfigurationsReady', 'False', 'RevisionFailed')] })),
  );
  expect(heard).toEqual(['Ready', 'Failed']);
});

test('a site of v0.3.6 is seen as long as its Services are', async () => {
  const [capps, services] = [fakeCache(onSite()), fakeCache(SERVING)];
  await capps.sync();
  const site = siteCapps({ kube: NO_SERVER, capps: capps.cache, watchServices: () => services.cache });
  let isSettled = false;
  const settled = site.settled().then(() => (isSettled = true));
  await new Promise((resolve) => void setImmediate(resolve));
  expect([isSettled, site.access()]).toEqual([false, 'Unreachable']);
  await services.sync();
  await settled;
  expect(site.access()).toBe('Open');
  let told = 0;
  site.onAccess(() => (told += 1));
  services.fail(new ApiError({ method: 'GET', path: '/apis', code: 0, reason: 'Unreachable' }));
  expect([site.access(), told]).toEqual(['Unreachable', 1]);
});

test('where Knative is gone a Capp of v0.3.6 is there, and nobody looks at it', async () => {
  const [capps, services] = [fakeCache(onSite()), fakeCache<KnativeService>()];
  await capps.sync();
  services.fail(new ApiError({ method: 'GET', path: '/apis', code: 404, reason: 'NotFound' }));
  const site = siteCapps({ kube: NO_SERVER, capps: capps.cache, watchServices: () => services.cache });
  await site.settled();
  expect([site.access(), site.list().map((capp) => sightOf(capp)?.observed)]).toEqual(['Open', [false]]);
});
