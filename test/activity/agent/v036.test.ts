// On a site with container-app-operator v0.3.6, an agent reports the verdict of exactly the stamp that was
// shipped; on a real API server.
import { feed } from '../../../activities/agent/report/feed.ts';
import { watchServices } from '../../../activities/agent/report/services.ts';
import { siteCapps, type WatchedSite } from '../../../activities/agent/report/site-capps.ts';
import type { CappSight } from '../../../activities/agent/report/verdict.ts';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { KNATIVE_SERVICE, type KnativeService } from '../../../crds/kubernetes/knative.ts';
import { MANAGED_BY, MANAGED_BY_HUB, ROLLOUT } from '../../../crds/labels.ts';
import { cache, type Cache } from '../../../kube/watch/cache.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import { adoptedStamp } from '../../../workflows/types/stamp.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api/api-server.ts';
import { capp } from '../../../testbed/capps.ts';
import { serveBare, serveOurs } from '../../support/servers/api/definitions.ts';
import { eventually, API_TIMEOUT_MS } from '../../../testbed/eventually.ts';
import {
  fakeOperator,
  knativeSays,
  type FakeOperator,
} from '../../support/servers/site/fake-operator-v036.ts';
import { is } from '../../support/builders/site/knative.ts';

const KEY = { namespace: 'apps', name: 'app' };
const READY = [is('Ready', 'True'), is('ConfigurationsReady', 'True'), is('RoutesReady', 'True')];

let server: ApiServerForTests;
let kube: Kube;
let operator: FakeOperator;
let capps: Cache<Capp>;
let site: WatchedSite;
beforeAll(async () => {
  server = await startApiServer();
  kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await serveOurs(kube);
  await serveBare(kube, KNATIVE_SERVICE);
  await kube.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: KEY.namespace } });
  operator = fakeOperator(kube);
  capps = cache<Capp>(kube, { resource: CAPP });
  site = siteCapps({ kube, capps, watchServices: () => watchServices(kube, () => undefined) });
}, 300_000);
afterAll(async () => {
  await Promise.all([operator.stop(), site.stop(), capps.stop()]);
  await kube.close();
  await server.stop();
});

/** Applies a version of the app with a stamp, as the work agent would. */
async function ship(stamp: string, image: string): Promise<void> {
  const { metadata, ...rest } = capp({ ...KEY, image });
  await kube.apply(
    CAPP,
    { ...rest, metadata: { ...metadata, annotations: { [ROLLOUT]: stamp } } },
    { fieldManager: 'work-agent' },
  );
}

/** Waits until the operator has copied the stamp to the Service. */
function carried(stamp: string): Promise<KnativeService> {
  return eventually(async () => {
    const service = await kube.get<KnativeService>(KNATIVE_SERVICE, KEY);
    return service?.spec?.template?.metadata?.annotations?.[ROLLOUT] === stamp ? service : undefined;
  });
}

/** The agent's next answer about a stamp. */
async function verdictOf(stamp: string, known: CappSight | null = null): Promise<CappSight> {
  const agent = feed(site, { unobservedMs: 60_000, settleMs: 1 });
  const heard = known === null ? null : { verdict: known.finding.verdict, reason: known.finding.reason };
  return agent.next(KEY, { stamp, known: heard, statusHash: null }, new AbortController().signal);
}

test('a rollout, an edit that fails and a disabled Capp each get the verdict of their own stamp', async () => {
  await ship('uid/1/a/i', 'app:v1');
  await carried('uid/1/a/i');
  const starting = await verdictOf('uid/1/a/i');
  expect(starting.finding).toMatchObject({ verdict: 'Progressing', reason: 'Deploying', healthy: false });
  await knativeSays(kube, KEY, {
    latestCreatedRevisionName: 'app-1',
    latestReadyRevisionName: 'app-1',
    conditions: READY,
  });
  const ready = await verdictOf('uid/1/a/i', starting);
  expect(ready.finding).toMatchObject({ verdict: 'Ready', reason: 'Ready', healthy: true });
  // The operator copies the Service's status a moment later.
  await eventually(() => {
    expect(feed(site).look(KEY)?.mirror).toMatchObject({
      knativeObjectStatus: { latestReadyRevisionName: 'app-1' },
    });
    return true;
  });

  await operator.pause();
  await ship('uid/2/b/i', 'app:v2');
  const unseen = await eventually(() => {
    const sight = feed(site).look(KEY);
    return sight?.stamp === 'uid/2/b/i' ? sight : undefined;
  });
  expect(unseen).toMatchObject({
    observed: false,
    finding: { verdict: 'Progressing', reason: 'NotObserved', healthy: true },
  });

  operator.resume();
  await carried('uid/2/b/i');
  await knativeSays(kube, KEY, {
    latestCreatedRevisionName: 'app-2',
    latestReadyRevisionName: 'app-1',
    conditions: [
      is('Ready', 'False'),
      is('ConfigurationsReady', 'False', 'RevisionFailed'),
      is('RoutesReady', 'True'),
    ],
  });
  const failed = await eventually(async () => {
    const sight = await verdictOf('uid/2/b/i');
    return sight.finding.verdict === 'Failed' ? sight : undefined;
  });
  expect(failed.finding).toMatchObject({ reason: 'RolloutFailed', healthy: true });

  await kube.patch(CAPP, KEY, {
    metadata: { annotations: { [ROLLOUT]: 'uid/3/c/i' } },
    spec: { state: 'disabled' },
  });
  const stopped = await eventually(async () => {
    const sight = await verdictOf('uid/3/c/i');
    return sight.finding.verdict === 'Ready' ? sight : undefined;
  });
  expect(stopped.finding).toMatchObject({ verdict: 'Ready', reason: 'Disabled', healthy: false });
});

test('a Capp that the Go operator shipped is reported for its adopted stamp without a new revision, until it is shipped anew', async () => {
  const OLD = { namespace: KEY.namespace, name: 'old' };
  const templateOf = async () => (await kube.get<KnativeService>(KNATIVE_SERVICE, OLD))?.spec?.template;
  const asked = { stamp: adoptedStamp('uid-of-the-hub', 4, 'work-1'), known: null, statusHash: null };
  const agent = feed(site, { unobservedMs: 60_000, settleMs: 1 });
  const { metadata, ...rest } = capp({ ...OLD, image: 'app:v1' });
  const labels = { [MANAGED_BY]: MANAGED_BY_HUB };
  await kube.apply(CAPP, { ...rest, metadata: { ...metadata, labels } }, { fieldManager: 'work-agent' });
  await eventually(async () => ((await kube.get(KNATIVE_SERVICE, OLD)) === null ? undefined : true));
  await knativeSays(kube, OLD, {
    latestCreatedRevisionName: 'old-1',
    latestReadyRevisionName: 'old-1',
    conditions: READY,
  });
  const before = await templateOf();
  const ready = await eventually(async () => {
    const sight = await agent.next(OLD, asked, new AbortController().signal);
    return sight.finding.verdict === 'Ready' ? sight : undefined;
  });
  expect(ready.finding).toMatchObject({ healthy: true });
  expect(await templateOf()).toEqual(before);
  await kube.patch(CAPP, OLD, { metadata: { annotations: { [ROLLOUT]: 'uid-of-the-hub/5/hash/one' } } });
  const giveUp = AbortSignal.timeout(500);
  await eventually(() => (agent.look(OLD)?.stamp === 'uid-of-the-hub/5/hash/one' ? true : undefined));
  await expect(agent.next(OLD, asked, giveUp)).rejects.toThrow();
});
