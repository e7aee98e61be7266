// Taking over a site from container-app-operator v0.3.6: thirty Capps and all that it made for them, as it
// left them on an API server (recorded), and then our site operator.
import { setTimeout as pause } from 'node:timers/promises';
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { CAPP_CONFIG } from '../../../../crds/capp-config.ts';
import { CAPP_REVISION } from '../../../../crds/capp-revision.ts';
import { CAPP_CONFIG_DEFINITION, CAPP_REVISION_DEFINITION } from '../../../../crds/definitions/of-sites.ts';
import { RECORDS } from '../../../../crds/dns-record.ts';
import { EVENT, NAMESPACE, type Event } from '../../../../crds/kubernetes/core.ts';
import { KNATIVE_REVISION, KNATIVE_SERVICE } from '../../../../crds/kubernetes/knative.ts';
import { containsAll, keyOf, pathOf, type KubeObject, type Resource } from '../../../../kube/resource.ts';
import { siteOperator, type SiteOperator } from '../../../../site/operator.ts';
import { connect, type Kube } from '../../../../kube/client.ts';
import {
  MADE,
  RECORDED_CONFIG,
  recordedOf,
  type Recorded,
} from '../../../support/builders/manifests/thirty-capps.ts';
import { startApiServer, type ApiServerForTests } from '../../../support/servers/api/api-server.ts';
import { serve, serveBare, serveOurs } from '../../../support/servers/api/definitions.ts';
import { API_TIMEOUT_MS, eventually } from '../../../../testbed/eventually.ts';

/** A request may take 400 s there, and v0.3.6 ends it after 300 s: this one gets a new revision. */
const CHANGED = 'timeout';
const FINALIZER = 'dana.io/capp-cleanup';

let server: ApiServerForTests;
let kube: Kube;
let operator: SiteOperator;
let said: boolean[];
beforeAll(async () => {
  server = await startApiServer();
  kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await serveOurs(kube);
  await serve(kube, CAPP_CONFIG_DEFINITION, CAPP_CONFIG);
  await serve(kube, CAPP_REVISION_DEFINITION, CAPP_REVISION);
  for (const kind of [...MADE, KNATIVE_REVISION]) await serveBare(kube, kind);
  for (const name of ['apps', 'capp-operator-system', 'open-cluster-management-agent-addon'])
    await kube.create(NAMESPACE, { metadata: { name } });
  await post(CAPP_CONFIG, RECORDED_CONFIG);
  for (const capp of recordedOf(CAPP)) await post(CAPP, capp);
  for (const kind of MADE) for (const one of recordedOf(kind)) await post(kind, one);
  for (const revision of recordedOf(CAPP_REVISION)) await post(CAPP_REVISION, await owned(revision));
}, 300_000);
beforeEach(() => {
  said = [];
});
afterAll(async () => {
  await operator?.stop();
  await kube?.close();
  await server?.stop();
});

function post(kind: Resource, object: KubeObject): Promise<unknown> {
  const { namespace = null } = object.metadata;
  return kube.raw('POST', pathOf(kind, { namespace, name: null }), { body: object });
}

async function owned(revision: KubeObject): Promise<KubeObject> {
  const ownerReferences = await Promise.all(
    (revision.metadata.ownerReferences ?? []).map(async (owner) => {
      const capp = await kube.get<Capp>(CAPP, { namespace: 'apps', name: owner.name });
      return { ...owner, uid: capp?.metadata.uid ?? '' };
    }),
  );
  return { ...revision, metadata: { ...revision.metadata, ownerReferences } };
}

const all = async (kind: Resource): Promise<readonly Recorded[]> => (await kube.list<Recorded>(kind)).items;

function start(): SiteOperator {
  return siteOperator(kube, {
    onProblem: () => undefined,
    onError: () => undefined,
    onPredecessor: (runs) => said.push(runs),
  });
}

/**
 * As v0.3.6 does, with its own client: it puts its finalizer on each Capp that lacks it. Returns what ends
 * it, and waits until it has.
 */
function predecessorRuns(): () => Promise<void> {
  const look = async (): Promise<void> => {
    for (const { metadata } of await all(CAPP)) {
      if (metadata.finalizers?.includes(FINALIZER) === true) continue;
      await kube.patch(CAPP, keyOf({ metadata }), { metadata: { finalizers: [FINALIZER] } });
    }
  };
  const over = new AbortController();
  const looking = (async () => {
    while (!over.signal.aborted) {
      await look().catch(() => undefined);
      await pause(50);
    }
  })();
  return () => {
    over.abort();
    return looking;
  };
}

test('while container-app-operator runs, the site operator writes nothing but a question, and says so', async () => {
  const stopIt = predecessorRuns();
  const before = await Promise.all(MADE.map(all));
  operator = start();
  try {
    await eventually(() => (said.includes(true) ? true : undefined));
    await operator.idle();
    const events = await eventually(standingBack);
    expect(events).toHaveLength(1);
    expect(events[0]?.note).toContain('stop container-app-operator');
    expect(await Promise.all(MADE.map(all))).toEqual(before);
    expect((await all(CAPP)).map(({ status }) => status)).not.toContainEqual(
      expect.objectContaining({ observedGeneration: expect.any(Number) }),
    );
  } finally {
    await operator.stop();
    await stopIt();
  }
}, 300_000);

/** Events are written beside the work, so the first may come after it. */
async function standingBack(): Promise<readonly Event[] | undefined> {
  const { items } = await kube.list<Event>(EVENT);
  const found = items.filter(({ reason }) => reason === 'OperatorStandsBack');
  return found.length === 0 ? undefined : found;
}

test('what container-app-operator left is taken over without a new revision, and nothing is deleted', async () => {
  operator = start();
  await eventually(async () => {
    const held = (await all(CAPP)).filter(
      ({ metadata }) => metadata.finalizers?.includes(FINALIZER) === true,
    );
    return held.length === 0 ? true : undefined;
  });
  await operator.idle();
  expect(said).toEqual([false]);
  for (const kind of MADE) {
    const now = new Map((await all(kind)).map((one) => [one.metadata.name, one]));
    for (const { metadata, spec } of recordedOf(kind)) {
      const live = now.get(metadata.name);
      if (metadata.name !== CHANGED) expect(live?.spec).toMatchObject(spec ?? {});
      if (kind !== RECORDS.Cluster) expect(live?.metadata.ownerReferences).toHaveLength(1);
      else expect(live?.metadata.labels).toHaveProperty(['rcs.dana.io/capp-uid']);
    }
    expect([kind.kind, now.size]).toEqual([kind.kind, recordedOf(kind).length]);
  }
  const changed = (await all(KNATIVE_SERVICE)).filter(({ metadata }) => metadata.generation !== 1);
  expect(changed.map(({ metadata }) => metadata.name)).toEqual([CHANGED]);
}, 300_000);

test('the history of container-app-operator goes on: no CappRevision is made for the same Capp', async () => {
  const names = (await all(CAPP_REVISION)).map(({ metadata }) => metadata.name);
  expect(names.toSorted()).toEqual(
    recordedOf(CAPP_REVISION)
      .map(({ metadata }) => metadata.name)
      .toSorted(),
  );
});

test('a Capp that was taken over can be changed and deleted', async () => {
  const key = { namespace: 'apps', name: 'plain' };
  await kube.patch(CAPP, key, { spec: { routeSpec: { routeTimeoutSeconds: 7 } } });
  await eventually(async () => {
    const service = await kube.get<Recorded>(KNATIVE_SERVICE, key);
    return containsAll(service?.spec, { template: { spec: { timeoutSeconds: 7 } } }) ? true : undefined;
  });
  await eventually(async () => {
    const revisions = (await all(CAPP_REVISION)).map(({ metadata }) => metadata.name);
    expect(revisions.filter((name) => name.startsWith('plain-')).toSorted()).toEqual([
      'plain-00001',
      'plain-00002',
    ]);
    return true;
  });
  await kube.remove(CAPP, key);
  expect(await kube.get(CAPP, key)).toBeNull();
});

test('a Capp that was deleted while no operator ran leaves nothing of container-app-operator behind', async () => {
  await operator.stop();
  const key = { namespace: 'apps', name: 'late' };
  const template = { spec: { containers: [{ name: 'app', image: 'i:1' }] } };
  const finalizers = [FINALIZER];
  await post(CAPP, {
    apiVersion: CAPP.apiVersion,
    kind: CAPP.kind,
    metadata: { ...key, finalizers },
    spec: { configurationSpec: { template } },
  } as KubeObject);
  const labels = { 'rcs.dana.io/parent-capp': 'late', 'rcs.dana.io/managed-by': 'capp' };
  const { apiVersion, kind } = KNATIVE_SERVICE;
  await post(KNATIVE_SERVICE, { apiVersion, kind, metadata: { ...key, labels } });
  await kube.remove(CAPP, key);
  operator = start();
  await eventually(async () => ((await kube.get(CAPP, key)) === null ? true : undefined));
  expect(await kube.get(KNATIVE_SERVICE, key)).toBeNull();
}, 300_000);
