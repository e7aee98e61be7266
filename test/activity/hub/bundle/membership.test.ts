// A Bundle follows a Placement on a real API server: all pages of its decisions, nothing on an incomplete
// one, and no mass removal before a person says so.
import { APPROVE_REMOVAL } from '../../../../crds/labels.ts';
import { PLACEMENT, PLACEMENT_DECISION, PLACEMENT_LABEL } from '../../../../crds/ocm/placements.ts';
import { HUB_TIMES } from '../../../../activities/hub/times.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { bundleHub, sameClusters } from '../../../support/testbeds/fleet/bundle-hub.ts';
import { joinSites } from '../../../support/testbeds/join/joined-sites.ts';
import { APPS, startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';

let stage: HubForTests;
const SITES = ['site-1', 'site-2', 'site-3', 'site-4'] as const;
const NAMESPACE = { apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };

beforeAll(async () => {
  stage = await startHub();
  for (const name of SITES.slice(2)) await stage.kube.create(NAMESPACE, { metadata: { name } } as never);
  await joinSites(stage, SITES);
  await sameClusters(stage);
}, 300_000);
afterAll(() => stage?.stop());

/** A Placement in the namespace of Bundles that selects these sites, a page for each list. */
async function decide(name: string, pages: readonly (readonly string[])[], told?: number): Promise<void> {
  const { kube, caches } = stage;
  const key = { namespace: APPS, name };
  const { apiVersion, kind } = PLACEMENT;
  if ((await kube.get(PLACEMENT, key)) === null)
    await kube.create(PLACEMENT, { apiVersion, kind, metadata: key, spec: {} } as never);
  for (const [index, page] of pages.entries()) {
    const metadata = { namespace: APPS, name: `${name}-${index}`, labels: { [PLACEMENT_LABEL]: name } };
    if ((await kube.get(PLACEMENT_DECISION, metadata)) === null)
      await kube.create(PLACEMENT_DECISION, {
        apiVersion: PLACEMENT_DECISION.apiVersion,
        kind: PLACEMENT_DECISION.kind,
        metadata,
      });
    const decisions = page.map((clusterName) => ({ clusterName, reason: '' }));
    await kube.patch(PLACEMENT_DECISION, metadata, { status: { decisions } }, { subresource: 'status' });
  }
  const numberOfSelectedClusters = told ?? pages.flat().length;
  await kube.patch(PLACEMENT, key, { status: { numberOfSelectedClusters } }, { subresource: 'status' });
  const decided = () =>
    caches.decisions.by('placement', `${APPS}/${name}`).flatMap(({ status }) => status?.decisions ?? []);
  await eventually(() => {
    const isSeen = caches.placements.get(key)?.status?.numberOfSelectedClusters === numberOfSelectedClusters;
    return isSeen && decided().length === pages.flat().length ? true : undefined;
  });
}

const there = async (hub: ReturnType<typeof bundleHub>): Promise<string[]> => {
  const all = await Promise.all(SITES.map((cluster) => hub.work(cluster)));
  return SITES.filter(
    (_site, index) => all[index] !== null && all[index]?.metadata.deletionTimestamp === undefined,
  );
};

/** Turns until what a decision must hold for has passed. */
const heldTurn = async (hub: ReturnType<typeof bundleHub>): Promise<void> => {
  await hub.turn();
  const begun = Date.now();
  await eventually(
    async () => {
      await hub.turn();
      return Date.now() > begun + HUB_TIMES.setHeld.ms ? true : undefined;
    },
    { everyMs: 500 },
  );
};

async function placed(name: string, pages: readonly (readonly string[])[]) {
  const hub = bundleHub(stage, name);
  await decide(name, pages);
  await hub.make({ placement: name, strategy: { maxConcurrent: '100%' } });
  await hub.turn();
  await hub.apply(...(await there(hub)));
  await hub.turn();
  return hub;
}

test('a Bundle is on all sites of all pages, and a site that joins or leaves adds or removes exactly one work', async () => {
  const hub = await placed('paged', [['site-1'], ['site-2'], ['site-3']]);
  expect(await there(hub)).toEqual(['site-1', 'site-2', 'site-3']);
  expect(await hub.condition('Ready')).toMatchObject({ status: 'True' });
  await decide('paged', [['site-1'], ['site-2'], ['site-3', 'site-4']]);
  await hub.turn();
  expect(await there(hub)).toEqual([...SITES]);
  await hub.apply('site-4');
  await decide('paged', [['site-1'], ['site-2'], ['site-4']]);
  await hub.turn();
  expect(await there(hub)).toEqual([...SITES]);
  await heldTurn(hub);
  expect(await there(hub)).toEqual(['site-1', 'site-2', 'site-4']);
});

test('a decision that does not add up, and an empty one, add and remove nothing, and say so', async () => {
  const hub = await placed('partial', [['site-1', 'site-2']]);
  await decide('partial', [['site-3']], 3);
  await hub.turn();
  expect(await there(hub)).toEqual(['site-1', 'site-2']);
  expect(await hub.condition('Stalled')).toMatchObject({ status: 'True', reason: 'DecisionIncomplete' });
  await decide('partial', [[]]);
  await hub.turn();
  expect(await there(hub)).toEqual(['site-1', 'site-2']);
  expect(await hub.condition('Stalled')).toMatchObject({ status: 'True', reason: 'NoDecision' });
});

test('half of the sites that leave at once stay until a person says how many may go', async () => {
  const hub = await placed('mass', [[...SITES]]);
  await decide('mass', [['site-1', 'site-2']]);
  await heldTurn(hub);
  expect(await there(hub)).toEqual([...SITES]);
  expect(await hub.condition('Stalled')).toMatchObject({ status: 'True', reason: 'RemovalHeld' });
  await hub.annotate({ [APPROVE_REMOVAL]: '2#monday' });
  await hub.turn();
  expect(await there(hub)).toEqual([...SITES]);
  const approval = `2#${(await hub.read()).status?.heldRemoval?.set ?? ''}`;
  await hub.annotate({ [APPROVE_REMOVAL]: approval });
  await hub.turn();
  expect(await there(hub)).toEqual(['site-1', 'site-2']);
  expect((await hub.read()).status?.asked).toMatchObject([{ what: 'removal', request: approval }]);
});
