// The rollout of a Capp as a user sees it: it becomes Ready on a site, or reports why not.
import { SECRET, NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { KNATIVE_SERVICE } from '../../../crds/kubernetes/knative.ts';
import { PLACEMENT } from '../../../crds/ocm/placements.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY, type RcsConfig } from '../../../crds/hub/rcs-config.ts';
import {
  conditionOf,
  createCapp,
  listPlacement,
  newNamespace,
  readCapp,
  siteOf,
  untilCondition,
  untilReady,
} from '../../../testbed/capps.ts';
import { interimEvents } from '../../../testbed/at-rest/events.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

let stack: TestbedStack;
let namespace: string;

beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'rollout');
});
afterAll(() => stack.close());

test('a Capp becomes Ready on a site that runs a Knative Service for it', async () => {
  const key = { namespace, name: 'plain' };
  await createCapp(stack.hub, key);
  const ready = await untilReady(stack.hub, key);
  const service = await stack.site(siteOf(ready)).get(KNATIVE_SERVICE, key);
  expect(service).not.toBeNull();
  expect(ready.status?.knativeObjectStatus?.latestReadyRevisionName).toBe('plain-00001');
  expect(ready.status?.applicationLinks?.consoleLink).toMatch(/^http/);
  expect(ready.status?.decisions?.[0]).toMatchObject({ cluster: siteOf(ready), placement: 'default' });
});

test('the first rollout of a Capp takes at most 32 history events', async () => {
  const key = { namespace, name: 'counted' };
  await createCapp(stack.hub, key);
  await untilReady(stack.hub, key);
  const handle = stack.temporal.workflow.getHandle(`capp/${namespace}/counted`);
  const { events = [] } = await handle.fetchHistory();
  // Seventeen on a quiet machine. On a busy one a signal may come alone: its workflow task is three events
  // more.
  expect((events?.length ?? 0) - (await interimEvents(handle))).toBeLessThanOrEqual(32);
});

test('an edit reaches the site and is Ready for its own generation', async () => {
  const key = { namespace, name: 'edited' };
  await createCapp(stack.hub, { ...key, image: 'ghcr.io/me/app:v1' });
  const site = siteOf(await untilReady(stack.hub, key));
  const containers = [{ name: 'app', image: 'ghcr.io/me/app:v2' }];
  await stack.hub.patch(CAPP, key, { spec: { configurationSpec: { template: { spec: { containers } } } } });
  const ready = await untilReady(stack.hub, key);
  expect(ready.status?.observedGeneration).toBe(2);
  expect(ready.status?.knativeObjectStatus?.latestReadyRevisionName).toBe('edited-00002');
  const service = JSON.stringify(await stack.site(site).get(KNATIVE_SERVICE, key));
  expect(service).toContain('ghcr.io/me/app:v2');
});

test('a Secret of a Capp is on the site before the Capp, and its changes follow', async () => {
  const key = { namespace, name: 'secretive' };
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name: 'credentials' } };
  await createCapp(stack.hub, { ...key, container: { envFrom: [{ secretRef: { name: 'credentials' } }] } });
  const waiting = await untilCondition(stack.hub, key, {
    type: 'Ready',
    status: 'False',
    reason: 'MissingReference',
  });
  expect(conditionOf(waiting, 'Ready')?.message).toContain('Secret credentials');
  await stack.hub.create(SECRET, { ...secret, data: { token: btoa('one') } } as never);
  const site = stack.site(siteOf(await untilReady(stack.hub, key)));
  const [there, shipped] = [
    await site.get(SECRET, { namespace, name: 'credentials' }),
    await readCapp(site, key),
  ];
  expect(Number(there?.metadata.resourceVersion)).toBeLessThan(Number(shipped.metadata.resourceVersion));
  await stack.hub.patch(SECRET, { namespace, name: 'credentials' }, { data: { token: btoa('two') } });
  await eventually(
    async () => {
      const now = await site.get<{ metadata: { name: string }; data?: Record<string, string> }>(SECRET, {
        namespace,
        name: 'credentials',
      });
      expect(now?.data?.['token']).toBe(btoa('two'));
      return true;
    },
    { withinMs: 180_000 },
  );
});

test('a Capp without a decision is placed when OCM decides', async () => {
  const key = { namespace, name: 'patient' };
  const config = await stack.hub.get<RcsConfig>(RCS_CONFIG, RCS_CONFIG_KEY);
  const placementsNamespace = config?.spec.placementsNamespace ?? '';
  const late = `late-${namespace}`;
  await listPlacement(stack.hub, late);
  await createCapp(stack.hub, { ...key, spec: { site: late } });
  await untilCondition(stack.hub, key, { type: 'Placed', status: 'False', reason: 'NoPlacement' });
  const nobody = [{ requiredClusterSelector: { labelSelector: { matchLabels: { is: 'nobody' } } } }];
  const placement = {
    apiVersion: PLACEMENT.apiVersion,
    kind: PLACEMENT.kind,
    metadata: { namespace: placementsNamespace, name: late },
  };
  await stack.hub.create(PLACEMENT, { ...placement, spec: { predicates: nobody } } as never);
  await untilCondition(stack.hub, key, { type: 'Placed', status: 'False', reason: 'NoDecision' });
  await stack.hub.patch(
    PLACEMENT,
    { namespace: placementsNamespace, name: late },
    { spec: { predicates: null, numberOfClusters: 1 } },
  );
  await untilReady(stack.hub, key);
});

test('a Capp that names an unknown site is refused', async () => {
  const options = { namespace, name: 'nobody', spec: { site: 'atlantis' } };
  await expect(createCapp(stack.hub, options)).rejects.toMatchObject({
    code: 422,
    fields: ['spec.site: FieldValueNotFound'],
  });
});

test('a Capp whose site no longer exists reports UnknownSite and names the sites that exist', async () => {
  const key = { namespace, name: 'lost' };
  const unlist = await listPlacement(stack.hub, 'atlantis');
  await createCapp(stack.hub, { ...key, spec: { site: 'atlantis' } });
  await unlist();
  const capp = await untilCondition(stack.hub, key, {
    type: 'Ready',
    status: 'False',
    reason: 'UnknownSite',
  });
  expect(conditionOf(capp, 'Placed')?.message).toMatch(/atlantis.*site-1/);
});

test('a Capp that names a site is placed there', async () => {
  const key = { namespace, name: 'pinned' };
  const [, last = ''] = stack.sites;
  await createCapp(stack.hub, { ...key, spec: { site: last } });
  const ready = await untilReady(stack.hub, key);
  expect(siteOf(ready)).toBe(last);
  expect(conditionOf(ready, 'Placed')?.reason).toBe('Pinned');
});

test('an image that never becomes ready is reported as ImageNeverReady, and a working image makes the Capp Ready', async () => {
  const key = { namespace, name: 'stuck' };
  await createCapp(stack.hub, { ...key, image: 'ghcr.io/me/never-pulls:v1' });
  await untilCondition(stack.hub, key, { type: 'Ready', status: 'False', reason: 'ImageNeverReady' });
  await stack.hub.patch(CAPP, key, {
    spec: {
      configurationSpec: {
        template: { spec: { containers: [{ name: 'app', image: 'ghcr.io/me/app:v1' }] } },
      },
    },
  });
  await untilReady(stack.hub, key);
});

test('a disabled Capp is Ready without a Knative Service', async () => {
  const key = { namespace, name: 'asleep' };
  await createCapp(stack.hub, { ...key, spec: { state: 'disabled' } });
  const ready = await untilReady(stack.hub, key);
  expect(await stack.site(siteOf(ready)).get(KNATIVE_SERVICE, key)).toBeNull();
});

test('a paused Capp ignores edits until it is resumed', async () => {
  const key = { namespace, name: 'frozen' };
  const site = stack.site(siteOf(await createCapp(stack.hub, key).then(() => untilReady(stack.hub, key))));
  await stack.hub.patch(CAPP, key, { metadata: { annotations: { 'rcs.dana.io/paused': 'true' } } });
  await untilCondition(stack.hub, key, { type: 'Migrating', reason: 'Paused' });
  await stack.hub.patch(CAPP, key, { spec: { state: 'disabled' } });
  await untilCondition(stack.hub, key, { type: 'Migrating', reason: 'Paused' });
  expect((await readCapp(site, key)).spec.state).toBe('enabled');
  await stack.hub.patch(CAPP, key, { metadata: { annotations: { 'rcs.dana.io/paused': null } } });
  await untilReady(stack.hub, key);
  expect((await readCapp(site, key)).spec.state).toBe('disabled');
});

test('an idle Capp is not written to, and its workflow has no new events', async () => {
  const key = { namespace, name: 'plain' };
  const other = { namespace, name: 'bystander' };
  const before = await readCapp(stack.hub, key);
  const length = async (): Promise<number> =>
    (await stack.temporal.workflow.getHandle(`capp/${namespace}/plain`).describe()).historyLength;
  const events = await length();
  await createCapp(stack.hub, other);
  await untilReady(stack.hub, other);
  await stack.hub.patch(
    NAMESPACE,
    { namespace: null, name: namespace },
    { metadata: { labels: { touched: 'yes' } } },
  );
  expect((await readCapp(stack.hub, key)).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  expect(await length()).toBe(events);
});
