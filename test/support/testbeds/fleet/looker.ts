// Looks at CappSets on a real API server as their workflows do: one turn after the other, each with what the
// last one remembered.
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { SET } from '../../../../crds/labels.ts';
import { MANAGED_CLUSTER } from '../../../../crds/ocm/ocm.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import { CAPP_SET, type CappSet } from '../../../../crds/set/cappset.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import type { Turned } from '../../../../workflows/fleet/port.ts';
import type { RolloutMemory } from '../../../../workflows/stages/memory.ts';
import { aCluster, aSet, available } from '../../builders/fleet/sets.ts';
import type { HubForTests } from '../hub/hub.ts';
import { sitesAreCached } from '../join/joined-sites.ts';
import { turningSets } from './turning.ts';

const namespace = 'apps';

export interface Looker {
  memory: RolloutMemory | null;
  minimumVersions: Readonly<Record<string, string>>;
  /** Throws when the set is gone. */
  look(): Promise<Extract<Turned, { outcome: 'Turned' }> & { readonly memory: RolloutMemory }>;
}

/**
 * Joined and reachable sites that any Capp may be pinned to. The first has the label tier=canary, the others
 * tier=rest.
 */
export async function acceptSites({ kube, caches }: HubForTests, names: readonly string[]): Promise<void> {
  const spec = { placements: ['all'], placementsNamespace: 'placements', pinning: 'Any' };
  const { apiVersion, kind } = RCS_CONFIG;
  await kube.create(RCS_CONFIG, { apiVersion, kind, metadata: RCS_CONFIG_KEY, spec } as never);
  for (const [index, name] of names.entries()) {
    await kube.create(MANAGED_CLUSTER, aCluster(name, { tier: index === 0 ? 'canary' : 'rest' }));
    await available(kube, name);
  }
  await sitesAreCached({ kube, caches });
}

export async function setOn({ kube }: HubForTests, name: string): Promise<CappSet> {
  return (await kube.get<CappSet>(CAPP_SET, { namespace, name })) as CappSet;
}

export async function childrenOn({ kube }: HubForTests, set: string): Promise<Capp[]> {
  return (await kube.list<Capp>(CAPP, { namespace, labelSelector: `${SET}=${set}` })).items;
}

export async function beginSet(stage: HubForTests, name: string, spec: object): Promise<Looker> {
  await stage.kube.create(CAPP_SET, aSet(name, spec));
  return lookerAt(stage, name);
}

/** Its first look is that of a workflow that remembers nothing. */
export function lookerAt(stage: HubForTests, name: string): Looker {
  const { turnFleet } = turningSets({ ...stage, hubUid: 'hub-uid', config: RCS_CONFIG_KEY });
  const ref = { kind: 'CappSet', namespace, name } as const;
  const looker: Looker = {
    memory: null,
    minimumVersions: {},
    look: async () => {
      const { memory, minimumVersions } = looker;
      await untilCached(stage);
      const turned = await turnFleet(ref, { memory, minimumVersions, most: 100, isAgain: false });
      if (turned.outcome !== 'Turned') throw new Error(`the set is ${turned.outcome}`);
      const { memory: after } = turned;
      if (after === null) throw new Error('the turn remembers nothing');
      looker.memory = after;
      looker.minimumVersions = turned.minimumVersions;
      return { ...turned, memory: after };
    },
  };
  return looker;
}

/** The caches must show what the test has written. */
async function untilCached({ kube, caches }: HubForTests): Promise<void> {
  const { items } = await kube.list<Capp>(CAPP, { namespace });
  const versions = (capps: readonly Capp[]) => new Set(capps.map(({ metadata }) => metadata.resourceVersion));
  await eventually(async () => {
    expect(versions(caches.capps.list(namespace))).toEqual(versions(items));
    return true;
  });
}
