// Who asked for a move, and how the hub knows: only what the webhook recorded is known to be a user. Pure.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { AskedBy } from '../../../crds/capp/asked.ts';
import type { Drain } from '../../../crds/drain/drain.ts';
import { LAST_UPDATED_BY, REQUESTED_BY } from '../../../crds/labels.ts';
import type { LeaveReason } from '../../../workflows/types/leave-reasons.ts';
import { UNNAMED, type Request } from '../../../workflows/types/moves.ts';
import { NOT_RECORDED } from './move-rules.ts';

interface Asking {
  readonly capp: Capp;
  /** The Drain of the site that the Capp leaves. */
  readonly drain?: Drain | undefined;
}

/** Who asked by that request; nobody has for null. */
export function askedBy(request: Request | null, { drain }: Asking): AskedBy | null {
  if (request === null) return null;
  const { source, by } = request;
  switch (source) {
    case 'migrate':
    case 'force':
      return byUser('Annotation', by === NOT_RECORDED ? undefined : by);
    case 'drain':
      return byUser('Drain', drain?.metadata.annotations?.[REQUESTED_BY]);
    case 'signal':
    case 'update':
      return { via: source === 'signal' ? 'Signal' : 'Update', ...(by === UNNAMED ? {} : { claimed: by }) };
  }
}

/** Who asked for the Capp to leave for that reason; null if nobody did. An edit of `spec.site` asks, too. */
export function leaveAskedBy(reason: LeaveReason, request: Request | null, asking: Asking): AskedBy | null {
  if (reason !== 'SiteEdited') return askedBy(request, asking);
  return byUser('Spec', asking.capp.metadata.annotations?.[LAST_UPDATED_BY]);
}

function byUser(via: 'Annotation' | 'Spec' | 'Drain', by: string | undefined): AskedBy {
  return by === undefined ? { via } : { via, by };
}
