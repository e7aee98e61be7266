// Whether the Secrets that come sealed for a Capp are open: before that its Pods could not start.
import type { Capp } from '../../crds/capp/capp.ts';
import { conditionOf } from '../../crds/kubernetes/core.ts';
import { SEALED } from '../../crds/labels.ts';
import { OPENED, type CappSecret } from '../../crds/sealing/capp-secret.ts';
import type { CappFault } from '../objects/fault.ts';

/** The names that the hub has given it. */
export function sealedNames({ metadata }: Pick<Capp, 'metadata'>): string[] {
  return (metadata.annotations?.[SEALED] ?? '').split(',').filter((name) => name !== '');
}

/**
 * What keeps the Capp from being run as it is now, or null. One that is to stop waits for nothing. `find`
 * gives what the site has of a name.
 */
export function awaitedSecret(capp: Capp, find: (name: string) => CappSecret | undefined): CappFault | null {
  if (capp.spec.state === 'disabled') return null;
  const faults = sealedNames(capp).map((name) => faultOf(name, find(name)));
  // What cannot be opened is said before what is under way.
  return faults.find((one) => one?.isPassing === undefined && one !== null) ?? faults.find(Boolean) ?? null;
}

function faultOf(name: string, sealed: CappSecret | undefined): CappFault | null {
  const said = conditionOf(sealed?.status?.conditions, OPENED);
  if (sealed === undefined || said === undefined || said.observedGeneration !== sealed.metadata.generation)
    return {
      reason: 'SecretSealed',
      message: `Secret ${name} comes sealed; it is being opened.`,
      isPassing: true,
    };
  if (said.status === 'True') return null;
  return {
    reason: 'SecretSealed',
    message: `Secret ${name} came sealed and is not open: ${said.message ?? ''}`,
  };
}
