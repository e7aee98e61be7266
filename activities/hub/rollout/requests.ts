// What people ask by annotation of an object with many sites, and what comes of it. Pure.
import { isPaused, parseMoveRequest } from '../../../crds/capp/requests.ts';
import { ABORT, APPROVE, APPROVE_REMOVAL, requestedBy, RETRY } from '../../../crds/labels.ts';
import type { RolloutFields } from '../../../crds/rollout/status.ts';
import type { ObjectMeta } from '../../../kube/resource.ts';
import type { RolloutMemory } from '../../../workflows/stages/memory.ts';
import { heldSetOf, namesIn } from './memory.ts';
import type { StrategyOrUsual } from './usual-strategy.ts';
import { abort, approve, pause, resume, retry } from '../../../workflows/stages/rollout.ts';
import type { Rollout } from '../../../workflows/stages/types.ts';

type Requests = NonNullable<RolloutFields['asked']>;

/** What people may steer. */
export interface SteeredObject {
  readonly metadata: Pick<ObjectMeta, 'annotations'>;
  readonly spec: {
    readonly paused: boolean;
    readonly strategy?: Pick<StrategyOrUsual, 'isUnread'> & {
      readonly stages?: readonly { readonly name: string; readonly verify?: unknown }[];
    };
  };
}

export interface HeardRequests {
  readonly memory: RolloutMemory & { readonly rollout: Rollout };
  /** Requests that have counted just now. */
  readonly asked: Requests;
}

/**
 * A request counts once: one of a stage and one to stop by the state that it leaves behind, others by their
 * ids.
 */
export function heard(object: SteeredObject, memory: HeardRequests['memory'], now: number): HeardRequests {
  const steps = [heardPause, heardApproval, heardAbort, heardRetry, heardRemoval];
  return steps.reduce<HeardRequests>((before, step) => step(object, before, now), { memory, asked: [] });
}

function valueOf({ metadata: { annotations = {} } }: Pick<SteeredObject, 'metadata'>, name: string): string {
  return annotations[name] ?? '';
}

function heardPause(object: SteeredObject, { memory, asked }: HeardRequests): HeardRequests {
  const rollout = object.spec.paused || isPaused(object) ? pause(memory.rollout) : resume(memory.rollout);
  return { memory: { ...memory, rollout }, asked };
}

/**
 * One that lingers must not count again after a retry from the first stage, nor when an earlier revision
 * comes back. What may stand behind the revision, and one that was taken away meanwhile, make it another.
 */
function heardApproval(object: SteeredObject, before: HeardRequests, now: number): HeardRequests {
  const value = valueOf(object, APPROVE);
  const { memory } = before;
  const noted = (approve: string): HeardRequests => ({
    ...before,
    memory: { ...memory, handled: { ...memory.handled, approve } },
  });
  if (value === '' || isOfEarlier(value, memory.rollout)) return noted(value);
  const stage = approvedIn(object, memory);
  if (stage === null) return before;
  const held = `${HELD}${value}`;
  if (isUnread(object)) return noted(held);
  // Nobody knows which verdicts it was about: one that has come since is another.
  const isLate = memory.handled.approve === held;
  const hasChecks =
    !isLate &&
    (object.spec.strategy?.stages ?? []).some(({ name, verify }) => name === stage && verify !== undefined);
  const rollout = approve(memory.rollout, stage, hasChecks ? now : undefined);
  return after({ object, before, now }, 'approve', { rollout });
}

/** Before an approval that waits in the memory, where one that has counted stands. No stage begins so. */
const HELD = '?';

type Approvable = Pick<HeardRequests['memory'], 'rollout' | 'handled'>;

/** The stage that a person approves of this revision, where that has not counted yet; or null. */
function approvedIn(object: SteeredObject, { rollout, handled }: Approvable): string | null {
  const value = valueOf(object, APPROVE);
  if (revisionIn(value) !== rollout.revision || handled.approve === value) return null;
  return parseMoveRequest(value)?.to ?? null;
}

function revisionIn(approval: string): string | undefined {
  return parseMoveRequest(approval)?.id.split('/')[0];
}

/**
 * An approval is of a rollout, and not of a content that comes back: one of a revision that has been
 * superseded by now is over, whether it has counted, has waited, or comes too late.
 */
function isOfEarlier(approval: string, rollout: Rollout): boolean {
  const revision = revisionIn(approval);
  return revision !== undefined && revision !== rollout.revision && namesIn(rollout).includes(revision);
}

/**
 * Whether a stage has checks, which an approval lets it pass without, nobody knows while the strategy cannot
 * be read.
 */
function isUnread({ spec }: SteeredObject): boolean {
  return spec.strategy?.isUnread === true;
}

/** The stage whose approval counts when the strategy can be read again; null if there is none. */
export function approvalHeld(object: SteeredObject, memory: Approvable): string | null {
  return isUnread(object) ? approvedIn(object, memory) : null;
}

function heardAbort(object: SteeredObject, before: HeardRequests, now: number): HeardRequests {
  const value = valueOf(object, ABORT);
  const { memory } = before;
  const isOther = parseMoveRequest(value)?.to !== memory.rollout.revision;
  if (isOther || memory.handled.abort === value) return before;
  return after({ object, before, now }, 'abort', { rollout: abort(memory.rollout) });
}

function heardRetry(object: SteeredObject, before: HeardRequests, now: number): HeardRequests {
  const value = valueOf(object, RETRY);
  const request = parseMoveRequest(value);
  const { memory } = before;
  if (request === null || memory.handled.retry === value) return before;
  const { to } = request;
  const left = Object.entries(memory.refused).filter(([cluster]) => to !== null && cluster !== to);
  return after({ object, before, now }, 'retry', {
    rollout: retry(memory.rollout, to === null ? 'All' : [to], now),
    refused: Object.fromEntries(left),
  });
}

/**
 * It names the sites that were held when it was made. If others are to go by then, or those of another object
 * of the same name, it counts for nothing.
 */
function heardRemoval(object: SteeredObject, before: HeardRequests, now: number): HeardRequests {
  const value = valueOf(object, APPROVE_REMOVAL);
  const { memory } = before;
  const request = parseMoveRequest(value);
  const allowed = Number(request?.to ?? '');
  const [set = ''] = request?.id.split('/') ?? [];
  const isNumber = Number.isSafeInteger(allowed) && allowed >= 1;
  const { leaving } = memory;
  const isOther = leaving === null || set !== heldSetOf(memory);
  if (!isNumber || isOther || memory.handled.removal === value) return before;
  const removal = { ...memory.removal, allowed, approved: leaving.digest };
  return after({ object, before, now }, 'removal', { removal });
}

const ANNOTATIONS = { approve: APPROVE, abort: ABORT, retry: RETRY, removal: APPROVE_REMOVAL } as const;

function after(
  {
    object,
    before,
    now,
  }: { readonly object: SteeredObject; readonly before: HeardRequests; readonly now: number },
  what: keyof typeof ANNOTATIONS,
  changed: Partial<HeardRequests['memory']>,
): HeardRequests {
  const { memory, asked } = before;
  const annotation = ANNOTATIONS[what];
  const request = valueOf(object, annotation);
  const by = valueOf(object, requestedBy(annotation));
  return {
    memory: { ...memory, ...changed, handled: { ...memory.handled, [what]: request } },
    asked: [...asked, { what, request, ...(by === '' ? {} : { by }), at: new Date(now).toISOString() }],
  };
}
