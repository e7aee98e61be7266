// A look at a set: its Capps from the cache, or live, and what comes of them.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import type { CappSet } from '../../../crds/set/cappset.ts';
import { setOf } from '../../../crds/set/child.ts';
import type { Kube } from '../../../kube/client.ts';
import { tryNumber } from '../../trying.ts';
import { planned, type Look } from './planned.ts';
import type { Heard } from '../rollout/requests.ts';
import type { SelectOptions } from './selected.ts';
import { setKey } from './targets.ts';

export type LookOptions = SelectOptions & { readonly kube: Kube };

export async function lookAt(
  options: LookOptions,
  set: CappSet,
  memory: Heard['memory'],
  now: number,
): Promise<Look> {
  return planned(options, { set, memory, children: await childrenOf(options, set) }, now);
}

/** A second try may have to find what the first one wrote a moment ago. */
async function childrenOf({ kube, caches }: LookOptions, set: CappSet): Promise<Capp[]> {
  if (tryNumber() === 1) return caches.capps.by('set', setKey(set));
  return liveChildren(kube, set);
}

export async function liveChildren(kube: Kube, set: CappSet): Promise<Capp[]> {
  const { items } = await kube.list<Capp>(CAPP, { namespace: set.metadata.namespace ?? '' });
  return items.filter((capp) => setOf(capp) === setKey(set));
}
