// A CappSet or a Bundle of a hub in memory, turn after turn: the same story for both kinds.
import { jest } from '@jest/globals';
import { BUNDLE_REVISION } from '../../../../crds/labels.ts';
import { readWritten } from '../../../../crds/written.ts';
import type { FleetStatus } from '../../../../activities/hub/rollout/kind.ts';
import type { FleetKind } from '../../../../workflows/fleet/port.ts';
import type { RolloutMemory } from '../../../../workflows/stages/memory.ts';
import { aConfigMap } from '../../builders/fleet/bundles.ts';
import { aTemplate, imageOf } from '../../builders/fleet/sets.ts';
import { bundleWorld } from './bundle-world.ts';
import type { HubSites } from './hub-sites.ts';
import { setWorld } from './set-world.ts';
import { turningSets } from './turning.ts';

export interface LivedTurns {
  readonly sites: HubSites;
  /** Turns for so long, as often as rings would have it. What a site gets is Ready a moment later. */
  live(ms: number): Promise<void>;
  edit(change: object): void;
  annotate(annotations: Readonly<Record<string, string>>): void;
  /** Sites whose copy has this content. */
  on(content: string): readonly string[];
  status(): FleetStatus;
  /** How often each site's copy was written. */
  writes(): Readonly<Record<string, number>>;
  /** All that is stored, as it is after an upgrade of something else, and no turn remembers anything. */
  rewrite(become: <T>(stored: T) => T): void;
  /** Somebody deletes the copy on a site, which the site does not hear of. */
  delete(site: string): void;
}

/** The part of the spec that brings this content. */
export const CONTENT: Readonly<Record<FleetKind, (content: string) => object>> = {
  CappSet: (content) => ({ template: aTemplate(content) }),
  Bundle: (content) => ({ manifests: [aConfigMap({ content })] }),
};

const TURN_MS = 15_000;
const SET = { kind: 'CappSet', namespace: 'apps', name: 'many' } as const;

/** `spec` is without content, which is `one`. Time is Jest's. */
export function livedTurns(kind: FleetKind, clusters: readonly string[], spec: object): LivedTurns {
  return kind === 'CappSet' ? ofSet(clusters, spec) : ofBundle(clusters, spec);
}

async function until(ms: number, turn: () => Promise<{ readonly isMore: boolean }>): Promise<void> {
  const end = Date.now() + ms;
  while (Date.now() < end) {
    const { isMore } = await turn();
    await jest.advanceTimersByTimeAsync(isMore ? 1 : TURN_MS);
  }
}

function ofSet(clusters: readonly string[], spec: object): LivedTurns {
  const ring = (): void => undefined;
  const given = { ...CONTENT.CappSet('one'), ...spec };
  const world = setWorld({ clusters, spec: given, readyAfterMs: 1_000, ring });
  const { turnFleet } = turningSets(world.options);
  let memory: RolloutMemory | null = null;
  return {
    sites: world,
    live: (ms) =>
      until(ms, async () => {
        const turned = await turnFleet(SET, { memory, minimumVersions: {}, most: 100, isAgain: false });
        if (turned.outcome !== 'Turned') throw new Error(turned.outcome);
        ({ memory } = turned);
        return turned;
      }),
    edit: world.edit,
    annotate: (annotations) =>
      void (world.set = { ...world.set, metadata: { ...world.set.metadata, annotations } }),
    on: (content) =>
      [...world.capps.values()]
        .filter((capp) => imageOf(capp) === content)
        .map((capp) => capp.spec.site ?? '')
        .toSorted(),
    status: () => world.set.status ?? {},
    writes: () =>
      Object.fromEntries(
        [...world.capps.values()].map(({ spec, metadata }) => [spec.site ?? '', metadata.generation ?? 0]),
      ),
    rewrite: (become) => {
      memory = null;
      world.rewrite(become);
    },
    delete: (site) => world.mark(`many-${site}`, { deletionTimestamp: new Date().toISOString() }),
  };
}

function ofBundle(clusters: readonly string[], spec: object): LivedTurns {
  const world = bundleWorld(clusters, { ...CONTENT.Bundle('one'), ...spec });
  const applied = new Map<string, string>();
  /** Once for each revision, as the work agent of a site that can be reached does. */
  const apply = (): void => {
    for (const [site, { metadata }] of world.works) {
      const revision = readWritten(metadata.annotations?.[BUNDLE_REVISION])?.revision ?? '';
      if (applied.get(site) !== revision) world.apply(site);
      applied.set(site, revision);
    }
  };
  return {
    sites: world,
    live: (ms) =>
      until(ms, async () => {
        const turned = await world.turn();
        await jest.advanceTimersByTimeAsync(1_000);
        apply();
        return turned;
      }),
    edit: world.edit,
    annotate: world.annotate,
    on: (content) =>
      [...world.works]
        .filter(([, work]) => JSON.stringify(work.spec?.workload).includes(`"content":"${content}"`))
        .map(([site]) => site)
        .toSorted(),
    status: () => world.bundle.status ?? {},
    writes: () =>
      Object.fromEntries([...world.works].map(([site, { metadata }]) => [site, metadata.generation ?? 0])),
    rewrite: world.rewrite,
    delete: world.leave,
  };
}
