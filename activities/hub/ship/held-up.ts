// Messages while the hub's API server does not accept a Capp's work: why, and what to do.
import { ApplicationFailure } from '@temporalio/common';
import { ApiError } from '../../../kube/failure.ts';
import type { Kube } from '../../../kube/client.ts';
import type { CappRef, State } from '../../../workflows/capp/state.ts';
import { isUnreachable } from '../../raise.ts';
import { tryNumber } from '../../trying.ts';
import { readCapp } from '../capps.ts';
import { publishStatus, type Press } from '../status/publish.ts';

/** About seven seconds after the first try of the retried activity. Shorter problems are not reported. */
const TOLD_FROM = 5;

interface Errand {
  readonly ref: CappRef;
  readonly cluster: string;
  readonly state: State;
}

/** The message for a final refusal of the work itself; null where the API server's own message is clear. */
export function wordsFor(cluster: string, { method, code, path }: ApiError): string | null {
  if (!path.includes('/manifestworks')) return null;
  if (code === 404 && method === 'POST')
    return (
      `${cluster} has no namespace on the hub, so nothing can be sent there: the cluster was removed, or its import is not finished. ` +
      `Look at it: kubectl get managedcluster ${cluster}. Import it again, or choose another site.`
    );
  if (code === 403)
    return (
      `The hub may not write ManifestWorks in namespace ${cluster}: the namespace is being deleted, or Cappstan's rights are missing. ` +
      `Look at both: kubectl get namespace ${cluster}; kubectl get clusterrole cappstan-hub.`
    );
  return null;
}

/**
 * Reports on the Capp that an edit has not been sent, unless this is one of the first tries. Does nothing for
 * a Capp without a new generation to send. Failures of the report are swallowed: the try has failed already,
 * and the next one comes here again.
 */
export async function sayHeldUp(
  press: Press,
  { ref, cluster, state }: Errand,
  error: unknown,
): Promise<void> {
  if (tryNumber() < TOLD_FROM || state.serving !== cluster || !isUnreachable(error)) return;
  try {
    await publishHeldUp(press, { ref, cluster, state }, error);
  } catch (failure) {
    if (!(failure instanceof ApiError || failure instanceof ApplicationFailure)) throw failure;
  }
}

async function publishHeldUp(
  press: Press & { readonly kube: Kube },
  { ref, cluster, state }: Errand,
  error: ApiError,
): Promise<void> {
  const read = await readCapp(press.kube, ref);
  if (read.is !== 'there') return;
  const { generation = 0 } = read.capp.metadata;
  if (state.copies[cluster]?.generation === generation) return;
  const why = error.code === 0 ? error.reason : `${error.code} ${error.reason}`;
  const message = `The hub's API server does not accept generation ${generation} for ${cluster} (${error.method} ${error.path}: ${why}). Cappstan tries again until it does; look at the hub's API server.`;
  const heldUp: State = { ...state, generation, refused: { reason: 'HubUnavailable', message } };
  await publishStatus(press, read.capp, heldUp, { record: null, mirror: null, at: Date.now() });
}
