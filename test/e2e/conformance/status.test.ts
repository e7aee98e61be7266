// The Go operator's older cases H-1 to H-4, and CreateCapp, with which all its cases begin.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { createCapp, newNamespace, readCapp, siteOf, untilReady } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

let stack: TestbedStack;
let key: { namespace: string; name: string };
let capp: Capp;
beforeAll(async () => {
  stack = await openStack();
  key = { namespace: await newNamespace(stack.hub, 'conformance-status'), name: 'told' };
  await createCapp(stack.hub, key);
  capp = await untilReady(stack.hub, key);
});
afterAll(() => stack.close());

test('CreateCapp the site’s status is on the hub within a minute', async () => {
  const told = await eventually(
    async () =>
      (await readCapp(stack.hub, key)).status?.stateStatus?.state === 'enabled' ? true : undefined,
    {
      withinMs: 180_000,
    },
  );
  expect(told).toBe(true);
});

test('H-1 a Capp has its site in its status', () => {
  expect(stack.sites).toContain(siteOf(capp));
});

test('H-2 an image that does not exist makes a second revision, and the first keeps serving', async () => {
  const containers = [{ name: 'app', image: 'ghcr.io/me/never-pulls:v1' }];
  await stack.hub.patch(CAPP, key, { spec: { configurationSpec: { template: { spec: { containers } } } } });
  await eventually(
    async () => {
      const { knativeObjectStatus } = (await readCapp(stack.hub, key)).status ?? {};
      expect(knativeObjectStatus).toMatchObject({
        latestCreatedRevisionName: 'told-00002',
        latestReadyRevisionName: 'told-00001',
      });
      return true;
    },
    { withinMs: 180_000, everyMs: 100 },
  );
});

test('H-3 a placed Capp has its site in the annotation has-placement', () => {
  expect(capp.metadata.annotations?.['rcs.dana.io/has-placement']).toBe(siteOf(capp));
});

test('H-4 the default scaleMetric is concurrency', () => {
  expect(capp.spec.scaleMetric).toBe('concurrency');
});
