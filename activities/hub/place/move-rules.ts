// Reads a Capp's own rules about moves: `spec.migration`, requests by annotation, and the history in its
// status.
import type { Capp, CappSpec } from '../../../crds/capp/capp.ts';
import { VerdictStatus } from '../../../crds/verification/status.ts';
import { MIGRATION_DEFAULTS } from '../../../crds/capp/spec/migration.ts';
import { FORCE, MIGRATE, PRIORITY, requestedBy } from '../../../crds/labels.ts';
import { drainPriorityOf, type Drain } from '../../../crds/drain/drain.ts';
import { parseMoveRequest, boundedPriority } from '../../../crds/capp/requests.ts';
import { LEAVE_REASONS } from '../../../workflows/types/leave-reasons.ts';
import type { CappMoveRules } from '../../../workflows/placement/outcome.ts';
import type { Healing } from '../../../workflows/types/health.ts';
import type { Annotated, MoveRecord, Request } from '../../../workflows/types/moves.ts';
import type { Memory } from '../../../workflows/ports/choice.ts';
import { verdictRead } from '../status/verdicts.ts';

/** `spec.migration` with its defaults. The API server fills in the enums, but an older CRD may not. */
export function rulesOf(migration: CappSpec['migration']): CappMoveRules {
  return {
    policy: migration?.policy ?? 'Evacuate',
    strategy: migration?.strategy ?? 'MakeBeforeBreak',
    failback: migration?.failback ?? 'Never',
    stabilisationMs: (migration?.stabilisationSeconds ?? MIGRATION_DEFAULTS.stabilisationSeconds) * 1000,
    cooldownMs: (migration?.cooldownSeconds ?? MIGRATION_DEFAULTS.cooldownSeconds) * 1000,
    deadlineMs: (migration?.deadlineSeconds ?? MIGRATION_DEFAULTS.deadlineSeconds) * 1000,
    ...(migration?.hostname === 'Ignore' ? { ignoresHostname: true } : {}),
    ...bearing(migration),
  };
}

/** With `Recreate` the old copy would go before anybody knows whether the new one is any better. */
function bearing(migration: CappSpec['migration']): Pick<CappMoveRules, 'unhealthyMs'> {
  const { unhealthy, strategy } = migration ?? {};
  return unhealthy === undefined || strategy === 'Recreate'
    ? {}
    : { unhealthyMs: unhealthy.afterSeconds * 1000 };
}

/** Two copies of the Capp must never run. */
export function mustNotRunTwice({ spec }: Capp): boolean {
  return rulesOf(spec.migration).strategy === 'Recreate';
}

/** Stands for the user of an annotation that no webhook has recorded. */
export const NOT_RECORDED = 'an annotation';

/**
 * A request by annotation that has not been answered: `<site>#<id>`, or `#<id>` for any other site. Force
 * comes first.
 */
export function requestOf(capp: Capp, annotated: Annotated): Request | null {
  const { annotations = {} } = capp.metadata;
  const asked = (['force', 'migrate'] as const).map((source): Request | null => {
    const annotation = source === 'force' ? FORCE : MIGRATE;
    const parsed = parseMoveRequest(annotations[annotation]);
    if (parsed === null || parsed.id === annotated[source]) return null;
    const by = annotations[requestedBy(annotation)] ?? NOT_RECORDED;
    return { source, id: parsed.id, to: parsed.to, by, why: '', force: source === 'force' };
  });
  return asked.find((one) => one !== null) ?? null;
}

/**
 * The priority in the Drain if it has one for this Capp, or else the bounded value of annotation
 * `rcs.dana.io/priority`.
 */
export function priorityOf(capp: Capp, drain?: Drain): number {
  const { annotations, name, namespace = '' } = capp.metadata;
  const said = drain === undefined ? null : drainPriorityOf(drain.spec, { namespace, name });
  return said ?? boundedPriority(annotations?.[PRIORITY]);
}

/** What a workflow that was started over has to remember, as the status of its Capp has it. */
export function memoryOf(capp: Capp): Memory {
  const { placedFor, pin, handledRequest, handledForce, lastMove, healing } = capp.status?.migration ?? {};
  return {
    ...(healing === undefined ? {} : { healing: triedBy(healing) }),
    placedFor: placedFor ?? null,
    pin: pin ?? null,
    annotated: { migrate: handledRequest ?? null, force: handledForce ?? null },
    lastMove: lastMove === undefined ? null : lastMoveOf(lastMove),
  };
}

function triedBy({ generation, from, to, moves, said = {} }: Tried): Healing {
  return { generation, from, to, moves: moves === 1 ? 1 : 2, said };
}

type Tried = NonNullable<NonNullable<NonNullable<Capp['status']>['migration']>['healing']>;
type Written = NonNullable<NonNullable<NonNullable<Capp['status']>['migration']>['lastMove']>;

function lastMoveOf({
  from,
  to,
  reason,
  message = '',
  result,
  startedAt,
  endedAt,
  asked,
  verification,
}: Written): MoveRecord | null {
  const known = LEAVE_REASONS.find((one) => one === reason);
  const outcome = (['Moved', 'Failed', 'Cancelled'] as const).find((one) => one === result);
  if (
    from === undefined ||
    to === undefined ||
    known === undefined ||
    outcome === undefined ||
    endedAt === undefined
  )
    return null;
  const times = { since: Date.parse(startedAt ?? endedAt), at: Date.parse(endedAt) };
  const record = { from, to, reason: known, result: outcome, message, ...times, request: null };
  const checks = VerdictStatus.safeParse(verification).data;
  return {
    ...record,
    ...(asked === undefined ? {} : { asked }),
    ...(checks === undefined ? {} : { verification: verdictRead(checks, message) }),
  };
}
