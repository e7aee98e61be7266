// Faults in what the status says of sites where a Capp is not yet, and of requests that were answered.
import type { Mutant } from '../mutant.ts';

const PUBLISHED = 'activities/hub/status/published-sites.ts';
const WARRANT = 'activities/hub/place/warrant.ts';
const OF_COMINGS = { seenBy: ['test/activity/hub/forged-coming.test.ts'] };
const OF_ANSWERS = { seenBy: ['test/activity/hub/forged-answers.test.ts'] };
const OF_WARRANTS = { seenBy: ['test/unit/hub/place/warrant.test.ts'] };

export const COMINGS: readonly Mutant[] = [
  {
    breaks: 'a Capp that is on no site is not Ready because a site was chosen',
    file: PUBLISHED,
    inside: 'publishable',
    text: ', placing: null }',
    becomes: ' }',
    ...OF_COMINGS,
  },
  {
    breaks: 'a Capp is shipped to where its status says that it comes, although nothing of it is there',
    file: WARRANT,
    inside: 'warrantOf',
    text: '(hasWork && sitesIn(capp)',
    becomes: '(sitesIn(capp)',
    ...OF_WARRANTS,
  },
  {
    breaks: 'caches that are older than the ring let spec.site name a site',
    file: WARRANT,
    inside: 'warrantInTime',
    text: 'if (isOnCapp(first)) return first;',
    becomes: 'if (first !== null) return first;',
    seenBy: ['test/unit/hub/place/warrant-in-time.test.ts'],
  },
  {
    breaks: 'a request that was answered long ago leads to its site for ever',
    file: WARRANT,
    inside: 'isAskedFor',
    text: '(isNew || isComing(capp, cluster))',
    becomes: '(isNew || capp !== null)',
    ...OF_WARRANTS,
  },
  {
    breaks: 'a move that a person asked for ends between its two copies',
    file: WARRANT,
    inside: 'isAskedFor',
    text: '(isNew || isComing(capp, cluster))',
    becomes: 'isNew',
    ...OF_WARRANTS,
  },
  {
    breaks: 'a state makes a request new again that was answered',
    file: 'activities/hub/place/requests.ts',
    inside: 'answersTold',
    text: 'return isStanding || isPending ? known : id;',
    becomes: 'return isPending ? known : id;',
    ...OF_ANSWERS,
  },
  {
    breaks: 'a request counts as answered before its move is shown, and the move is not allowed any more',
    file: 'activities/hub/place/requests.ts',
    inside: 'answersTold',
    text: 'return isStanding || isPending ? known : id;',
    becomes: 'return isStanding ? known : id;',
    ...OF_ANSWERS,
  },
  {
    breaks: 'the status says that a Capp comes to a site where nothing of it is',
    file: PUBLISHED,
    inside: 'mayPass',
    text: '(hasWork || isFirst)',
    becomes: '(hasWork || !isFirst)',
    ...OF_COMINGS,
  },
  {
    breaks: 'a decision that only an old cache has lets a Capp come to a site',
    file: PUBLISHED,
    inside: 'mayBeOn',
    text: 'decidedNow(options, one, cluster)',
    becomes: 'Promise.resolve(one !== null)',
    ...OF_COMINGS,
  },
  {
    breaks: 'a Capp that must not run twice stays for ever: its move is never shown',
    file: PUBLISHED,
    inside: 'mayPass',
    text: '(hasWork || isFirst)',
    becomes: 'hasWork',
    ...OF_COMINGS,
  },
  {
    breaks: 'what is asked of a paused Capp says that it may be there',
    file: 'activities/hub/ship/work-there.ts',
    inside: 'isWarrantedBy',
    text: "return outcome !== 'Paused';",
    becomes: "return outcome !== 'Deleted';",
    ...OF_COMINGS,
  },
  {
    breaks: 'an apply that is refused leads users to where nothing is',
    file: 'activities/hub/ship/work-there.ts',
    inside: 'isWarrantedBy',
    text: "outcome !== 'Refused' || ",
    becomes: "outcome !== 'Deleted' || ",
    ...OF_COMINGS,
  },
  {
    breaks: 'a Capp that is refused on two sites, one after the other, is said to be on the first',
    file: 'activities/hub/ship/work-there.ts',
    inside: 'isWarrantedBy',
    text: 'return (await findWork(kube, claim, site)) === null;',
    becomes: 'return false;',
    ...OF_COMINGS,
  },
  {
    breaks: 'the copy that a lost try has made is not seen, and its move ends',
    file: 'activities/hub/ship/work-there.ts',
    inside: 'isThere',
    text: 'live === null && isTold',
    becomes: 'live === null && !isTold',
    ...OF_COMINGS,
  },
];
