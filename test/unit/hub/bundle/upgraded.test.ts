// A Bundle that an earlier version shipped, with revisions of twelve digits, under this version.
import { memberOn } from '../../../../activities/hub/bundle/members.ts';
import { shipAll } from '../../../../activities/hub/bundle/ship.ts';
import { seenWork } from '../../../../activities/hub/bundle/status/seen.ts';
import { withWholeNames } from '../../../../activities/hub/rollout/memory.ts';
import { rulesOf } from '../../../../activities/hub/bundle/manifests/work-rules.ts';
import { BUNDLE_REVISION } from '../../../../crds/labels.ts';
import type { ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { writtenAs } from '../../../../crds/written.ts';
import { wholeOf } from '../../../../kube/files/digits.ts';
import { isSameRevision, knownAs } from '../../../../crds/rollout/revision.ts';
import type { Kube } from '../../../../kube/client.ts';
import { begin } from '../../../../workflows/stages/rollout.ts';
import { aBundle, rendered, WRITTEN_AT } from '../../../support/builders/fleet/bundles.ts';
import { aRollout } from '../../../support/builders/fleet/rollouts.ts';

const bundle = aBundle();
const now = rendered(bundle);
const short = now.revision.slice(0, 12);
const SITE = { cluster: 'site-1', labels: {}, refusal: null, isReachable: true, lostSince: null };

function shippedBefore(): ManifestWork {
  const work = now.workOn('site-1', WRITTEN_AT);
  const { annotations = {} } = work.metadata;
  const written = annotations[BUNDLE_REVISION]?.replace(now.revision, short) ?? '';
  expect(written).toContain(`${short}/`);
  return {
    ...work,
    metadata: { ...work.metadata, annotations: { ...annotations, [BUNDLE_REVISION]: written } },
  };
}

test('the revision begins with the name that an earlier version gave it, and sites see what they saw', () => {
  expect(now.revision).toMatch(/^[0-9a-f]{32}$/);
  expect(short).toBe('dc6453dca504');
  expect(now.content).toBe('2776669bd95c');
  expect(now.workOn('site-1', 0).spec?.workload.manifests?.[0]?.metadata.annotations).toEqual({
    'rcs.dana.io/bundle-manifest': '08b7a2a1df6f',
  });
});

test('the work of an earlier version has the revision, and is not written again', async () => {
  const live = shippedBefore();
  expectAsWanted(live);
  const written: unknown[] = [];
  const kube = {
    get: async () => live,
    patch: async (...all: unknown[]) => (written.push(all), live),
  } as unknown as Kube;
  const errand = { kube, bundle, hasHeir: () => false, isStill: async () => true };
  const shipped = await shipAll(errand, [now.workOn('site-1', WRITTEN_AT + 1_000)]);
  expect(shipped.get('site-1')?.is).toBe('there');
  expect(written).toEqual([]);
});

/** A turn of this version has nothing to bring to the site. */
function expectAsWanted(live: ManifestWork): void {
  const work = seenWork(live as Parameters<typeof seenWork>[0]);
  const { target } = memberOn({ rendered: now, refused: {}, now: WRITTEN_AT }, SITE, work);
  expect(target).toMatchObject({ revision: now.revision });
  expect(target.isStale).toBeUndefined();
}

test('the work of a version in which a ConfigMap had no rule is not written again', () => {
  const work = now.workOn('site-1', WRITTEN_AT);
  const configs = (work.spec?.manifestConfigs ?? []).map(({ conditionRules, ...one }) => {
    expect(conditionRules?.[0]?.celExpressions).toEqual(['!has(object.metadata.deletionTimestamp)']);
    return one;
  });
  const spec = { ...work.spec, manifestConfigs: configs } as NonNullable<ManifestWork['spec']>;
  const { revision, content } = now;
  const written = writtenAs({ revision, content, at: WRITTEN_AT, rules: rulesOf({ spec }) });
  const annotations = { ...work.metadata.annotations, [BUNDLE_REVISION]: written };
  const live = { ...work, metadata: { ...work.metadata, annotations }, spec };
  expectAsWanted(live);
});

test('what is null is not shipped, as kubectl creates objects, and the work of a version that shipped it stays until the next edit', () => {
  const manifest = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'apps' },
    spec: {
      template: { spec: { containers: [{ name: 'a', env: null, resources: { limits: { cpu: null } } }] } },
    },
    digits: wholeOf(9007199254740993n),
    list: [null, 1],
  };
  const ships = rendered(aBundle({ manifests: [manifest] }));
  const work = ships.workOn('site-1', WRITTEN_AT);
  const [shipped] = work.spec?.workload.manifests ?? [];
  expect(JSON.stringify(shipped)).toContain('"digits":9007199254740993,');
  expect(shipped).toMatchObject({
    spec: { template: { spec: { containers: [{ name: 'a', resources: { limits: {} } }] } } },
    list: [null, 1],
  });
  expect(JSON.stringify(shipped)).not.toContain('cpu');
  const { revision, content, formerContents } = ships;
  expect(new Set([content, ...formerContents]).size).toBe(3);
  const cached = JSON.parse(JSON.stringify(work)) as Parameters<typeof seenWork>[0];
  const seen = { ...seenWork(cached).seen, content: formerContents[0] as string };
  const target = (rest: object) =>
    memberOn({ rendered: ships, refused: {}, now: WRITTEN_AT }, SITE, {
      metadata: work.metadata,
      seen: { ...seen, ...rest },
    }).target;
  expect(target({})).toMatchObject({ revision });
  expect(target({}).isStale).toBeUndefined();
  expect(target({ content: formerContents[1] }).isStale).toBeUndefined();
  expect(target({ content: 'of somebody' }).isStale).toBe(true);
});

test('an object that loses its nulls has another token, so that what was ready with them is not ready without', () => {
  const tokenOf = (manifest: object, other = 'x') => {
    const second = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: other, namespace: 'apps' } };
    const { revision, workOn } = rendered(aBundle({ manifests: [manifest, second] }));
    const { workload, manifestConfigs = [] } = workOn('site-1', WRITTEN_AT).spec ?? {};
    const token = workload?.manifests?.[0]?.metadata.annotations?.['rcs.dana.io/bundle-manifest'] ?? '';
    expect(manifestConfigs[0]?.conditionRules?.[0]?.celExpressions[0]).toContain(`'${token}'`);
    return { revision, token };
  };
  const deployment = (spec: object) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'apps' },
    spec,
  });
  const nulled = tokenOf(deployment({ replicas: 1, paused: null }));
  expect(nulled.token).toBe(tokenOf(deployment({ replicas: 1 })).token);
  expect(nulled.token).not.toBe('752f5ee8ead9');
  expect(tokenOf(deployment({ replicas: 1, paused: null }), 'y').token).toBe(nulled.token);
  // As an earlier version had it, so that an upgrade rolls nothing.
  expect(nulled.revision.slice(0, 12)).toBe('d87f780b44c5');
});

test('a rollout of an earlier version goes on where it was, and an edit back to its settled revision goes back', () => {
  const before = aRollout({ revision: short, settled: 'old', approved: ['rest'], closed: ['canary'] });
  const known = withWholeNames(before, [now.revision]);
  expect(known).toEqual({ ...before, revision: now.revision });
  expect(begin(known, now.revision, 0)).toBe(known);
  expect(withWholeNames(known, [now.revision])).toBe(known);
  const ahead = withWholeNames({ ...before, revision: 'new', settled: short }, [now.revision]);
  expect(begin(ahead, now.revision, 0)).toMatchObject({ settled: now.revision, direction: 'Back' });
});

test('a name is that of another revision unless it is a short one that begins it', () => {
  const other = `${short}${'0'.repeat(20)}`;
  expect(isSameRevision(short, now.revision)).toBe(true);
  expect(isSameRevision(now.revision, now.revision.slice(0, 10))).toBe(true);
  for (const [one, two] of [
    [now.revision, other],
    [now.revision, now.revision.slice(0, 11)],
    [short, short.slice(0, 10)],
    ['', now.revision],
    ['old', 'older'],
  ] as const)
    expect(isSameRevision(one, two)).toBe(false);
  expect(knownAs(now.revision, ['old', short])).toBe(short);
  expect(knownAs(short, [other, now.revision])).toBe(other);
  expect(knownAs('old', [now.revision])).toBe('old');
});
