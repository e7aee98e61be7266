// The answer to a person's request to move a Capp. Pure.
import { type Request, type Handled, UNNAMED } from '../types/moves.ts';
import { isDecided } from './decided.ts';
import type { PlacedInputs, PlacementInputs } from './inputs.ts';
import type { PlacementHistory, CappMoveRules, Go } from './outcome.ts';
import { type Selection, select } from './select.ts';
import { elsewhere, goes } from './stay-or-go.ts';

/** Answers a person's request: with a move, or with the reason against it. */
export function asks(
  inputs: PlacedInputs,
  request: Request,
  { history, rules, now }: { history: PlacementHistory; rules: CappMoveRules; now: number },
): Go | { goes: false; handled: Handled } {
  const refuse = (reason: Handled['reason'], message: string) => ({
    goes: false as const,
    handled: { source: request.source, id: request.id, outcome: 'Refused' as const, reason, message },
  });
  const objection = objectionTo(inputs, request);
  if (objection !== null) return refuse(objection.reason, objection.message);
  const to =
    request.to === null
      ? anywhere(withPlan(inputs, request), history, rules, now)
      : named(inputs, request.to, now);
  if (to.cluster === null)
    return refuse(reasonAgainst(to), `${to.message}${request.to === null ? ' Ask for a site by name.' : ''}`);
  const handled: Handled = {
    source: request.source,
    id: request.id,
    outcome: 'Accepted',
    reason: 'Accepted',
    message: `Moves to ${to.cluster}.`,
  };
  const why = `${askingText(request)}${request.why === '' ? '' : `: ${request.why}`}`;
  return goes('Asked', why, to, { rules, handled, request });
}

/** A site that only has to remove an earlier copy can be asked for again in a moment. */
function reasonAgainst({ reason, record }: Extract<Selection, { cluster: null }>): Handled['reason'] {
  const isFreedSoon = record.excluded.some((entry) => entry.reason === 'StillLeaving');
  return reason === 'NoCandidate' && isFreedSoon ? 'StillLeaving' : reason;
}

/** Why the request is not even looked at, or null. */
function objectionTo(
  inputs: PlacedInputs,
  request: Request,
): { readonly reason: Handled['reason']; readonly message: string } | null {
  const { present, site, clusters, placements } = inputs;
  const { to } = request;
  if (to === present) return { reason: 'AlreadyThere', message: `The Capp is on ${present} already.` };
  const isPinned = clusters[site] !== undefined && !(placements ?? []).includes(site) && to !== site;
  if (isPinned)
    return { reason: 'Pinned', message: `spec.site names ${site}. Change spec.site to move the Capp.` };
  if (to === null) return null;
  if (clusters[to] === undefined) {
    const sites = Object.keys(clusters).toSorted().slice(0, 10).join(', ') || 'none';
    return { reason: 'UnknownSite', message: `There is no site ${to}. Sites: ${sites}.` };
  }
  // Nobody has checked who sent a message, so it leads to no site that the Placements would not.
  if (!isMessage(request) || isDecided(inputs, to)) return null;
  const remedy = `kubectl capp move <name> ${to}, or annotation rcs.dana.io/migrate=${to}#<new word>`;
  const message = `A message to Temporal may only name a site that a placement of the Capp has decided for, and none has decided for ${to}. Ask on the Capp, where Kubernetes checks who asks: ${remedy}.`;
  return { reason: 'NoDecision', message };
}

function isMessage({ source }: Pick<Request, 'source'>): boolean {
  return source === 'signal' || source === 'update';
}

/** A message to Temporal has no user: its sender's name is only claimed. */
function askingText({ source, by }: Request): string {
  if (!isMessage({ source })) return `${by} asked`;
  const how = source === 'signal' ? 'by signal' : 'by Update';
  return by === UNNAMED ? `${by} asked ${how}` : `${by} asked ${how} (a name that nobody has checked)`;
}

/**
 * The site that the Capp left, if it may return there on request and that site is eligible; else the best
 * site.
 */
function anywhere(
  inputs: PlacedInputs,
  { home }: PlacementHistory,
  { failback }: CappMoveRules,
  now: number,
): Selection {
  const back =
    failback === 'Manual' && home !== null
      ? select({ ...inputs, present: null, left: inputs.present, only: home }, now)
      : null;
  return back === null || back.cluster === null ? elsewhere(inputs, now) : back;
}

/** What a drain has planned for the Capp is kept while that site may be chosen. */
function withPlan(inputs: PlacedInputs, { planned }: Request): PlacedInputs {
  return planned === undefined ? inputs : { ...inputs, planned };
}

/**
 * Who may edit the Capp may name any site that can run it, whatever OCM decided. A site that failed a short
 * while ago may be tried again.
 */
function named(inputs: PlacementInputs, to: string, now: number): Selection {
  return select({ ...inputs, site: to, placements: [], present: null, avoid: {} }, now);
}
