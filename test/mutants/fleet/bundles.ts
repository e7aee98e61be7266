// Faults in how files of manifests are read, and in when their objects are ready.
import type { Mutant } from '../mutant.ts';

const KUBECTL = { seenBy: ['test/unit/kube/files/kubectl.test.ts'] };

export const BUNDLES: readonly Mutant[] = [
  {
    ...KUBECTL,
    breaks: 'a mode that begins with 0 is read as decimal',
    file: 'kube/files/scalars.ts',
    inside: 'wholeNumber',
    text: '/^0[0-7]/.test(digits)',
    becomes: 'digits === text && digits.length > 9',
  },
  {
    ...KUBECTL,
    breaks: 'lists that are not called List are not taken apart',
    file: 'kube/files/lists.ts',
    inside: 'isList',
    text: 'isFields(value) &&',
    becomes: "isFields(value) && value['kind'] === 'List' &&",
  },
  {
    breaks: 'aliases unfold without end',
    file: 'kube/files/compose.ts',
    inside: 'unfold',
    text: 'unfolded.characters > MOST_UNFOLDED.characters',
    becomes: 'unfolded.characters < 0',
    seenBy: ['test/unit/kube/files/read.test.ts'],
  },
  {
    breaks: 'a Job that has failed for good is waited for',
    file: 'activities/hub/bundle/status/problems.ts',
    inside: 'saidBy',
    text: "problemOf(one, RULE_CONDITION, 'Failed', words(FAILED))",
    becomes: "problemOf(one, RULE_CONDITION, 'NotReady', words(FAILED))",
    seenBy: ['test/unit/hub/bundle/status/seen.test.ts'],
  },
  {
    breaks: 'a better rule of a kind is a new revision, so an upgrade changes every site',
    file: 'activities/hub/bundle/ready/ready-rules.ts',
    inside: 'readyRules',
    text: 'asRules([isOfVersion(token), first])',
    becomes: 'ofKind(rule as KindRule, token)',
    seenBy: ['test/unit/hub/bundle/render.test.ts'],
  },
  {
    breaks: 'two Bundles with the same Secret contest an annotation',
    file: 'activities/hub/bundle/manifests/render.ts',
    inside: 'shippedAs',
    text: 'isVeiled && conditionRules.length === 0',
    becomes: 'isVeiled && conditionRules.length > 9',
    seenBy: ['test/unit/hub/bundle/render.test.ts'],
  },
  {
    breaks: 'a plan writes out what is brought for each of thousands of sites',
    file: 'activities/hub/rollout/preview/plan-changes.ts',
    inside: 'grouping',
    text: 'keys.get(change) ?? digestOf(JSON.stringify([what, lines]), WHOLE_DIGEST)',
    becomes: 'digestOf(JSON.stringify([what, lines]), WHOLE_DIGEST)',
    seenBy: ['test/unit/hub/bundle/worst/plan.test.ts'],
  },
  {
    breaks: 'a rule that somebody adds to a work of a Bundle stays, and the site is behind for ever',
    file: 'activities/hub/bundle/manifests/as-written.ts',
    inside: 'isAsNoted',
    text: 'rules === rulesOf(live)',
    becomes: "rules !== ''",
    seenBy: ['test/unit/hub/bundle/edited.test.ts'],
  },
  {
    breaks: 'a patch leaves what somebody has added to the rules of a work, and calls that its own',
    file: 'activities/hub/bundle/manifests/as-written.ts',
    inside: 'replacing',
    text: '!(key in to)',
    becomes: "key === 'selectivelyOrphans' && !(key in to)",
    seenBy: ['test/unit/hub/bundle/edited.test.ts'],
  },
  {
    breaks: 'a work that parts with an object is written in each turn until its site has answered',
    file: 'activities/hub/bundle/ship.ts',
    inside: 'update',
    text: '(isParting || isAsNoted(live))',
    becomes: 'isAsNoted(live)',
    seenBy: ['test/unit/hub/bundle/edited.test.ts'],
  },
];
