// A set beside 250 clusters without agents: OCM's decisions come on three pages, one relabelled cluster is
// one Capp, a rollout goes by stages, and many that are taken out at once, or by and by, wait for a person.
import { APPROVE_REMOVAL } from '../../../crds/labels.ts';
import {
  PLACEMENT,
  PLACEMENT_DECISION,
  PLACEMENT_LABEL,
  type PlacementDecision,
} from '../../../crds/ocm/placements.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import { CAPP_SET } from '../../../crds/set/cappset.ts';
import { writtenOf } from '../../../crds/set/child.ts';
import { eventually } from '../../../testbed/eventually.ts';
import {
  FLEET,
  made,
  manyClusters,
  WAIT,
  type ManyClusters,
} from '../../support/testbeds/fleet/many-clusters.ts';

/** Sites of the first stage. */
const FIRST = 'example.com/first';
/** Clusters of the other Placement. */
const OTHERS = 'example.com/others';
const TENTH = 25;
const STEP = 9;

let many: ManyClusters;
beforeAll(async () => {
  many = await manyClusters();
}, 900_000);
afterAll(() => many?.close(), 600_000);

const templated = (image: string) => ({
  spec: { configurationSpec: { template: { spec: { containers: [{ name: 'app', image }] } } } },
});
const imageOf = ({ spec }: Capp): string => spec.configurationSpec.template.spec.containers[0]?.image ?? '';
const stalledFor = async (): Promise<string | undefined> =>
  (await many.set()).status?.conditions?.find(({ type, status }) => type === 'Stalled' && status === 'True')
    ?.reason;

/** What the set has made of each Capp, by its site. */
const written = (capps: ReadonlyMap<string, Capp>, but: readonly string[]) =>
  new Map(
    [...capps]
      .filter(([site]) => !but.includes(site))
      .map(([site, { metadata }]) => [site, [metadata.uid, metadata.generation, writtenOf(metadata)]]),
  );

function untilWithout(sites: readonly string[]): Promise<ReadonlyMap<string, Capp>> {
  return eventually(async () => {
    await many.cleanUp();
    const found = await many.children();
    expect(sites.filter((site) => found.has(site))).toEqual([]);
    return found;
  }, WAIT);
}

/** So many are held now, all of them still there. Returns what an approval has to name. */
function untilHeld(count: number): Promise<string> {
  return eventually(async () => {
    const { heldRemoval } = (await many.set()).status ?? {};
    expect(heldRemoval?.count).toBe(count);
    expect(await stalledFor()).toBe('RemovalHeld');
    return heldRemoval?.set;
  }, WAIT);
}

const approve = (value: string | null) =>
  many.stack.hub.patch(CAPP_SET, many.key, { metadata: { annotations: { [APPROVE_REMOVAL]: value } } });

test('of 250 clusters on three pages of decisions, one relabelled cluster adds or removes exactly one Capp', async () => {
  const { stack, placed, key, all, fakes, label } = many;
  await label(stack.sites, FIRST, 'yes');
  await stack.hub.create(PLACEMENT, many.placement(FLEET));
  await eventually(async () => {
    const { items } = await stack.hub.list<PlacementDecision>(PLACEMENT_DECISION, {
      namespace: placed.namespace,
      labelSelector: `${PLACEMENT_LABEL}=${placed.name}`,
    });
    const sizes = items.map(({ status }) => status?.decisions?.length ?? 0);
    expect(sizes.toSorted((a, b) => b - a)).toEqual([100, 100, all.length - 200]);
    return true;
  }, WAIT);
  const strategy = { maxConcurrent: '100%', maxFailures: '100%', deadlineSeconds: 86_400 };
  const spec = { placement: placed.name, template: templated('shop:v1'), strategy };
  await stack.hub.create(CAPP_SET, made(CAPP_SET, key, spec));
  const before = await many.untilOn(all);

  const [one = ''] = fakes;
  await label([one], FLEET, null);
  const without = await untilWithout([one]);
  expect(written(without, [one])).toEqual(written(before, [one]));

  await label([one], FLEET, 'yes');
  const again = await many.untilOn(all);
  expect(written(again, [one])).toEqual(written(before, [one]));
  expect(again.get(one)?.metadata.uid).not.toBe(before.get(one)?.metadata.uid);
}, 3_000_000);

test('a new revision comes to the sites of its first stage, and to 250 clusters when these are Ready', async () => {
  const { stack, key, all } = many;
  const stages = [{ name: 'first', sites: { matchLabels: { [FIRST]: 'yes' } } }];
  await stack.hub.patch(CAPP_SET, key, { spec: { template: templated('shop:v2'), strategy: { stages } } });
  await eventually(async () => {
    const found = await many.children();
    const isNew = ([, capp]: readonly [string, Capp]) => imageOf(capp) === 'shop:v2';
    const isFirst = ([site]: readonly [string, Capp]) => stack.sites.includes(site);
    const fakesWithIt = [...found].filter((one) => isNew(one) && !isFirst(one));
    const firstWithIt = [...found].filter((one) => isNew(one) && isFirst(one));
    if (fakesWithIt.length > 0) expect(firstWithIt).toHaveLength(stack.sites.length);
    const stage = (await many.set()).status?.stages?.find(({ name }) => name === 'first');
    if (fakesWithIt.length > 0) expect(stage?.state).toBe('Passed');
    expect(fakesWithIt.length + firstWithIt.length).toBe(all.length);
    return true;
  }, WAIT);
}, 1_200_000);

test('clusters that are taken out nine by nine go until they are a tenth within ten minutes; then a person is asked, and what is allowed counts once', async () => {
  const { fakes, label } = many;
  // One went already, within these ten minutes or before.
  const steps = [1, 2, 3].map((step) => fakes.slice(step * STEP, (step + 1) * STEP));
  const [first = [], second = [], third = []] = steps;
  await label(first, FLEET, null);
  await untilWithout(first);
  await label(second, FLEET, null);
  const before = await untilWithout(second);
  await label(third, FLEET, null);
  const held = await untilHeld(STEP);
  expect(2 * STEP + third.length).toBeGreaterThan(TENTH);
  expect(written(await many.children(), [])).toEqual(written(before, []));

  await approve(`1#${held}`);
  await eventually(async () => {
    await many.cleanUp();
    expect((await many.children()).size).toBe(before.size - 1);
    return true;
  }, WAIT);
  const rest = await untilHeld(STEP - 1);
  const left = await many.children();
  await approve(null);
  await approve(`1#${held}`);
  // One more is taken out after that: whoever counts it has heard the second approval, too.
  const last = fakes[4 * STEP] ?? '';
  await label([last], FLEET, null);
  expect(await untilHeld(STEP)).not.toBe(rest);
  expect(written(await many.children(), [])).toEqual(written(left, []));
}, 1_800_000);

test('a Placement that is swapped for another one removes no Capp without a person', async () => {
  const { stack, fakes, placed, label } = many;
  const before = await many.children();
  const others = fakes.slice(-20);
  await label(others, OTHERS, 'yes');
  await stack.hub.remove(PLACEMENT, placed);
  await eventually(() => stack.hub.create(PLACEMENT, many.placement(OTHERS)), WAIT);
  await untilHeld(before.size - others.length);
  expect(written(await many.children(), [])).toEqual(written(before, []));
}, 1_200_000);

test('a set that is deleted takes all of its Capps with it', async () => {
  const { stack, key } = many;
  await stack.hub.remove(CAPP_SET, key);
  await eventually(async () => {
    await many.cleanUp();
    expect((await many.children()).size).toBe(0);
    expect(await stack.hub.get(CAPP_SET, key)).toBeNull();
    return true;
  }, WAIT);
}, 1_800_000);
