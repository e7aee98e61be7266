// All rules over the record of a storm. Pure.
import type { Fact } from '../record/fact.ts';
import { crowds, idleCopies, undone } from './copies.ts';
import { groundlessCures, type Illness } from './health.ts';
import { unheard } from './heard.ts';
import { plainSecrets } from './plain-secrets.ts';
import { failures, type CutOff, type FailedRequest } from './requests.ts';
import { gaps, removals } from './served.ts';
import { crowdedLanes, unapproved, type Approved, type Lanes } from './stages.ts';
import { unverified, type Checked } from './verified.ts';

export interface Recorded {
  readonly facts: readonly Fact[];
  readonly sites: readonly string[];
  /** Keys of all Capps of the storm. */
  readonly capps: ReadonlySet<string>;
  /** Keys of those of them that may leave their site. */
  readonly movable: ReadonlySet<string>;
  /** How often users asked each app. */
  readonly asked: ReadonlyMap<string, number>;
  readonly approved: readonly Approved[];
  readonly checked: readonly Checked[];
  readonly lanes: readonly Lanes[];
  readonly failed: readonly FailedRequest[];
  readonly cutOffs: readonly CutOff[];
  readonly illnesses: readonly Illness[];
}

/** What each rule found broken, by the rule; nothing where it holds. */
export function breachesOf(recorded: Recorded): Readonly<Record<string, readonly string[]>> {
  const { facts, sites, capps, movable, asked, lanes, illnesses } = recorded;
  const { approved, checked, failed, cutOffs } = recorded;
  const lost = cutOffs.filter(({ leaveBy }) => leaveBy !== undefined);
  return {
    'a record of everything': unheard(facts, { capps, fleets: lanes.map(({ owner }) => owner), asked }),
    'no gap': [...gaps(facts, sites, illnesses), ...removals(facts, sites)],
    'no double': [...crowds(facts, capps), ...idleCopies(facts, capps, lost)],
    'nothing undone': undone(facts),
    'no stage without its approval': approved.flatMap((one) => unapproved(facts, one)),
    'no stage before its checks': checked.flatMap((one) => unverified(facts, one)),
    'no more sites under way than may be': lanes.flatMap((one) => crowdedLanes(facts, one)),
    'no failed request': failures(failed, cutOffs, (app) => movable.has(app)),
    'no move for the health of a healthy app': groundlessCures(facts, illnesses),
    'no Secret in plain text': plainSecrets(facts),
  };
}
