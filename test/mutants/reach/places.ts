// Faults in where the reader runs: on a hub of its own and on the local stack.
import type { Mutant } from '../mutant.ts';

const HUB = 'test/activity/hub-command/external-temporal.test.ts';
const FLAGS = 'test/unit/deploy/hub/config/reader.test.ts';
const PLACE = 'test/unit/local/reader.test.ts';

export const REACH_PLACES: readonly Mutant[] = [
  {
    breaks: 'the reader runs on no hub of its own and on no local stack, whatever is asked for',
    file: 'deploy/local/cappstan/addon.ts',
    inside: 'cappstanProcesses',
    text: 'if (part.reader)',
    becomes: 'if (part.reader === undefined)',
    seenBy: [HUB],
  },
  {
    breaks: 'the API server looks for the reader behind a Service that leads nowhere on this machine',
    file: 'deploy/local/cappstan/reader.ts',
    inside: 'atThisMachine',
    text: "kind === 'Service' && metadata.name === NAME",
    becomes: 'false',
    seenBy: [HUB, PLACE],
  },
  {
    breaks: 'the API server asks the reader at the port of the chart’s Pod',
    file: 'deploy/local/cappstan/reader.ts',
    inside: 'atThisMachine',
    text: ', port }',
    becomes: ' }',
    seenBy: [HUB, PLACE],
  },
  {
    breaks: 'half of what the reader needs is taken for nothing, so that it does not run, without a word',
    file: 'deploy/hub/config/reader.ts',
    inside: 'readerOf',
    text: 'userServer === undefined && userServerCaFile === undefined',
    becomes: 'userServer === undefined || userServerCaFile === undefined',
    seenBy: [FLAGS],
  },
  {
    breaks: 'the reader runs, and fails for each site, since its authority is not there',
    file: 'deploy/hub/foundation.ts',
    inside: 'check',
    text: 'config.reader !== null',
    becomes: 'false',
    seenBy: [FLAGS],
  },
  {
    breaks: 'a reader that runs no more leaves its API, and no namespace of the hub can be deleted',
    file: 'deploy/local/cappstan/reader.ts',
    inside: 'withdrawReader',
    text: '!== null)',
    becomes: '=== null)',
    seenBy: [PLACE],
  },
];
