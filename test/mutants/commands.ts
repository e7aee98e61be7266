// Faults in the command line: what it writes, and what it tells.
import type { Mutant } from './mutant.ts';

export const COMMANDS: readonly Mutant[] = [
  {
    breaks: 'a report tells every text of a spec',
    file: 'cli/report/veil.ts',
    inside: 'veiled',
    text: 'TOLD.has(field) ? value : LEFT_OUT',
    becomes: '!TOLD.has(field) ? value : LEFT_OUT',
    seenBy: ['test/unit/cli/report.test.ts'],
  },
  {
    breaks: 'a report tells what others wrote into annotations',
    file: 'cli/report/veil.ts',
    inside: 'metadataOf',
    text: 'OURS.test(name) ? value : LEFT_OUT',
    becomes: 'value',
    seenBy: ['test/unit/cli/report.test.ts'],
  },
  {
    breaks: 'an edit of one of several containers changes the first',
    file: 'cli/manifests/edits.ts',
    inside: 'inContainer',
    text: 'name ?? (names.length === 1 ? names[0] : undefined)',
    becomes: 'name ?? names[0]',
    seenBy: ['test/unit/cli/edits.test.ts'],
  },
  {
    breaks: 'a variable that is set keeps where its value came from',
    file: 'cli/manifests/env.ts',
    inside: 'withEdits',
    text: '[{ name: one.name, value }]',
    becomes: '[{ ...one, value }]',
    seenBy: ['test/unit/cli/edits.test.ts'],
  },
  {
    breaks: 'a Kubernetes of the oldest version that is supported is refused',
    file: 'cli/doctor/before/examine.ts',
    inside: 'isTooOld',
    text: 'Number(minor) < OLDEST_MINOR',
    becomes: 'Number(minor) <= OLDEST_MINOR',
    seenBy: ['test/unit/cli/before.test.ts'],
  },
];
