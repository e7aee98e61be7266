// Faults in what is given up of sites that are lost, and in what may not be touched of somebody else.
import type { Mutant } from '../mutant.ts';

const UNHELD = {
  file: 'activities/hub/retire/unheld.ts',
  inside: 'dropIfUnheld',
  seenBy: ['test/unit/hub/retire/unheld.test.ts'],
};
const ABANDONED = {
  file: 'activities/hub/retire/abandon.ts',
  seenBy: ['test/unit/hub/retire/abandon.test.ts'],
};
const REACH = { file: 'activities/hub/retire/reach.ts', seenBy: ['test/unit/hub/retire/reach.test.ts'] };
const CHILD = 'activities/hub/set/write-child.ts';
const SELECTED = { file: 'activities/hub/set/selected.ts', seenBy: ['test/unit/set/selected.test.ts'] };

export const LOST_SITES: readonly Mutant[] = [
  {
    ...UNHELD,
    breaks: 'a work that is not being deleted is released from the hub',
    text: '    work.metadata.deletionTimestamp === undefined ||\n',
    becomes: '',
  },
  {
    ...UNHELD,
    breaks: 'a work that its agent holds is released without a word of its cluster',
    text: ' ||\n    has(work, APPLIED)\n',
    becomes: '\n',
  },
  {
    ...UNHELD,
    breaks: 'a work of a cluster that has joined is released before its agent has seen it',
    text: 'cluster !== null && has(cluster, JOINED)',
    becomes: 'false',
  },
  {
    ...UNHELD,
    breaks: 'a work that has come in place of one that was looked at is released',
    text: '    work.metadata.uid !== uid ||\n',
    becomes: '',
  },
  {
    ...ABANDONED,
    breaks: 'a copy is given up on a site that can be reached',
    inside: 'abandon',
    text: 'asked.includes(namespace) && lost[namespace] !== undefined',
    becomes: 'asked.includes(namespace)',
  },
  {
    ...ABANDONED,
    breaks: 'copies on lost sites are given up that nobody has named',
    inside: 'abandon',
    text: 'asked.includes(namespace) && lost[namespace] !== undefined',
    becomes: 'lost[namespace] !== undefined',
  },
  {
    ...ABANDONED,
    breaks: 'who gave a copy up is noted on another Capp of the name',
    inside: 'record',
    text: 'live.metadata.uid !== capp.metadata.uid || ',
    becomes: '',
  },
  {
    ...ABANDONED,
    breaks: 'whoever asked of an earlier set is named for a copy that was given up',
    inside: 'whoGaveUp',
    text: 'set?.metadata.uid === owner.uid && ',
    becomes: '',
  },
  {
    ...REACH,
    breaks: 'a cluster of which nothing has been heard counts as there',
    inside: 'isReachable',
    text: "=== 'True'",
    becomes: "!== 'False'",
  },
  {
    ...REACH,
    breaks: 'a site that the hub does not know is waited for',
    inside: 'isReachableIn',
    text: 'found !== undefined && isReachable(found)',
    becomes: 'found === undefined || isReachable(found)',
  },
  {
    breaks: 'a set that is deleted takes all Capps of its namespace with it',
    file: 'activities/hub/set/kind.ts',
    inside: 'liveChildren',
    text: 'items.filter((capp) => setOf(capp) === setKey(set))',
    becomes: 'items',
    seenBy: ['test/unit/set/guards.test.ts'],
  },
  {
    breaks: "somebody's own Capp is taken over that the cache does not show yet",
    file: CHILD,
    inside: 'writeChild',
    text: 'known !== null && setOf(known) !== setKey(set)',
    becomes: 'known !== null && setOf(known) === null && false',
    seenBy: ['test/unit/set/refusals.test.ts'],
  },
  {
    breaks: 'a set that goes deletes a later Capp of the name',
    file: CHILD,
    inside: 'removeChild',
    text: '{ uid })) ?',
    becomes: '{})) ?',
    seenBy: ['test/unit/set/retire.test.ts'],
  },
  {
    breaks: 'a Capp whose site was given up is written in turn after turn',
    file: CHILD,
    inside: 'abandonChild',
    text: ' || annotations[ABANDON] !== undefined',
    becomes: '',
    seenBy: ['test/unit/set/retire.test.ts'],
  },
  {
    ...SELECTED,
    breaks: 'a Capp of a set is written for a site that is being removed',
    inside: 'sitesNamed',
    text: ' && !facts.deleting',
    becomes: '',
  },
  {
    ...SELECTED,
    breaks: 'Capps of a set go to a site to which no Capp may be pinned',
    inside: 'sitesNamed',
    text: 'else if (!facts.mayPin)',
    becomes: 'else if (facts.isHub)',
  },
  {
    breaks: 'a site that lacked a label gets no Capp when it has the label',
    file: 'activities/hub/set/targets.ts',
    inside: 'standing',
    text: 'return wanted.missingLabel === null ? null : one;',
    becomes: 'return one;',
    seenBy: ['test/unit/set/targets.test.ts'],
  },
];
