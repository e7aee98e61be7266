// Facts of a hub for the views of the dashboard: none of anything, and every right, unless said otherwise.
import type { DashboardFacts } from '../../../cli/dashboard/view/facts.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import type { Condition } from '../../../crds/capp/conditions.ts';
import type { CappStatus } from '../../../crds/capp/status.ts';
import { aCapp } from './capps.ts';
import { NOW } from './states.ts';

export function facts(some: Partial<DashboardFacts> = {}): DashboardFacts {
  return {
    clusters: [],
    addOns: [],
    scores: [],
    agents: [],
    capps: [],
    sets: [],
    bundles: [],
    drains: [],
    hidesSites: false,
    unread: [],
    may: () => true,
    now: NOW,
    ...some,
  };
}

export const at = (ms: number): string => new Date(NOW + ms).toISOString();

export function aCondition(
  type: string,
  status: Condition['status'],
  reason: string,
  message = '',
): Condition {
  return { type, status, reason, message, lastTransitionTime: at(-60_000), observedGeneration: 1 };
}

/** A Capp that is Ready on the site. */
export function ready(name: string, site: string, more: Partial<CappStatus> = {}): Capp {
  const types = ['Ready', 'Placed', 'Applied', 'Available'];
  return {
    ...aCapp({ name }),
    status: {
      observedGeneration: 1,
      applicationLinks: { site },
      sites: [{ clusterName: site, role: 'Serving' }],
      conditions: types.map((type) => aCondition(type, 'True', type)),
      ...more,
    },
  };
}
