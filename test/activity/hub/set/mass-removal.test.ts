// No change of a Placement takes more Capps of a set away than a person has asked for, on a real API server.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CAPP } from '../../../../crds/capp/capp.ts';
import { APPROVE_REMOVAL } from '../../../../crds/labels.ts';
import { PLACEMENT } from '../../../../crds/ocm/placements.ts';
import { CAPP_SET } from '../../../../crds/set/cappset.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { commandsOf } from '../../../newcomer/blocks.ts';
import { PAGES } from '../../../newcomer/pages.ts';
import { aTemplate, says } from '../../../support/builders/fleet/sets.ts';
import { startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { beforeRemoval } from '../../../support/testbeds/fleet/before-removal.ts';
import { decide } from '../../../support/testbeds/fleet/decide.ts';
import {
  acceptSites,
  beginSet,
  childrenOn,
  lookerAt,
  setOn,
  type Looker,
} from '../../../support/testbeds/fleet/looker.ts';

const SITES = Array.from({ length: 24 }, (_, index) => `site-${String(index + 1).padStart(2, '0')}`);
const namespace = 'apps';

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
  await acceptSites(stage, SITES);
}, 300_000);
afterAll(() => stage?.stop());

/** The Placement selects these, and asks for as many. */
async function select(name: string, clusters: readonly string[]): Promise<void> {
  const patch = { spec: { numberOfClusters: clusters.length } };
  await stage.kube.patch(PLACEMENT, { namespace, name }, patch);
  await decide(stage, name, clusters);
  await eventually(() => {
    const { spec } = stage.caches.placements.get({ namespace, name }) ?? {};
    expect(spec?.numberOfClusters).toBe(clusters.length);
    return true;
  });
}

/** A set that is Ready on these sites. */
async function readyOn(name: string, clusters: readonly string[]): Promise<Looker> {
  await decide(stage, name, clusters);
  await select(name, clusters);
  const strategy = { maxConcurrent: '100%' };
  const looker = await beginSet(stage, name, { placement: name, template: aTemplate('app:1'), strategy });
  await looker.look();
  await Promise.all(clusters.map((cluster) => says(stage.kube, `${name}-${cluster}`, 'Serving')));
  await looker.look();
  return looker;
}

const standing = async (name: string, clusters: readonly string[]): Promise<string[]> =>
  (await childrenOn(stage, name))
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ spec }) => spec.site ?? '')
    .filter((site) => clusters.includes(site));

/** As if the same sites had been selected for a while. */
async function lookLater(looker: Looker): Promise<void> {
  const { memory } = await looker.look();
  looker.memory = { ...memory, leaving: memory.leaving === null ? null : { ...memory.leaving, since: 0 } };
  await looker.look();
}

test('a number that is lowered by one, while eleven others are selected, takes none of twelve away', async () => {
  const [before, after] = [SITES.slice(0, 12), SITES.slice(12, 23)];
  const looker = await readyOn('swapped', before);
  await select('swapped', after);
  await lookLater(looker);
  expect(await standing('swapped', before)).toEqual(before);
  const { conditions, heldRemoval } = (await setOn(stage, 'swapped')).status ?? {};
  expect(conditions).toContainEqual(expect.objectContaining({ type: 'Stalled', reason: 'RemovalHeld' }));
  expect(heldRemoval?.count).toBe(12);
}, 120_000);

test('what a person allowed for some sites counts for no others, and once', async () => {
  const [first, rest] = [SITES.slice(0, 4), SITES.slice(4, 12)];
  const looker = await readyOn('allowed', [...first, ...rest]);
  await stage.kube.patch(PLACEMENT, { namespace, name: 'allowed' }, { spec: { numberOfClusters: null } });
  const unselect = async (clusters: readonly string[]): Promise<void> => {
    await decide(
      stage,
      'allowed',
      SITES.slice(0, 12).filter((site) => !clusters.includes(site)),
    );
    await lookLater(looker);
  };
  await unselect(first);
  const { heldRemoval } = (await setOn(stage, 'allowed')).status ?? {};
  const annotations = { [APPROVE_REMOVAL]: `4#${heldRemoval?.set ?? ''}` };
  await stage.kube.patch(CAPP_SET, { namespace, name: 'allowed' }, { metadata: { annotations } });
  await unselect(rest.slice(0, 4));
  expect(await standing('allowed', SITES)).toHaveLength(12);
  await unselect(first);
  expect(await standing('allowed', SITES)).toEqual(rest);
  // The same sites are selected and left once more, and the annotation is still there.
  await unselect([]);
  await Promise.all(first.map((cluster) => says(stage.kube, `allowed-${cluster}`, 'Serving')));
  await unselect(first);
  expect(await standing('allowed', SITES)).toEqual(SITES.slice(0, 12));
  expect((await setOn(stage, 'allowed')).status?.asked).toMatchObject([{ what: 'removal' }]);
}, 120_000);

test('a set of one site keeps its only Ready Capp until the one that replaces it is Ready', async () => {
  const looker = await readyOn('single', ['site-01']);
  await select('single', ['site-02']);
  await lookLater(looker);
  expect(await standing('single', ['site-01', 'site-02'])).toEqual(['site-01', 'site-02']);
  await says(stage.kube, 'single-site-02', 'Serving');
  await lookLater(looker);
  expect(await standing('single', ['site-01', 'site-02'])).toEqual(['site-02']);
}, 120_000);

test('a removal that is put off, since the Capp has become Ready meanwhile, counts against no later one', async () => {
  const name = 'later';
  await decide(stage, name, ['site-01', 'site-02']);
  await select(name, ['site-01', 'site-02']);
  const strategy = { maxConcurrent: '100%' };
  const first = await beginSet(stage, name, { placement: name, template: aTemplate('app:1'), strategy });
  await first.look();
  await decide(stage, name, ['site-01']);
  const raced = beforeRemoval(stage, CAPP, () => says(stage.kube, 'later-site-02', 'Serving'));
  const looker = lookerAt(raced, name);
  await lookLater(looker);
  expect(await standing(name, SITES)).toEqual(['site-01', 'site-02']);
  expect((await childrenOn(stage, name)).at(1)?.status?.conditions).toContainEqual(
    expect.objectContaining({ type: 'Ready', status: 'True' }),
  );
  await says(stage.kube, 'later-site-01', 'Serving');
  await lookLater(looker);
  expect(await standing(name, SITES)).toEqual(['site-01']);
}, 120_000);

test('what docs/sets.md tells people to type allows what is held, in both ways that it shows', async () => {
  const [first, second] = [SITES.slice(0, 2), SITES.slice(2, 3)];
  const looker = await readyOn('shop', [...first, ...second]);
  await stage.kube.patch(PLACEMENT, { namespace, name: 'shop' }, { spec: { numberOfClusters: null } });
  await decide(stage, 'shop', second);
  await lookLater(looker);
  const { heldRemoval, ...before } = (await setOn(stage, 'shop')).status ?? {};
  expect([heldRemoval?.count, before.asked]).toEqual([2, undefined]);
  const commands = leftOut('docs/sets.md');
  expect(commands).toHaveLength(3);
  // One after the other in one shell, as a reader has it.
  for (const script of [commands.slice(0, 1), commands.slice(1)]) {
    await typed(script.join('\n').replaceAll('retail', namespace));
    const { metadata } = await setOn(stage, 'shop');
    const [asked] = metadata.annotations?.[APPROVE_REMOVAL]?.split('/') ?? [];
    expect(asked).toBe(`60#${heldRemoval?.set ?? ''}`);
    // So that the other way is one, too.
    if (script.length === 1) await annotate(null);
  }
  await lookLater(looker);
  expect(await standing('shop', SITES)).toEqual(second);
}, 120_000);

function annotate(value: string | null): Promise<unknown> {
  const annotations = { [APPROVE_REMOVAL]: value };
  return stage.kube.patch(CAPP_SET, { namespace, name: 'shop' }, { metadata: { annotations } });
}

/** The commands of a page that its test leaves out (test/newcomer/pages.ts). */
function leftOut(page: string): string[] {
  const keys = Object.keys(PAGES.find(({ file }) => file === page)?.left ?? {});
  const text = readFileSync(new URL(`../../../../${page}`, import.meta.url), 'utf8');
  return commandsOf(text)
    .map((command) => command.text)
    .filter((command) => keys.some((key) => command.startsWith(key)));
}

/** In a shell that has `kubectl capp`. Rejects with what it says if it fails. */
async function typed(script: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'cappstan-typed-'));
  const program = fileURLToPath(new URL('../../../../cli/main.ts', import.meta.url));
  const plugin = `#!/bin/sh\nexec ${process.execPath} ${program} "$@"\n`;
  await writeFile(join(folder, 'kubectl-capp'), plugin, { mode: 0o755 });
  const env = {
    ...process.env,
    KUBECONFIG: stage.kubeconfig,
    PATH: `${folder}:${process.env['PATH'] ?? ''}`,
  };
  try {
    await promisify(execFile)('bash', ['-e', '-c', script], { env });
  } finally {
    await rm(folder, { recursive: true });
  }
}
