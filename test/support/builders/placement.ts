// Builders of what a choice of a site depends on. The defaults are the plainest that can be so: sites that
// take Capps, one placement that has decided for all of them, and a Capp of which nobody has asked anything.
import type { ClusterFacts, PlacedInputs, PlacementInputs } from '../../../workflows/placement/inputs.ts';
import type { PlacementHistory, CappMoveRules } from '../../../workflows/placement/outcome.ts';
import { review } from '../../../workflows/placement/review.ts';
import { NOW } from './states.ts';

/** A site that takes Capps, and to which they may be pinned. */
export const MEMBER: ClusterFacts = {
  isHub: false,
  accepted: true,
  deleting: false,
  reachable: true,
  tainted: false,
  mayPin: true,
  draining: false,
  labels: {},
  claims: [],
};

export function members(...clusters: readonly string[]): Record<string, ClusterFacts> {
  return Object.fromEntries(clusters.map((name) => [name, MEMBER]));
}

/** Placement `all` has decided for a, b and c, and the Capp has no site yet. */
export function aField(plain: Partial<PlacementInputs> = {}): PlacementInputs {
  return {
    site: '',
    placements: ['all'],
    config: { namespace: 'rcs-deployer-system', name: 'rcs-config' },
    placementsNamespace: 'placements',
    byPlacement: { all: { clusters: ['a', 'b', 'c'], complete: true } },
    clusters: members('a', 'b', 'c'),
    load: {},
    scores: {},
    works: {},
    present: null,
    avoid: {},
    ...plain,
  };
}

export const RULES: CappMoveRules = {
  policy: 'Evacuate',
  strategy: 'MakeBeforeBreak',
  failback: 'Never',
  stabilisationMs: 300_000,
  cooldownMs: 600_000,
  deadlineMs: 600_000,
};

/** Nobody has pinned the Capp or asked for a move, and it has no site to go back to. */
export const NOT_ASKED: PlacementHistory = { placedFor: '', pin: null, home: null, request: null };

/** The Capp is on a, while the decisions of placement `all` contain only b. */
export function aStrayField(
  facts: Partial<ClusterFacts> | null = {},
  plain: Partial<PlacedInputs> = {},
): PlacedInputs {
  const a = facts === null ? {} : { a: { ...MEMBER, ...facts } };
  const field = aField({
    byPlacement: { all: { clusters: ['b'], complete: true } },
    clusters: { ...a, ...members('b', 'c'), hub: { ...MEMBER, isHub: true } },
    works: { a: { leaving: false } },
  });
  return { ...field, present: 'a', ...plain };
}

/** The result of the review as text: `stays Manual`, or `Tainted b`. */
export function reviewedAs(
  inputs: PlacedInputs,
  history: Partial<PlacementHistory> = {},
  rules: Partial<CappMoveRules> = {},
): string {
  const reviewed = review(inputs, { ...NOT_ASKED, ...history }, { ...RULES, ...rules }, NOW);
  return reviewed.goes ? `${reviewed.reason} ${reviewed.to}` : `stays ${reviewed.reason}`;
}

/**
 * The decisions contain a, b and c, in another order and with equal scores; d and the hub are not among them.
 */
export function anEvenField(plain: Partial<PlacementInputs> = {}): PlacementInputs {
  return aField({
    byPlacement: { all: { clusters: ['c', 'a', 'b'], complete: true } },
    clusters: { ...members('a', 'b', 'c', 'd'), hub: { ...MEMBER, isHub: true } },
    ...plain,
  });
}
