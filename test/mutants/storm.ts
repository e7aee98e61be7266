// Faults in the rules by which a storm is judged: one that does not see its breach would let every storm
// pass.
import type { Mutant } from './mutant.ts';

const SERVED = {
  file: 'test/soak/storm/check/served.ts',
  seenBy: ['test/unit/soak/served.test.ts'],
} as const;
const COPIES = {
  file: 'test/soak/storm/check/copies.ts',
  seenBy: ['test/unit/soak/copies.test.ts'],
} as const;
const STAGES = {
  file: 'test/soak/storm/check/stages.ts',
  seenBy: ['test/unit/soak/stages.test.ts'],
} as const;
const VERIFIED = {
  file: 'test/soak/storm/check/verified.ts',
  seenBy: ['test/unit/soak/verified.test.ts'],
} as const;
const HEALTH = {
  file: 'test/soak/storm/check/health.ts',
  seenBy: ['test/unit/soak/health.test.ts'],
} as const;
const REST = {
  file: 'test/soak/storm/check/at-rest.ts',
  seenBy: ['test/unit/soak/at-rest.test.ts'],
} as const;
const HEARD = {
  file: 'test/soak/storm/check/heard.ts',
  seenBy: ['test/unit/soak/heard.test.ts'],
} as const;
const FACT = { file: 'test/soak/storm/record/fact.ts', seenBy: ['test/unit/soak/fact.test.ts'] } as const;

export const STORM: readonly Mutant[] = [
  {
    ...HEARD,
    breaks: 'a copy that never served proves that no gap was',
    inside: null,
    text: "kind === 'Capp' && isServing",
    becomes: "kind === 'Capp'",
  },
  {
    ...HEARD,
    breaks: 'an app that nobody asked proves that no request failed',
    inside: 'unheard',
    text: 'count > 0',
    becomes: 'count >= 0',
  },
  {
    ...SERVED,
    breaks: 'a copy that is being deleted still counts as serving',
    inside: 'serving',
    text: ' && !copy.isLeaving',
    becomes: '',
  },
  {
    ...SERVED,
    breaks: 'a copy whose work is being deleted still counts as serving',
    inside: 'gaps',
    text: '.some((site) => hasWork(key, site, newest))',
    becomes: '.length > 0',
  },
  {
    ...SERVED,
    breaks: 'only the first gap of a Capp is told',
    inside: 'gaps',
    text: 'if (isUp) up.add(key);',
    becomes: 'if (isUp && !breaches.some((one) => one.includes(key))) up.add(key);',
  },
  {
    ...SERVED,
    breaks: 'the old work may go before the new copy serves',
    inside: 'removals',
    text: 'const others = up.filter((one) => one !== site && hasWork(capp, one, newest));',
    becomes: 'const others = sites.filter((one) => one !== site && hasWork(capp, one, newest));',
  },
  {
    ...SERVED,
    breaks: 'a copy whose own work is going is reason enough to delete the last other one',
    inside: 'hasWork',
    text: ' && !isLeaving',
    becomes: '',
  },
  {
    ...SERVED,
    breaks: 'the old work may go while users are still sent there',
    inside: 'removals',
    text: 'served === site',
    becomes: 'served === null',
  },
  {
    ...COPIES,
    breaks: 'a third work of a Capp is not seen',
    inside: 'crowds',
    text: 'works.length > MOST_WORKS',
    becomes: 'works.length > MOST_WORKS + 1',
  },
  {
    ...COPIES,
    breaks: 'an older edit is new again once it has come back',
    inside: 'undone',
    text: 'Math.max(known, fact.edition)',
    becomes: 'fact.edition',
  },
  {
    ...COPIES,
    breaks: 'two works stay for ever while the Capp does not move',
    inside: 'idleCopies',
    text: 'fact.at - since > LEFT_WITHIN_MS',
    becomes: 'fact.at - since > 9 * LEFT_WITHIN_MS',
  },
  {
    ...COPIES,
    breaks: 'two works that stay until the storm is over are not told',
    inside: 'idleCopies',
    text: 'if (last !== undefined) for (const capp of idleSince.keys()) end(last, capp);',
    becomes: '',
  },
  {
    ...COPIES,
    breaks: 'a move that takes its time is told as two works of a Capp that does not move',
    inside: 'isIdle',
    text: ' || said.isMoving',
    becomes: '',
  },
  {
    ...COPIES,
    breaks: 'the last copy that serves is told as one too many while the site of users is lost',
    inside: 'isIdle',
    text: ' || isLost(served)',
    becomes: '',
  },
  {
    ...VERIFIED,
    breaks: 'checks that have passed with one revision count for every later one',
    inside: 'unverified',
    text: '!passed.has(`${key} ${revision}`)',
    becomes: '![...passed].some((one) => one.startsWith(`${key} `))',
  },
  {
    ...VERIFIED,
    breaks: 'that a person has let a stage pass counts for other stages',
    inside: 'unverified',
    text: 'approved.has(`${stage}#${revision}`)',
    becomes: '[...approved].some((one) => one.endsWith(`#${revision}`))',
  },
  {
    ...HEALTH,
    breaks: 'an app may be moved for its health before it is ill',
    inside: 'groundlessCures',
    text: ' && from <= fact.at',
    becomes: '',
  },
  {
    ...HEALTH,
    breaks: 'a copy of an app that is ill on one site may stop on every site',
    inside: 'isIllThere',
    text: ' && site === cluster',
    becomes: '',
  },
  {
    ...STAGES,
    breaks: 'the approval of one revision counts for every later one',
    inside: 'unapproved',
    text: '!approved.has(`${stage}#${revision}`)',
    becomes: '![...approved].some((one) => one.startsWith(`${stage}#`))',
  },
  {
    ...STAGES,
    breaks: 'a stage may begin with a revision of which nobody has heard',
    inside: 'unapproved',
    text: 'revision === undefined ||',
    becomes: 'revision !== undefined &&',
  },
  {
    ...STAGES,
    breaks: 'a site that was Ready with an earlier edit takes no place with a later one',
    inside: 'crowdedLanes',
    text: '`${key} ${edition}`',
    becomes: '`${key} ${edition === null}`',
  },
  {
    ...STAGES,
    breaks: 'one more site may be under way than the strategy says',
    inside: 'crowdedLanes',
    text: 'others.length >= maxConcurrent',
    becomes: 'others.length > maxConcurrent',
  },
  {
    ...REST,
    breaks: 'a write that was refused is no write',
    inside: 'writesAtRest',
    text: "request.split(' ')[0] ?? ''",
    becomes: "request.endsWith(')') ? '' : (request.split(' ')[0] ?? '')",
  },
  {
    breaks: 'a request that fails long before or after its site was cut off is excused',
    file: 'test/soak/storm/check/requests.ts',
    inside: 'failures',
    text: ' && to >= cut.from',
    becomes: '',
    seenBy: ['test/unit/soak/requests.test.ts'],
  },
  {
    breaks: 'a site that is lost excuses failures for as long as it is lost, though the app had to move',
    file: 'test/soak/storm/check/requests.ts',
    inside: 'failures',
    text: 'mayMove(app) ? (cut.leaveBy ?? cut.to) : cut.to',
    becomes: 'mayMove(app) ? cut.to : cut.to',
    seenBy: ['test/unit/soak/requests.test.ts'],
  },
  {
    ...FACT,
    breaks: 'a Secret in base64 is not seen in a work',
    inside: null,
    text: '[CANARY, btoa(CANARY)]',
    becomes: '[CANARY]',
  },
  {
    ...FACT,
    breaks: 'checks that somebody asked before count as passed',
    inside: 'verifiedIn',
    text: ' && key === keyOf(order)',
    becomes: '',
  },
  {
    ...FACT,
    breaks: 'an object is Ready by what was said of an earlier generation',
    inside: 'isTrue',
    text: ' && found.observedGeneration === stored?.metadata.generation',
    becomes: '',
  },
  {
    breaks: 'a process that is stopped while Temporal does not answer ends with an exception',
    file: 'workers/process/temporal.ts',
    inside: 'connectClient',
    text: 'interceptors: untilClosed(),',
    becomes: '',
    seenBy: ['test/unit/workers/closed-connection.test.ts'],
  },
  {
    breaks: 'what fails while a storm goes on is told to nobody',
    file: 'test/soak/storm/world.ts',
    inside: 'inBackground',
    text: 'action.then(',
    becomes: 'action.finally(',
    seenBy: ['test/unit/soak/background.test.ts'],
  },
];
