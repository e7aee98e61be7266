// Faults in the guards of fleets that were tried by hand against simulated lives (`FLEETS=1 make simulate`).
import type { Mutant } from './mutant.ts';

const GUARD = {
  file: 'activities/hub/rollout/removing/removals.ts',
  seenBy: ['test/unit/rollout/removals.test.ts'],
};
const ASKED = {
  file: 'activities/hub/rollout/requests.ts',
  seenBy: ['test/unit/rollout/requests.test.ts'],
};
const LOOK = { seenBy: ['test/unit/hub/bundle/look.test.ts'] };

export const FLEET_LIVES: readonly Mutant[] = [
  {
    ...GUARD,
    breaks: 'two copies more than a tenth go unasked',
    inside: 'unasked',
    text: 'clusters.length > free + share',
    becomes: 'clusters.length > free + share + 2',
  },
  {
    ...GUARD,
    breaks: 'a quarter of the copies goes unasked',
    inside: 'shareOf',
    text: 'Math.max(present, ...most) / 10',
    becomes: 'Math.max(present, ...most) / 4',
  },
  {
    ...GUARD,
    breaks: 'a tenth goes again and again, because none is counted',
    inside: 'unasked',
    text: 'countedAfter(removal.recent, going.length - unlimited, copiesOf(leaving), now)',
    becomes: 'removal.recent',
  },
  {
    ...GUARD,
    breaks: 'a removal counts as a move, although no copy that stays is Ready',
    inside: 'isMove',
    text: 'staying === 1 && stayingReady === 1',
    becomes: 'staying === 1',
  },
  {
    ...GUARD,
    breaks: 'one removal after the other counts as moves where many sites are selected',
    inside: 'isMove',
    text: 'number === 1 && selected === 1 && ',
    becomes: '',
  },
  {
    ...GUARD,
    breaks: 'a decision that lasts for a moment takes copies away',
    inside: 'release',
    text: '!leaving.isNamed && now < since + setHeld.ms',
    becomes: 'leaving.isNamed && now < since + setHeld.ms',
  },
  {
    ...GUARD,
    breaks: 'one refused removal makes all of its minute forgotten',
    inside: 'withoutMissing',
    text: 'missing - (lowered - removal.lowered)',
    becomes: 'missing + removal.recent.length * 9',
  },
  {
    ...GUARD,
    breaks: 'whoever allows one removal allows all',
    inside: 'approved',
    text: 'clusters.slice(0, Math.min(most, removal.allowed))',
    becomes: 'clusters.slice(0, most)',
  },
  {
    ...ASKED,
    breaks: 'an approval of a removal counts in every turn',
    inside: 'heardRemoval',
    text: ' || memory.handled.removal === value',
    becomes: '',
  },
  {
    ...ASKED,
    breaks: 'an approval of a stage counts for whichever revision',
    inside: 'heardApproval',
    text: ' || revision !== memory.rollout.revision',
    becomes: '',
  },
  {
    breaks: 'a copy that is not Ready replaces the last that is',
    file: 'activities/hub/rollout/look.ts',
    inside: 'releasedOf',
    text: "target.reachable && target.verdict === 'Ready'",
    becomes: 'target.reachable',
    seenBy: ['test/unit/rollout/last-copy.test.ts'],
  },
  {
    breaks: 'a set removes what it is to keep',
    file: 'activities/hub/set/sight.ts',
    inside: 'sightOf',
    text: "set.spec.whenUnselected === 'Keep'",
    becomes: "set.spec.whenUnselected === 'Keep' && copies.length === 0",
    seenBy: ['test/unit/set/guards.test.ts'],
  },
  {
    ...LOOK,
    breaks: 'copies go while nobody knows which sites are selected',
    file: 'activities/hub/rollout/look.ts',
    inside: 'lookAt',
    text: 'undecided === null ? sight.besides(clusters) : []',
    becomes: 'sight.besides(decision.clusters)',
  },
  {
    ...LOOK,
    breaks: 'a decision that is only partly written counts as the whole',
    file: 'activities/hub/rollout/decision.ts',
    inside: 'decisionFor',
    text: 'told !== clusters.length',
    becomes: 'told === undefined',
  },
  {
    ...LOOK,
    breaks: 'a work that cannot be deleted yet is counted as removed',
    file: 'activities/hub/bundle/sight.ts',
    inside: 'removableAt',
    text: 'seen.isTakenUp || Number.isNaN(created)',
    becomes: 'created > 0 || Number.isNaN(created)',
  },
  {
    breaks: 'what a site said of an earlier work proves the newest',
    file: 'activities/hub/bundle/status/problems.ts',
    inside: 'present',
    text: 'found?.observedGeneration === generation ? found : undefined',
    becomes: 'found',
    seenBy: ['test/unit/hub/bundle/seen.test.ts'],
  },
  {
    breaks: 'what a Capp said of an earlier generation proves the newest',
    file: 'activities/hub/set/targets.ts',
    inside: 'observed',
    text: '!isAbout',
    becomes: 'ready === null',
    seenBy: ['test/unit/set/targets.test.ts'],
  },
  {
    breaks: 'a rollout that only a person can help says that it goes on',
    file: 'activities/hub/rollout/telling/said.ts',
    inside: null,
    text: "  'RollingBack',\n  'LastCopy',",
    becomes: "  'RollingBack',\n  'Unproven',\n  'LastCopy',",
    seenBy: ['test/unit/rollout/said.test.ts'],
  },
];
