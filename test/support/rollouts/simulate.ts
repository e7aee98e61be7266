// The life of a rollout under a random storm, in virtual time: sites become Ready, fail, go offline and come
// back, join and leave; people pause, approve, abort, retry and edit; the planner's process is killed between
// two writes. Then the storm ends, and the rollout must too.
import type { Strategy } from '../../../crds/rollout/stages.ts';
import { stagesOf } from '../../../workflows/stages/membership.ts';
import { plan } from '../../../workflows/stages/plan/plan.ts';
import { abort, approve, begin, pause, resume, retry } from '../../../workflows/stages/rollout.ts';
import type { StagePlan, PlanInput, Rollout } from '../../../workflows/stages/types.ts';
import { random, type Random } from '../builders/random.ts';
import { NOW } from '../builders/states.ts';
import { breachOf } from './rules.ts';
import { aRandomStrategy } from './strategies.ts';
import {
  gone,
  judge,
  leave,
  newSite,
  order,
  reached,
  say,
  targetOf,
  write,
  type SimulatedSite,
} from './world.ts';

const STORM = 60;
const MOST_CALM = 2_000;

export interface Outcome {
  /** Null: every rule held. */
  readonly breach: string | null;
  readonly advances: number;
  readonly reasons: readonly string[];
}

class Breach extends Error {}

interface Life {
  readonly chance: Random;
  readonly tell: (line: string) => void;
  readonly sites: SimulatedSite[];
  readonly strategy: Strategy;
  rollout: Rollout;
  now: number;
  revisions: number;
  joined: number;
  advances: number;
  readonly reasons: Set<string>;
}

/** `tell` gets the story line by line. */
export function simulateRollout(seed: number, tell: (line: string) => void = () => {}): Outcome {
  const chance = random(seed);
  const life: Life = {
    chance,
    tell,
    sites: [],
    strategy: aRandomStrategy(chance),
    rollout: begin(null, 'r1', NOW),
    now: NOW,
    revisions: 1,
    joined: 0,
    advances: 0,
    reasons: new Set(),
  };
  tell(JSON.stringify(life.strategy));
  try {
    for (let count = 1 + Math.floor(chance.next() * 12); count > 0; count -= 1) join(life);
    if (chance.chance(0.8)) calm(life);
    for (let step = 0; step < STORM; step += 1) {
      happen(life);
      turn(life);
    }
    stopStorm(life);
    calm(life);
  } catch (error) {
    if (!(error instanceof Breach)) throw error;
    return { breach: error.message, advances: life.advances, reasons: [...life.reasons] };
  }
  return { breach: null, advances: life.advances, reasons: [...life.reasons] };
}

function inputOf({ sites, strategy, rollout }: Life): PlanInput {
  const targets = sites.map((site) => targetOf(site, rollout.revision));
  return { targets, strategy, rollout, seed: 'uid-1' };
}

/** Plans, checks, and writes what was planned: all of it, or less when the process is killed. */
function turn(life: Life): StagePlan {
  const input = inputOf(life);
  const { now } = life;
  const planned = plan(input, now);
  const breach = breachOf({ input, stages: stagesOf(input), plan: planned, now });
  if (planned.hold !== null) life.reasons.add(planned.hold.reason);
  life.tell(
    `${new Date(now).toISOString()} ${planned.hold?.reason ?? 'done'} ${planned.advance.map(({ cluster, revision }) => `${cluster}=${revision}`).join(' ')}`,
  );
  if (breach !== null) throw new Breach(breach);
  const isKilled = life.chance.chance(0.05);
  const written = isKilled ? planned.advance.filter(() => life.chance.chance(0.5)) : planned.advance;
  for (const { cluster, revision } of written) {
    const site = life.sites.find((one) => one.cluster === cluster);
    if (site !== undefined) write(site, revision, now);
  }
  for (const ask of planned.verify ?? []) {
    const site = life.sites.find((one) => one.cluster === ask.cluster);
    if (site !== undefined && !(isKilled && life.chance.chance(0.5))) order(site, ask, now);
  }
  life.advances += written.length;
  if (isKilled) return planned;
  life.rollout = planned.rollout;
  rest(life);
  return planned;
}

/** Right after a plan was carried out, and until it wakes, another plan has nothing to add. */
function rest(life: Life): void {
  const input = inputOf(life);
  const again = plan(input, life.now);
  if (
    (again.verify ?? []).some(({ cluster }) =>
      life.sites.some((site) => site.cluster === cluster && site.leavingSince === null),
    )
  )
    throw new Breach('rest: at once it asks for checks again');
  if (again.advance.length > 0) throw new Breach(`rest: at once it adds ${JSON.stringify(again.advance)}`);
  const end = again.wakeAt ?? life.now + 100 * 86_400_000;
  const between = life.now + Math.floor(life.chance.next() * (end - life.now));
  const later = plan(input, between);
  if (later.advance.length > 0 || JSON.stringify(later.rollout) !== JSON.stringify(again.rollout))
    throw new Breach(`rest: at ${new Date(between).toISOString()}, before it wakes, it would go on`);
}

function join(life: Life): void {
  life.joined += 1;
  life.sites.push(newSite(`s${life.joined}`, life.chance, life.now));
}

function happen(life: Life): void {
  const { chance, sites } = life;
  life.now += chance.pick([1_000, 20_000, 60_000, 300_000, 3_600_000]);
  if (chance.chance(0.2)) return ask(life);
  if (chance.chance(0.04)) return join(life);
  if (chance.chance(0.02)) return void sites.splice(Math.floor(chance.next() * sites.length), 1);
  for (const site of sites) {
    if (chance.chance(0.03) && site.reachable) Object.assign(site, reached(false, life.now));
    else if (chance.chance(0.2)) Object.assign(site, reached(true, life.now));
    if (chance.chance(0.01)) leave(site, life.now);
    if (chance.chance(0.2)) gone(site);
    if (chance.chance(0.01)) site.isStale = site.revision === life.rollout.revision;
    if (chance.chance(0.01)) site.isDrained = !site.isDrained;
    if (chance.chance(0.5))
      say(site, chance.pick(['Ready', 'Ready', 'Ready', 'Progressing', 'Failed']), life.now);
    if (chance.chance(0.4))
      judge(site, chance.pick(['Passed', 'Passed', 'Failed', 'Inconclusive']), life.now);
    if (chance.chance(0.005)) site.labels = { tier: chance.pick(['canary', 'edge']) };
  }
}

function ask(life: Life): void {
  const { chance, now, rollout, sites } = life;
  const stages = life.strategy.stages ?? [];
  const word = chance.pick([
    'pause',
    'resume',
    'approve',
    'approve',
    'abort',
    'retry',
    'edit',
    'edit',
    'undo',
  ] as const);
  life.tell(`${new Date(now).toISOString()} a person asks: ${word}`);
  const before = chance.pick([rollout.settled ?? 'r1', `r${1 + Math.floor(chance.next() * life.revisions)}`]);
  const some = sites.filter(() => chance.chance(0.3)).map(({ cluster }) => cluster);
  life.rollout = {
    pause: () => (chance.chance(0.3) ? pause(rollout) : rollout),
    resume: () => resume(rollout),
    approve: () => (stages.length === 0 ? rollout : decided(life, chance.pick(stages))),
    abort: () => (chance.chance(0.3) ? abort(rollout) : rollout),
    retry: () => retry(rollout, chance.chance(0.5) ? 'All' : some, now),
    edit: () => begin(rollout, `r${(life.revisions += 1)}`, now),
    undo: () => begin(rollout, before, now),
  }[word]();
}

/** Every site can be reached, people approve, and what was aborted or rolled back is edited. */
function stopStorm(life: Life): void {
  makeWhole(life);
  life.rollout = resume(life.rollout);
  const isUndo = life.chance.chance(0.3) && life.rollout.settled !== null;
  if (isUndo) life.rollout = begin(life.rollout, life.rollout.settled ?? '', life.now);
  else if (life.rollout.aborted || life.rollout.direction === 'Back')
    life.rollout = begin(life.rollout, `r${(life.revisions += 1)}`, life.now);
  life.tell(`the storm is over: ${life.rollout.revision}`);
}

/** Sites become Ready one after the other, until the rollout has ended. */
function calm(life: Life): void {
  makeWhole(life);
  for (let step = 0; step < MOST_CALM; step += 1) {
    for (const stage of life.strategy.stages ?? []) life.rollout = approve(life.rollout, stage.name);
    for (const site of life.sites)
      judge(site, life.chance.pick(['Passed', 'Passed', 'Inconclusive']), life.now);
    const planned = turn(life);
    if (planned.done) return atTheEnd(life, planned);
    const reason = planned.hold?.reason;
    if (reason === 'Unproven' || reason === 'NoSites') return;
    if (reason === 'VerificationInconclusive')
      for (const stage of life.strategy.stages ?? []) life.rollout = decided(life, stage);
    if (reason === 'SitesFailed' || reason === 'RolledBack' || reason === 'Aborted')
      life.rollout = retry(life.rollout, 'All', life.now);
    letBecomeReady(life, planned);
  }
  throw new Breach('end: nothing hinders it, and it does not end');
}

/** A person approves a stage: of one with checks, what has come to no verdict by now, too. */
function decided({ rollout, now }: Life, { name, verify }: NonNullable<Strategy['stages']>[number]): Rollout {
  return approve(rollout, name, verify === undefined ? undefined : now + 1);
}

function makeWhole({ sites, now }: Life): void {
  for (const site of sites) {
    Object.assign(site, reached(true, now), { isDrained: false });
    gone(site);
  }
}

function letBecomeReady(life: Life, { wakeAt }: StagePlan): void {
  const waiting = life.sites.filter(
    (site) => targetOf(site, life.rollout.revision).verdict !== 'Ready' && site.revision !== null,
  );
  const next = wakeAt ?? life.now + 1_000;
  life.now = waiting.length === 0 ? next : Math.min(next, life.now + 1_000);
  for (const site of waiting) if (life.chance.chance(0.7)) say(site, 'Ready', life.now);
}

function atTheEnd({ sites }: Life, { rollout: { revision, settled, direction } }: StagePlan): void {
  const other = sites.find((site) => site.revision !== revision);
  if (other !== undefined) throw new Breach(`end: it is done, and ${other.cluster} has ${other.revision}`);
  if (settled !== revision || direction === 'Back') throw new Breach('end: it is done, and not settled');
}
