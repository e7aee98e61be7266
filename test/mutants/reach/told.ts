// Faults in how lines are told apart, and in how people are told what went wrong.
import type { Mutant } from '../mutant.ts';

const LINES = 'test/unit/reach/lines.test.ts';
const CLI = 'test/unit/cli/site/logs.test.ts';

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
