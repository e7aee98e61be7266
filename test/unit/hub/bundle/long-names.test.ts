// Bundles with names so long that their field manager on a site has a hash for a name: their objects pass
// from one to another as those of any Bundle do.
import { identifierOf } from '../../../../activities/hub/bundle/manifests/identify.ts';
import { objectHashOf } from '../../../../activities/hub/bundle/owners/held.ts';
import { freedFor } from '../../../../activities/hub/bundle/owners/heirs.ts';
import { fieldManagerOf, namedBy } from '../../../../activities/hub/bundle/owners/manager.ts';
import { seenWork } from '../../../../activities/hub/bundle/status/seen.ts';
import type { HubCaches } from '../../../../activities/hub/caches.ts';
import { BUNDLE_KEY } from '../../../../crds/labels.ts';
import { bundleKey, bundleWorkName } from '../../../../crds/ocm/bundle-work.ts';
import type { ManifestWork } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { ListSelection } from '../../../../kube/watch/list.ts';
import {
  aBundle,
  aConfigMap,
  rendered,
  reportedWork,
  WRITTEN_AT,
} from '../../../support/builders/fleet/bundles.ts';

const [settings, colors] = [aConfigMap(), aConfigMap({ a: '1' }, 'colors')];
const hash = objectHashOf(identifierOf(settings));

function isLabelled({ metadata: { labels = {} } }: ManifestWork, selector: string): boolean {
  return Object.entries(labels).some(([key, value]) => [key, `${key}=${value}`].includes(selector));
}

/** Of the first the work has a plain name, of the other that is a hash, too. */
const NAMES = ['n'.repeat(110), `${'n'.repeat(63)}.${'m'.repeat(130)}`];

describe.each(NAMES)('a Bundle with the long name %s', (name) => {
  const owner = { namespace: 'apps', name };
  const manager = fieldManagerOf(owner);
  const said = `Failed to apply manifest: Apply failed with 1 conflict: conflict with "${manager}": .data.a`;
  const newer = aBundle({ manifests: [settings] }, { name: 'newer' });
  const contest = seenWork(reportedWork(newer, { refused: { settings: said } }) as never);
  const carrying = rendered(aBundle({ manifests: [settings] }, { name })).workOn('site-1', WRITTEN_AT);
  const dropping = rendered(aBundle({ manifests: [colors] }, { name })).workOn('site-1', WRITTEN_AT);
  const stranger = rendered(aBundle({ manifests: [settings] }, { name: 'other' })).workOn(
    'site-1',
    WRITTEN_AT,
  );

  let lists = 0;

  /** Which objects are freed, with these works in the cache, and these on the hub. */
  async function freed(
    cached: readonly ManifestWork[],
    live = cached,
    terms = {},
    of = contest,
  ): Promise<string[]> {
    const seen = cached.map((work) => seenWork(work as never));
    const caches = {
      bundleWorks: {
        by: (_index: string, cluster: string) =>
          seen.filter(({ metadata }) => metadata.namespace === cluster),
        get: (key: { name: string }) => seen.find(({ metadata }) => metadata.name === key.name),
      },
    } as unknown as Pick<HubCaches, 'bundleWorks'>;
    const kube = {
      get: async (_kind: unknown, key: { name: string }) =>
        live.find(({ metadata }) => metadata.name === key.name) ?? null,
      getMetadata: async () => null,
      list: async (_kind: unknown, { labelSelector, namespace }: ListSelection) => {
        lists += 1;
        const items = live.filter(({ metadata }) => metadata.namespace === namespace);
        return {
          items: items.filter((work) => labelSelector === undefined || isLabelled(work, labelSelector)),
        };
      },
    } as unknown as Kube;
    const all = await freedFor({ kube, caches, terms: { executorNamespace: null, ...terms } }, [of]);
    return [...(all.get('site-1') ?? [])];
  }

  test('has a field manager that Kubernetes takes, from which the Bundle is found again', () => {
    expect(manager.length).toBeLessThanOrEqual(128);
    expect(namedBy(manager)).toEqual({ key: bundleKey(owner) });
    expect(carrying.metadata.name).toBe(bundleWorkName(owner));
    const strategy = carrying.spec?.manifestConfigs?.[0]?.updateStrategy;
    expect(strategy?.serverSideApply?.fieldManager).toBe(manager);
  });

  test('keeps what it carries, also when no cache shows its work yet', async () => {
    expect(await freed([carrying])).toEqual([]);
    expect(await freed([], [carrying])).toEqual([]);
    expect(await freed([dropping], [carrying])).toEqual([]);
  });

  test('keeps what it carries where a site has taken the label off its work, so that no cache has it', async () => {
    const { [BUNDLE_KEY]: _key, ...labels } = carrying.metadata.labels ?? {};
    const bare = { ...carrying, metadata: { ...carrying.metadata, labels } };
    expect(await freed([], [bare])).toEqual([]);
    const { annotations: _annotations, ...metadata } = bare.metadata;
    expect(await freed([], [{ ...bare, metadata }])).toEqual([]);
  });

  test('is looked for once, however many objects are contested', async () => {
    lists = 0;
    const names = ['a', 'b', 'c'];
    const objects = names.map((one) => aConfigMap({}, one));
    const refused = Object.fromEntries(names.map((one) => [one, said]));
    const many = seenWork(
      reportedWork(aBundle({ manifests: objects }, { name: 'newer' }), { refused }) as never,
    );
    expect([(await freed([], [], {}, many)).length, lists]).toEqual([3, 1]);
  });

  test('is split: what it has dropped is freed', async () => {
    expect(await freed([dropping])).toEqual([hash]);
    expect(await freed([], [dropping])).toEqual([hash]);
  });

  test('is renamed, or merged and gone: what it has left is freed, also beside another that carries it', async () => {
    expect(await freed([])).toEqual([hash]);
    expect(await freed([stranger])).toEqual([hash]);
  });

  test('may be the other hub’s where a site has two, unless it has a work of this hub there', async () => {
    expect(await freed([], [], { executorHub: 'hub-a' })).toEqual([]);
    expect(await freed([dropping], [dropping], { executorHub: 'hub-a' })).toEqual([hash]);
  });
});

test.each(['work-agent-bundle-apps', 'work-agent-bundle-apps/a/b', 'work-agent-bundle-ABC', 'kubectl'])(
  'the field manager %s is of no Bundle',
  (manager) => {
    expect(namedBy(manager)).toBeNull();
  },
);
