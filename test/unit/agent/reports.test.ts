// How an agent answers at once: from a live read, and with an error while it cannot read.
import { feed } from '../../../activities/agent/report/feed.ts';
import { agentReports } from '../../../activities/agent/report/reports.ts';
import { siteCapps } from '../../../activities/agent/report/site-capps.ts';
import { told } from '../../../activities/agent/ring/told.ts';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { KNATIVE_SERVICE, type KnativeService } from '../../../crds/kubernetes/knative.ts';
import { HUB, MANAGED_BY, MANAGED_BY_HUB, ROLLOUT } from '../../../crds/labels.ts';
import { ApiError } from '../../../kube/failure.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import type { Answer, NothingThere } from '../../../workflows/ports/agent.ts';
import { adoptedStamp } from '../../../workflows/types/stamp.ts';
import { aCapp } from '../../support/builders/capps.ts';
import { fakeCache } from '../../support/builders/process/fake-cache.ts';
import { aService, is } from '../../support/builders/site/knative.ts';

const STAMP = 'uid-1/1/hash/one';
const REF = { namespace: 'apps', name: 'app', uid: 'uid-1' };

function onSite(reason: string, stamp = STAMP): Capp {
  const condition = {
    type: 'Ready',
    status: 'True' as const,
    reason,
    message: '',
    lastTransitionTime: '2026-03-01T12:00:00Z',
  };
  return {
    ...aCapp({ annotations: { [ROLLOUT]: stamp } }),
    status: { observedGeneration: 1, conditions: [condition] },
  };
}

function ofHubB(stamp: string): Capp {
  const capp = onSite('Ready', stamp);
  return { ...capp, metadata: { ...capp.metadata, labels: { [HUB]: 'hub-b' } } };
}

interface There {
  readonly seen?: readonly Capp[];
  readonly live?: Readonly<Record<string, KubeObject>> | Error;
}

function reportOf(
  { seen = [], live = {} }: There,
  stamp = STAMP,
  asks: { gone?: true } = {},
): Promise<Answer | NothingThere | null> {
  const get = (({ kind }: { kind: string }) =>
    live instanceof Error
      ? Promise.reject(live)
      : Promise.resolve(live[kind as never] ?? null)) as Kube['get'];
  const watchServices = () => fakeCache<KnativeService>().cache;
  const isOurs = ({ metadata }: Capp): boolean => (metadata.labels?.[HUB] ?? 'hub-a') === 'hub-a';
  const site = siteCapps({ kube: { get }, capps: fakeCache(...seen).cache, watchServices, isOurs });
  return agentReports(site, feed(site), told()).report(REF, {
    stamp,
    known: null,
    statusHash: null,
    ...asks,
  });
}

test('an agent whose cache is not synced yet finds a Capp by a live read', async () => {
  expect(await reportOf({ seen: [], live: { [CAPP.kind]: onSite('Ready') } })).toMatchObject({
    finding: { verdict: 'Ready' },
  });
});

test.each<[string, ApiError]>([
  ['does not answer', new ApiError({ method: 'GET', path: '/apis', code: 0, reason: 'Unreachable' })],
  ['is unavailable', new ApiError({ method: 'GET', path: '/apis', code: 503, reason: 'ServiceUnavailable' })],
])(
  'while the API server %s the agent answers with an error, whatever its cache shows',
  async (_name, error) => {
    await expect(reportOf({ seen: [], live: error })).rejects.toMatchObject({
      type: 'Unreachable',
      nonRetryable: false,
    });
    await expect(reportOf({ seen: [onSite('Ready')], live: error })).rejects.toMatchObject({
      type: 'Unreachable',
    });
  },
);

test('a Capp in the cache is reported as missing when a live read does not find its stamp', async () => {
  expect(await reportOf({ seen: [onSite('Ready')], live: {} })).toBeNull();
  expect(
    await reportOf({ seen: [onSite('Ready')], live: { [CAPP.kind]: onSite('Ready', 'uid-1/2/hash/one') } }),
  ).toBeNull();
});

test.each<[string, Readonly<Record<string, KubeObject>>, { gone: true } | null]>([
  ['nothing of its name', {}, { gone: true }],
  [
    'what another hub has shipped under its name',
    { [CAPP.kind]: ofHubB('uid-2/1/hash/other') },
    { gone: true },
  ],
  [
    'what its work shipped before the hub’s Capp was deleted and made again, as another hub’s now',
    { [CAPP.kind]: ofHubB('uid-0/1/hash/one') },
    null,
  ],
  [
    'what was shipped before the hub’s Capp was deleted and made again',
    { [CAPP.kind]: onSite('Ready', 'uid-0/1/hash/one') },
    null,
  ],
  ['an earlier stamp of it', { [CAPP.kind]: onSite('Ready', 'uid-1/2/hash/one') }, null],
  [
    'what it has shipped by an earlier work, as another hub’s now',
    { [CAPP.kind]: ofHubB('uid-1/2/hash/earlier') },
    null,
  ],
  ['a Capp of which nobody says who brought it', { [CAPP.kind]: aCapp({}) }, null],
])(
  'asked whether anything of a Capp is there, the agent of a site that has %s',
  async (_what, live, said) => {
    expect(await reportOf({ live }, STAMP, { gone: true })).toEqual(said);
    expect(await reportOf({ live }, STAMP)).toBeNull();
  },
);

test('a Capp that the Go operator shipped is reported for its adopted stamp only, until it is shipped anew', async () => {
  const { metadata, ...rest } = onSite('Ready');
  const left = {
    ...rest,
    metadata: { ...metadata, annotations: {}, labels: { [MANAGED_BY]: MANAGED_BY_HUB } },
  };
  const asked = adoptedStamp('uid-1', 1, 'work-1');
  expect(await reportOf({ live: { [CAPP.kind]: left } }, asked)).toMatchObject({
    finding: { verdict: 'Ready' },
  });
  expect(await reportOf({ live: { [CAPP.kind]: left } })).toBeNull();
  expect(await reportOf({ live: { [CAPP.kind]: onSite('Ready') } }, asked)).toBeNull();
});

test('a Capp of v0.3.6 is read together with its Service', async () => {
  const capp = {
    ...aCapp({ annotations: { [ROLLOUT]: STAMP } }),
    status: { stateStatus: { state: 'enabled', lastChange: '' } },
  };
  const conditions = [is('Ready', 'True'), is('ConfigurationsReady', 'True'), is('RoutesReady', 'True')];
  const service = { ...aService({ created: 'a', ready: 'a', conditions }) };
  const stamped = { ...service, spec: { template: { metadata: { annotations: { [ROLLOUT]: STAMP } } } } };
  const answer = await reportOf({ live: { [CAPP.kind]: capp, [KNATIVE_SERVICE.kind]: stamped } });
  expect(answer).toMatchObject({ finding: { verdict: 'Ready', healthy: true } });
});
