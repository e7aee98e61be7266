// A set that an earlier version rolled out, with revisions of ten digits, under this version.
import { jest } from '@jest/globals';
import { patternOf } from '../../../activities/hub/set/revisions.ts';
import { APPROVE } from '../../../crds/labels.ts';
import { CappSetSpec } from '../../../crds/set/cappset.ts';
import { revisionOf } from '../../../crds/set/render.ts';
import type { Kube } from '../../../kube/client.ts';
import { aSet, imageOf } from '../../support/builders/fleet/sets.ts';
import { setWorld } from '../../support/testbeds/fleet/set-world.ts';
import { turningSets } from '../../support/testbeds/fleet/turning.ts';

/** Two templates whose hashes begin with the same ten digits. */
const [ONE, OTHER] = ['app:1674270', 'app:3055933'] as const;
const SITES = ['a', 'b'];

const revision = (image: string): string =>
  revisionOf(CappSetSpec.parse({ sites: { clusters: SITES }, template: templateOf(image) }));
const templateOf = (image: string) => ({
  spec: { configurationSpec: { template: { spec: { containers: [{ name: 'app', image }] } } } },
});
const short = (text: string): string => text.slice(0, 10);

beforeEach(() => void jest.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') }));
afterEach(() => void jest.useRealTimers());

/** What an earlier version would have written in its place. */
function asBefore<T>(object: T): T {
  const text = JSON.stringify(object).replaceAll(/\b([0-9a-f]{10})[0-9a-f]{22}\b/g, '$1');
  return JSON.parse(text) as T;
}

/** Every site has the image, and the next turn is one of this version. */
async function rolledOutBefore(image: string) {
  const approval = { name: 'both', approval: 'Required', sites: { matchLabels: {} } };
  const spec = {
    sites: { clusters: SITES },
    template: templateOf(image),
    strategy: { stages: [approval], maxConcurrent: '100%' },
  };
  const world = setWorld({ clusters: [...SITES, 'c'], spec, readyAfterMs: 1, ring: () => undefined });
  const before = (kube: Kube): Kube => ({
    ...kube,
    within: () => before(kube),
    create: (resource, object) => kube.create(resource, asBefore(object)),
    apply: (resource, object, options) => kube.apply(resource, asBefore(object), options),
  });
  let kube = before(world.options.kube);
  const look = async () => {
    const sets = turningSets({ ...world.options, kube });
    const ref = { kind: 'CappSet', namespace: 'apps', name: 'many' } as const;
    await sets.turnFleet(ref, { memory: null, minimumVersions: {}, most: 100, isAgain: false });
    await jest.advanceTimersByTimeAsync(60_000);
    return world.set.status;
  };
  const annotate = (value: string): void => {
    const { metadata } = world.set;
    world.set = { ...world.set, metadata: { ...metadata, annotations: { [APPROVE]: value } } };
  };
  annotate(`both#${revision(image)}`);
  await look();
  await look();
  expect(world.set.status).toMatchObject({
    revision: short(revision(image)),
    rollout: { settled: short(revision(image)), revision: short(revision(image)) },
  });
  annotate(`both#${short(revision(image))}`);
  kube = world.options.kube;
  const images = () => [...world.capps.values()].map(imageOf);
  return { world, look, annotate, images };
}

test('an upgrade writes no Capp, and the revision has its whole name from then on', async () => {
  const { world, look } = await rolledOutBefore(ONE);
  const { capps } = world.writes;
  expect(await look()).toMatchObject({
    revision: revision(ONE),
    shortRevision: short(revision(ONE)),
    readySites: '2/2',
    rollout: { settled: revision(ONE), revision: revision(ONE) },
  });
  const { status } = world.writes;
  await look();
  expect(world.writes).toEqual({ capps, status });
});

test('a template whose hash begins like that of the one before the upgrade is another revision, with approvals of its own', async () => {
  expect(short(revision(ONE))).toBe(short(revision(OTHER)));
  const { world, look, annotate, images } = await rolledOutBefore(ONE);
  world.edit({ template: templateOf(OTHER) });
  expect(await look()).toMatchObject({
    revision: revision(OTHER),
    rollout: { settled: revision(ONE), approved: [] },
  });
  for (const other of [short(revision(OTHER)), revision(ONE)]) {
    annotate(`both#${other}`);
    await look();
    expect(images()).toEqual([ONE, ONE]);
  }
  annotate(`both#${revision(OTHER)}`);
  await look();
  expect(images()).toEqual([OTHER, OTHER]);
});

test('a site that joins after the upgrade gets the settled revision, of which the template was kept before', async () => {
  const { world, look } = await rolledOutBefore(ONE);
  world.edit({ template: templateOf(OTHER), sites: { clusters: [...SITES, 'c'] } });
  await look();
  const joined = [...world.capps.values()].find(({ spec }) => spec.site === 'c');
  expect(joined === undefined ? undefined : imageOf(joined)).toBe(ONE);
});

test('a template that is kept by a name of which it only has the first digits is not shipped in place of another', async () => {
  const made = aSet('many', { sites: { clusters: SITES }, template: templateOf(ONE) });
  const set = { ...made, metadata: { ...made.metadata, uid: 'set-uid' } };
  const { template } = CappSetSpec.parse({ ...made.spec, template: templateOf(OTHER) });
  const kept = {
    metadata: { name: 'kept', ownerReferences: [{ uid: 'set-uid' }] },
    spec: { revision: short(revision(ONE)), template },
  };
  const kube = { get: async () => kept } as unknown as Kube;
  expect(await patternOf(kube, set, revision(ONE))).toBeNull();
  expect(await patternOf(kube, set, revision(OTHER))).toMatchObject({ template });
});
