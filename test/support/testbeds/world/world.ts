// A fake hub and its sites in memory: activities for the workers of flow tests, which can be delayed and made
// to fail.
import { hubPlace } from '../../../../activities/hub/place/place.ts';
import type { VerificationOrder } from '../../../../workflows/types/verification.ts';
import type { UnwrittenCondition } from '../../../../workflows/capp/conditions/condition.ts';
import { conditionsOf } from '../../../../workflows/capp/conditions/conditions.ts';
import { withApplied } from '../../../../workflows/capp/after/apply.ts';
import type { FleetHealth, CappMoveRules } from '../../../../workflows/placement/outcome.ts';
import type { Hub, Publication } from '../../../../workflows/ports/hub.ts';
import type { Agent, VerifyQuestion } from '../../../../workflows/ports/agent.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import type { Finding, VerdictKind } from '../../../../workflows/types/copy.ts';
import { aFinding } from '../../builders/states.ts';
import { agentsOf } from './world-agent.ts';
import { choose } from './world-choice.ts';
import { deeds, type Deeds } from './world-deeds.ts';
import { apply, find, remove, retire } from './world-works.ts';

export interface WorldCapp {
  uid: string;
  generation: number;
  deleting: boolean;
  /** What it refers to and the hub does not have. */
  missing: string | null;
  deadlineSeconds: number;
}

export interface WorldWork {
  stamp: string;
  incarnation: number;
  leaving: boolean;
}

export interface World extends Pick<Deeds, 'calls' | 'fail' | 'hold'> {
  readonly hub: Hub;
  readonly agent: (cluster: string) => Agent;
  capp: WorldCapp | null;
  /** Where a Placement puts Capps, or null before it has decided. */
  decision: string | null;
  /** `spec.site`. */
  site: string;
  /** Clusters with a NoSelect taint, and clusters out of reach. */
  readonly tainted: Set<string>;
  readonly lost: Set<string>;
  rules: Partial<CappMoveRules>;
  /** What is to be verified of what is shipped. */
  orders: { order?: VerificationOrder; moveOrder?: VerificationOrder; unhealthyMs?: number };
  /** What a site says of the Capp, whatever others say. Nobody hears of it before they ask. */
  readonly sick: Map<string, Finding>;
  /** Further sites for which a Placement has decided. */
  readonly others: Set<string>;
  /** How other Capps are. */
  fleet: FleetHealth;
  /** What agents answer when they are to check the app. */
  checked: (cluster: string, question: VerifyQuestion, signal: AbortSignal) => Promise<unknown>;
  /** Kinds whose caches have not caught up. */
  isBehind: boolean;
  readonly works: Map<string, WorldWork>;
  /** What users read: the conditions last published, and the record and mirror with them. */
  readonly published: {
    conditions: readonly UnwrittenCondition[];
    publication: Publication;
    serving: string | null;
  }[];
  /** What the site makes of a stamp; Ready unless it says otherwise. Calls back all who wait. */
  say(verdict: VerdictKind, plain?: Partial<Finding>): void;
  /** The Capp gets another generation, which nobody has rung for yet. */
  edit(): void;
  /** How many questions to agents are open. */
  questions(): number;
  /** The condition that users read now. */
  condition(type: string): UnwrittenCondition | undefined;
}

export function world(): World {
  const { does, calls, fail, hold } = deeds();
  const waiters = new Set<() => void>();
  let site: (stamp: string) => Finding = () => aFinding();
  let incarnations = 0;

  function publish(state: State, publication: Publication): void {
    self.published.push({
      conditions: conditionsOf(state, publication.at),
      publication,
      serving: state.serving,
    });
  }

  const hub: Hub = {
    choose: (_capp, ask) => does('choose', () => choose(self, ask)),
    apply: (ref, cluster, state, record) =>
      does('apply', () => {
        const applied = apply(self, { ref, cluster }, () => (incarnations += 1));
        if ('at' in applied)
          publish(withApplied(state, cluster, applied), { record, mirror: null, at: applied.at });
        return applied;
      }),
    publish: (_capp, state, publication) => does('publish', () => publish(state, publication)),
    place: (ref, state) => hubPlace(hub).place(ref, state),
    identify: () => Promise.resolve({ outcome: 'None' }),
    retire: (ref) => does('retire', () => retire(self, ref)),
    remove: (_capp, clusters, grounds) => does('remove', () => remove(self, clusters, grounds)),
    find: (_capp, clusters) => does('find', () => find(self, clusters)),
    point: () => does('point', () => ({ outcome: 'None' })),
    requestTurn: () => does('requestTurn', () => undefined),
    answer: () => does('answer', () => ({ gone: [], untold: [], backlogMs: null })),
    readDrain: () => does('readDrain', () => ({ drain: null })),
    reportDrain: () => does('reportDrain', () => undefined),
    readDrill: () => does('readDrill', () => ({ drill: null })),
    drillPage: () => does('drillPage', () => ({ capps: [], isLast: true, all: 0 })),
    reportDrill: () => does('reportDrill', () => undefined),
    turnFleet: () => does('turnFleet', () => ({ outcome: 'Gone' })),
    turnSipCluster: () => does('turnSipCluster', () => ({ outcome: 'Gone' })),
    reserveHosts: () => does('reserveHosts', () => ({ outcome: 'Nothing', hosts: 0 })),
    askForHosts: () => does('askForHosts', () => undefined),
    seeJoin: () => does('seeJoin', () => ({ cluster: null, token: null, requests: [], addOn: null })),
    settleDeclared: () => does('settleDeclared', () => ({ hasActed: false, says: '' })),
    approveJoin: () => does('approveJoin', () => ({ outcome: 'LeftAlone', why: '' })),
    releaseToken: () => does('releaseToken', () => undefined),
    settle: () => does('settle', () => undefined),
    cappsOn: () => does('cappsOn', () => ({ capps: [], isLast: true })),
    sayFailing: () => does('sayFailing', () => undefined),
    startOver: () => does('startOver', () => undefined),
    plan: (cluster) =>
      does('plan', () => ({
        cluster,
        at: new Date().toISOString(),
        capps: 0,
        moves: {},
        first: [],
        stays: [],
      })),
    compare: (_cluster, { entries }) =>
      does('compare', () => ({
        differing: entries
          .filter(({ statusHash }) => statusHash !== 'known')
          .map(({ namespace, name }) => ({ namespace, name })),
      })),
    takeUp: () => does('takeUp', () => ({ taken: true })),
    publishScore: (_cluster, measured) =>
      does('publishScore', () => ({ written: measured === null ? [] : ['rcs-score'] })),
  };

  const self: World = {
    hub,
    agent: agentsOf(() => self, does, { findingOn: (stamp) => site(stamp), waiters }),
    capp: { uid: 'uid-1', generation: 1, deleting: false, missing: null, deadlineSeconds: 600 },
    decision: 'site-1',
    site: '',
    tainted: new Set(),
    lost: new Set(),
    rules: {},
    sick: new Map(),
    others: new Set(),
    fleet: { ill: 1, of: 40, percent: 25 },
    isBehind: false,
    works: new Map(),
    orders: {},
    checked: () => Promise.resolve(null),
    published: [],
    calls,
    say: (verdict, plain) => {
      site = () => aFinding(verdict, plain);
      for (const wake of waiters) wake();
    },
    edit: () => {
      if (self.capp !== null) self.capp = { ...self.capp, generation: self.capp.generation + 1 };
    },
    questions: () => waiters.size,
    fail,
    hold,
    condition: (type) => self.published.at(-1)?.conditions.find((one) => one.type === type),
  };
  return self;
}
