// Who holds what: read off a work, and an object that is dropped while another Bundle keeps it.
import { heldIn, objectHashOf } from '../../../../activities/hub/bundle/owners/held.ts';
import { freedFor, heirsOf } from '../../../../activities/hub/bundle/owners/heirs.ts';
import { lettingGo } from '../../../../activities/hub/bundle/owners/leaving.ts';
import { withPartings } from '../../../../activities/hub/bundle/owners/parting.ts';
import { executorFor, type BundleSiteRules } from '../../../../activities/hub/bundle/sites.ts';
import { memberOn } from '../../../../activities/hub/bundle/members.ts';
import { identifierOf } from '../../../../activities/hub/bundle/manifests/identify.ts';
import { seenWork } from '../../../../activities/hub/bundle/status/seen.ts';
import type { HubCaches } from '../../../../activities/hub/caches.ts';
import { AVAILABLE, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import {
  aBundle,
  aConfigMap,
  rendered,
  reportedWork,
  WRITTEN_AT,
} from '../../../support/builders/fleet/bundles.ts';

const [settings, colors] = [aConfigMap(), aConfigMap({ a: '1' }, 'colors')];
const both = aBundle({ manifests: [settings, colors] });
const [hash, other] = [settings, colors].map((one) => objectHashOf(identifierOf(one))) as [string, string];
const conflict = (...managers: string[]): string =>
  `Failed to apply manifest: Apply failed with 2 conflicts: ${managers.map((one) => `conflicts with "${one}":\n- .data.a`).join('\n')}`;
const contested = (...managers: string[]) =>
  reportedWork(both, { refused: { settings: conflict(...managers) } });

test('a work says what it carries, and which conflicts are with Bundles alone', () => {
  expect(heldIn(reportedWork(both))).toEqual({ objects: `${hash} ${other}` });
  const former = 'work-agent-bundle-apps/former';
  expect(heldIn(contested(former)).contested).toEqual({ [hash]: [former] });
  expect(heldIn(contested(former, 'kubectl')).contested).toBeUndefined();
  const old = reportedWork(both, {
    generation: 3,
    observed: 2,
    refused: { settings: conflict(former) },
  });
  expect(heldIn(old).contested).toBeUndefined();
});

describe('a conflict', () => {
  const kubeWith = (works: readonly ManifestWork[], bundles: readonly string[] = []): Kube =>
    ({
      get: async (_kind: unknown, key: { name: string }) =>
        works.find(({ metadata }) => metadata.name === key.name) ?? null,
      getMetadata: async (_kind: unknown, key: { name: string }) =>
        bundles.includes(key.name) ? { metadata: key } : null,
    }) as unknown as Kube;
  const former = aBundle({ manifests: [settings] }, { name: 'former' });
  const holder = rendered(former).workOn('site-1', WRITTEN_AT);
  const dropped = rendered(aBundle({ manifests: [colors] }, { name: 'former' })).workOn('site-1', WRITTEN_AT);
  const work = seenWork(contested('work-agent-bundle-apps/former') as never);
  const terms = { executorNamespace: null };
  const ground = (kube: Kube, cached: readonly ManifestWork[] = []) => ({
    kube,
    terms,
    caches: {
      bundleWorks: {
        get: (key: { name: string }) =>
          cached.filter(({ metadata }) => metadata.name === key.name).map((one) => seenWork(one as never))[0],
      },
    } as unknown as Pick<HubCaches, 'bundleWorks'>,
  });
  const freedOf = async (found: ReturnType<typeof freedFor>) => [...((await found).get('site-1') ?? [])];
  const freed = (kube: Kube, more: object = {}, works = [work]) =>
    freedOf(freedFor({ ...ground(kube), terms: { ...terms, ...more } }, works));

  test.each([
    ['carries the object', kubeWith([holder]), []],
    ['has dropped the object', kubeWith([dropped]), [hash]],
    ['is gone', kubeWith([]), [hash]],
  ])('with a Bundle that %s', async (_what, kube, hashes) => {
    expect(await freed(kube)).toEqual(hashes);
  });

  test('with two Bundles, one of which carries the object, is not ended by force', async () => {
    const two = seenWork(contested('work-agent-bundle-apps/gone', 'work-agent-bundle-apps/former') as never);
    expect(await freed(kubeWith([holder]), {}, [two])).toEqual([]);
    expect(await freed(kubeWith([dropped]), {}, [two])).toEqual([hash]);
  });

  test('costs no request while the cache says that the other Bundle carries the object', async () => {
    const unasked = { get: () => Promise.reject(new Error('asked')) } as unknown as Kube;
    expect(await freedOf(freedFor(ground(unasked, [holder]), [work]))).toEqual([]);
    await expect(freedFor(ground(unasked, [dropped]), [work])).rejects.toThrow('asked');
  });

  test('over several objects of one Bundle costs one request on a site', async () => {
    const said = conflict('work-agent-bundle-apps/former');
    const two = seenWork(reportedWork(both, { refused: { settings: said, colors: said } }) as never);
    let asked = 0;
    const get = async () => {
      asked += 1;
      return null;
    };
    const hashes = await freedOf(freedFor(ground({ get } as unknown as Kube), [two]));
    expect([hashes.toSorted(), asked]).toEqual([[hash, other].toSorted(), 1]);
  });

  test('with a Bundle that nobody knows is the other hub’s where a site has two', async () => {
    expect(await freed(kubeWith([]), { executorHub: 'hub-a' })).toEqual([]);
    expect(await freed(kubeWith([], ['former']), { executorHub: 'hub-a' })).toEqual([hash]);
  });

  test('is the other hub’s with the rights of the work agent too', async () => {
    const bundles = { unrestricted: ['apps'], executors: 'HubAndNamespace' };
    const rules = {
      caches: { configs: { get: () => ({ spec: { bundles } }) } },
      siteNamespace: 'cappstan-site',
      hubId: 'hub-a',
    };
    const agent = executorFor(rules as unknown as BundleSiteRules, aBundle());
    expect(agent).toMatchObject({ executorNamespace: null });
    expect(await freed(kubeWith([]), agent)).toEqual([]);
    expect(await freed(kubeWith([], ['former']), agent)).toEqual([hash]);
  });

  test('that is being resolved fails nothing, and force ends when it is applied', async () => {
    const hashes = new Map([['site-1', new Set([hash])]]);
    const site = { cluster: 'site-1', labels: {}, refusal: null, isReachable: true, lostSince: null };
    const known = { rendered: rendered(both), refused: {}, now: WRITTEN_AT };
    const late = { ...known, now: WRITTEN_AT + 600_000 };
    expect(memberOn(late, site, work).target).toMatchObject({ verdict: 'Failed' });
    expect(memberOn({ ...late, freed: hashes }, site, work).target).toMatchObject({
      verdict: 'Progressing',
      isStale: true,
    });
    const { spec } = rendered(both).workOn('site-1', WRITTEN_AT, new Set([hash]));
    const forced = { ...reportedWork(both), spec: spec ?? { workload: {} } };
    expect(heldIn(forced).forced).toEqual({ [hash]: true });
    const after = seenWork(forced as never);
    expect((await freedFor(ground(kubeWith([])), [after])).size).toBe(0);
    expect(memberOn(known, site, after).target).toMatchObject({ isStale: true });
    const unread = seenWork({ ...forced, metadata: { ...forced.metadata, generation: 2 } } as never);
    expect(await freed(kubeWith([]), {}, [unread])).toEqual([hash]);
  });
});

test('an heir has the object Ready on the same cluster, and a cluster is looked at once', () => {
  const named = { namespace: 'apps', name: 'leaver' };
  const [ready, failing] = [seenWork(reportedWork(both) as never), seenWork(contested('kubectl') as never)];
  const works: Readonly<Record<string, typeof ready>> = { 'site-1': ready, 'site-2': failing };
  const looked: string[] = [];
  const by = (_index: string, cluster: string) => {
    looked.push(cluster);
    return [works[cluster]].filter((one) => one !== undefined);
  };
  const hasHeir = heirsOf({ bundleWorks: { by } as unknown as HubCaches['bundleWorks'] }, named);
  expect([hash, other, 'f'.repeat(12)].map((one) => hasHeir('site-1', one))).toEqual([true, true, false]);
  expect(['site-2', 'site-3'].map((cluster) => hasHeir(cluster, hash))).toEqual([false, false]);
  expect(looked).toEqual(['site-1', 'site-2', 'site-3']);
  const itself = { namespace: both.metadata.namespace ?? '', name: both.metadata.name };
  expect(
    heirsOf({ bundleWorks: { by } as unknown as HubCaches['bundleWorks'] }, itself)('site-1', hash),
  ).toBe(false);
});

describe('an object that is dropped', () => {
  const live = reportedWork(both);
  const wanted = rendered(aBundle({ manifests: [settings] })).workOn('site-1', WRITTEN_AT);
  const bare = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'colors', namespace: 'apps' } };

  test('goes at once when nobody else has it', () => {
    expect(withPartings(live, wanted, () => false)).toBe(wanted);
  });

  test('is applied once without a field when another Bundle has it, and goes when the site has answered', () => {
    const parting = withPartings(live, wanted, (one) => one === other);
    expect(parting.spec?.workload.manifests).toEqual([...(wanted.spec?.workload.manifests ?? []), bare]);
    expect(parting.spec?.manifestConfigs).toHaveLength(2);
    const unread = { ...live, spec: parting.spec, metadata: { ...live.metadata, generation: 2 } };
    expect(withPartings(unread as ManifestWork, wanted, () => true).spec?.workload.manifests).toHaveLength(2);
    const answered = { ...live, spec: parting.spec };
    expect(withPartings(answered as ManifestWork, wanted, () => true)).toBe(wanted);
  });
});

describe('before a Bundle leaves a site', () => {
  const { metadata, ...rest } = reportedWork(both);
  const live: ManifestWork = { ...rest, metadata: { ...metadata, uid: 'work', resourceVersion: '7' } };
  const heir = reportedWork(aBundle({ manifests: [settings] }, { name: 'heir' }));
  const as = (work: ManifestWork, more: object): ManifestWork => ({
    ...work,
    metadata: { ...work.metadata, ...more },
  });

  /** What comes of the work, and the patches of it, with these works on the site. */
  async function left(others: readonly ManifestWork[], status = 'True') {
    const patched: ManifestWork[] = [];
    const all = [live, ...others].map((work) => seenWork(work as never));
    const cluster = { status: { conditions: [{ type: AVAILABLE, status }] } };
    const caches = {
      bundleWorks: { get: () => all[0], by: () => all },
      clusters: { get: () => cluster },
    } as unknown as Parameters<typeof lettingGo>[1];
    const kube = {
      get: async () => live,
      patch: async (_kind: unknown, _key: unknown, patch: ManifestWork) => patched.push(patch),
    } as unknown as Kube;
    const awaited = await lettingGo(kube, caches, { namespace: 'apps', name: 'base' })(live);
    return { awaited, patched };
  }

  test('it lets go of what another keeps there, in the work as it was read', async () => {
    const { awaited, patched } = await left([heir]);
    expect(awaited).toBe('Told');
    expect(patched.map((one) => one.metadata)).toEqual([{ uid: 'work', resourceVersion: '7' }]);
    const bare = { ...settings, data: undefined };
    expect(patched[0]?.spec?.workload.manifests?.map(({ data }) => data)).toEqual([{ a: '1' }, undefined]);
    expect(patched[0]?.spec?.workload.manifests?.[1]).toEqual(JSON.parse(JSON.stringify(bare)));
  });

  test.each<[string, readonly ManifestWork[], string]>([
    ['nobody else keeps anything there', [], 'True'],
    ['the other Bundle leaves as well', [as(heir, { deletionTimestamp: '2026-03-01T12:00:00Z' })], 'True'],
    ['the other Bundle is not Ready there', [as(heir, { generation: 2 })], 'True'],
    ['its site cannot be reached', [heir], 'Unknown'],
  ])('it lets go of nothing where %s', async (_where, others, status) => {
    expect(await left(others, status)).toEqual({ awaited: 'Nothing', patched: [] });
  });
});
