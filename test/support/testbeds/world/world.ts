// A fake hub and its sites in memory: activities for the workers of flow tests, which can be delayed and made
// to fail.
import { ApplicationFailure } from '@temporalio/common';
import { cancellationSignal, heartbeat } from '@temporalio/activity';
import { hubPlace } from '../../../../activities/hub/place/place.ts';
import type { Order } from '../../../../workflows/types/verification.ts';
import type { Verdict } from '../../../../workflows/capp/conditions/condition.ts';
import { conditionsOf } from '../../../../workflows/capp/conditions/conditions.ts';
import { withApplied } from '../../../../workflows/capp/after/apply.ts';
import type { Rules } from '../../../../workflows/placement/outcome.ts';
import type { Hub, Retired, Publication } from '../../../../workflows/ports/hub.ts';
import type { Applied } from '../../../../workflows/ports/applied.ts';
import type { Agent, Answer, Question, VerifyQuestion } from '../../../../workflows/ports/agent.ts';
import type { CappRef, State } from '../../../../workflows/capp/state.ts';
import type { Finding, VerdictKind } from '../../../../workflows/types/copy.ts';
import { aFinding } from '../../builders/states.ts';
import { choose } from './world-choice.ts';

export interface WorldCapp {
  uid: string;
  generation: number;
  deleting: boolean;
  /** What it refers to and the hub does not have. */
  missing: string | null;
  deadlineSeconds: number;
}

interface WorldWork {
  stamp: string;
  incarnation: number;
  leaving: boolean;
}

type ActivityName = keyof Hub | keyof Agent;

export interface World {
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
  rules: Partial<Rules>;
  /** What is to be verified of what is shipped. */
  orders: { order?: Order; moveOrder?: Order };
  /** What agents answer when they are to check the app. */
  checked: (cluster: string, question: VerifyQuestion, signal: AbortSignal) => Promise<unknown>;
  /** Kinds whose caches have not caught up. */
  isBehind: boolean;
  readonly works: Map<string, WorldWork>;
  /** What users read: the conditions last published, and the record and mirror with them. */
  readonly published: { conditions: readonly Verdict[]; publication: Publication; serving: string | null }[];
  /** The activities that were called, in order. */
  readonly calls: ActivityName[];
  /** What the site makes of a stamp; Ready unless it says otherwise. Calls back all who wait. */
  say(verdict: VerdictKind, plain?: Partial<Finding>): void;
  /** The next `times` of a deed fail after they have done their work. */
  fail(activity: ActivityName, times: number, type?: string): void;
  /** Holds every deed of this name at its begin until released. */
  hold(activity: ActivityName): { readonly arrived: Promise<void>; release(): void };
  /** The Capp gets another generation, which nobody has rung for yet. */
  edit(): void;
  /** How many questions to agents are open. */
  questions(): number;
  /** The condition that users read now. */
  condition(type: string): Verdict | undefined;
}

export function world(): World {
  const failures = new Map<ActivityName, { left: number; type: string }>();
  const gates = new Map<ActivityName, { arrive: () => void; open: Promise<void> }>();
  const waiters = new Set<() => void>();
  let site: (stamp: string) => Finding = () => aFinding();
  let incarnations = 0;

  async function does<T>(activity: ActivityName, body: () => T | Promise<T>): Promise<T> {
    self.calls.push(activity);
    const gate = gates.get(activity);
    gate?.arrive();
    await gate?.open;
    const result = await body();
    const failure = failures.get(activity);
    if (failure === undefined || failure.left === 0) return result;
    failure.left -= 1;
    throw ApplicationFailure.create({ type: failure.type, message: `${activity} was told to fail` });
  }

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
    remove: (_capp, clusters, { staying, until }) =>
      does('remove', () => {
        const isThere = staying === null || self.works.get(staying.cluster)?.stamp === staying.stamp;
        const isGoing = staying !== null && self.works.get(staying.cluster)?.leaving === true;
        if (!isThere || isGoing)
          return { leaving: [], kept: { reason: 'WorkGone', message: 'there is nothing that stays.' } };
        if (Date.now() >= until)
          return { leaving: [], kept: { reason: 'Expired', message: 'it is too late.' } };
        for (const cluster of clusters) mark(self.works.get(cluster));
        return { leaving: clusters.filter((cluster) => self.works.has(cluster)) };
      }),
    find: (_capp, clusters) =>
      does('find', () => {
        const works = [...self.works].map(([cluster, { leaving }]) => ({ cluster, leaving }));
        return {
          works: works.filter(({ cluster }) => clusters?.includes(cluster) !== false),
          lost: {},
          given: [],
        };
      }),
    point: () => does('point', () => ({ outcome: 'None' })),
    requestTurn: () => does('requestTurn', () => undefined),
    answer: () => does('answer', () => ({ gone: [], untold: [], backlogMs: null })),
    readDrain: () => does('readDrain', () => ({ drain: null })),
    reportDrain: () => does('reportDrain', () => undefined),
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

  const answerOf = (question: Question): Answer => {
    const finding = site(question.stamp);
    return {
      finding,
      mirror:
        finding.statusHash === question.statusHash
          ? null
          : { applicationLinks: { consoleLink: 'http://app' } },
    };
  };
  const agent = (cluster: string): Agent => ({
    awaitVerdict: (_capp, question) =>
      does('awaitVerdict', () => awaitVerdict({ question, waiters, look: () => look(cluster, question) })),
    report: (_capp, question) => does('report', () => look(cluster, question)),
    verify: (_capp, question) =>
      does(
        'verify',
        () => self.checked(cluster, question, cancellationSignal()) as ReturnType<Agent['verify']>,
      ),
    measure: () => does('measure', () => ({ figures: [{ name: 'cpuAvailable', value: 50 }] })),
  });
  const look = (cluster: string, question: Question): Answer | null =>
    self.works.get(cluster)?.stamp === question.stamp ? answerOf(question) : null;

  const self: World = {
    hub,
    agent,
    capp: { uid: 'uid-1', generation: 1, deleting: false, missing: null, deadlineSeconds: 600 },
    decision: 'site-1',
    site: '',
    tainted: new Set(),
    lost: new Set(),
    rules: {},
    isBehind: false,
    works: new Map(),
    orders: {},
    checked: () => Promise.resolve(null),
    published: [],
    calls: [],
    say: (verdict, plain) => {
      site = () => aFinding(verdict, plain);
      for (const wake of waiters) wake();
    },
    edit: () => {
      if (self.capp !== null) self.capp = { ...self.capp, generation: self.capp.generation + 1 };
    },
    questions: () => waiters.size,
    fail: (activity, times, type = 'Unreachable') => void failures.set(activity, { left: times, type }),
    hold: (activity) => {
      const arrived = Promise.withResolvers<void>();
      const open = Promise.withResolvers<void>();
      gates.set(activity, { arrive: arrived.resolve, open: open.promise });
      return {
        arrived: arrived.promise,
        release: () => {
          gates.delete(activity);
          open.resolve();
        },
      };
    },
    condition: (type) => self.published.at(-1)?.conditions.find((one) => one.type === type),
  };
  return self;
}

function apply(
  self: World,
  { ref, cluster }: { ref: CappRef; cluster: string },
  nextIncarnation: () => number,
): Applied {
  const { capp } = self;
  const at = Date.now();
  if (capp === null) return { outcome: 'Deleted' };
  if (capp.uid !== ref.uid) return { outcome: 'Replaced', uid: capp.uid };
  if (capp.deleting) return { outcome: 'Deleted' };
  const { generation } = capp;
  if (capp.missing !== null)
    return {
      outcome: 'Refused',
      generation,
      reason: 'MissingReference',
      message: `The pod refers to ${capp.missing}.`,
      at,
    };
  const live = self.works.get(cluster);
  if (live?.leaving === true) return { outcome: 'Leaving', generation, at };
  const incarnation = live?.incarnation ?? nextIncarnation();
  const stamp = `${capp.uid}/${generation}/hash-${generation}/${incarnation}`;
  self.works.set(cluster, { stamp, incarnation, leaving: false });
  const facts = {
    stamp,
    created: live === undefined,
    work: { uid: `work-${incarnation}`, applied: 'Unknown' as const, reason: '' },
  };
  return {
    outcome: 'Applied',
    generation,
    deadlineSeconds: capp.deadlineSeconds,
    at,
    ...facts,
    ...self.orders,
  };
}

function retire(self: World, ref: CappRef): Retired {
  const { capp } = self;
  if (capp !== null && capp.uid !== ref.uid) return { outcome: 'Replaced', uid: capp.uid };
  if (capp !== null && !capp.deleting) return { outcome: 'Alive' };
  for (const work of self.works.values()) mark(work);
  if (self.works.size > 0) return { outcome: 'Leaving', clusters: [...self.works.keys()].toSorted() };
  self.capp = null;
  return { outcome: 'Retired' };
}

function mark(work: WorldWork | undefined): void {
  if (work !== undefined) work.leaving = true;
}

interface Vigil {
  readonly question: Question;
  readonly waiters: Set<() => void>;
  readonly look: () => Answer | null;
}

/** As the real agent: news about exactly this stamp, and beats meanwhile. */
async function awaitVerdict({ question: { known }, waiters, look }: Vigil): Promise<Answer> {
  const signal = cancellationSignal();
  const beat = setInterval(() => heartbeat(), 2_000);
  const news = Promise.withResolvers<Answer>();
  const wake = (): void => {
    const answer = look();
    if (answer === null) return;
    const { verdict, reason } = answer.finding;
    if (known?.verdict !== verdict || known.reason !== reason) news.resolve(answer);
  };
  const end = (): void => news.reject(signal.reason as Error);
  signal.addEventListener('abort', end, { once: true });
  waiters.add(wake);
  try {
    wake();
    return await news.promise;
  } finally {
    clearInterval(beat);
    waiters.delete(wake);
    signal.removeEventListener('abort', end);
  }
}
