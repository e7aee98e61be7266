// A hub of 1,000 sites and 10,000 Capps as the dashboard's watches have it, and one Capp after the other that
// moves.
import type { DashboardFacts } from '../../cli/dashboard/view/facts.ts';
import type { Capp } from '../../crds/capp/capp.ts';
import type { ManagedCluster } from '../../crds/ocm/ocm.ts';
import { aCondition, facts, ready } from '../support/builders/facts.ts';
import { NOW } from '../support/builders/states.ts';

export const SITES = 1_000;
export const CAPPS = 10_000;
const DECISIONS = 10;

const siteName = (at: number): string => `site-${at % SITES}`;
const timeOf = (at: number): string => new Date(NOW - at * 1_000).toISOString();

/** Of the age of `at`, and on a site of that number. */
function cappOf(name: string, at: number): Capp {
  const decisions = Array.from({ length: DECISIONS }, (_, one) => ({
    at: timeOf(at + one * 50_000),
    cluster: siteName(at + one),
    reason: 'Chosen',
    candidates: [
      { cluster: siteName(at), score: 82, capps: 4 },
      { cluster: siteName(at + 1), score: 12, capps: 1 },
    ],
    excluded: [],
  }));
  return ready(name, siteName(at), { decisions });
}

export interface WideHub {
  facts(): DashboardFacts;
  /** One Capp is on another site, by a newer decision. */
  change(): void;
}

export function wideHub(): WideHub {
  const clusters = Array.from({ length: SITES }, (_, at) => ({
    metadata: { name: siteName(at), labels: { region: `region-${at % 7}` } },
    spec: { hubAcceptsClient: true, taints: [] },
    status: { conditions: [aCondition('ManagedClusterConditionAvailable', 'True', 'Reported')] },
  })) as unknown as ManagedCluster[];
  const capps = Array.from({ length: CAPPS }, (_, at) => cappOf(`app-${at}`, at));
  let changes = 0;
  return {
    facts: () => facts({ clusters, capps }),
    change() {
      changes += 1;
      capps[changes] = cappOf(`app-${changes}`, -changes);
    },
  };
}
