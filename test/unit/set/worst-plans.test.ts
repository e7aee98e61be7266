// The worst plan that a dry run may ask for: a set of as many sites and as large a template as an API server
// takes.
import { setImmediate as turn } from 'node:timers/promises';
import { previewOf } from '../../../activities/hub/set/preview.ts';
import type { SelectOptions } from '../../../activities/hub/set/selected.ts';
import { bySet } from '../../../crds/set/child.ts';
import { CappSetSpec, type CappSet } from '../../../crds/set/cappset.ts';
import { listed } from '../../../kube/watch/listed.ts';
import { timesAsLongWaiting } from '../../support/pace.ts';
import { worstSetPlan } from '../../support/builders/fleet/worst.ts';
import { aCluster, aSet, aTemplate } from '../../support/builders/fleet/sets.ts';

const CONFIG = { namespace: 'system', name: 'config' };
const NOW = Date.parse('2026-03-01T12:00:00Z');

function hubOf(names: readonly string[]): SelectOptions {
  const rules = { metadata: CONFIG, spec: { placements: ['all'], placementsNamespace: 'p', pinning: 'Any' } };
  const none = listed([]);
  const caches = {
    placements: none,
    clusterSets: none,
    setBindings: none,
    drains: none,
    configs: listed([rules]),
    decisions: listed([], { placement: () => [] }),
    clusters: listed(
      names.map((name, index) => aCluster(name, { index: `${index}`, zone: `z${index % 7}` })),
    ),
    capps: listed([], { set: bySet }),
  };
  return { caches: caches as never, config: CONFIG, hubUid: 'hub' };
}

/** On so many sites, with a template of so many bytes and with overrides that differ from site to site. */
async function plan(count: number, bytes: number): Promise<() => Promise<unknown>> {
  const names = Array.from({ length: count }, (_, index) => `site-${index}`);
  const template = aTemplate('ghcr.io/me/app:v1') as { metadata?: object };
  template.metadata = { annotations: { filling: `{{site}} ${'x'.repeat(bytes)}` } };
  const overrides = Array.from({ length: 20 }, (_, bit) => ({
    clusterSelector: { matchLabels: { zone: `z${bit % 7}` } },
    patch: { metadata: { annotations: { [`a${bit}`]: '{{label:index}}' } } },
  }));
  const set: CappSet = aSet('shop', { ...template, template, sites: { clusters: names }, overrides });
  const spec = CappSetSpec.parse(set.spec);
  const hub = hubOf(names);
  const made = () => previewOf(hub, { set: { ...set, spec }, children: [], patterns: new Map() }, NOW);
  expect(JSON.stringify(await made()).length).toBeLessThan(262_144);
  return made;
}

test('four times as many sites take some four times as long', async () => {
  const [few, many] = [await plan(250, 100), await plan(1_000, 100)];
  expect(await timesAsLongWaiting(9, many, few)).toBeLessThan(9);
});

test('four times as large a template takes no more than some four times as long', async () => {
  const [small, large] = [await plan(200, 20_000), await plan(200, 80_000)];
  expect(await timesAsLongWaiting(9, large, small)).toBeLessThan(9);
});

test('the plan of a large set lets others have their turn again and again, and ends when nobody waits for it', async () => {
  const { options, asked } = worstSetPlan(60, 100_000);
  let turns = 0;
  const over = new AbortController();
  const making = previewOf(options, asked, NOW).finally(() => over.abort());
  while (!over.signal.aborted) {
    turns += 1;
    await turn();
  }
  expect((await making)?.steps.flatMap(({ sites }) => sites).length).toBe(60);
  expect(turns).toBeGreaterThan(4);
  const reason = new Error('nobody waits');
  const left = previewOf(options, { ...asked, signal: AbortSignal.abort(reason) }, NOW);
  await expect(left).rejects.toBe(reason);
});
