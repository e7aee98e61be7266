// The Go add-on's cases P-4 and U-6 to U-9: a site's score has the same formula.
import { figuresOf } from '../../../activities/agent/score/figures.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { POD } from '../../../crds/kubernetes/core.ts';
import { ADD_ON_PLACEMENT_SCORE, type AddOnPlacementScore } from '../../../crds/ocm/placements.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { scheduleId } from '../../../workflows/names.ts';
import { createCapp, newNamespace, untilReady } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

const GIB = 2 ** 30;
/** The Go add-on's defaults. */
const BOUNDS = { cpu: { min: 0, max: 100 }, memory: { min: 0, max: 1024 * GIB } };
/** A figure is written when it has changed by this much. */
const SIGNIFICANT_CHANGE = 5;

let stack: TestbedStack;
let namespace: string;
let site: string;
beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'conformance-score');
  site = stack.sites.at(-1) ?? '';
});
afterAll(async () => {
  await stack.site(site).remove(POD, { namespace: 'default', name: namespace });
  await stack.hub.remove(CAPP, { namespace, name: 'large' });
  await stack.close();
});

interface Figures {
  readonly cpuAvailable: number;
  readonly memAvailable: number;
}

/** Triggers measurements of the site until its figures meet the condition. */
function figures(areSo: (figures: Figures) => boolean = () => true): Promise<Figures> {
  return eventually(
    async () => {
      await stack.temporal.schedule.getHandle(scheduleId('score', site)).trigger('SKIP');
      const key = { namespace: site, name: 'resource-usage-score' };
      const scores =
        (await stack.hub.get<AddOnPlacementScore>(ADD_ON_PLACEMENT_SCORE, key))?.status?.scores ?? [];
      const found = Object.fromEntries(scores.map(({ name, value }) => [name, value])) as Partial<Figures>;
      const { cpuAvailable, memAvailable } = found;
      if (cpuAvailable === undefined || memAvailable === undefined || !areSo({ cpuAvailable, memAvailable }))
        throw new Error(`The figures of ${site} are ${JSON.stringify(found)}.`);
      return { cpuAvailable, memAvailable };
    },
    { withinMs: 180_000, everyMs: 500 },
  );
}

test('P-4 a site has a score, which falls when a Capp requests half of the site', async () => {
  const before = await figures();
  const key = { namespace, name: 'large' };
  await createCapp(stack.hub, {
    ...key,
    container: { resources: { requests: { cpu: '4' } } },
    spec: { site },
  });
  await untilReady(stack.hub, key);
  const after = await figures(({ cpuAvailable }) => cpuAvailable < before.cpuAvailable - 50);
  expect(after.cpuAvailable).toBeGreaterThanOrEqual(-100);
});

const whole = { cpu: 70, memory: 1024 * GIB };
test.each<[string, { cpu: number; memory: number }, readonly [number, number]]>([
  ['U-6 40 of 70 cores and 524 of 1024 GiB are available', { cpu: 40, memory: 524 * GIB }, [-20, 2]],
  ['U-7 requests equal the capacity', { cpu: 0, memory: 0 }, [-100, -100]],
  ['U-8 requests exceed the capacity', { cpu: -1, memory: -GIB }, [-100, -100]],
])('%s', (_, available, values) => {
  expect(figuresOf({ allocatable: whole, available }, BOUNDS).map(({ value }) => value)).toEqual(values);
});

test('U-9 the requests of a Pod reduce the figures: a quarter of 8 cores and of 32 GiB', async () => {
  const before = await figures();
  const containers = [
    { name: 'taker', image: 'ghcr.io/me/taker:v1', resources: { requests: { cpu: '2', memory: '8Gi' } } },
  ];
  const metadata = { namespace: 'default', name: namespace };
  await stack
    .site(site)
    .create(POD, { metadata, spec: { containers, automountServiceAccountToken: false } } as KubeObject);
  const isNear = (value: number, wanted: number): boolean => Math.abs(value - wanted) <= SIGNIFICANT_CHANGE;
  const after = await figures(({ memAvailable }) => isNear(memAvailable, before.memAvailable - 50));
  expect(isNear(after.cpuAvailable, before.cpuAvailable - 50)).toBe(true);
});
