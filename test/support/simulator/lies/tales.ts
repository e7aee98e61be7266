// What a site that lies may say: of the shape that is asked for, nearly so, or not at all. Everything is
// drawn from its own dice.
import { VERDICTS } from '../../../../workflows/types/copy.ts';
import type { Agent } from '../../../../workflows/ports/agent.ts';
import type { Random } from '../../builders/random.ts';

export type Tell = (dice: Random) => unknown;

const REASONS = [
  'Ready',
  'Deploying',
  'RolloutFailed',
  'NoSiteOperator',
  'SiteUnreachable',
  'NoSuchReason',
] as const;
const NUMBERS = ['0', '7', '999999999999999999999999', '-1', 'x'] as const;

/** Never the hash of what is true: a site that says what is true again is heard. */
function hash(dice: Random): unknown {
  return dice.chance(0.98) ? `lie-${Math.floor(dice.next() * 9)}` : dice.pick([null, '', 'a b', 7, '\u0000']);
}

const findings: Tell = (dice) => ({
  verdict: dice.chance(0.97) ? dice.pick(VERDICTS) : dice.pick(['Fine', null, 7, {}]),
  healthy: dice.chance(0.97) ? dice.chance(0.5) : 'yes',
  reason: dice.chance(0.97) ? dice.pick(REASONS) : dice.pick(['lower', '', 7]),
  message: dice.pick(['', 'all is well', '‮'.repeat(4_000), 'x'.repeat(9_000), 7, null]),
  statusHash: hash(dice),
  ...(dice.chance(0.3) ? { hostname: dice.pick([null, {}, { reason: 'NotIssued' }, { reason: 7 }]) } : {}),
  ...(dice.chance(0.2) ? { stamp: 'another', generation: 99, cluster: 'site-1' } : {}),
});

/** A status in which a site says what is the hub's to say. */
const mirrors: Tell = (dice) =>
  dice.pick<unknown>([
    null,
    {},
    7,
    { stateStatus: { state: 'enabled' } },
    { applicationLinks: { site: dice.pick(['site-1', 'site-2', 'site-3']), consoleLink: 'javascript:1' } },
    { sites: [{ clusterName: 'site-1', role: 'Serving' }], migration: { serving: 'site-1', pin: 'site-1' } },
    { conditions: [{ type: 'Ready', status: 'True' }], decisions: [{ winner: 'site-1' }] },
    { observedGeneration: 99, migration: { decidedAt: '2999-01-01T00:00:00Z', statusHash: 'lie-1' } },
    { revisions: Array.from({ length: 200 }, () => ({ name: 'x'.repeat(50) })) },
    { knativeObjectStatus: { url: 'javascript:1', conditions: [{ type: 'Ready', status: 'x' }] } },
  ]);

const answers: Tell = (dice) =>
  dice.chance(0.85)
    ? { finding: findings(dice), mirror: mirrors(dice) }
    : dice.pick<unknown>([null, 7, 'Ready', [], {}, { finding: null }, { finding: [], mirror: [] }]);

const figures: Tell = (dice) =>
  dice.chance(0.7)
    ? {
        figures: ['cpu', 'memory', 'x'.repeat(99), '__proto__'].map((name) => ({
          name,
          value: dice.pick([100, -100, 7, 1e9, 0.5, Infinity, 'all', null]),
        })),
      }
    : dice.pick<unknown>([null, {}, { figures: {} }, { figures: [] }, 7]);

const counts: Tell = (dice) =>
  dice.chance(0.97) ? dice.pick([0, 1, 3, 30]) : dice.pick<unknown>([1e9, -1, 0.5, 'all', null]);

/** Of checks that nobody asked for, and counts that cannot be. */
const checks: Tell = (dice) =>
  dice.chance(0.8)
    ? {
        figures: ['answers', dice.pick(['other', 'other', 'another', 'answers', '__proto__', 7])].map(
          (name) => ({
            name,
            successful: counts(dice),
            failed: counts(dice),
            inconclusive: counts(dice),
            errors: counts(dice),
            last: dice.pick<unknown>([[], [], [{ at: 1, is: 'Fine', says: 'x'.repeat(9_000) }]]),
          }),
        ),
        verdict: 'Passed',
      }
    : dice.pick<unknown>([null, {}, { figures: {} }, 7, 'Passed']);

/** What a drill asks: of nodes, quotas, images and kinds that nobody named, and more than there can be. */
const inspections: Tell = (dice) => {
  const amount = (): unknown =>
    dice.chance(0.98) ? dice.pick([0, 4_000, 2 ** 40]) : dice.pick([-1, 0.5, 'all']);
  const node = (): unknown => ({ cpu: amount(), memory: amount(), pods: amount(), name: 'x'.repeat(9_000) });
  const quota = (): unknown => ({
    namespace: dice.pick(['apps', 'kube-system']),
    name: dice.chance(0.95) ? 'most' : '../x',
    resource: dice.chance(0.95) ? 'pods' : 'secrets',
    hard: amount(),
    used: amount(),
  });
  const many = (one: () => unknown): unknown[] =>
    Array.from({ length: dice.chance(0.95) ? dice.pick([0, 1, 3]) : 1_000 }, one);
  if (dice.chance(0.1)) return dice.pick<unknown>([null, {}, 7, [], { nodes: {} }]);
  return {
    nodes: many(node),
    moreNodes: amount(),
    quotas: many(quota),
    areAllQuotas: dice.chance(0.97) ? dice.chance(0.5) : 'yes',
    images: many(() => (dice.chance(0.98) ? 'OnNode' : '‮'.repeat(9_000))),
    absent: dice.chance(0.9) ? dice.pick([[], ['Service']]) : ['Secret'],
    capps: [{ namespace: 'apps', name: 'x' }],
  };
};

export const TOLD: Readonly<Record<keyof Agent, Tell>> = {
  inspect: inspections,
  verify: checks,
  verifyMetrics: checks,
  awaitVerdict: answers,
  report: answers,
  measure: figures,
};

/** What is known of a Capp to who has bribed somebody: its uid, too. */
export interface Victim {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** An inventory that names what is elsewhere, and leaves out what is there. */
export function inventoryOf(dice: Random, victims: readonly Victim[]): unknown {
  const named = victims.filter(() => dice.chance(0.6));
  const entries = named.map((victim) => ({
    ...victim,
    stamp: dice.pick([`${victim.uid}/1/aa/bb`, 'x', '', `${victim.uid}/${dice.pick(NUMBERS)}/0/0`]),
    statusHash: hash(dice),
    ...(dice.chance(0.1) ? { uid: dice.pick(['', 'other', null]) } : {}),
  }));
  const odd = dice.chance(0.2) ? [dice.pick<unknown>([null, 7, {}, { namespace: '../x', name: '' }])] : [];
  const place = (): unknown => (dice.chance(0.8) ? null : dice.pick<unknown>(['team/a', '', 7, 'zzz']));
  return dice.chance(0.95)
    ? { entries: [...entries, ...odd], after: place(), upTo: place() }
    : { entries: 7 };
}

/** What a ring, or another signal, brings beside its name. */
export const inputs: Tell = (dice) =>
  dice.pick<unknown>([
    null,
    {},
    { causes: ['spec', 'request', 'decision'], minimumVersions: { Capp: '9'.repeat(20) } },
    { causes: ['site'], seen: { 'site-1': 9e15 }, tellAgain: true },
    { to: dice.pick(['site-1', 'site-2', 'site-3']), by: 'root' },
    { cluster: dice.pick(['site-1', 'site-2', 'site-3']), answer: 'Go' },
  ]);
