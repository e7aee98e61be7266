// A site with Capps to be drained, and the sites where they may go, drawn at random. Capps that are told to
// leave choose as they do on the hub.
import {
  compareTurns,
  fatesOf,
  type Fate,
  type Ground,
  type ReviewedCapp,
  type DrainPage,
} from '../../../../workflows/drain/decide/plan.ts';
import type { ClusterFacts } from '../../../../workflows/placement/inputs.ts';
import { review } from '../../../../workflows/placement/review.ts';
import type { Request } from '../../../../workflows/types/moves.ts';
import type { Settled } from '../../../../workflows/types/turns.ts';
import { MEMBER, RULES } from '../placement.ts';
import type { Random } from '../random.ts';

export interface DrainedField {
  readonly cluster: string;
  /** What a plan of this moment says of each Capp that is still there. */
  fates(wanted: DrainPage): Iterable<Fate>;
  /** Tells a Capp to leave: where it goes, or why it stays. */
  tell(capp: string, planned: string | undefined, now: number): string;
  underWay(): string[];
  isUnderWay(capp: string): boolean;
  /** The hub sees the work of a Capp on its new site, as it does some time after the choice. */
  show(capp: string): void;
  /** It serves from the new site, and the old copy is gone. */
  arrive(capp: string): void;
  newsOf(capp: string): Settled;
  /** Those that are not told, since the hub knows why they stay. */
  kept(): string[];
}

const CLUSTER = 'a';
const OTHERS = ['b', 'c', 'd', 'e', 'f'];

export function aDrainedField(chance: Random): DrainedField {
  const ground = aGround(chance);
  let subjects = someSubjects(chance);
  const gone = new Map<string, { readonly to: string; readonly isSeen: boolean }>();
  const outcomes = new Map<string, Settled>();
  const kept = subjects.filter(({ fixed }) => fixed !== null).map(nameOf);
  const begun = new Set<string>();
  const countOn = (site: string, isCounted: (one: { isSeen: boolean }) => boolean): number =>
    [...gone].filter(([capp, one]) => one.to === site && !begun.has(capp) && isCounted(one)).length;
  const load = (isCounted: (one: { isSeen: boolean }) => boolean): Record<string, number> =>
    Object.fromEntries(OTHERS.map((site) => [site, (ground.load[site] ?? 0) + countOn(site, isCounted)]));

  const tell = (subject: ReviewedCapp, planned: string | undefined, now: number): string => {
    const { namespace, name, history, rules, site, scores, works } = subject;
    const capp = nameOf(subject);
    const request: Request = { ...ASKED, ...(planned === undefined ? {} : { planned }) };
    const inputs = { ...ground, load: load(() => true), site, scores, works, present: CLUSTER, avoid: {} };
    const look = review(inputs, { ...history, request }, rules, now);
    const to = look.goes ? look.to : null;
    // A move that had begun is seen, and counted, already.
    if (to !== null && works[to]?.leaving === false) begun.add(capp);
    if (to !== null) gone.set(capp, { to, isSeen: false });
    const reason = look.handled?.outcome === 'Refused' ? look.handled.reason : look.reason;
    outcomes.set(capp, { namespace, name, outcome: to === null ? 'Stayed' : 'Moved', to, reason });
    return to ?? reason;
  };
  return {
    cluster: CLUSTER,
    fates: (wanted) => {
      const seen = { ...ground, load: load(({ isSeen }) => isSeen) };
      return fatesOf(CLUSTER, seen, subjects, wanted);
    },
    tell: (capp, planned, now) => {
      const subject = subjects.find((one) => nameOf(one) === capp);
      if (subject === undefined) throw new Error(`${capp} is not there`);
      return tell(subject, planned, now);
    },
    underWay: () => [...gone.keys()].filter((capp) => subjects.some((one) => nameOf(one) === capp)),
    isUnderWay: (capp) => gone.has(capp),
    show: (capp) => {
      const { to = '' } = gone.get(capp) ?? {};
      gone.set(capp, { to, isSeen: true });
      subjects = subjects.map((one) =>
        nameOf(one) === capp ? { ...one, works: { ...one.works, [to]: { leaving: false } } } : one,
      );
    },
    arrive: (capp) => {
      gone.set(capp, { to: gone.get(capp)?.to ?? '', isSeen: true });
      subjects = subjects.filter((one) => nameOf(one) !== capp);
    },
    newsOf: (capp) => {
      const news = outcomes.get(capp);
      if (news === undefined) throw new Error(`${capp} has not been told`);
      return news;
    },
    kept: () => kept,
  };
}

const ASKED: Request = { source: 'drain', id: 'drain-1', to: null, by: 'drain/a', why: '', force: false };

function nameOf({ namespace, name }: Pick<ReviewedCapp, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`;
}

function aGround(chance: Random): Ground {
  const facts = (plain: Partial<ClusterFacts> = {}): ClusterFacts => ({
    ...MEMBER,
    accepted: chance.chance(0.9),
    deleting: chance.chance(0.05),
    draining: chance.chance(0.1),
    ...plain,
  });
  const some = (): string[] => OTHERS.filter(() => chance.chance(0.7));
  return {
    placements: ['all', 'some'],
    config: { namespace: 'rcs-deployer-system', name: 'rcs-config' },
    placementsNamespace: 'placements',
    byPlacement: {
      all: { clusters: [CLUSTER, ...some()], complete: true },
      some: { clusters: some(), complete: true },
    },
    clusters: Object.fromEntries(
      [CLUSTER, ...OTHERS].map((name) => [
        name,
        facts(name === CLUSTER ? { accepted: true, deleting: false } : {}),
      ]),
    ),
    load: Object.fromEntries(OTHERS.map((name) => [name, Math.floor(chance.next() * 6)])),
  };
}

/** In the order of a drain. */
function someSubjects(chance: Random): ReviewedCapp[] {
  const scores = (): Record<string, number> =>
    Object.fromEntries(OTHERS.map((name) => [name, chance.pick([0, 0, 10, 50])]));
  const bySite: Readonly<Record<string, Record<string, number>>> = { '': scores(), some: scores() };
  const plain = chance.chance(0.5) ? {} : bySite;
  const many = Array.from({ length: 3 + Math.floor(chance.next() * 20) }, (_, index) => {
    const site = chance.pick(['', '', '', '', 'some', CLUSTER]);
    return {
      namespace: chance.pick(['apps', 'shop']),
      name: `app-${index}`,
      priority: chance.pick([0, 0, 0, 5, -5]),
      site,
      works: { [CLUSTER]: { leaving: false }, ...copyOn(chance) },
      scores: plain[site] ?? {},
      history: { placedFor: site, pin: null, home: chance.chance(0.2) ? chance.pick(OTHERS) : null },
      rules: {
        ...RULES,
        stabilisationMs: 0,
        failback: chance.pick(['Never', 'Manual', 'Automatic'] as const),
      },
      movedAt: null,
      fixed: chance.chance(0.1) ? { reason: 'Paused', message: 'It is paused.' } : null,
    };
  });
  return many.toSorted(compareTurns);
}

/** A copy that is being removed, or one of a move that has begun. */
function copyOn(chance: Random): ReviewedCapp['works'] {
  return chance.chance(0.2) ? { [chance.pick(OTHERS)]: { leaving: chance.chance(0.5) } } : {};
}
