// How an agent reads a Capp on a site with container-app-operator v0.3.6, which sets neither Ready nor
// observedGeneration.
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
import { fakeCache } from '../../support/builders/process/fake-cache.ts';
import { aService, is } from '../../support/builders/site/knative.ts';

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
    'only an earlier generation of its Service was observed',
    'Progressing Deploying',
    true,
    onSite(),
    stamped(aService({ created: 'b', ready: 'b', conditions: ready, observed: 0 })),
  ],
  [
    'its newest revision is not ready yet and an earlier one serves',
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
    'its first revision is ready but not routed yet',
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
    'its newest revision failed and an earlier one serves',
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
    'its image cannot be pulled',
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
    'its route is not ready',
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
    'its Service has an earlier stamp',
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
  [
    'it is disabled as spec.state asks',
    'Ready Disabled',
    false,
    onSite(DISABLED, { state: 'disabled' }),
    null,
  ],
  ['it is still to be disabled', 'Progressing NotObserved', false, onSite(SEEN, { state: 'disabled' }), null],
])('a Capp of v0.3.6 gets its verdict when %s: %s', (_name, verdict, healthy, capp, service) => {
  expect(isLegacy(capp)).toBe(true);
  const sight = sightOf(asReported(capp, service));
  expect([`${sight?.finding.verdict} ${sight?.finding.reason}`, sight?.finding.healthy]).toEqual([
    verdict,
    healthy,
  ]);
  expect(sight?.observed).toBe(!verdict.endsWith('NotObserved'));
});

test('a verdict never quotes what a container printed', () => {
  const conditions = [
    { ...is('ConfigurationsReady', 'False', 'RevisionFailed'), message: 'container failed with: canary' },
  ];
  const sight = sightOf(asReported(onSite(), stamped(aService({ created: 'a', conditions }))));
  expect(JSON.stringify(sight?.finding)).not.toContain('canary');
});

test.each<[string, Capp]>([
  ['our site operator has observed', onSite({ ...SEEN, observedGeneration: 4 })],
  ['no operator has observed', { ...onSite(), status: {} }],
])('a Capp that %s does not count as one of v0.3.6', (_name, capp) => {
  expect(isLegacy(capp)).toBe(false);
});

const NO_SERVER: Pick<Kube, 'get'> = { get: () => Promise.reject(new Error('nobody need ask it')) };

const SERVING = stamped(aService({ created: 'a', ready: 'a', conditions: ready }));

test('on a site with our site operator the agent never watches Services', () => {
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

test('a Capp of v0.3.6 is listed once the Services are synced, and a change of its Service is a change of the Capp', async () => {
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

test('a site with v0.3.6 counts as reachable only while its Services can be watched', async () => {
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

test('a Capp of v0.3.6 is listed as not observed when Knative was removed', async () => {
  const [capps, services] = [fakeCache(onSite()), fakeCache<KnativeService>()];
  await capps.sync();
  services.fail(new ApiError({ method: 'GET', path: '/apis', code: 404, reason: 'NotFound' }));
  const site = siteCapps({ kube: NO_SERVER, capps: capps.cache, watchServices: () => services.cache });
  await site.settled();
  expect([site.access(), site.list().map((capp) => sightOf(capp)?.observed)]).toEqual(['Open', [false]]);
});
