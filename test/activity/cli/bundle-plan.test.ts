// `kubectl capp rollout plan bundle/…` and `kubectl capp history bundle/…` on a real API server with the real
// webhook, which reads no work and no Secret: what it says before anything changes is what the turns of the
// Bundle then do.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { hubCaches } from '../../../activities/hub/caches.ts';
import { run } from '../../../cli/program.ts';
import { BUNDLE } from '../../../crds/bundle/bundle.ts';
import { MANAGED_CLUSTER, MANIFEST_WORK } from '../../../crds/ocm/ocm.ts';
import { ADD_ON_PLACEMENT_SCORE, PLACEMENT_DECISION } from '../../../crds/ocm/placements.ts';
import { RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import type { RolloutPlan } from '../../../crds/rollout/plan.ts';
import { allSynced, stopAll } from '../../../kube/watch/cache.ts';
import { aConfigMap } from '../../support/builders/fleet/bundles.ts';
import { aTerminal } from '../../support/builders/process/terminals.ts';
import { serveBare } from '../../support/servers/api/definitions.ts';
import { startWebhook, type WebhookForTests } from '../../support/servers/chart/webhook.ts';
import { bundleHub, sameClusters } from '../../support/testbeds/fleet/bundle-hub.ts';
import type { HubForTests } from '../../support/testbeds/hub/hub.ts';
import { joinSites } from '../../support/testbeds/join/joined-sites.ts';

const SITES = ['site-1', 'site-2', 'site-3'] as const;
const CANARY = { name: 'canary', sites: { matchLabels: { tier: 'canary' } } };
const STAGES = [CANARY, { name: 'others', approval: 'Required' }];

let webhook: WebhookForTests;
let stage: HubForTests;
let folder: string;
beforeAll(async () => {
  webhook = await startWebhook(['apps', RCS_CONFIG_KEY.namespace, ...SITES], Date.now());
  const { kube } = webhook;
  for (const kind of [PLACEMENT_DECISION, MANIFEST_WORK, ADD_ON_PLACEMENT_SCORE]) await serveBare(kube, kind);
  folder = await mkdtemp(join(tmpdir(), 'cappstan-plan-'));
  const caches = hubCaches(kube, () => undefined);
  await allSynced(caches);
  stage = { kube, caches, events: { note: () => undefined } } as unknown as HubForTests;
  await joinSites(stage, SITES);
  const labels = { tier: 'canary' };
  await kube.patch(MANAGED_CLUSTER, { namespace: null, name: 'site-1' }, { metadata: { labels } });
  await sameClusters(stage);
}, 300_000);
afterAll(async () => {
  if (stage !== undefined) await stopAll(stage.caches);
  await webhook?.stop();
  await rm(folder, { recursive: true, force: true });
});

const secret = (value: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'door', namespace: 'apps', annotations: { note: `was-${value}` } },
  stringData: { key: value, user: 'admin' },
});
const specWith = (color: string, more: object = {}) => ({
  sites: { clusters: [...SITES] },
  strategy: { maxConcurrent: '100%', stages: STAGES },
  manifests: [aConfigMap({ color }), secret(`canary-${color}`)],
  ...more,
});

/** A Bundle that its sites have. */
async function settled(name: string, clusters: readonly string[] = SITES) {
  const hub = bundleHub(stage, name);
  await hub.make(specWith('red', { sites: { clusters: [...clusters] } }));
  await hub.turn();
  await hub.apply('site-1');
  await hub.turn();
  await approve(name);
  await hub.turn();
  await hub.apply(...clusters);
  await hub.turn();
  expect(await hub.condition('Ready')).toMatchObject({ status: 'True' });
  return hub;
}

async function capp(...args: string[]) {
  const { terminal, out, notes } = aTerminal();
  const all = [...args, '--kubeconfig', webhook.kubeconfig, '-n', 'apps', '--request-timeout', '60'];
  const code = await run({ args: all, name: 'capp', version: '0' }, terminal);
  return { code, out: out.join('\n'), err: notes.join('\n') };
}

const approve = (name: string) => capp('rollout', 'approve', `bundle/${name}`, 'others');

async function planOf(name: string, spec?: object): Promise<{ plan: RolloutPlan; text: string }> {
  const file = join(folder, `${name}.yaml`);
  const { apiVersion, kind } = BUNDLE;
  await writeFile(file, stringify({ apiVersion, kind, metadata: { name, namespace: 'apps' }, spec }));
  const args = ['rollout', 'plan', `bundle/${name}`, ...(spec === undefined ? [] : ['-f', file])];
  const { code, out, err } = await capp(...args);
  expect([code, err]).toEqual([0, '']);
  return { text: out, plan: JSON.parse((await capp(...args, '-o', 'json')).out) as RolloutPlan };
}

test('of a Bundle as it is nothing would change, and nothing is written to find that out', async () => {
  const hub = await settled('still');
  const before = await hub.read();
  const { text } = await planOf('still');
  expect(text).toBe(
    `Revision ${before.status?.shortRevision}: no site would change. Nothing has been changed.`,
  );
  expect(await hub.read()).toEqual(before);
});

test('the turns of the Bundle then change the same sites in the same order, by the same gates, and no value of a Secret is told', async () => {
  const hub = await settled('base');
  const { text, plan } = await planOf('base', specWith('blue'));
  expect(text).toMatch(
    /^A new revision, from \w+: 3 sites would change\. Nothing has been changed\.\n\n.*\n1 +canary +new +- +- +site-1\n2 +others +new +approval of others +2 at once +site-2, site-3\n\nChanged on site-1, site-2, site-3\n/,
  );
  expect(plan.changes[0]?.lines).toEqual([
    'ConfigMap apps/settings.data.color: "red" → "blue"',
    'Secret apps/door.metadata.annotations.note: changed',
    'Secret apps/door.stringData.key: changed',
  ]);
  expect(JSON.stringify(plan)).not.toContain('canary-');

  await hub.edit(specWith('blue'));
  await hub.turn();
  expect(await hub.colors(...SITES)).toEqual(['blue', 'red', 'red']);
  await hub.apply('site-1');
  await hub.turn();
  expect((await hub.condition('Progressing'))?.reason).toBe(plan.steps[1]?.after[0]?.reason);
  expect(await hub.colors(...SITES)).toEqual(['blue', 'red', 'red']);
  // What is left of it, and what a way back would do: to the one site that was changed.
  expect((await planOf('base')).plan.steps.map(({ sites }) => sites)).toEqual([['site-2', 'site-3']]);
  const back = await planOf('base', specWith('red'));
  expect(back.plan.revision).toBe((await hub.read()).status?.rollout?.settled);
  expect(back.plan.steps.map(({ sites }) => sites)).toEqual([['site-1']]);
  expect(back.plan.changes.map(({ sites, lines }) => [sites, lines[0]])).toEqual([
    [['site-1'], 'ConfigMap apps/settings.data.color: "blue" → "red"'],
  ]);
  await approve('base');
  await hub.turn();
  expect(await hub.colors(...SITES)).toEqual(['blue', 'blue', 'blue']);
});

test('a plan names sites that are new, that leave and that cannot be reached, and nothing of it is stored', async () => {
  const hub = await settled('moves', ['site-1', 'site-2']);
  await hub.reachable('site-1', false);
  try {
    const spec = specWith('green', { sites: { clusters: ['site-1', 'site-3'] } });
    const { plan, text } = await planOf('moves', spec);
    expect(plan.offline).toEqual(['site-1']);
    expect(plan.removed).toEqual({ sites: ['site-2'], held: 0, kept: 0 });
    expect(plan.changes).toMatchObject([{ sites: ['site-3'], what: 'created' }]);
    expect(text).toContain('No longer selected, so it is removed: site-2.');
    expect((await hub.read()).spec.sites?.clusters).toEqual(['site-1', 'site-2']);
  } finally {
    await hub.reachable('site-1', true);
  }
});

test('a Bundle that is not there yet can be planned, and one that would be refused is refused', async () => {
  const { text } = await planOf('fresh', specWith('red'));
  expect(text).toMatch(/^A new revision: 3 sites would change[^]+A new copy on site-1, site-2, site-3$/);
  expect(await webhook.kube.get(BUNDLE, { namespace: 'apps', name: 'fresh' })).toBeNull();
  const file = join(folder, 'fresh.yaml');
  const { apiVersion, kind } = BUNDLE;
  const twice = { manifests: [aConfigMap(), aConfigMap()], sites: { clusters: ['site-1'] } };
  await writeFile(file, stringify({ apiVersion, kind, metadata: { name: 'fresh' }, spec: twice }));
  for (const named of [[], ['fresh'], ['bundle/fresh']])
    expect((await capp('rollout', 'plan', ...named, '-f', file)).err).toMatch(
      /^The hub refused: .*leave one of them out/,
    );
  expect((await capp('rollout', 'plan', 'cappset/fresh', '-f', file)).err).toContain(
    'has no CappSet fresh. It has: Bundle fresh.',
  );
});

test('the history of a Bundle says who began each revision, why it stands as it does and what changed, without a value', async () => {
  const hub = await settled('past');
  const editor = await webhook.as('anna');
  await editor.patch(BUNDLE, { namespace: 'apps', name: 'past' }, { spec: specWith('violet') });
  await hub.turn();
  await capp('rollout', 'pause', 'bundle/past');
  await capp('rollout', 'abort', 'bundle/past');
  await hub.turn();
  const { code, out } = await capp('history', 'bundle/past', '-o', 'json');
  expect(code).toBe(0);
  const all = JSON.parse(out) as { what: string; text: string }[];
  const revisions = all.filter(({ what }) => what === 'revision').map(({ text }) => text);
  const { rollout } = (await hub.read()).status ?? {};
  expect(revisions.toSorted()).toEqual(
    [
      `Revision ${rollout?.settled?.slice(0, 10)} was begun, written by kubernetes-admin. It is settled.`,
      `Revision ${rollout?.revision?.slice(0, 10)} was begun, written by anna: ConfigMap apps/settings.data.color, Secret apps/door.metadata.annotations.note, Secret apps/door.stringData.key. It is under way.`,
    ].toSorted(),
  );
  expect(all.map(({ text }) => text)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^kubernetes-admin approved a stage \(others#/),
      expect.stringMatching(/^kubernetes-admin aborted the rollout/),
      'Somebody created the Bundle',
    ]),
  );
  expect(out).not.toMatch(/canary-|violet/);
});
