// The answer to a person's request to move a Capp. Pure.
import { type Request, type Handled, UNNAMED } from '../types/moves.ts';
import type { PlacedInputs, PlacementInputs } from './inputs.ts';
import type { PlacementHistory, Rules, Go } from './outcome.ts';
import { type Selection, select } from './select.ts';
import { elsewhere, goes } from './stay-or-go.ts';

/** Answers a person's request: with a move, or with the reason against it. */
export function asks(
  inputs: PlacedInputs,
  request: Request,
  { history, rules, now }: { history: PlacementHistory; rules: Rules; now: number },
): Go | { goes: false; handled: Handled } {
  const { present, site, clusters } = inputs;
  const refuse = (reason: Handled['reason'], message: string) => ({
    goes: false as const,
    handled: { source: request.source, id: request.id, outcome: 'Refused' as const, reason, message },
  });
  if (request.to === present) return refuse('AlreadyThere', `The Capp is on ${present} already.`);
  if (
    site !== '' &&
    clusters[site] !== undefined &&
    !(inputs.placements ?? []).includes(site) &&
    request.to !== site
  )
    return refuse('Pinned', `spec.site names ${site}. Change spec.site to move the Capp.`);
  if (request.to !== null && clusters[request.to] === undefined)
    return refuse(
      'UnknownSite',
      `There is no site ${request.to}. Sites: ${Object.keys(clusters).toSorted().slice(0, 10).join(', ') || 'none'}.`,
    );
  const to =
    request.to === null
      ? anywhere(withPlan(inputs, request), history, rules, now)
      : named(inputs, request.to, now);
  if (to.cluster === null)
    return refuse(to.reason, `${to.message}${request.to === null ? ' Ask for a site by name.' : ''}`);
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

/** A message to Temporal has no user: its sender's name is only claimed. */
function askingText({ source, by }: Request): string {
  if (source !== 'signal' && source !== 'update') return `${by} asked`;
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
  { failback }: Rules,
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
 * A person may name any site that can run the Capp, whatever OCM decided. A site that failed a short while
 * ago may be tried again.
 */
function named(inputs: PlacementInputs, to: string, now: number): Selection {
  return select({ ...inputs, site: to, placements: [], present: null, avoid: {} }, now);
}
