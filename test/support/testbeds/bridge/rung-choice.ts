// From a change in a real API server, by the bridge's ring, to the choice that caches make: two sites, whom
// each change rings, and what the hub then chooses.
import { listenToPlacing } from '../../../../bridge/changes/placing.ts';
import { openingsOf } from '../../../../bridge/changes/openings.ts';
import { watchHub, type BridgeWatched } from '../../../../bridge/changes/watched.ts';
import { keptBundles } from '../../../../bridge/fleet/bundles.ts';
import { keptSets } from '../../../../bridge/fleet/sets.ts';
import { hubChoose } from '../../../../activities/hub/place/choose.ts';
import { MANAGED_CLUSTER, MANAGED_CLUSTER_ADD_ON } from '../../../../crds/ocm/ocm.ts';
import { RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import type { Requires } from '../../../../crds/capp/spec/requires.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { allSynced, stopAll } from '../../../../kube/watch/cache.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import type { CappRef } from '../../../../workflows/capp/state.ts';
import type { ChoiceAsk, Choice } from '../../../../workflows/ports/choice.ts';
import { serveBare } from '../../servers/api/definitions.ts';
import { prepareTwoSites, sayAvailable } from '../activities/two-sites.ts';
import { startHub } from '../hub/hub.ts';

export const NOTHING: ChoiceAsk = {
  minimumVersions: {},
  present: null,
  avoid: {},
  works: [],
  history: null,
};
const HISTORY = {
  placedFor: '',
  pin: null,
  home: null,
  request: null,
  copies: [],
  annotated: { migrate: null, force: null },
};

/** Whom the bridge has rung. */
export interface Rung {
  /** How often it has rung a Capp. */
  count: number;
  /** Capp → the resourceVersion of the cluster for which it was rung last. */
  readonly rings: Map<string, string>;
  /** "<kind> <name>" → the kinds of clustersets and bindings that rang it, with their resourceVersions. */
  readonly openings: Map<string, Readonly<Record<string, string>>>;
}

export type RungChoice = Awaited<ReturnType<typeof startRungChoice>>;

export async function startRungChoice() {
  const stage = await startHub();
  await serveBare(stage.kube, MANAGED_CLUSTER_ADD_ON);
  await prepareTwoSites(stage.kube);
  const watched = watchHub(stage.kube, RCS_CONFIG_KEY, () => undefined);
  await allSynced(watched);
  const rung: Rung = { count: 0, rings: new Map(), openings: new Map() };
  const stops = listen(watched, rung);
  const chooser = hubChoose({
    kube: stage.kube,
    caches: stage.caches,
    hubUid: 'hub-uid',
    config: RCS_CONFIG_KEY,
  });
  return {
    stage,
    watched,
    chooser,
    rung,
    ...changing(stage.kube),
    /**
     * What the hub chooses because of the last ring, by caches that have seen what rang; as a Capp on
     * `present`.
     */
    answer: (ref: CappRef, present: string | null = null): Promise<Choice> =>
      eventually(async () => {
        const version = rung.rings.get(`${ref.namespace}/${ref.name}`);
        if (version === undefined) return undefined;
        const history = present === null ? null : HISTORY;
        const minimumVersions = { ManagedCluster: version };
        const choice = await chooser.choose(ref, { ...NOTHING, minimumVersions, present, history });
        return choice.outcome === 'Behind' ? undefined : choice;
      }),
    aCappAsking: async (name: string, requires: Requires, migration: object = {}): Promise<CappRef> => {
      const ref = await stage.make({ name, spec: { requires, migration } });
      await eventually(() => watched.capps.get({ namespace: 'apps', name }));
      await eventually(async () => (await chooser.choose(ref, NOTHING)).outcome !== 'Absent' || undefined);
      return ref;
    },
    stop: async () => {
      for (const stop of stops) stop();
      await stopAll(watched);
      await stage.stop();
    },
  };
}

/** Returns what ends it. */
function listen(watched: BridgeWatched, rung: Rung): (() => void)[] {
  const opened = (who: string, changed: KubeObject | null, kind: string | null): void => {
    if (kind?.startsWith('ManagedClusterSet') === true)
      rung.openings.set(who, { ...rung.openings.get(who), [kind]: changed?.metadata.resourceVersion ?? '' });
  };
  const openings = openingsOf(watched);
  const stops = listenToPlacing(
    watched,
    (key, cause, changed, kind) => {
      rung.count += 1;
      if (cause === 'decision' && kind === 'ManagedCluster')
        rung.rings.set(key, changed?.metadata.resourceVersion ?? '');
      else opened(`Capp ${key}`, changed, kind ?? null);
    },
    openings,
  );
  for (const kept of [keptSets(watched, openings), keptBundles(watched, openings)])
    stops.push(
      kept.listen(({ metadata }, changed, kind) => opened(`${kept.kind} ${metadata.name}`, changed, kind)),
    );
  return stops;
}

/** What may change of a site. */
function changing(kube: Awaited<ReturnType<typeof startHub>>['kube']) {
  return {
    beat: (name: string, number: number) => sayAvailable(kube, name, 'True', `beat ${number}`),
    label: (name: string, labels: object) =>
      kube.patch(MANAGED_CLUSTER, { namespace: null, name }, { metadata: { labels } }),
    claim: (name: string, claims: Readonly<Record<string, string>>) =>
      kube.patch(
        MANAGED_CLUSTER,
        { namespace: null, name },
        { status: { clusterClaims: Object.entries(claims).map(([key, value]) => ({ name: key, value })) } },
        { subresource: 'status' },
      ),
  };
}
