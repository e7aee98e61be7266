// Faults in how lines are told apart, and in how people are told what went wrong.
import type { Mutant } from '../mutant.ts';

const LINES = 'test/unit/reach/lines.test.ts';
const CLI = 'test/unit/cli/site/logs.test.ts';
const PODS = 'test/unit/cli/site/pods.test.ts';

export const REACH_TOLD: readonly Mutant[] = [
  {
    breaks: 'a time far ahead silences a container',
    file: 'reach/lines.ts',
    inside: 'seen',
    text: 'if (instant > BigInt(now() + AHEAD_MS) * 1_000_000n) return true;',
    becomes: '',
    seenBy: [LINES],
  },
  {
    breaks: 'different times of lines are remembered without a bound',
    file: 'reach/lines.ts',
    inside: 'seen',
    text: 'recent.size < most()',
    becomes: 'recent.size >= 0',
    seenBy: [LINES],
  },
  {
    breaks: 'a line has a name that is no name',
    file: 'reach/lines.ts',
    inside: 'read',
    text: '|| !NAME.test(pod) ',
    becomes: '',
    seenBy: [LINES],
  },
  {
    breaks: 'a site’s clock decides from when on all are told of',
    file: 'cli/hub/logs/memory.ts',
    inside: 'newMemory',
    text: 'Math.min(Number(instant / 1_000_000n), now())',
    becomes: 'Number(instant / 1_000_000n)',
    seenBy: [CLI],
  },
  {
    breaks: 'one Capp that is refused ends the command by an exception',
    file: 'cli/hub/logs/follow-set.ts',
    inside: 'followSet',
    text: '.catch((error: unknown) => fail(error, capp))',
    becomes: '',
    seenBy: [CLI],
  },
  {
    breaks: 'who may not read any more is asked for without an end',
    file: 'cli/hub/logs/follow-set.ts',
    inside: 'followSet',
    text: 'if (text === null) return ending.abort(error);',
    becomes: 'if (text === null) return;',
    seenBy: [CLI],
  },
  {
    breaks:
      'lines of a site whose tunnel was away are lost after a break, since another site wrote meanwhile',
    file: 'cli/hub/logs/memory.ts',
    inside: 'newMemory',
    text: 'sinceTime: before(begunAt)',
    becomes: 'sinceTime: before(Math.max(begunAt, ...latest.values()))',
    seenBy: [CLI],
  },
  {
    breaks: 'all Capps of a set are asked for one site, and those that are elsewhere break the answer',
    file: 'cli/hub/logs/members.ts',
    inside: 'membersOf',
    text: 'site === null || isOn(capp, site)',
    becomes: 'true',
    seenBy: [CLI, PODS],
  },
  {
    breaks: 'a Capp of a set that is pinned to a site, and not there yet, is left out without a word',
    file: 'cli/hub/logs/members.ts',
    inside: 'isOn',
    text: 'spec?.site === site || ',
    becomes: '',
    seenBy: [CLI, PODS],
  },
  {
    breaks: 'one Capp of a set that is on no site leaves the others unshown',
    file: 'cli/hub/logs/pods.ts',
    inside: 'podsOfOne',
    text: '|| !isOfOneCapp(error)',
    becomes: '|| true',
    seenBy: [PODS],
  },
  {
    breaks: 'a hub without a reader has nothing to show of a set, and says so for each of its Capps',
    file: 'cli/hub/logs/failures.ts',
    inside: 'isOfOneCapp',
    text: " && OURS.test(error.said ?? '')",
    becomes: '',
    seenBy: [PODS],
  },
  {
    breaks: 'a user of many groups is refused',
    file: 'reach/door/server.ts',
    inside: 'openDoor',
    text: 'maxHeaderSize: MOST_HEADERS,',
    becomes: '',
    seenBy: ['test/unit/reach/door.test.ts'],
  },
  {
    breaks: 'groups beyond the two thousandth are lost',
    file: 'reach/door/server.ts',
    inside: 'openDoor',
    text: 'server.maxHeadersCount = 0;',
    becomes: '',
    seenBy: ['test/unit/reach/door.test.ts'],
  },
];
