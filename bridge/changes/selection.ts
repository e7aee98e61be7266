// Which objects with many sites a change of Placements, their decisions or the RCSConfig concerns.
import { isDeepStrictEqual } from 'node:util';
import { PLACEMENT, PLACEMENT_DECISION, PLACEMENT_LABEL } from '../../crds/ocm/placements.ts';
import { RCS_CONFIG } from '../../crds/hub/rcs-config.ts';
import type { KubeObject } from '../../kube/resource.ts';
import type { BridgeWatched } from './watched.ts';

export type SelectionWatched = Pick<BridgeWatched, 'placements' | 'decisions' | 'configs'>;

/** `kind`: a cache of it must have what changed. Returns the functions that end it. */
export function listenToSelection<T extends { readonly spec: { readonly placement?: string } }>(
  { placements, decisions, configs }: SelectionWatched,
  all: () => readonly T[],
  call: (one: T, changed: KubeObject, kind: string) => void,
): (() => void)[] {
  const tell = (name: string, object: KubeObject, kind: string): void => {
    for (const one of all()) if (one.spec.placement === name) call(one, object, kind);
  };
  return [
    placements.subscribe(({ type, object, previous, initial }) => {
      const of = (one: typeof object | null) => [
        one?.spec?.numberOfClusters,
        one?.status?.numberOfSelectedClusters,
      ];
      const isSame = type === 'Modified' && isDeepStrictEqual(of(previous), of(object));
      if (!initial && !isSame) tell(object.metadata.name, object, PLACEMENT.kind);
    }),
    decisions.subscribe(({ type, object, previous, initial }) => {
      const isSame = type === 'Modified' && isDeepStrictEqual(previous?.status, object.status);
      const placement = object.metadata.labels?.[PLACEMENT_LABEL] ?? '';
      if (!initial && !isSame) tell(placement, object, PLACEMENT_DECISION.kind);
    }),
    configs.subscribe(({ type, object, previous, initial }) => {
      const isSame = type === 'Modified' && isDeepStrictEqual(previous?.spec, object.spec);
      if (initial || isSame) return;
      for (const one of all()) call(one, object, RCS_CONFIG.kind);
    }),
  ];
}
