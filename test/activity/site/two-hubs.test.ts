// Two hubs on one site, with OCM's own work agents: both hubs' Capps are there, the second of one name reads
// which hub has it, nothing is written in turn, and a hub that leaves takes only what is its own. The second
// hub's agent is in hosted mode: it keeps its own objects on another cluster, and has an account on the site.
import { setTimeout as pause } from 'node:timers/promises';
import { factsOf } from '../../../activities/hub/status/work-facts.ts';
import { CONFIG_MAP, SECRET } from '../../../crds/kubernetes/core.ts';
import { shortIdOf } from '../../../crds/ocm/executors.ts';
import type { ManifestWork } from '../../../crds/ocm/ocm.ts';
import { HUBS_OF_SITE } from '../../../crds/site-hubs.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { afterApply } from '../../../workflows/capp/after/apply.ts';
import { askOf } from '../../../workflows/capp/next/questions.ts';
import { review } from '../../../workflows/placement/review.ts';
import { aField, members, NOT_ASKED, RULES } from '../../support/builders/placement.ts';
import { aPlacedState, applied as anApply, NOW } from '../../support/builders/states.ts';
import { startCluster, type Cluster } from '../../support/servers/chart/chart.ts';
import {
  addOnOf,
  applied,
  applyAgain,
  create,
  hubOnSite,
  ofHub,
  remove,
  said,
  SITE,
  versionsOn,
  WAIT,
  workOf,
  type HubOnSite,
} from '../../support/testbeds/site/hub-on-site.ts';

const ADDON = HUBS_OF_SITE.namespace;
/** How long nothing may be written; `make soak` takes ten minutes. */
const WATCHED_MS = Number(process.env['TWO_HUBS_SECONDS'] ?? 9) * 1_000;
/** Between two times that both agents are made to apply everything again. */
const AGAIN_MS = 3_000;

let site: Cluster;
let a: HubOnSite;
let b: HubOnSite;
beforeAll(async () => {
  // What a work owns goes with it by Kubernetes' own garbage collector.
  site = await startCluster('site', { controllers: ['garbage-collector-controller'] });
  const [first, second] = [await startCluster('hub'), await startCluster('hub')];
  a = await hubOnSite({ id: 'hub-a', cluster: first, site }, 'open-cluster-management-agent', null);
  const own = 'open-cluster-management-customer';
  b = await hubOnSite({ id: 'hub-b', cluster: second, site }, own, second.kubeconfig);
}, 300_000);
afterAll(async () => {
  for (const hub of [a, b]) await hub?.stopAgent();
  for (const hub of [a, b]) await hub?.cluster.stop();
  await site?.stop();
});

const versions = () => versionsOn(site, [a, b]);
const again = (round: number) => applyAgain([a, b], round);

/**
 * What the workflow of a Capp on site-1 decides by what the site says of its work: why, for where, and
 * whether the first hub is named.
 */
function goesTo(work: ManifestWork): readonly [string, string | null, boolean] {
  const state = aPlacedState({}, {});
  const refused = afterApply(state, state, {
    cluster: SITE,
    answer: anApply({ work: factsOf(work) }),
    tellsFailure: true,
  });
  const { history } = askOf(refused);
  const clusters = [SITE, 'site-2'];
  const inputs = {
    ...aField({ byPlacement: { all: { clusters, complete: true } }, clusters: members(...clusters) }),
    works: { [SITE]: { leaving: false } },
    present: SITE,
  };
  const found = review(
    inputs,
    { ...NOT_ASKED, ...(history?.otherHub === undefined ? {} : { otherHub: history.otherHub }) },
    RULES,
    NOW,
  );
  return [found.reason, found.goes ? found.to : null, found.message.includes('hub-a')];
}

const SHARED = `Deployment ${ADDON}/cappstan-site`;
const agentOf = (hub: string): string => `Deployment ${ADDON}/cappstan-agent-${shortIdOf(hub)}`;

/**
 * The second hub takes its works and its add-on away while the first one stays. Nothing of that is written.
 */
async function secondLeaves(works: readonly ManifestWork[]): Promise<void> {
  const before = await versions();
  const ofA = ofHub(before, 'hub-a');
  expect(ofA).toEqual(expect.arrayContaining(['Capp team-a/hello', 'Secret team-a/hello-key', SHARED]));
  for (const work of works) await remove(b, work);
  await remove(b, await addOnOf(b));
  await again(1_000_000);
  await applied(a, await addOnOf(a));
  const left = await versions();
  expect(ofA.filter((name) => left.get(name)?.version !== before.get(name)?.version)).toEqual([]);
  const ofB = ['Capp team-b/hello', 'Secret team-b/hello-key', agentOf('hub-b')];
  expect(ofB.filter((name) => left.has(name))).toEqual([]);
}

test(
  'two hubs share a site without one write in turn, and each that leaves takes only what is its own',
  async () => {
    await create(a, await addOnOf(a));
    await applied(a, await addOnOf(a));
    const data = { 'open-cluster-management-customer.klusterlet-work-sa': 'hub-b' };
    await site.kube.patch(CONFIG_MAP, HUBS_OF_SITE, { data });
    const helloOfA = workOf(a, 'team-a', 'hello');
    await create(a, helloOfA);
    await applied(a, helloOfA);
    await create(b, await addOnOf(b));
    await said(b, await addOnOf(b));
    expect(ofHub(await versions(), 'hub-b')).toContain(agentOf('hub-b'));

    // The same name, a free name in the other's Namespace, and a Namespace of its own.
    const [same, guest, own] = [
      workOf(b, 'team-a', 'hello'),
      workOf(b, 'team-a', 'guest'),
      workOf(b, 'team-b', 'hello'),
    ];
    for (const work of [same, guest, own]) await create(b, work);
    await applied(b, own);
    expect(factsOf(await said(b, same)).refused).toEqual({
      reason: 'OtherHub',
      message:
        'site-1 already has Secret hello-key (and 1 more) of hub hub-a, and keeps it. Take another name, or name another site in spec.site.',
    });
    expect(factsOf(await said(b, guest)).refused).toMatchObject({
      reason: 'OtherHub',
      message: expect.stringMatching(/^Namespace team-a of site-1 belongs to hub hub-a, /),
    });
    // By these words the workflows of the second hub send both to their next candidate.
    for (const work of [same, guest])
      expect(goesTo(await said(b, work))).toEqual(['OtherHub', 'site-2', true]);
    expect(goesTo(await said(b, own))).toEqual(['NotMoving', null, false]);
    expect(
      (await site.kube.get<KubeObject & { data: object }>(SECRET, { namespace: 'team-a', name: 'hello-key' }))
        ?.data,
    ).toEqual({ value: btoa('hub-a') });

    await pause(2_000);
    const before = await versions();
    const until = Date.now() + WATCHED_MS;
    for (let round = 1; Date.now() < until; round += 1) {
      await again(round);
      await pause(AGAIN_MS);
    }
    const after = await versions();
    const written = [...after].filter(([name, { version }]) => before.get(name)?.version !== version);
    expect([written, after.size]).toEqual([[], before.size]);

    await secondLeaves([same, guest, own]);
    await create(b, await addOnOf(b));
    await said(b, await addOnOf(b));
    await create(b, own);
    await applied(b, own);

    // The first leaves: its Capps, then its add-on. The second goes on, and keeps what is there once.
    const both = await versions();
    const ofB = ofHub(both, 'hub-b');
    await remove(a, helloOfA);
    await remove(a, await addOnOf(a));
    await again(0);
    await eventually(async () => ((await versions()).get(SHARED)?.hub === 'hub-b' ? true : undefined), WAIT);
    const left = await versions();
    expect(ofB.filter((name) => left.get(name)?.version !== both.get(name)?.version)).toEqual([]);
    expect(left.has(agentOf('hub-a'))).toBe(false);
    expect([left.has('Capp team-a/hello'), left.has('Capp team-b/hello')]).toEqual([false, true]);

    // The second leaves as well. What is there once stays, though no hub has an add-on there any more.
    await remove(b, own);
    await remove(b, await addOnOf(b));
    const end = await versions();
    expect([end.has('Capp team-b/hello'), end.has(agentOf('hub-b')), end.has(SHARED)]).toEqual([
      false,
      false,
      true,
    ]);
  },
  WATCHED_MS + 300_000,
);
