// Whether a Capp should stay where it is, and where else it could go. Pure.
import { decidedFor, isDecided, placementsFor } from './decided.ts';
import type { Handled } from '../types/moves.ts';
import { sift } from './exclude.ts';
import { lackOf } from './fit.ts';
import type { NoneReason } from './no-candidate.ts';
import type { PlacedInputs, PlacementInputs } from './inputs.ts';
import { poolOf, select, type Pool } from './select.ts';
import type { Go, PlacementHistory, CappMoveRules, Stay, StayReason } from './outcome.ts';
import { elsewhere, goes, stays, type ReviewTerms } from './stay-or-go.ts';
import { withoutStop } from '../types/sentences.ts';
import { turnedAway } from './other-hub.ts';
import { onceIll } from './unhealthy.ts';
import { asks } from './asked.ts';

/** Takes inputs whose `present` is the site in question. */
export function review(
  inputs: PlacedInputs,
  history: PlacementHistory,
  rules: CappMoveRules,
  now: number,
): Stay | Go {
  const outcome = asItIsPlaced(inputs, history, rules, now);
  const isIll = history.illness !== undefined && troubleOf(inputs, inputs.present) === null;
  return isIll && !outcome.goes ? onceIll(inputs, history, { rules, now, outcome }) : outcome;
}

/** Whatever its health. */
function asItIsPlaced(
  inputs: PlacedInputs,
  history: PlacementHistory,
  rules: CappMoveRules,
  now: number,
): Stay | Go {
  const { present } = inputs;
  const { request } = history;
  const asked = request === null ? null : asks(inputs, request, { history, rules, now });
  if (asked?.goes === true) return asked;
  const terms = { rules, handled: asked?.handled ?? null };
  const pool = poolOf(inputs);
  const edit = onceEdited(inputs, history, { pool, terms, now });
  if (edit !== null) return edit;
  const { otherHub } = history;
  const look = { ...terms, now, trouble: troubleOf(inputs, present) };
  const lack = lackOfSite(inputs);
  if (typeof pool !== 'string' && pool.placement === null)
    return pinned(present, otherHub === undefined ? lack : `refuses it (${withoutStop(otherHub)})`, look);
  if (otherHub !== undefined && look.trouble === null) return turnedAway(inputs, otherHub, look);
  if (!isDecided(inputs, present)) return onceDeselected(inputs, history, look);
  return lack === null ? whileSelected(inputs, history, look) : onceUnfit(inputs, history, look, lack);
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

/**
 * Null: spec.site was not edited, or asks for where the Capp is refused, which is no reason to stay. A
 * placement that was asked for by an edit has its other sites, too, whatever the policy.
 */
function onceEdited(
  inputs: PlacedInputs,
  history: PlacementHistory,
  {
    pool,
    terms,
    now,
  }: { readonly pool: Pool | NoneReason; readonly terms: ReviewTerms; readonly now: number },
): Stay | Go | null {
  const { present, site } = inputs;
  if (!isEdited(inputs, history, pool)) return null;
  const edit = `spec.site asks for ${site || 'the best site'}`;
  if (typeof pool === 'string' || !pool.clusters.includes(present))
    return goes('SiteEdited', edit, elsewhere(inputs, now), terms);
  const { otherHub } = history;
  if (otherHub === undefined) return notMoving(present, terms.handled);
  // Else it goes by itself, and avoids the site.
  if (pool.placement === null || terms.rules.policy !== 'Manual') return null;
  const why = `${edit}, and ${present} refuses the Capp (${withoutStop(otherHub)})`;
  return goes('SiteEdited', why, elsewhere(inputs, now), terms);
}

function pinned(present: string, lack: string | null, { trouble, handled }: Look): Stay {
  const what = trouble === null ? lack : SAYING[trouble];
  if (what === null) return notMoving(present, handled);
  return stays(
    'Pinned',
    `spec.site names ${present}, which ${what}; the Capp stays. Change spec.site to move it.`,
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

/** What the site lacks of `spec.requires`, for people; null if it fits, or cannot be asked. */
function lackOfSite({ clusters, present, requires }: PlacedInputs): string | null {
  const facts = clusters[present];
  const lack = facts?.reachable === true && !facts.deleting ? lackOf(requires, facts) : null;
  return lack === null ? null : `does not fit spec.requires (${lack})`;
}

interface Look {
  readonly rules: CappMoveRules;
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
      isThere(inputs)
        ? `Although ${what}, the Capp stays: ${present} is in order, and spec.migration.policy is Evacuate.`
        : `No placement selects ${present} any more, and nothing of the Capp is there: it waits to be shipped, and its condition Ready says for what. If a work was deleted there, the Capp goes there again; if none ever was, another site is chosen first.`,
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

/** There is a work of it, or one that may be its own. What was chosen is not there before it is shipped. */
function isThere({ works, doubtful = [], present }: PlacedInputs): boolean {
  return works[present] !== undefined || doubtful.includes(present);
}

/** The decision names the site, which is fine, but no longer what the Capp asks for. */
function onceUnfit(
  inputs: PlacedInputs,
  { pin }: PlacementHistory,
  { rules, now, handled }: Look,
  lack: string,
): Stay | Go {
  const { present } = inputs;
  const what = `${present} ${lack}`;
  const but = (reason: StayReason, why: string): Stay =>
    stays(reason, `Although ${what}, the Capp stays: ${why}.`, handled);
  if (rules.policy === 'Manual') return but('Manual', 'spec.migration.policy is Manual');
  if (pin === present) return but('Unfit', `a person asked for ${present}`);
  if (rules.policy !== 'Follow') return but('Unfit', 'spec.migration.policy is Evacuate');
  return goes('Unfit', what, elsewhere(inputs, now), { rules, handled });
}

/** Some placement has decided, and every decision is complete. OCM writes a long decision page by page. */
function isMade(inputs: PlacementInputs): boolean {
  return isWhole(inputs) && placementsFor(inputs).some((name) => decidedFor(inputs, name).length > 0);
}

function isWhole(inputs: PlacementInputs): boolean {
  return placementsFor(inputs).every((name) => inputs.byPlacement[name]?.complete !== false);
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
  const { eligible } = sift(inputs, pool.clusters, now);
  if (!eligible.includes(home) || home === present) return plain;
  const only = select({ ...inputs, present: null, left: present, only: home }, now);
  return goes('Failback', `${home}, which the Capp had to leave, can run it again`, only, { rules, handled });
}
