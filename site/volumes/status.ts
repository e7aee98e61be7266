// The status of a Capp's NFS volumes. They never block a rollout: a Pod waits for its own claim.
import type { Capp } from '../../crds/capp/capp.ts';
import type { CappStatus } from '../../crds/capp/status.ts';
import type { NfsPvc } from '../../crds/kubernetes/knative.ts';
import type { ReadyPart } from '../status/ready.ts';
import type { CappFault } from '../objects/fault.ts';

export interface SeenVolumes {
  readonly nfsPvcs: readonly NfsPvc[];
  /** Why they could not be written, or null. */
  readonly fault: CappFault | null;
}

/** One entry for each volume of the spec, in its order; undefined for a Capp that has none. */
export function volumesStatus(capp: Capp, seen: SeenVolumes): CappStatus['volumesStatus'] {
  const volumes = capp.spec.volumesSpec?.nfsVolumes ?? [];
  if (volumes.length === 0) return undefined;
  return {
    nfsVolumesStatus: volumes.map(({ name }) => {
      const { pvPhase, pvcPhase } = phases(seen, name);
      return {
        volumeName: name,
        nfsPvcStatus: { ...(pvPhase === '' ? {} : { pvPhase }), ...(pvcPhase === '' ? {} : { pvcPhase }) },
      };
    }),
  };
}

/** Null for a Capp without volumes. */
export function volumesReady(capp: Capp, seen: SeenVolumes): ReadyPart | null {
  const names = (capp.spec.volumesSpec?.nfsVolumes ?? []).map((volume) => volume.name);
  if (names.length === 0) return null;
  if (seen.fault !== null) return { type: 'VolumesReady', status: 'False', ...seen.fault };
  const unbound = names.filter((name) =>
    Object.values(phases(seen, name)).some((phase) => phase !== 'Bound'),
  );
  if (unbound.length === 0)
    return { type: 'VolumesReady', status: 'True', reason: 'Bound', message: 'Every volume is bound.' };
  return {
    type: 'VolumesReady',
    status: 'False',
    reason: 'NotBound',
    message: `Not bound yet: ${unbound.slice(0, 10).join(', ')}.`,
  };
}

function phases(seen: SeenVolumes, name: string): { pvPhase: string; pvcPhase: string } {
  const found = seen.nfsPvcs.find((object) => object.metadata.name === name);
  return { pvPhase: found?.status?.pvPhase ?? '', pvcPhase: found?.status?.pvcPhase ?? '' };
}
