// A stage of a Bundle with a check by a Job, on a real API server with OCM's own work agent and Kubernetes'
// own controller of Jobs. A stand-in is the kubelet alone: the test says how the Pods of the Job ended.
import { askedOf } from '../../../../crds/verification/asked-of-jobs.ts';
import { BUNDLE, type Bundle } from '../../../../crds/bundle/bundle.ts';
import { CAPP_SET } from '../../../../crds/set/cappset.ts';
import { aTemplate } from '../../../support/builders/fleet/sets.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import { POD } from '../../../../crds/kubernetes/core.ts';
import { bundleWorkName } from '../../../../crds/ocm/bundle-work.ts';
import { checkWorkName } from '../../../../crds/ocm/check-work.ts';
import { MANIFEST_WORK, type Manifest, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { connectedBy } from '../../../../kube/client.ts';
import { ApiError } from '../../../../kube/failure.ts';
import { endpointOf } from '../../../../kube/http/credentials.ts';
import { transportTo } from '../../../../kube/http/transport.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';
import { createBundle } from '../../../../testbed/bundles.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { joinSites } from '../../../support/testbeds/join/joined-sites.ts';
import { turningBundles } from '../../../support/testbeds/fleet/turning.ts';
import { APPS, startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { startWorkAgent } from '../../../support/servers/site/work-agent.ts';

let stage: HubForTests;
let stopAgent: () => Promise<void>;
beforeAll(async () => {
  stage = await startHub({
    controllers: ['job-controller', 'garbage-collector-controller', 'serviceaccount-controller'],
  });
  await joinSites(stage, ['site-1']);
  const spec = { bundles: { unrestricted: [APPS] } };
  await stage.kube.patch(RCS_CONFIG, RCS_CONFIG_KEY, { spec });
  await eventually(() =>
    stage.caches.configs.list()[0]?.spec.bundles?.unrestricted === undefined ? undefined : true,
  );
  stopAgent = await startWorkAgent(stage.kube, stage.kubeconfig, 'site-1');
}, 300_000);
afterAll(async () => {
  await stopAgent?.();
  await stage?.stop();
});

const WAIT = { withinMs: 60_000, everyMs: 200 };
const JOB = { apiVersion: 'batch/v1', kind: 'Job', plural: 'jobs', namespaced: true } as const;

const settings = (name: string, color: string): Manifest => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: APPS, name },
  data: { color },
});
const pod = (restartPolicy?: string) => ({
  spec: {
    ...(restartPolicy === undefined ? {} : { restartPolicy }),
    containers: [{ name: 'curl', image: 'curl:1' }],
  },
});
const smoke = (spec: object = {}) => ({
  name: 'smoke',
  job: { template: { spec: { backoffLimit: 0, template: pod('Never'), ...spec } } },
});
const strategyOf = (check: object): never =>
  ({ stages: [{ name: 'canary', sites: { count: 1 }, verify: [check] }] }) as never;

const make = (name: string, check: object = smoke()) =>
  createBundle(
    stage.kube,
    { namespace: APPS, name },
    { sites: { clusters: ['site-1'] }, manifests: [settings(name, 'blue')], strategy: strategyOf(check) },
  );
const read = (name: string) => stage.kube.get<Bundle>(BUNDLE, { namespace: APPS, name });
const workOf = (name: string) => stage.kube.get<ManifestWork>(MANIFEST_WORK, { namespace: 'site-1', name });
const jobs = async () => (await stage.kube.list<KubeObject>(JOB, { namespace: APPS })).items;

/** A turn, as the workflow would take it once the caches have what was written last. */
async function turn(name: string): Promise<void> {
  const ref = { namespace: APPS, name };
  const live = await workOf(bundleWorkName(ref));
  const checks = await workOf(checkWorkName(ref));
  await eventually(() => {
    const { bundleWorks, checkWorks, works } = stage.caches;
    const key = (work: ManifestWork) => ({ namespace: 'site-1', name: work.metadata.name });
    const isSeen = (work: ManifestWork | null, cache: typeof bundleWorks | typeof works): boolean =>
      work === null ||
      BigInt(cache.get(key(work))?.metadata.resourceVersion ?? 0) >=
        BigInt(work.metadata.resourceVersion ?? 0);
    return isSeen(live, bundleWorks) && isSeen(checks, checkWorks) && isSeen(checks, works)
      ? true
      : undefined;
  });
  const ask = { memory: null, minimumVersions: {}, most: 20, isAgain: false } as const;
  await turningBundles(stage).turnFleet({ kind: 'Bundle', ...ref }, ask);
}

async function until(name: string, reason: string): Promise<string> {
  let last: unknown;
  return eventually(async () => {
    await turn(name);
    const { status, metadata } = (await read(name)) ?? {};
    last = status;
    const is = status?.conditions?.find(({ type }) => type === 'Progressing');
    return is?.observedGeneration === metadata?.generation && is?.reason === reason ? is.message : undefined;
  }, WAIT).catch((cause: unknown) => {
    throw new Error(`${name} does not say ${reason}, but ${JSON.stringify(last)}`, { cause });
  });
}

/** As the kubelet would say it of the Pod of the only Job there is. */
async function podEnds(phase: 'Succeeded' | 'Failed'): Promise<KubeObject> {
  const [job] = await eventually(async () => {
    const found = await jobs();
    return found.length === 1 ? found : undefined;
  }, WAIT);
  const labelSelector = `batch.kubernetes.io/job-name=${job?.metadata.name}`;
  const [first] = await eventually(async () => {
    const { items } = await stage.kube.list<KubeObject>(POD, { namespace: APPS, labelSelector });
    return items.length > 0 ? items : undefined;
  }, WAIT);
  const key = { namespace: APPS, name: first?.metadata.name ?? '' };
  await stage.kube.patch(POD, key, { status: { phase } }, { subresource: 'status' });
  return job as KubeObject;
}

const noJobs = () => eventually(async () => ((await jobs()).length === 0 ? true : undefined), WAIT);

test('the gate opens when the Job on the site is Complete, and nothing of it stays there', async () => {
  await make('passes');
  expect(await until('passes', 'Verifying')).toContain('the app is checked (smoke) on site-1');
  await podEnds('Succeeded');
  await until('passes', 'Done');
  await eventually(async () => {
    await turn('passes');
    return (await workOf(checkWorkName({ namespace: APPS, name: 'passes' }))) === null ? true : undefined;
  }, WAIT);
  await noJobs();
  const [bundle, work] = [
    await read('passes'),
    await workOf(bundleWorkName({ namespace: APPS, name: 'passes' })),
  ];
  await turn('passes');
  expect((await read('passes'))?.metadata.resourceVersion).toBe(bundle?.metadata.resourceVersion);
  expect((await workOf(bundleWorkName({ namespace: APPS, name: 'passes' })))?.metadata.resourceVersion).toBe(
    work?.metadata.resourceVersion,
  );
}, 400_000);

test('a Job that fails keeps the gate shut with its words; a new revision runs another, and with the Bundle all goes', async () => {
  await make('fails');
  await until('fails', 'Verifying');
  const first = await podEnds('Failed');
  expect(await until('fails', 'SitesFailed')).toMatch(
    /Check smoke failed on site-1 \(it has \d+ s\): Job apps\/fails-smoke-[0-9a-f]{10} says BackoffLimitExceeded: Job has reached the specified backoff limit/,
  );
  expect((await jobs()).map(({ metadata }) => metadata.uid)).toEqual([first.metadata.uid]);
  await stage.kube.patch(
    BUNDLE,
    { namespace: APPS, name: 'fails' },
    { spec: { manifests: [settings('fails', 'red')] } },
  );
  await until('fails', 'Verifying');
  await eventually(async () => {
    const found = await jobs();
    return found.length === 1 && found[0]?.metadata.uid !== first.metadata.uid ? true : undefined;
  }, WAIT);
  const checks = await workOf(checkWorkName({ namespace: APPS, name: 'fails' }));
  expect(askedOf(checks ?? undefined)?.revision).toBe((await read('fails'))?.status?.revision);
  await stage.kube.remove(BUNDLE, { namespace: APPS, name: 'fails' });
  await eventually(async () => {
    await turn('fails');
    return (await read('fails')) === null ? true : undefined;
  }, WAIT);
  await noJobs();
  expect(await workOf(checkWorkName({ namespace: APPS, name: 'fails' }))).toBeNull();
}, 400_000);

test.each<[string, object, RegExp]>([
  [
    'by http',
    { name: 'a', http: { path: '/' } },
    /a Bundle has no app that checks by http and prometheus could ask/,
  ],
  ['without a way', { name: 'a' }, /exactly one of http, prometheus and job/],
  ['of two ways', { ...smoke(), http: { path: '/' } }, /exactly one of http, prometheus and job/],
  ['without a Pod', smoke({ template: {} }), /has no spec.template.spec: write the Pod of the Job there/],
  ['whose Pod has no restartPolicy', smoke({ template: pod() }), /without restartPolicy Never or OnFailure/],
  ['whose Pod starts again for ever', smoke({ template: pod('Always') }), /without restartPolicy Never/],
  [
    'that would go by itself',
    smoke({ ttlSecondsAfterFinished: 1 }),
    /has ttlSecondsAfterFinished: leave it out/,
  ],
  ['that is suspended', smoke({ suspend: true }), /would never end: leave suspend out/],
  [
    'that is to be measured again and again',
    { ...smoke(), count: 5 },
    /a Job runs once: leave interval, count/,
  ],
  [
    'that may take a day',
    { ...smoke(), timeoutSeconds: 86_400 },
    /a whole number from 1 to 3600, such as 300/,
  ],
])('the API server refuses a check %s, in a sentence', async (_what, check, says) => {
  const spec = {
    sites: { clusters: ['site-1'] },
    manifests: [settings('refused', 'blue')],
    strategy: strategyOf(check),
  };
  expect(await refusalOf(BUNDLE, spec)).toMatch(says);
});

test('a set refuses a Job, and says what brings one', async () => {
  const spec = {
    sites: { clusters: ['site-1'] },
    template: { spec: aTemplate('shop:1').spec },
    strategy: strategyOf(smoke()),
  };
  expect(await refusalOf(CAPP_SET, spec)).toMatch(/the executor of Capps makes no Jobs/);
});

/** What the API server says to somebody who writes such an object. */
async function refusalOf(resource: Resource, spec: object): Promise<string> {
  const endpoint = endpointOf({ kubeconfig: stage.kubeconfig });
  const quoting = { deadlineMs: 10_000, userAgent: 'test', quotesRefusals: true };
  const kube = connectedBy(transportTo(endpoint, quoting));
  const { apiVersion, kind } = resource;
  try {
    await kube.create(resource, { apiVersion, kind, metadata: { namespace: APPS, name: 'refused' }, spec });
    return 'nothing';
  } catch (error) {
    return error instanceof ApiError ? (error.said ?? '') : String(error);
  } finally {
    await kube.close();
  }
}
