// What the worst that fits costs at each door, in milliseconds of processor time: the median of so many runs,
// as JSON. `make bench MEASURE=worst` runs it.
//
// Usage: node test/worst/worst.ts [runs]
import { setImmediate as turn } from 'node:timers/promises';
import { previewOf } from '../../activities/hub/bundle/preview.ts';
import { previewOf as previewOfSet } from '../../activities/hub/set/preview.ts';
import { carriedOf } from '../../activities/hub/bundle/manifests/manifests.ts';
import { planOf, seenHosts } from '../../activities/hub/metal/ground.ts';
import { standingOf } from '../../activities/hub/metal/status.ts';
import { hubCompare } from '../../activities/hub/site/compare.ts';
import { answer, readReview, requestOf } from '../../admission/review.ts';
import { PATHS } from '../../admission/router.ts';
import { MOST_FIELDS } from '../../admission/weight.ts';
import { keptCluster } from '../../bridge/metal/kept-cluster.ts';
import { api, decoded } from '../../gateway/calls/messages.ts';
import { SHAPES } from '../../gateway/calls/shapes.ts';
import { MANIFEST_LIMIT } from '../../crds/ocm/work-size.ts';
import { objectsOf } from '../../kube/files/lists.ts';
import { documentsOf } from '../../kube/files/read.ts';
import { readInventory } from '../../workflows/parse/inventory.ts';
import { stretches } from '../../workflows/types/ring.ts';
import { median, tenth } from '../../testbed/quantiles.ts';
import { MOST_ENTRIES } from '../../admission/longest.ts';
import { asked, judged, raw, WITH_DEFAULTS } from '../support/builders/admission.ts';
import { HEAVY } from '../support/builders/heavy-questions.ts';
import { edited, LONG_CAPPS, LONG_OTHERS } from '../support/builders/long-lists.ts';
import { aCapp } from '../support/builders/capps.ts';
import { LONG_FILES } from '../support/builders/manifests/long-files.ts';
import { readAnew, worstHosts, worstSipCluster } from '../support/builders/metal/worst-cluster.ts';
import { worstEntries, worstManifests, worstPlan, worstSetPlan } from '../support/builders/fleet/worst.ts';
import { READ_BY_PEOPLE } from './read-by-people.ts';
import { SAID_BY_SITES, SAID_IN_PARTS } from './said-by-sites.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
/** The entries of one signal, and the Capps of a large site. */
const ENTRIES = 2_000;
const CAPPS = 8_000;
/** A request of 1.5 MB is the largest that an API server stores. */
const STORED = 1_500_000;

const inventory = { entries: worstEntries(ENTRIES), after: null, upTo: null };
const text = JSON.stringify(inventory);
const onSite = worstEntries(CAPPS).map(({ namespace, name, uid }) => ({
  ...aCapp({ namespace, name, uid }),
  status: { applicationLinks: { site: 'site-1' }, migration: { statusHash: 'other' } },
}));
const byName = new Map(onSite.map((capp) => [capp.metadata.name, capp]));
const hub = hubCompare({
  capps: { get: ({ name }: { name: string }) => byName.get(name), by: () => onSite } as never,
  works: { by: () => [] } as never,
});
const plan = worstPlan(1_000, 1_900);
const set = worstSetPlan(50, 500_000);
const manifests = worstManifests(1_900, 'red').map((value, index) => ({
  value,
  where: `spec.manifests[${index}]`,
  version: null,
}));
const env = Array.from({ length: 4_900 }, (_, index) => ({ name: `N${index}`, value: 'x'.repeat(260) }));
const containers = [{ name: 'app', image: 'ghcr.io/me/app:v1', env }];
const capp = raw({ configurationSpec: { template: { spec: { containers } } } });
if (JSON.stringify(capp).length > STORED) throw new Error('The Capp is larger than an API server stores');

const SITES = Array.from({ length: 1_000 }, (_, index) => ({
  name: `site-${index}`,
  isHub: false,
  mayPin: true,
}));
const HUB = { ...WITH_DEFAULTS, sites: () => SITES };
/** As many entries as the webhook looks at: each of these is two. */
const PAIRS = MOST_ENTRIES / 2;
const longCapp = (what: string): ((length: number) => object) => LONG_CAPPS[what] ?? (() => ({}));
const probes = edited(longCapp('containers with a port and probes'), MOST_ENTRIES / 4);
const defaults = edited(longCapp('containers that get the default resources'), MOST_ENTRIES - 1);
const mounts = edited(longCapp('mounts with volumes'), PAIRS - 1);
const [, containersOfSet] = LONG_OTHERS['containers of a CappSet'] ?? [];
const ofSet = asked(containersOfSet?.(MOST_ENTRIES / 4));
const [, sitesOfBundle] = LONG_OTHERS['sites of a Bundle'] ?? [];
const ofBundle = asked(sitesOfBundle?.(100_000));

/** One document: between two of them others have their turn. */
const yaml = LONG_FILES['merge keys']?.(MANIFEST_LIMIT - 20) ?? '';

const metalHosts = worstHosts(5_000);
const seeing = { provisions: new Set(['metal']), now: NOW };
const [fits, isShort] = [worstSipCluster(), worstSipCluster(1_000)];
const deletion = asked(null, fits, { operation: 'DELETE', namespace: 'metal', name: 'edge' });

function planned(cluster: ReturnType<typeof worstSipCluster>): unknown {
  const read = readAnew(cluster);
  return standingOf(read, seenHosts(metalHosts, read, seeing), planOf(read, metalHosts, seeing));
}

const parts = Array.from({ length: 655_000 }, () => ({}));
const signal = api.SignalWorkflowExecutionRequest.encode({ input: { payloads: parts } }).finish();

function refusedSignal(): unknown {
  try {
    return decoded(api.SignalWorkflowExecutionRequest, SHAPES.signal, signal);
  } catch (error) {
    return error;
  }
}

const DOORS: Record<string, () => unknown> = {
  'gateway: an inventory of 2,000 Capps is read and written again': () =>
    JSON.stringify(readInventory(JSON.parse(text))),
  'gateway: a signal of 655,000 empty payloads is refused': refusedSignal,
  'site’s workflow: the same is split': () => stretches(inventory, 500),
  'hub worker: a page of it is compared with 8,000 Capps': () =>
    void hub.compare('site-1', { ...inventory, entries: inventory.entries.slice(0, 500) }),
  'hub worker: 250 manifests of a Bundle are made ready': () => carriedOf(manifests),
  'hub worker: a ConfigMap of YAML': () => objectsOf(documentsOf(yaml)),
  'hub worker: a SIPCluster of 16 roles gets its hosts out of 5,000': () => planned(fits),
  'hub worker: the same of a SIPCluster that wants more than there are': () => planned(isShort),
  'bridge: what is read of a SIPCluster of 1.5 MB is kept': () => keptCluster(fits),
  'webhook: the deletion of a SIPCluster of 1.5 MB is judged': () =>
    judged(PATHS.validateSipCluster, deletion, HUB),
  'webhook: a Capp of 1.5 MB is judged': () => judged(PATHS.validateCapp, asked(capp)),
  'webhook: a Bundle’s plan for 1,000 sites and 250 changed manifests': () =>
    previewOf(plan.rules, plan.asked, NOW),
  'webhook: a Capp with as many containers and probes as it may have is changed': () =>
    judged(PATHS.validateCapp, probes, HUB),
  'webhook: as many containers as a Capp may have get the default resources': () =>
    judged(PATHS.mutateCapp, defaults, HUB),
  'webhook: a Capp with as many mounts as it may have is changed': () =>
    judged(PATHS.validateCapp, mounts, HUB),
  'webhook: a CappSet with as many containers as it may have': () =>
    judged(PATHS.validateCappSet, ofSet, HUB),
  'webhook: a Bundle that names 100,000 sites': () => judged(PATHS.validateBundle, ofBundle, HUB),
  ...SAID_BY_SITES,
  ...READ_BY_PEOPLE,
};

for (const [what, [path, question]] of Object.entries(HEAVY)) {
  const asking = question(MOST_FIELDS - 100);
  DOORS[`webhook: a question with 150,000 ${what.replace(/,$/, '')} is read and answered`] = () => {
    const review = readReview(asking);
    return review === null ? null : answer(review, judged(path, requestOf(review), HUB));
  };
}

/** The clock of a process ticks in milliseconds or more, so that only a few runs together say something. */
const TOGETHER = 5;

function processorMs(work: () => unknown): number {
  const before = process.cpuUsage();
  for (let left = TOGETHER; left > 0; left -= 1) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / TOGETHER;
}

/** Which let others have the thread meanwhile: how long they hold it at most. */
const IN_PARTS: Readonly<Record<string, () => Promise<unknown>>> = {
  'webhook: a part of a CappSet’s plan with a template of 500 KB': () =>
    previewOfSet(set.options, set.asked, NOW),
  ...SAID_IN_PARTS,
};

/** The longest time between two turns of somebody else. */
async function longestPart(work: () => Promise<unknown>): Promise<number> {
  let [before, longest] = [process.cpuUsage(), 0];
  const over = new AbortController();
  const working = work().finally(() => over.abort());
  do {
    await turn();
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.cpuUsage();
  } while (!over.signal.aborted);
  await working;
  return longest;
}

const runs = Number(process.argv[2] ?? 7);
const figures: [string, { readonly medianMs: number; readonly maxMs: number }][] = [];
const tell = (door: string, samples: readonly number[]): void =>
  void figures.push([door, { medianMs: median(samples), maxMs: tenth(Math.max(...samples)) }]);
for (const [door, work] of Object.entries(DOORS))
  tell(
    door,
    Array.from({ length: runs }, () => processorMs(work)),
  );
for (const [door, work] of Object.entries(IN_PARTS)) {
  const samples: number[] = [];
  while (samples.length < runs) samples.push(await longestPart(work));
  tell(door, samples);
}
console.log(JSON.stringify(Object.fromEntries(figures)));
