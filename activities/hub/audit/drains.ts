// The steps of a drain that its Drain object ordered. Pure.
import type { AskedBy } from '../../../crds/capp/asked.ts';
import type { Drain } from '../../../crds/drain/drain.ts';
import type { DrainStatus } from '../../../crds/drain/status.ts';
import { LAST_UPDATED_BY, REQUESTED_BY } from '../../../crds/labels.ts';
import { shortened, type AuditedAct } from './act.ts';

/**
 * Takes the Drain as it was before the status is written. Null if the phase is the same, and for a dry run,
 * which does nothing.
 */
export function drainActOf(drain: Drain, after: DrainStatus): AuditedAct | null {
  const { metadata, spec, status: before } = drain;
  const { phase, endedAt, startedAt = '' } = after;
  if (phase === undefined || phase === 'Planned' || phase === before?.phase) return null;
  const { name, uid = '', generation = 0 } = metadata;
  return {
    act: 'Drain',
    who: whoDid(drain, phase === 'Paused' || before?.phase === 'Paused'),
    what: { kind: 'Drain', name, uid, from: name },
    why: shortened(spec.reason ?? ''),
    result: phase === 'Done' && (after.stayed ?? 0) > 0 ? 'CappsStay' : phase,
    occasion: `${generation}/${endedAt ?? startedAt}`,
  };
}

/** Who edited it, or else who created it. */
function whoDid({ metadata: { annotations = {} } }: Drain, isEdit: boolean): AskedBy {
  const by = (isEdit ? annotations[LAST_UPDATED_BY] : undefined) ?? annotations[REQUESTED_BY];
  return { via: 'Drain', ...(by === undefined ? {} : { by }) };
}
