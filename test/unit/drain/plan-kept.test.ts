// A drain moves the Capps that its dry run named, to the targets that it named, when nothing else changes:
// over random fields, page by page, while some are on their way and others have arrived.
import { begunByPerson, boundIn, listed } from '../../../workflows/drain/decide/looked.ts';
import { accountOf, accountOfPlan } from '../../../workflows/drain/decide/account.ts';
import { pageOf, planOf } from '../../../workflows/drain/decide/plan.ts';
import { progressOf } from '../../../workflows/drain/decide/progress.ts';
import { answersFor, drainStep } from '../../../workflows/drain/decide/step.ts';
import { answeredTo, settled } from '../../../workflows/drain/decide/transitions.ts';
import type { DrainState } from '../../../workflows/drain/state.ts';
import { aDrain } from '../../support/builders/drain/drains.ts';
import { random, type Random } from '../../support/builders/random.ts';
import { aDrainedField, type DrainedField } from '../../support/builders/drain/drained-field.ts';
import { NOW } from '../../support/builders/states.ts';

const FIELDS = 1_000;
const MOST_STEPS = 2_000;

interface Told {
  /** Capp → where it went, or why it stayed. */
  readonly fates: Record<string, string>;
  /** Capp → the target that the status of the Drain named while it was under way or waited. */
  readonly named: Record<string, string | null>;
}

/** Tells the Capps as the drain's workflow does, and lets them arrive at random times. */
function drained(field: DrainedField, chance: Random): Told {
  const width = 1 + Math.floor(chance.next() * 5);
  const size = 1 + Math.floor(chance.next() * 6);
  const lanes = { width, perTarget: 1 + Math.floor(chance.next() * 3), ratePerSecond: 25 };
  let state: DrainState = begunByPerson(aDrain({ cluster: field.cluster, lanes }));
  let now = NOW;
  const told: Told = { fates: {}, named: {} };
  const report = (capp: string): void => void (state = settled(state, field.newsOf(capp), now));
  for (let count = 0; count < MOST_STEPS; count += 1) {
    const step = drainStep(state, now);
    for (const { capp, to } of accountOf(progressOf(state)).going) told.named[capp] = to;
    if (step.do === 'end') return told;
    if (step.do === 'list')
      state = listed(
        state,
        pageOf(field.fates({ after: state.listing?.after ?? null, bound: boundIn(state), now }), size),
        now,
      );
    else if (step.do === 'answer') {
      state = answeredTo(state, step, now);
      for (const { capp, to } of answersFor(step)) {
        told.fates[capp] = field.tell(capp, to, now);
        if (!field.isUnderWay(capp)) report(capp);
      }
    } else now = Math.max(now + 1, step.until ?? 0);
    for (const capp of field.underWay()) {
      if (chance.chance(0.3)) field.show(capp);
      if (chance.chance(0.3)) {
        field.arrive(capp);
        report(capp);
      }
    }
  }
  throw new Error('the drain does not end');
}

test('a drain and its dry run name the same Capps with the same targets, in a thousand random fields', () => {
  let moves = 0;
  for (let seed = 1; seed <= FIELDS; seed += 1) {
    const field = aDrainedField(random(seed));
    const fates = [...field.fates({ after: null, bound: [], now: NOW })];
    const plan = accountOfPlan(planOf(field.cluster, fates, NOW));
    const planned = Object.fromEntries(
      fates.map(({ namespace, name, to, reason }) => [`${namespace}/${name}`, to ?? reason]),
    );
    const { fates: actual, named } = drained(field, random(seed + FIELDS));
    // Capps that the hub keeps by itself, as paused ones, are never told; nor are Capps whose only other site
    // removes an earlier copy, which it does for ever here.
    const waiting = Object.keys(planned).filter((capp) => planned[capp] === 'StillLeaving');
    const stays = Object.fromEntries([...field.kept(), ...waiting].map((capp) => [capp, planned[capp]]));
    for (const capp of waiting) expect([seed, capp, actual[capp]]).toEqual([seed, capp, undefined]);
    expect({ seed, ...actual, ...stays }).toEqual({ seed, ...planned });
    for (const { capp, to } of plan.going) expect([seed, capp, named[capp]]).toEqual([seed, capp, to]);
    moves += plan.waiting;
  }
  expect(moves).toBeGreaterThan(FIELDS * 5);
});
