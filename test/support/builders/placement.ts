// Builders of what a choice of a site depends on. The defaults are the plainest that can be so: sites that
// take Capps, one placement that has decided for all of them, and a Capp of which nobody has asked anything.
import type { ClusterFacts, PlacementInputs } from '../../../workflows/placement/inputs.ts';
import type { PlacementHistory, Rules } from '../../../workflows/placement/outcome.ts';

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

export const RULES: Rules = {
  policy: 'Evacuate',
  strategy: 'MakeBeforeBreak',
  failback: 'Never',
  stabilisationMs: 300_000,
  cooldownMs: 600_000,
  deadlineMs: 600_000,
};

/** Nobody has pinned the Capp or asked for a move, and it has no site to go back to. */
export const NOT_ASKED: PlacementHistory = { placedFor: '', pin: null, home: null, request: null };
