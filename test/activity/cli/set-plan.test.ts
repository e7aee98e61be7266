// `kubectl capp rollout plan` on a real API server with the real webhook: what it says before anything
// changes is what the turns of the set then do.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { hubCaches } from '../../../activities/hub/caches.ts';
import { BUNDLE } from '../../../crds/bundle/bundle.ts';
import { PLAN } from '../../../crds/labels.ts';
import { PLACEMENT_DECISION } from '../../../crds/ocm/placements.ts';
import { CAPP_SET } from '../../../crds/set/cappset.ts';
import { writtenOf } from '../../../crds/set/child.ts';
import type { RolloutPlan } from '../../../crds/rollout/plan.ts';
import { run } from '../../../cli/program.ts';
import { stopAll } from '../../../kube/watch/cache.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { aTemplate, says } from '../../support/builders/fleet/sets.ts';
import { aTerminal } from '../../support/builders/process/terminals.ts';
import { serveBare } from '../../support/servers/api/definitions.ts';
import { HUB_USER, startWebhook, type WebhookForTests } from '../../support/servers/chart/webhook.ts';
import type { HubForTests } from '../../support/testbeds/hub/hub.ts';
import {
  acceptSites,
  beginSet,
  childrenOn,
  setOn,
  type Looker,
} from '../../support/testbeds/fleet/looker.ts';
import { RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';

let hub: WebhookForTests;
let stage: HubForTests;
let folder: string;
let shop: Looker;
beforeAll(async () => {
  hub = await startWebhook(['apps', 'placements', RCS_CONFIG_KEY.namespace], Date.now());
  await serveBare(hub.kube, PLACEMENT_DECISION);
  folder = await mkdtemp(join(tmpdir(), 'cappstan-plan-'));
  const caches = hubCaches(hub.kube, () => undefined);
  // What a set notes on its Capps nobody else may write.
  const kube = await hub.as(HUB_USER);
  stage = { kube, caches, events: { note: () => undefined } } as unknown as HubForTests;
  await acceptSites(stage, ['site-1', 'site-2', 'site-3', 'site-4']);
  shop = await beginSet(stage, 'shop', specWith('shop:1', {}));
  for (const sites of [['site-1'], ['site-2', 'site-3', 'site-4'], []]) {
    await shop.look();
    for (const site of sites) await says(stage.kube, `shop-${site}`, 'Serving');
  }
}, 300_000);
afterAll(async () => {
  if (stage !== undefined) await stopAll(stage.caches);
  await hub?.stop();
  await rm(folder, { recursive: true, force: true });
});

function specWith(image: string, last: object): object {
  const template = aTemplate(image);
  const overrides = [
    {
      clusterSelector: { matchLabels: { tier: 'canary' } },
      patch: { spec: { scaleSpec: { maxReplicas: 2 } } },
    },
  ];
  const canary = { name: 'canary', sites: { matchLabels: { tier: 'canary' } } };
  const stages = [canary, { name: 'others', ...last }];
  const sites = { clusters: ['site-1', 'site-2', 'site-3', 'site-4'] };
  return { sites, template, overrides, strategy: { maxConcurrent: '100%', stages } };
}

async function fileWith(spec: object, name = 'shop'): Promise<string> {
  const file = join(folder, `${name}.yaml`);
  const { apiVersion, kind } = CAPP_SET;
  await writeFile(file, stringify({ apiVersion, kind, metadata: { name, namespace: 'apps' }, spec }));
  return file;
}

async function capp(...args: string[]) {
  const { terminal, out, notes } = aTerminal();
  const all = [...args, '--kubeconfig', hub.kubeconfig, '-n', 'apps', '--request-timeout', '60'];
  const code = await run({ args: all, name: 'capp', version: '0' }, terminal);
  return { code, out: out.join('\n'), err: notes.join('\n') };
}

/** Sites with the revision, in order. */
async function sitesWith(revision: string): Promise<string[]> {
  const children = await childrenOn(stage, 'shop');
  return children
    .filter(({ metadata }) => writtenOf(metadata)?.revision === revision)
    .map(({ spec }) => spec.site ?? '')
    .toSorted();
}

test('of a set as it is nothing would change, and nothing is written to find that out', async () => {
  const before = await setOn(stage, 'shop');
  // The webhook's caches follow at their own time.
  await eventually(async () => {
    const { code, out, err } = await capp('rollout', 'plan', 'shop');
    expect([code, err]).toEqual([0, '']);
    expect(out).toBe(
      `Revision ${before.status?.shortRevision}: no site would change. Nothing has been changed.`,
    );
    return true;
  });
  expect(await setOn(stage, 'shop')).toEqual(before);
});

test('a file is refused as it would be if it were applied', async () => {
  const broken = await fileWith({ ...specWith('shop:2', {}), placement: 'both' });
  const { code, err } = await capp('rollout', 'plan', 'shop', '-f', broken);
  expect(code).toBe(1);
  expect(err).toMatch(/^The hub refused: .*exactly one of placement and sites/);
  expect((await capp('rollout', 'plan', 'other', '-f', broken)).err).toContain(
    'has no CappSet or Bundle other. It has: CappSet shop.',
  );
  expect((await capp('rollout', 'plan')).err).toContain('Name a CappSet or a Bundle, or a file with one');
});

test('a set that is not there yet can be planned, too', async () => {
  const file = await fileWith(specWith('shop:2', {}), 'fresh');
  const { code, out } = await capp('rollout', 'plan', '-f', file);
  expect(code).toBe(0);
  expect(out).toMatch(/4 sites would change[^]+A new Capp on site-1, site-2, site-3, site-4$/);
  expect(await hub.kube.get(CAPP_SET, { namespace: 'apps', name: 'fresh' })).toBeNull();
});

test('a new set is planned as a set, also where a Bundle has its name', async () => {
  const manifests = [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'apps', name: 'a' } }];
  await hub.kube.create(BUNDLE, {
    metadata: { namespace: 'apps', name: 'named' },
    spec: { sites: { clusters: ['site-1'] }, manifests },
  } as never);
  const { out, err } = await capp('rollout', 'plan', '-f', await fileWith(specWith('shop:2', {}), 'named'));
  expect([out, err]).toEqual([expect.stringMatching(/A new Capp on site-1, site-2, site-3, site-4$/), '']);
});

test('without a webhook there is no plan, and that is said', async () => {
  await hub.without(async () => {
    const { code, err } = await capp('rollout', 'plan', 'shop');
    expect([code, err]).toEqual([1, expect.stringContaining("The hub's webhook does not answer")]);
  });
});

test('the question is answered in dry runs alone', async () => {
  const key = { namespace: 'apps', name: 'shop' };
  await hub.kube.patch(CAPP_SET, key, { metadata: { annotations: { [PLAN]: 'please' } } });
  expect((await setOn(stage, 'shop')).metadata.annotations?.[PLAN]).toBe('please');
  await hub.kube.patch(CAPP_SET, key, { metadata: { annotations: { [PLAN]: null } } });
});

test('the turns of the set then change the same sites in the same order, by the same gates, with the same fields', async () => {
  const spec = specWith('shop:2', { approval: 'Required' });
  const file = await fileWith(spec);
  const text = await capp('rollout', 'plan', 'shop', '-f', file);
  expect(text.out).toMatch(
    /^Revision (\w+), from \w+: 4 sites would change\. Nothing has been changed\.\n\n.*STAGE +REVISION +AFTER +HOW +SITES, IN ORDER\n1 +canary +\1 +- +- +site-1\n2 +others +\1 +approval of others +3 at once +site-2, site-3, site-4\n\nChanged on site-[^]+containers\[0\]\.image: "shop:1" → "shop:2"/,
  );
  const plan = await eventually(async () => {
    const { code, out } = await capp('rollout', 'plan', 'shop', '-f', file, '-o', 'json');
    return code === 0 ? (JSON.parse(out) as RolloutPlan) : undefined;
  });
  expect(plan.changes.map(({ sites, what }) => [what, sites.toSorted()])).toEqual([
    ['changed', ['site-1', 'site-2', 'site-3', 'site-4']],
  ]);
  const [first, second, ...more] = plan.steps.map(({ sites }) => sites);
  expect(more).toEqual([]);

  await hub.kube.patch(CAPP_SET, { namespace: 'apps', name: 'shop' }, { spec });
  await shop.look();
  expect((await setOn(stage, 'shop')).status?.revision).toBe(plan.revision);
  expect(await sitesWith(plan.revision)).toEqual(first);
  await says(stage.kube, 'shop-site-1', 'Serving');
  await shop.look();
  expect((await setOn(stage, 'shop')).status?.conditions?.[0]?.reason).toBe(plan.steps[1]?.after[0]?.reason);
  expect(await sitesWith(plan.revision)).toEqual(first);
  expect((await capp('rollout', 'approve', 'shop')).code).toBe(0);
  await shop.look();
  expect(await sitesWith(plan.revision)).toEqual([...(first ?? []), ...(second ?? [])]);
  const images = (await childrenOn(stage, 'shop')).map(
    ({ spec: one }) => one.configurationSpec.template.spec.containers[0]?.image,
  );
  expect(images).toEqual(Array.from({ length: 4 }, () => 'shop:2'));
});
