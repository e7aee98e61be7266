// What a CappSet brings to the turn that all kinds on many sites share (`rollout/turn.ts`): its copies are
// Capps.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { SET_FINALIZER } from '../../../crds/labels.ts';
import { CAPP_SET, CappSetSpec, type CappSet } from '../../../crds/set/cappset.ts';
import { setOf } from '../../../crds/set/child.ts';
import { revisionOf } from '../../../crds/set/render.ts';
import type { Kube } from '../../../kube/client.ts';
import type { RolloutMemory } from '../../../workflows/stages/memory.ts';
import type { HubCaches } from '../caches.ts';
import { caughtUp } from '../place/caught-up.ts';
import type { Kind, RolloutRefusal, Rolling } from '../rollout/kind.ts';
import { unreadable } from '../rollout/telling/unreadable.ts';
import { turnOf, type FleetTurn } from '../rollout/turn.ts';
import type { EventRecorder } from '../status/events.ts';
import { removeReleased, shipAll } from './carry-out.ts';
import { retireSet } from './retire-set.ts';
import { keepRevision, wholeNamesOf } from './revisions.ts';
import type { ExcludedSite, SelectOptions } from './selected.ts';
import { refusedOf, toldOf } from './set-status.ts';
import { sightOf } from './sight.ts';
import { setKey, type SetMember } from './targets.ts';
import { unshippableSet } from './unshippable.ts';

export type SetOptions = SelectOptions & { readonly caches: HubCaches; readonly events: EventRecorder };

type SetKind = Kind<CappSet, Capp, SetMember, ExcludedSite>;

export function setTurn(options: SetOptions): FleetTurn {
  return turnOf(setKind(options), options.events);
}

function setKind(options: SetOptions): SetKind {
  const { caches } = options;
  return {
    resource: CAPP_SET,
    copies: CAPP,
    finalizer: SET_FINALIZER,
    fieldManager: 'cappstan-set-status',
    isCaughtUp: (versions) => caughtUp(caches, versions),
    read: async (kube, ref, isAgain) => {
      const found = await kube.get<CappSet>(CAPP_SET, ref);
      return { found, copies: found === null ? [] : await childrenOf(kube, caches, found, isAgain) };
    },
    prepare: (kube, found, copies, memory) => prepared(options, kube, { found, copies, memory }),
    tellRefused: refusedOf,
    end: async (kube, _ref, set, now) => {
      if (set === null) return { outcome: 'Gone' };
      return retireSet({ kube, caches, set, children: await liveChildren(kube, set) }, now);
    },
  };
}

function childrenOf(kube: Kube, caches: HubCaches, set: CappSet, isAgain: boolean): Promise<Capp[]> | Capp[] {
  return isAgain ? liveChildren(kube, set) : caches.capps.by('set', setKey(set));
}

async function liveChildren(kube: Kube, set: CappSet): Promise<Capp[]> {
  const { items } = await kube.list<Capp>(CAPP, { namespace: set.metadata.namespace ?? '' });
  return items.filter((capp) => setOf(capp) === setKey(set));
}

interface FoundSet {
  readonly found: CappSet;
  readonly copies: readonly Capp[];
  readonly memory: RolloutMemory;
}

async function prepared(
  options: SetOptions,
  kube: Kube,
  { found, copies, memory }: FoundSet,
): Promise<Rolling<CappSet, Capp, SetMember, ExcludedSite> | RolloutRefusal> {
  const parsed = CappSetSpec.safeParse(found.spec);
  if (!parsed.success) {
    const refusal = unreadable('set', 'spec', parsed.error.issues[0]);
    return unshippableSet({ kube, options, set: found }, { refusal, memory, copies });
  }
  const { data: spec } = parsed;
  const set: CappSet = { ...found, spec };
  const revision = revisionOf(spec);
  return {
    object: set,
    revision,
    sight: await sightOf(options, set, copies),
    wholeNames: (known) => wholeNamesOf(kube, set, { rollout: known }),
    keep: (needed) => keepRevision(kube, set, revision, needed),
    standing: async (refused) => refused,
    generationOf: ({ child }) => child?.metadata.generation ?? null,
    ship: (object, look, most, now) => shipAll({ kube, set: { ...object, spec }, look, most, now }),
    remove: (_object, look) => removeReleased(kube, look),
    tell: (object, outcome, now) => toldOf({ ...object, spec }, outcome, now),
    wakes: () => [],
  };
}
