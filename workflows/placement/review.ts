// Whether a Capp should stay where it is, and where else it could go. Pure.
import { isLost, UNNAMED, type Handled, type LeaveReason, type Request, type Terms } from '../types/moves.ts';
import { excuse } from './exclude.ts';
import type { NoneReason } from './no-candidate.ts';
import type { PlacedInputs, PlacementInputs } from './inputs.ts';
import { decidedFor, poolOf, select, type Pool, type Selection } from './select.ts';
import type { Go, PlacementHistory, Rules, Stay, StayReason } from './outcome.ts';

/**
 * How long, in milliseconds, a decision without the site must last: OCM empties and fills decisions while it
 * works.
 */
const HOLD_MS = 5_000;

/** Takes inputs whose `present` is the site in question. */
export function review(
  inputs: PlacedInputs,
  history: PlacementHistory,
  rules: Rules,
  now: number,
): Stay | Go {
  const { present } = inputs;
  const { request } = history;
  const asked = request === null ? null : asks(inputs, request, { history, rules, now });
  if (asked?.goes === true) return asked;
  const terse = { rules, handled: asked?.handled ?? null };
  const pool = poolOf(inputs);
  if (isEdited(inputs, history, pool)) return edited(inputs, pool, terse, now);
  const look = { ...terse, now, trouble: troubleOf(inputs, present) };
  if (typeof pool !== 'string' && pool.placement === null) return pinned(present, look);
  return isDecided(inputs, present)
    ? whileSelected(inputs, history, look)
    : onceDeselected(inputs, history, look);
}

/** A person asks by `spec.site`: it was changed since the site was chosen, or names another cluster. */
function isEdited(
  { site, present }: PlacementInputs,
  { placedFor }: PlacementHistory,
  pool: Pool | NoneReason,
): boolean {
  const namesAnother =
    typeof pool !== 'string' &&
    pool.placement === null &&
    present !== null &&
    !pool.clusters.includes(present);
  return namesAnother || (placedFor !== null && placedFor !== site);
}

function edited(inputs: PlacedInputs, pool: Pool | NoneReason, terse: Terse, now: number): Stay | Go {
  const { present, site } = inputs;
  if (typeof pool !== 'string' && pool.clusters.includes(present)) return notMoving(present, terse.handled);
  return goes('SiteEdited', `spec.site asks for ${site || 'the best site'}`, elsewhere(inputs, now), terse);
}

function pinned(present: string, { trouble, handled }: Look): Stay {
  if (trouble === null) return notMoving(present, handled);
  return stays(
    'Pinned',
    `spec.site names ${present}, which ${SAYING[trouble]}; the Capp stays. Change spec.site to move it.`,
    handled,
  );
}

function notMoving(present: string, handled: Handled | null): Stay {
  return stays('NotMoving', `The Capp stays on ${present}.`, handled);
}

type Trouble = 'SiteGone' | 'SiteLost' | 'Tainted';

const SAYING: Record<Trouble, string> = {
  SiteGone: 'is no managed cluster any more',
  SiteLost: 'cannot be reached',
  Tainted: 'is tainted NoSelect',
};

function troubleOf({ clusters }: PlacementInputs, cluster: string): Trouble | null {
  const facts = clusters[cluster];
  if (facts === undefined || facts.deleting) return 'SiteGone';
  if (!facts.reachable) return 'SiteLost';
  return facts.tainted ? 'Tainted' : null;
}

/** Some placement of the Capp still selects it. */
function isDecided(inputs: PlacementInputs, cluster: string): boolean {
  return placementsOf(inputs).some((name) => decidedFor(inputs, name).includes(cluster));
}

function placementsOf({ placements, site }: PlacementInputs): readonly string[] {
  return (placements ?? []).filter((name) => site === '' || name === site);
}

interface Terse {
  readonly rules: Rules;
  readonly handled: Handled | null;
  readonly request?: Request;
}

function stays(reason: StayReason, message: string, handled: Handled | null): Stay {
  return { goes: false, reason, message, handled };
}

function goes(reason: LeaveReason, message: string, to: Selection, { rules, handled, request }: Terse): Go {
  const why = to.cluster === null ? `${message}. ${to.message}` : message;
  const pinned = to.cluster !== null && to.pinned;
  return {
    goes: true,
    reason,
    message: why,
    to: to.cluster,
    pinned,
    record: to.record,
    terms: termsOf(reason, rules),
    request: request ?? null,
    handled,
  };
}

function termsOf(reason: LeaveReason, rules: Rules): Terms {
  const { stabilisationMs, cooldownMs, deadlineMs, strategy, ignoresHostname } = rules;
  const isOwn = reason === 'Asked' || reason === 'SiteEdited';
  const hold = { NotSelected: Math.max(HOLD_MS, stabilisationMs), Failback: stabilisationMs };
  return {
    holdMs: reason === 'NotSelected' || reason === 'Failback' ? hold[reason] : 0,
    cooldownMs: isOwn || isLost(reason) ? 0 : cooldownMs,
    deadlineMs,
    strategy,
    inBulk: !isOwn && reason !== 'Failback',
    ...(ignoresHostname === true ? { ignoresHostname } : {}),
  };
}

/** The best site but the present one. */
function elsewhere(inputs: PlacementInputs, now: number): Selection {
  return select({ ...inputs, present: null, left: inputs.present }, now);
}

interface Look {
  readonly rules: Rules;
  readonly now: number;
  readonly handled: Handled | null;
  readonly trouble: Trouble | null;
}

/** The decision no longer names the site: whether the Capp follows depends on the cause and on its policy. */
function onceDeselected(inputs: PlacedInputs, { pin }: PlacementHistory, look: Look): Stay | Go {
  const { present } = inputs;
  const { rules, now, handled, trouble } = look;
  const what =
    trouble === null ? `no placement selects ${present} any more` : `${present} ${SAYING[trouble]}`;
  if (rules.policy === 'Manual')
    return stays('Manual', `Although ${what}, the Capp stays: spec.migration.policy is Manual.`, handled);
  // A tainted site that is reachable may be on a page of the decision that is still to come.
  if (trouble === 'Tainted' && !isWhole(inputs))
    return stays(
      'NotSelected',
      `Although ${what}, the Capp stays: the decision for another site is not complete.`,
      handled,
    );
  if (trouble !== null) return goes(trouble, what, elsewhere(inputs, now), { rules, handled });
  if (pin !== present && rules.policy !== 'Follow')
    return stays(
      'NotSelected',
      `Although ${what}, the Capp stays: it is healthy, and spec.migration.policy is Evacuate.`,
      handled,
    );
  if (pin === present)
    return stays('NotSelected', `Although ${what}, the Capp stays: a person asked for ${present}.`, handled);
  if (!isMade(inputs))
    return stays(
      'NotSelected',
      `Although ${what}, the Capp stays: no placement has selected another site.`,
      handled,
    );
  return goes('NotSelected', what, elsewhere(inputs, now), { rules, handled });
}

/** Some placement has decided, and every decision is complete. OCM writes a long decision page by page. */
function isMade(inputs: PlacementInputs): boolean {
  return isWhole(inputs) && placementsOf(inputs).some((name) => decidedFor(inputs, name).length > 0);
}

function isWhole(inputs: PlacementInputs): boolean {
  return placementsOf(inputs).every((name) => inputs.byPlacement[name]?.complete !== false);
}

/** The site is fine. The site that the Capp had to leave may be fine again, too. */
function whileSelected(
  inputs: PlacedInputs,
  { home, pin }: PlacementHistory,
  { rules, now, handled }: Look,
): Stay | Go {
  const { present } = inputs;
  const plain = notMoving(present, handled);
  const pool = poolOf(inputs);
  if (
    rules.failback !== 'Automatic' ||
    rules.policy === 'Manual' ||
    home === null ||
    pin === present ||
    typeof pool === 'string'
  )
    return plain;
  const { eligible } = excuse(inputs, pool.clusters, now);
  if (!eligible.includes(home) || home === present) return plain;
  const only = select({ ...inputs, present: null, left: present, only: home }, now);
  return goes('Failback', `${home}, which the Capp had to leave, can run it again`, only, { rules, handled });
}

/** Answers a person's request: with a move, or with the reason against it. */
function asks(
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
