// How the chart bounds what our processes keep in memory.
import { renderChart } from '../../../deploy/local/cappstan/chart.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { forHub, forSite, SITE_AGENT } from '../../support/servers/chart/chart.ts';

interface Container {
  readonly command: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
}

function containerOf(objects: readonly KubeObject[], name: string): Container {
  const found = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name);
  if (found === undefined) throw new Error(`The chart has no Deployment ${name}.`);
  const { template } = (found as unknown as { spec: { template: { spec: { containers: [Container] } } } })
    .spec;
  return template.spec.containers[0];
}
const ARENAS = [
  { name: 'MALLOC_ARENA_MAX', value: '2' },
  { name: 'MALLOC_TRIM_THRESHOLD_', value: '131072' },
  { name: 'MALLOC_MMAP_THRESHOLD_', value: '131072' },
];

test('the site operator runs in a small heap, by the add-on and on a site without a hub', async () => {
  const sites = [forSite(await forHub({})), await renderChart({ 'site.alone': 'true' })];
  for (const objects of sites)
    expect(containerOf(objects, 'cappstan-site').command).toEqual([
      'node',
      '--max-old-space-size=64',
      '--max-semi-space-size=2',
      '--optimize-for-size',
      'workers/site/main.js',
    ]);
  const large = forSite(await forHub({ 'addon.site.heapMiB': '256' }));
  expect(containerOf(large, 'cappstan-site').command).toContain('--max-old-space-size=256');
});

test('the agent of a site gives back early what it no longer needs', async () => {
  const frugal = ['--max-semi-space-size=2', '--optimize-for-size'];
  const usual = containerOf(forSite(await forHub({})), SITE_AGENT).command;
  expect(usual).toEqual(expect.arrayContaining(['--max-old-space-size=128', ...frugal]));
  const large = containerOf(forSite(await forHub({ 'addon.agent.heapMiB': '512' })), SITE_AGENT).command;
  expect(large).toEqual(expect.arrayContaining(['--max-old-space-size=512', ...frugal]));
});

test('processes with Temporal’s core share two arenas of the C library, and the others need none', async () => {
  const hub = await forHub({});
  const site = forSite(hub);
  for (const one of [
    containerOf(hub, 'cappstan-hub'),
    containerOf(hub, 'cappstan-bridge'),
    containerOf(site, SITE_AGENT),
  ])
    expect(one.env).toEqual(expect.arrayContaining(ARENAS));
  for (const one of [containerOf(hub, 'cappstan-webhook'), containerOf(site, 'cappstan-site')])
    expect(JSON.stringify(one.env)).not.toContain('MALLOC');
});
