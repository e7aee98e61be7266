// Notes a rollback, which the API server has carried out with the user's own write: in the audit, in the
// status, and as an event.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { CAPP_REVISION, isRevisionOf, revisionName, type CappRevision } from '../../../crds/capp-revision.ts';
import { parseRollback, type Rollback, type RollbackRequest } from '../../../crds/capp/rollback.ts';
import { requestedBy, ROLLBACK } from '../../../crds/labels.ts';
import { applyStatus } from '../../../kube/apply-status.ts';
import type { Kube } from '../../../kube/client.ts';
import { containsAll } from '../../../kube/resource.ts';
import { shortened, type AuditedAct, type Audit } from '../audit/act.ts';
import { named } from '../audit/moves.ts';
import { emit } from '../status/events.ts';

export interface RollbackNoting {
  readonly kube: Kube;
  readonly audit: Audit;
}

/**
 * Returns the Capp as it is then. Writes nothing if there is no request, or if it was noted before. A repeat
 * writes the same line and the same event. Throws ApiError, a Conflict if the Capp has changed since it was
 * read.
 */
export async function noteRollback({ kube, audit }: RollbackNoting, capp: Capp): Promise<Capp> {
  const asked = parseRollback(capp.metadata.annotations?.[ROLLBACK]);
  if (asked === null || capp.status?.rollback?.id === asked.id) return capp;
  const rollback = rollbackOf(capp, asked, await isDone(kube, capp, asked));
  await emit(kube, capp, happeningOf(rollback));
  audit(actOf(capp, rollback));
  const part = { fieldManager: 'cappstan-rollback', status: { rollback }, asRead: true };
  return (await applyStatus<Capp>(kube, CAPP, capp, part)) ?? capp;
}

/** Whether the spec is what the revision has; the API server may have filled in more since. */
async function isDone(kube: Kube, { spec, metadata }: Capp, { to }: RollbackRequest): Promise<boolean> {
  const key = { namespace: metadata.namespace ?? '', name: revisionName(metadata.name, to) };
  const found = await kube.get<CappRevision>(CAPP_REVISION, key);
  return (
    found !== null &&
    isRevisionOf(metadata.uid, found) &&
    containsAll(spec, found.spec?.cappTemplate.cappSpec)
  );
}

function rollbackOf({ metadata }: Capp, { id, to, why }: RollbackRequest, isDone: boolean): Rollback {
  const by = metadata.annotations?.[requestedBy(ROLLBACK)];
  return {
    id,
    to,
    generation: metadata.generation ?? 0,
    result: isDone ? 'RolledBack' : 'NotRolledBack',
    ...(by === undefined ? {} : { by }),
    ...(why === null ? {} : { why }),
    at: new Date().toISOString(),
  };
}

function actOf(capp: Capp, { id, to, result, by, why = '' }: Rollback): AuditedAct {
  return {
    act: 'Rollback',
    who: { via: 'Annotation', ...(by === undefined ? {} : { by }) },
    what: { ...named(capp), revision: to },
    why: shortened(why),
    result,
    occasion: id,
  };
}

function happeningOf({ id, to, result, by = 'Somebody', why, generation }: Rollback) {
  const reason = why === undefined ? '' : `: ${why}`;
  return result === 'RolledBack'
    ? ({
        type: 'Normal',
        reason: result,
        note: `${by} rolled the Capp back to revision ${to}, which is generation ${generation} now${reason}`,
        occasion: id,
      } as const)
    : ({
        type: 'Warning',
        reason: result,
        note: `${by} asked for revision ${to}, but the spec is another one: it was changed after that, or no webhook answered`,
        occasion: id,
      } as const);
}
