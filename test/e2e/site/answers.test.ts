// Requests reach apps on the sites: by host and by percentage, during an edit, a change of scale and a move.
import { CAPP } from '../../../crds/capp/capp.ts';
import { KNATIVE_SERVICE } from '../../../crds/kubernetes/knative.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import {
  conditionOf,
  newNamespace,
  readCapp,
  readyCapp,
  siteOf,
  untilGone,
  untilReady,
} from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { ask, whileAsking } from '../../../testbed/people/requests.ts';
import { otherSite } from '../../../testbed/sites.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';
import { writesSince, writesSoFar, type Writes } from '../../../testbed/at-rest/writes.ts';

const TIMEOUT = { withinMs: 180_000, everyMs: 100 };

let stack: TestbedStack;
let namespace: string;

beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'answers');
});
afterAll(() => stack.close());

const other = (site: string): string => otherSite(stack, site);

const ready = (name: string, spec: Readonly<Record<string, unknown>> = {}) =>
  readyCapp(stack.hub, { namespace, name, image: 'ghcr.io/me/app:v1', spec });

test('a Ready Capp answers on its site for its URL and its hostname, and nowhere else', async () => {
  const hostname = `${namespace}.example.com`;
  const { key, home } = await ready('hello', { routeSpec: { hostname } });
  const answer = await ask(stack, home, key);
  expect(answer).toMatchObject({
    status: 200,
    headers: { 'stand-in-site': home, 'stand-in-image': 'ghcr.io/me/app:v1' },
  });
  expect(answer.body).toContain(`Hello from ${home}!`);
  await eventually(
    async () =>
      conditionOf(await readCapp(stack.hub, key), 'RouteReady')?.status === 'True' ? true : undefined,
    TIMEOUT,
  );
  expect(await ask(stack, home, key, hostname)).toMatchObject({
    status: 200,
    headers: { 'stand-in-site': home },
  });
  expect(await ask(stack, home, key, `other.${hostname}`)).toMatchObject({ status: 404 });
  for (const host of [hostname, undefined]) {
    expect(await ask(stack, other(home), key, host)).toMatchObject({ status: 404 });
  }
});

test('requests cause no write on the site', async () => {
  const { key, home } = await ready('read-only');
  const clusters = [{ name: home, kube: stack.site(home) }];
  // Leases are renewed, and OCM's agent may look at its own works.
  const ofApps = (writes: readonly Writes[]): Writes[] =>
    writes.filter(({ resource }) =>
      /ingress|pods|services|revisions|routes|capps|podautoscalers/.test(resource),
    );
  const statuses = new Set<number>();
  // What rollouts still write is no answer to requests. Were there a write for requests, none of the tries
  // would be without.
  await eventually(
    async () => {
      const before = await writesSoFar(clusters);
      for (let count = 0; count < 100; count += 1) statuses.add((await ask(stack, home, key)).status);
      expect(ofApps(writesSince(before, await writesSoFar(clusters)))).toEqual([]);
      return true;
    },
    { ...TIMEOUT, everyMs: 1_000 },
  );
  expect([...statuses]).toEqual([200]);
});

test('a Capp whose image and scale change answers every request, in the end from the new revision', async () => {
  const { key } = await ready('edited');
  const image = 'ghcr.io/me/app:v2';
  const containers = [{ name: 'app', image }];
  const { from, refused } = await whileAsking(stack, key, async () => {
    await stack.hub.patch(CAPP, key, {
      spec: { scaleSpec: { minReplicas: 2 }, configurationSpec: { template: { spec: { containers } } } },
    });
    const site = siteOf(await untilReady(stack.hub, key));
    await eventually(async () => {
      const { headers } = await ask(stack, site, key);
      return headers['stand-in-image'] === image ? true : undefined;
    }, TIMEOUT);
  });
  expect(refused).toEqual([]);
  expect(from.size).toBeLessThanOrEqual(2);
  const site = siteOf(await readCapp(stack.hub, key));
  const pods = new Set<unknown>();
  await eventually(async () => {
    pods.add((await ask(stack, site, key)).headers['stand-in-pod']);
    return pods.size === 2 ? true : undefined;
  }, TIMEOUT);
});

/** Moves the Capp to the other site while requests go on, and waits until its old copy is gone. */
async function movedWhileAsking(name: string, meanwhile: () => Promise<unknown>): Promise<void> {
  const { key, home } = await ready(name);
  const { from, refused } = await whileAsking(stack, key, async () => {
    await stack.hub.patch(CAPP, key, { metadata: { annotations: { 'rcs.dana.io/migrate': '#1' } } });
    await meanwhile();
    await eventually(async () => {
      const capp = await readCapp(stack.hub, key);
      const isThere = siteOf(capp) === other(home) && conditionOf(capp, 'Migrating')?.status === 'False';
      return isThere ? true : undefined;
    }, TIMEOUT);
    await untilGone(stack.site(home), key);
  });
  expect(refused).toEqual([]);
  expect(new Set([...from.keys()].map((who) => who.split(' ')[0]))).toEqual(new Set(stack.sites));
  await eventually(async () => ((await ask(stack, home, key)).status === 404 ? true : undefined), TIMEOUT);
}

test('during a move that an annotation asks for, no request to the site in status is refused', () =>
  movedWhileAsking('moved', () => Promise.resolve()));

test('no request is refused when hub worker, agents and site operators are killed during a move', () =>
  movedWhileAsking('killed', async () => {
    const names = ['hub-worker', ...stack.sites.flatMap((site) => [`${site}-agent`, `${site}-operator`])];
    const restarted = await Promise.all(names.map((process) => stack.killNow(process)));
    await Promise.all(restarted.map((back) => back()));
  }));

test('the traffic percentages of a Knative Service are followed', async () => {
  const [site = ''] = stack.sites;
  const kube = stack.site(site);
  const key = { namespace: 'default', name: `split-${namespace}` };
  const service = (image: string, traffic: readonly object[]): KubeObject =>
    ({
      apiVersion: KNATIVE_SERVICE.apiVersion,
      kind: KNATIVE_SERVICE.kind,
      metadata: key,
      spec: { template: { spec: { containers: [{ image }] } }, traffic },
    }) as KubeObject;
  const write = (image: string, traffic: readonly object[]) =>
    kube.apply(KNATIVE_SERVICE, service(image, traffic), { fieldManager: 'test', force: true });
  const imageNow = async (): Promise<string> => {
    const { status, headers } = await ask(stack, site, key);
    return status === 200 ? String(headers['stand-in-image']) : String(status);
  };
  await write('app:v1', [{ latestRevision: true, percent: 100 }]);
  await eventually(async () => ((await imageNow()) === 'app:v1' ? true : undefined), TIMEOUT);
  await write('app:v2', [
    { revisionName: `${key.name}-00001`, percent: 80 },
    { latestRevision: true, percent: 20 },
  ]);
  await eventually(async () => ((await imageNow()) === 'app:v2' ? true : undefined), TIMEOUT);
  const images: string[] = [];
  for (let count = 0; count < 400; count += 1) images.push(await imageNow());
  const shareOf = (image: string): number => images.filter((one) => one === image).length / images.length;
  expect(new Set(images)).toEqual(new Set(['app:v1', 'app:v2']));
  // Five standard deviations are 0.1.
  expect(Math.abs(shareOf('app:v2') - 0.2)).toBeLessThan(0.1);
  await kube.remove(KNATIVE_SERVICE, key);
  await eventually(async () => ((await imageNow()) === '404' ? true : undefined), TIMEOUT);
});
