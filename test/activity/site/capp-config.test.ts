// The site operator follows the site's CappConfig on a real API server; the test plays Knative.
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { KNATIVE_REVISION, KNATIVE_SERVICE, type KnativeService } from '../../../crds/kubernetes/knative.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { CAPP_CONFIG } from '../../../crds/capp-config.ts';
import { CAPP_CONFIG_DEFINITION } from '../../../crds/definitions/of-sites.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { serve, serveBare } from '../../support/servers/api/definitions.ts';
import { is } from '../../support/builders/site/knative.ts';
import { at, siteTestbed } from '../../support/testbeds/site/site.ts';
import { CONFIG_KEY, writeCappConfig } from '../../support/testbeds/site/site-kinds.ts';

const ROOM = 10;
const names = Array.from({ length: ROOM + 2 }, (_, index) => `app-${String(index).padStart(2, '0')}`);

const testbed = siteTestbed();
beforeAll(async () => {
  for (const kind of [KNATIVE_SERVICE, KNATIVE_REVISION]) await serveBare(testbed.kube, kind);
  await testbed.kube.create(NAMESPACE, { metadata: { name: CONFIG_KEY.namespace } });
});

const service = (name: string) => testbed.kube.get<KnativeService>(KNATIVE_SERVICE, at(name));

async function targetOf(name: string): Promise<string | undefined> {
  return (await service(name))?.spec?.template?.metadata?.annotations?.['autoscaling.knative.dev/target'];
}

async function untilTarget(name: string, target: string): Promise<void> {
  await eventually(async () => {
    expect(await targetOf(name)).toBe(target);
    return true;
  });
}

/** The Capps whose Service has this target. */
async function having(target: string): Promise<string[]> {
  const targets = await Promise.all(names.map(targetOf));
  return names.filter((_, index) => targets[index] === target);
}

const untilHaving = (target: string, count: number): Promise<string[]> =>
  eventually(async () => {
    const found = await having(target);
    expect(found).toHaveLength(count);
    return found;
  });

/** Knative says that the Service is Ready, or that it failed. */
async function decide(name: string, ready: 'True' | 'False'): Promise<void> {
  const generation = (await service(name))?.metadata.generation;
  const status = { observedGeneration: generation, conditions: [is('Ready', ready)] };
  await testbed.kube.patch(KNATIVE_SERVICE, at(name), { status }, { subresource: 'status' });
}

function write(spec: object): Promise<KubeObject> {
  return writeCappConfig(testbed.kube, spec);
}

test('without the kind CappConfig a Capp gets the default figures', async () => {
  await Promise.all(names.map((name) => testbed.make(name)));
  for (const name of names) await untilTarget(name, '10');
  await Promise.all(names.map((name) => decide(name, 'True')));
}, 300_000);

test('a CappConfig that comes later gives new revisions to ten Capps at first, and to the next as one is Ready or has failed', async () => {
  await testbed.make('by-rps', { scaleMetric: 'rps' });
  const before = await eventually(async () => (await service('by-rps'))?.metadata.resourceVersion);
  await serve(testbed.kube, CAPP_CONFIG_DEFINITION, CAPP_CONFIG);
  await write({ autoscalerConfig: { concurrency: '25' } });
  const first = await untilHaving('25', ROOM);
  await decide(first[0] ?? '', 'True');
  await untilHaving('25', ROOM + 1);
  await decide(first[1] ?? '', 'False');
  await untilHaving('25', ROOM + 2);
  expect((await service('by-rps'))?.metadata.resourceVersion).toBe(before);
}, 300_000);

test('a Capp that waits for its turn is edited at once, and gets the new figures with the edit', async () => {
  await Promise.all(names.map((name) => decide(name, 'True')));
  await testbed.operator.idle();
  await write({ autoscaleConfig: { concurrency: 30 } });
  await untilHaving('30', ROOM);
  const [waits = ''] = await having('25');
  await testbed.edit(waits, { scaleSpec: { minReplicas: 3 } });
  await untilTarget(waits, '30');
  expect((await having('25')).length).toBe(1);
  await Promise.all(names.map((name) => decide(name, 'True')));
  await untilHaving('30', ROOM + 2);
}, 300_000);

test('a start with an unchanged CappConfig writes nothing', async () => {
  const versions = () =>
    Promise.all(names.map(async (name) => (await service(name))?.metadata.resourceVersion));
  await Promise.all(names.map((name) => decide(name, 'True')));
  await testbed.operator.idle();
  const before = await testbed.atRest(versions);
  await testbed.restart();
  await testbed.operator.idle();
  expect(await versions()).toEqual(before);
}, 300_000);
