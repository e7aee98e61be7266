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
  {
    breaks: 'a plan of an edit tells of what goes as before',
    file: 'activities/hub/suppose/difference.ts',
    inside: 'isOther',
    text: 'former?.does !== after.does ||',
    becomes: 'former?.does === after.does ||',
    seenBy: ['test/unit/hub/suppose-edit.test.ts'],
  },
  {
    breaks: 'what OCM decides for a Placement with a number is told as certain',
    file: 'activities/hub/suppose/difference.ts',
    inside: 'estimatesOf',
    text: 'isCounted || mayStay ?',
    becomes: 'mayStay ?',
    seenBy: ['test/unit/hub/suppose-edit.test.ts'],
  },
  {
    breaks: 'a Capp on a site is told of as one that waits for a site',
    file: 'activities/hub/suppose/difference.ts',
    inside: 'siteFor',
    text: 'works.length > 0 || recordedSite(capp) !== null',
    becomes: 'works.length > 99',
    seenBy: ['test/unit/hub/suppose-edit.test.ts'],
  },
];
