// Scores: agents measure, the hub publishes, and a Placement that prefers free CPU sends the next Capp to the
// emptier site.
import { POD } from '../../../crds/kubernetes/core.ts';
import {
  ADD_ON_PLACEMENT_SCORE,
  PLACEMENT,
  PLACEMENT_DECISION,
  PLACEMENT_LABEL,
  type AddOnPlacementScore,
  type PlacementDecision,
} from '../../../crds/ocm/placements.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY, type RcsConfig } from '../../../crds/hub/rcs-config.ts';
import { CPU_AVAILABLE, SCORE_OBJECTS } from '../../../crds/ocm/add-on.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { scheduleId } from '../../../workflows/names.ts';
import { createCapp, newNamespace, readCapp, siteOf, untilReady } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

const TIMEOUT = { withinMs: 180_000, everyMs: 200 };

let stack: TestbedStack;
let namespace: string;
let placements: { namespace: string; names: readonly string[] };
beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'scores');
  const config = await stack.hub.get<RcsConfig>(RCS_CONFIG, RCS_CONFIG_KEY);
  placements = { namespace: config?.spec.placementsNamespace ?? '', names: config?.spec.placements ?? [] };
});
afterEach(async () => {
  for (const site of stack.sites)
    await stack.site(site).remove(POD, { namespace: 'default', name: namespace });
});
afterAll(async () => {
  await stack.hub.patch(RCS_CONFIG, RCS_CONFIG_KEY, { spec: { placements: placements.names } });
  for (const name of SCORE_OBJECTS)
    await stack.hub.remove(PLACEMENT, { namespace: placements.namespace, name: placementBy(name) });
  await stack.close();
});

const placementBy = (score: string): string => `${namespace}-by-${score}`;

async function scoreOf(site: string, name: string = SCORE_OBJECTS[0]): Promise<number> {
  const found = await stack.hub.get<AddOnPlacementScore>(ADD_ON_PLACEMENT_SCORE, { namespace: site, name });
  const figure = found?.status?.scores?.find((one) => one.name === CPU_AVAILABLE);
  if (figure === undefined) throw new Error(`${site} has no ${CPU_AVAILABLE} in ${name}`);
  return figure.value;
}

/** Creates a Pod that requests most of the site's CPU. */
async function fill(site: string): Promise<void> {
  const containers = [
    { name: 'greedy', image: 'ghcr.io/me/greedy:v1', resources: { requests: { cpu: '6' } } },
  ];
  const spec = { containers, automountServiceAccountToken: false };
  await stack.site(site).create(POD, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'default', name: namespace },
    spec,
  } as KubeObject);
}

/** Triggers measurements of all sites until their scores meet the condition. */
async function untilScores(isSo: (scores: Readonly<Record<string, number>>) => boolean): Promise<void> {
  await eventually(
    async () => {
      for (const site of stack.sites)
        await stack.temporal.schedule.getHandle(scheduleId('score', site)).trigger('SKIP');
      const scores = Object.fromEntries(
        await Promise.all(stack.sites.map(async (site) => [site, await scoreOf(site)] as const)),
      );
      if (!isSo(scores)) throw new Error(`The scores are ${JSON.stringify(scores)}.`);
      return true;
    },
    { withinMs: 180_000, everyMs: 1_000 },
  );
}

/**
 * Creates a Placement that prefers free CPU only. Without `numberOfClusters` it decides for all sites, and
 * the hub chooses among them.
 */
async function prefer(score: string, only: { numberOfClusters?: number }): Promise<string> {
  const name = placementBy(score);
  const addOn = { resourceName: score, scoreName: CPU_AVAILABLE };
  const prioritizerPolicy = {
    mode: 'Exact',
    configurations: [{ scoreCoordinate: { type: 'AddOn', addOn }, weight: 1 }],
  };
  const metadata = { namespace: placements.namespace, name };
  await stack.hub.create(PLACEMENT, {
    apiVersion: PLACEMENT.apiVersion,
    kind: PLACEMENT.kind,
    metadata,
    spec: { prioritizerPolicy, ...only },
  } as KubeObject);
  const config = await stack.hub.get<RcsConfig>(RCS_CONFIG, RCS_CONFIG_KEY);
  await stack.hub.patch(RCS_CONFIG, RCS_CONFIG_KEY, {
    spec: { placements: [...(config?.spec.placements ?? []), name] },
  });
  return name;
}

async function untilDecided(placement: string, wanted: readonly string[]): Promise<void> {
  const labelSelector = `${PLACEMENT_LABEL}=${placement}`;
  await eventually(async () => {
    const { items } = await stack.hub.list<PlacementDecision>(PLACEMENT_DECISION, {
      namespace: placements.namespace,
      labelSelector,
    });
    const clusters = items
      .flatMap(({ status }) => status?.decisions ?? [])
      .map(({ clusterName }) => clusterName);
    expect(clusters.toSorted()).toEqual(wanted.toSorted());
    return true;
  }, TIMEOUT);
}

async function siteOfNew(name: string, placement: string): Promise<string> {
  const key = { namespace, name };
  await createCapp(stack.hub, { ...key, spec: { site: placement } });
  return siteOf(await untilReady(stack.hub, key));
}

test('every site has a score with an expiry under both names', async () => {
  await untilScores((scores) => stack.sites.every((site) => (scores[site] ?? 0) > -100));
  for (const site of stack.sites) {
    for (const name of SCORE_OBJECTS) {
      const found = await stack.hub.get<AddOnPlacementScore>(ADD_ON_PLACEMENT_SCORE, {
        namespace: site,
        name,
      });
      expect(found?.status?.scores?.map((figure) => figure.name)).toEqual(['cpuAvailable', 'memAvailable']);
      expect(Date.parse(found?.status?.validUntil ?? '')).toBeGreaterThan(Date.now());
    }
  }
});

test('OCM decides for the emptier site, and for the other one when that is emptier', async () => {
  const [first = '', second = ''] = stack.sites;
  const placement = await prefer('resource-usage-score', { numberOfClusters: 1 });
  await fill(first);
  await untilScores((scores) => (scores[first] ?? 0) < (scores[second] ?? 0) - 20);
  await untilDecided(placement, [second]);
  expect(await siteOfNew('to-second', placement)).toBe(second);
  await stack.site(first).remove(POD, { namespace: 'default', name: namespace });
  await fill(second);
  await untilScores((scores) => (scores[second] ?? 0) < (scores[first] ?? 0) - 20);
  await untilDecided(placement, [first]);
  expect(await siteOfNew('to-first', placement)).toBe(first);
});

test('among several decided sites a Capp gets the emptier one, and its decision record has the scores', async () => {
  const [first = '', second = ''] = stack.sites;
  const placement = await prefer('rcs-score', {});
  await fill(first);
  await untilScores((scores) => (scores[first] ?? 0) < (scores[second] ?? 0) - 20);
  await untilDecided(placement, stack.sites);
  expect(await siteOfNew('chosen', placement)).toBe(second);
  const [decision] = (await readCapp(stack.hub, { namespace, name: 'chosen' })).status?.decisions ?? [];
  const [winner, other] = decision?.candidates ?? [];
  expect([winner?.cluster, other?.cluster]).toEqual([second, first]);
  expect(winner?.score).toBeGreaterThan((other?.score ?? 100) + 20);
});
