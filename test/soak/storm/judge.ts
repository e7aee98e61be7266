// What a storm's checker is told of its loads: which copies are in which stage, and what may move.
import { bundleWorkName } from '../../../crds/ocm/bundle-work.ts';
import { checkWorkName } from '../../../crds/ocm/check-work.ts';
import { breachesOf } from './check/check.ts';
import { BUNDLE_NAME, CHECKED_BY_JOB } from './loads/bundle.ts';
import { APPROVED_STAGE, CHECKED_STAGE, childOf, LANES, SET } from './loads/loads.ts';
import { PATIENT, wardOf } from './loads/sickness.ts';
import type { Recorder } from './record/recorder.ts';
import type { Users } from './traffic.ts';
import type { Storm } from './world.ts';

/** Every breach of a rule, as a line that begins with the rule. `names` are of the Capps that may move. */
export function breachesIn(
  { stack, namespace, cutOffs, illnesses }: Storm,
  { recorder, users, names }: { recorder: Recorder; users: Users; names: readonly string[] },
): string[] {
  const keyOf = (name: string): string => `${namespace}/${name}`;
  const [first = '', ...others] = stack.sites;
  const [set, bundle] = [SET, BUNDLE_NAME].map(keyOf) as [string, string];
  const movable = new Set([...names.map(keyOf), `${wardOf(namespace)}/${PATIENT}`]);
  const children = stack.sites.map((site) => keyOf(childOf(site)));
  const isLaterChild = (key: string): boolean => others.some((site) => key === keyOf(childOf(site)));
  const copyOn = (site: string): string => `${site}/${bundleWorkName({ namespace, name: BUNDLE_NAME })}`;
  const jobs = `${first}/${checkWorkName({ namespace, name: BUNDLE_NAME })}`;
  const found = breachesOf({
    facts: recorder.facts,
    sites: stack.sites,
    capps: new Set([...movable, ...children]),
    movable,
    asked: users.asked,
    approved: [{ owner: set, stage: APPROVED_STAGE, isInStage: isLaterChild }],
    checked: [
      { owner: set, stage: CHECKED_STAGE, checked: [keyOf(childOf(first))], isLater: isLaterChild },
      {
        owner: bundle,
        stage: CHECKED_BY_JOB,
        checked: [jobs],
        isLater: (key) => others.some((site) => key === copyOn(site)),
      },
    ],
    lanes: [set, bundle].map((owner) => ({ owner, maxConcurrent: LANES })),
    failed: users.failed,
    cutOffs: [...cutOffs, ...illnesses.map((one) => ({ ...one, to: Infinity }))],
    illnesses,
  });
  return Object.entries(found).flatMap(([rule, breaches]) => breaches.map((breach) => `${rule}: ${breach}`));
}
