// What the state of a Capp's workflow must look like, field by field: a state comes from a checkpoint of
// ours, or from whoever may start a workflow.
import { CAUSES } from '../types/ring.ts';
import { VERDICTS } from '../types/copy.ts';
import { LEAVE_REASONS } from '../types/leave-reasons.ts';
import { isVerification, isOrder } from './verification.ts';
import {
  fields,
  flag,
  listOf,
  name,
  number,
  oneOf,
  orNull,
  recordOf,
  text,
  type MessageShape,
} from './shapes.ts';

/** Clusters with a copy, or that are remembered for another reason. */
const MOST_CLUSTERS = 1_000;
const MOST_KINDS = 50;

const id = text(512);
const sentence = text(8_192);
const said = fields({ reason: text(128), message: sentence });
const refusal = fields({ reason: text(128), message: sentence }, { mayPass: flag });
const asked = fields({ via: text(32) }, { by: id, claimed: id });
const STRATEGIES = oneOf(['MakeBeforeBreak', 'Recreate']);
const SOURCES = oneOf(['signal', 'update', 'drain', 'migrate', 'force']);

const work = fields(
  { uid: id, applied: oneOf(['True', 'False', 'Unknown']), reason: text(256) },
  { withMore: flag, refused: refusal, isOthers: flag, asksThere: flag },
);
const finding = fields(
  { verdict: oneOf(VERDICTS), healthy: flag, reason: text(128), message: sentence, statusHash: id },
  { hostname: said, restarts: number },
);

/** Takes a copy to which `filledIn` has added the defaults of what is new in this version. */
export const isCopy: MessageShape = fields(
  {
    wanted: flag,
    stamp: orNull(id),
    generation: number,
    appliedAt: number,
    deadline: number,
    work: orNull(work),
    finding: orNull(finding),
    wasHealthy: flag,
    heard: flag,
    heardAt: number,
    absentSince: orNull(number),
    silentSince: orNull(number),
    appliedAtRing: number,
  },
  {
    askedAt: number,
    seenAt: number,
    found: flag,
    mayBeThere: flag,
    isSole: flag,
    order: isOrder,
    verifyBy: number,
    verification: isVerification,
    health: fields(
      { readySince: orNull(number), illSince: orNull(number) },
      {
        lookedAt: number,
        againAt: number,
        turnedAt: number,
        restarts: fields({ seen: number, since: number }),
      },
    ),
    failedRemoval: fields({ until: number, tries: number, reason: text(64), message: sentence }),
  },
);

/** Only an annotation carries force: the API server has authorised whoever wrote it. */
const isForced: MessageShape = (given) => {
  const { force, source } = given as { readonly force?: unknown; readonly source?: unknown };
  return force !== true || source === 'force';
};
const requestFields = fields(
  { source: SOURCES, id, to: orNull(name), by: sentence, why: sentence, force: flag },
  { planned: name },
);
const request: MessageShape = (given) => requestFields(given) && isForced(given);

const handled = fields(
  { source: SOURCES, id, outcome: oneOf(['Accepted', 'Refused']), reason: text(128), message: sentence },
  { asked },
);
const terms = fields(
  { holdMs: number, cooldownMs: number, deadlineMs: number, strategy: STRATEGIES, inBulk: flag },
  { ignoresHostname: flag },
);
const leave = fields(
  {
    from: name,
    reason: oneOf(LEAVE_REASONS),
    message: sentence,
    to: orNull(name),
    terms,
    request: orNull(request),
    priority: number,
    since: number,
    lookedAt: number,
    permit: orNull(fields({ askedAt: number, answer: oneOf(['Go', 'Wait', null]) })),
  },
  { asked },
);
const move = fields(
  {
    from: name,
    to: name,
    reason: oneOf(LEAVE_REASONS),
    message: sentence,
    since: number,
    deadline: number,
    strategy: STRATEGIES,
    request: orNull(request),
    confirmation: oneOf(['Due', 'Asked', 'Given']),
  },
  { asked, ignoresHostname: flag, askedBack: fields({ at: orNull(number), ringsHeard: number }) },
);
const lastMove = fields(
  {
    from: name,
    to: name,
    reason: oneOf(LEAVE_REASONS),
    result: oneOf(['Moved', 'Failed', 'Cancelled']),
    message: sentence,
    since: number,
    at: number,
    request: orNull(id),
  },
  { asked, verification: isVerification },
);
const dns = fields({
  cluster: orNull(name),
  isDue: flag,
  isThere: flag,
  syncedAt: orNull(number),
  ttlMs: number,
  said,
  retryAt: number,
  tries: number,
});
const record = fields(
  {
    at: text(64),
    cluster: orNull(name),
    reason: text(128),
    placement: orNull(text(256)),
    candidates: listOf(fields({ cluster: name, score: number, capps: number }), 20),
    excluded: listOf(fields({ reason: text(64), count: number, examples: listOf(name, 20) }), 50),
  },
  { asked },
);

/** Takes everything but `version` and `capp`, with the defaults that `filledIn` has added. */
export const isState: MessageShape = fields(
  {
    due: listOf(oneOf(CAUSES), CAUSES.length),
    unreadable: number,
    ringsHeard: number,
    ringsAnswered: number,
    ringsReviewed: number,
    minimumVersions: recordOf(text(128), text(128), MOST_KINDS),
    generation: number,
    copies: recordOf(name, isCopy, MOST_CLUSTERS),
    leaving: recordOf(
      name,
      fields({ since: number, lookedAtRing: number }, { lost: text(64), givenUp: flag }),
      MOST_CLUSTERS,
    ),
    serving: orNull(name),
    pinned: flag,
    placedFor: orNull(text(253)),
    request: orNull(request),
    handled: orNull(handled),
    annotated: fields({ migrate: orNull(id), force: orNull(id) }),
    pin: orNull(name),
    stays: orNull(said),
    unreachable: listOf(name, MOST_CLUSTERS),
    awaySince: recordOf(name, number, MOST_CLUSTERS),
    leave: orNull(leave),
    move: orNull(move),
    lastMove: orNull(lastMove),
    movedAt: orNull(number),
    avoid: recordOf(name, number, MOST_CLUSTERS),
    placing: orNull(said),
    refused: orNull(said),
    paused: flag,
    retiring: flag,
    mayHaveWorks: flag,
    backoff: orNull(fields({ until: number, tries: number, ringsHeard: number }, { behindSince: number })),
    statusDecidedAt: number,
    published: orNull(text(1_024)),
    mirrored: orNull(text(1_024)),
  },
  {
    dns,
    pausedBy: id,
    tellLeavingAt: number,
    unhealthyMs: number,
    unhealthyRestarts: number,
    healing: fields({
      generation: number,
      from: name,
      to: name,
      moves: oneOf([1, 2]),
      said: recordOf(name, sentence, 10),
    }),
    awaitedBy: recordOf(name, fields({ since: number, request: orNull(id) }), MOST_CLUSTERS),
    record: orNull(record),
  },
);
