// All rules over the record of a storm. Pure.
import type { Fact } from '../record/fact.ts';
import { crowds, undone } from './copies.ts';
import { unheard } from './heard.ts';
import { failures, type CutOff, type FailedRequest } from './requests.ts';
import { gaps, removals } from './served.ts';
import { crowdedLanes, unapproved, type Approved, type Lanes } from './stages.ts';

export interface Recorded {
  readonly facts: readonly Fact[];
  readonly sites: readonly string[];
  /** Keys of all Capps of the storm. */
  readonly capps: ReadonlySet<string>;
  /** How often users asked each Capp. */
  readonly asked: ReadonlyMap<string, number>;
  readonly approved: readonly Approved[];
  readonly lanes: readonly Lanes[];
  readonly failed: readonly FailedRequest[];
  readonly cutOffs: readonly CutOff[];
}

/** What each rule found broken, by the rule; nothing where it holds. */
export function breachesOf(recorded: Recorded): Readonly<Record<string, readonly string[]>> {
  const { facts, sites, capps, asked, approved, lanes, failed, cutOffs } = recorded;
  return {
    'a record of everything': unheard(facts, { capps, fleets: lanes.map(({ owner }) => owner), asked }),
    'no gap': [...gaps(facts, sites), ...removals(facts, sites)],
    'no double': crowds(facts, capps),
    'nothing undone': undone(facts),
    'no stage without its approval': approved.flatMap((one) => unapproved(facts, one)),
    'no more sites under way than may be': lanes.flatMap((one) => crowdedLanes(facts, one)),
    'no failed request': failures(failed, cutOffs),
  };
}
