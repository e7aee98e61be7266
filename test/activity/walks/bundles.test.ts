// Walks of a Bundle: from any valid spec to any other its works are those of a Bundle that begins so, on a
// real API server.
import { RULE_CONDITION } from '../../../activities/hub/bundle/ready/ready-rules.ts';
import { BUNDLE, type Bundle, type BundleSpec } from '../../../crds/bundle/bundle.ts';
import { CONFIG_MAP, SECRET } from '../../../crds/kubernetes/core.ts';
import { BUNDLE_KEY, BUNDLE_REVISION, BUNDLE_UID } from '../../../crds/labels.ts';
import { bundleWorkName } from '../../../crds/ocm/bundle-work.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import { eventually } from '../../../testbed/eventually.ts';
import type { RolloutMemory } from '../../../workflows/stages/memory.ts';
import { joinSites } from '../../support/testbeds/join/joined-sites.ts';
import { turningBundles } from '../../support/testbeds/fleet/turning.ts';
import { APPS, startHub, type HubForTests } from '../../support/testbeds/hub/hub.ts';
import { aValidBundle } from '../../support/walks/bundle-specs.ts';
import { diceOf, tagOf, takeWalks, untagged, WALKS } from '../../support/walks/walks.ts';

let stage: HubForTests;
const SITES = ['site-1', 'site-2'];
beforeAll(async () => {
  stage = await startHub();
  await joinSites(stage, SITES);
  const manifest = (color: string, named = 'from-file') =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${named}, namespace: apps}\ndata: {color: ${color}}\n`;
  await stage.kube.create(SECRET, {
    metadata: { namespace: APPS, name: 'hidden-files' },
    data: { 'b.yaml': btoa(manifest('green', 'from-secret')) },
  } as never);
  for (const [name, color] of [
    ['files', 'red'],
    ['more-files', 'blue'],
  ] as const)
    await stage.kube.create(CONFIG_MAP, {
      metadata: { namespace: APPS, name },
      data: { 'a.yaml': manifest(color) },
    } as never);
}, 300_000);
afterAll(() => stage?.stop());

const workOn = (cluster: string, name: string) => ({
  namespace: cluster,
  name: bundleWorkName({ namespace: APPS, name }),
});

/** What OCM's work agent says of a work that it has applied, and does with one that is deleted. */
async function taken(name: string): Promise<void> {
  for (const cluster of SITES) {
    const key = workOn(cluster, name);
    const live = await stage.kube.get<ManifestWork>(MANIFEST_WORK, key);
    if (live === null) continue;
    const { generation = 1, deletionTimestamp } = live.metadata;
    if (deletionTimestamp !== undefined)
      await stage.kube.patch(MANIFEST_WORK, key, { metadata: { finalizers: null } });
    else if (live.status?.conditions?.[0]?.observedGeneration !== generation) {
      const at = { reason: 'Test', message: '', lastTransitionTime: '2026-03-01T12:00:00Z' };
      const about = (type: string) => ({ ...at, type, status: 'True', observedGeneration: generation });
      const manifests = (live.spec?.manifestConfigs ?? []).map(({ resourceIdentifier }, ordinal) => ({
        resourceMeta: { ordinal, ...resourceIdentifier },
        conditions: ['Applied', 'Available', RULE_CONDITION].map(about),
      }));
      const status = { conditions: [about('Applied')], resourceStatus: { manifests } };
      await stage.kube.patch(MANIFEST_WORK, key, { status }, { subresource: 'status' });
    }
  }
}

const read = (name: string) => stage.kube.get<Bundle>(BUNDLE, { namespace: APPS, name });

const isReady = (found: Bundle | null): boolean =>
  found?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;

/** Turn by turn, as the workflow takes them, until nothing is left to do. */
async function settle(name: string, memories: Map<string, RolloutMemory>): Promise<void> {
  const { turnFleet } = turningBundles(stage);
  let said: unknown;
  for (let turns = 0; turns < 20; turns += 1) {
    const ask = { memory: memories.get(name) ?? null, minimumVersions: {}, most: 20, isAgain: true };
    const turned = await turnFleet({ kind: 'Bundle', namespace: APPS, name }, ask);
    if (turned.outcome === 'Gone') return;
    if (turned.outcome === 'Turned' && turned.memory !== null) memories.set(name, turned.memory);
    const found = await read(name);
    const isStill = found?.status?.leaving === undefined || found.status.leaving.length === 0;
    said = found?.status;
    if (turned.outcome === 'Turned' && isReady(found) && isStill && !turned.isMore) return;
    await taken(name);
  }
  throw new Error(`Bundle ${name} does not settle: ${JSON.stringify(said)}`);
}

/**
 * Its works, without what is of one Bundle alone: names, uids, revisions (which name the Bundle) and times.
 */
async function worksOf(name: string): Promise<unknown> {
  const works = await Promise.all(
    SITES.map((cluster) => stage.kube.get<ManifestWork>(MANIFEST_WORK, workOn(cluster, name))),
  );
  return untagged(
    works.map((work) => {
      if (work === null) return null;
      const { labels = {}, annotations = {}, finalizers } = work.metadata;
      const { [BUNDLE_KEY]: _key, [BUNDLE_UID]: _uid, ...marks } = labels;
      const { [BUNDLE_REVISION]: _revision, ...notes } = annotations;
      return { labels: marks, annotations: notes, finalizers, spec: work.spec };
    }),
    name,
  );
}

test(`each of at most ${WALKS} walks ends as a new Bundle with that spec does`, async () => {
  const memories = new Map<string, RolloutMemory>();
  const walker = tagOf(null);
  const { apiVersion, kind } = BUNDLE;
  const make = (name: string, spec: object) =>
    stage.kube.create<Bundle>(BUNDLE, {
      apiVersion,
      kind,
      metadata: { namespace: APPS, name },
      spec: spec as BundleSpec,
    });
  await takeWalks(async (walk) => {
    const spec = aValidBundle(diceOf(walk));
    const live = await read(walker);
    if (live === null) await make(walker, spec);
    else {
      const body = {
        apiVersion,
        kind,
        metadata: { ...live.metadata, managedFields: undefined },
        spec,
      };
      await stage.kube.raw('PUT', `/apis/${apiVersion}/namespaces/${APPS}/bundles/${walker}`, { body });
    }
    await settle(walker, memories);
    const fresh = tagOf(walk);
    await make(fresh, spec);
    await settle(fresh, memories);
    const [walked, begun] = [await worksOf(walker), await worksOf(fresh)];
    if (JSON.stringify(walked) !== JSON.stringify(begun))
      console.error(`walk ${walk} to ${JSON.stringify(spec)}`);
    expect(walked).toEqual(begun);
    await stage.kube.remove(BUNDLE, { namespace: APPS, name: fresh });
    await taken(fresh);
    await settle(fresh, memories);
    await gone(fresh);
  });
}, 3_600_000);

/** Also from the caches, by which a Bundle knows who else carries an object. */
async function gone(name: string): Promise<void> {
  await eventually(() => {
    const left = SITES.filter((cluster) => stage.caches.bundleWorks.get(workOn(cluster, name)) !== undefined);
    return left.length === 0 ? true : undefined;
  });
}
