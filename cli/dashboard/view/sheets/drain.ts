// What a person may do with a site that is to be empty.
import { plain, type Sheet } from './sheet.ts';

export function drainSheet(site: string): Sheet {
  return {
    ...plain(
      'drain',
      'Drain…',
      `All Capps that may leave ${site} are moved to other sites, as many at once as the lanes allow, and nothing new is placed there until you end the drain.`,
      `kubectl capp drain ${site} --reason={why}`,
    ),
    takesReason: true,
    plan: 'drain',
  };
}

const DRAINS = {
  'pause-drain': [
    'Pause…',
    'No more Capps are told to leave. Those on their way arrive, and nothing new is placed on the site.',
    '--pause',
  ],
  'resume-drain': ['Resume…', 'Capps are told to leave again, as the lanes allow.', '--resume'],
  'stop-drain': [
    'End…',
    'Capps on their way arrive, all others stay, and new ones may be placed on the site again.',
    '--stop',
  ],
} as const;

export function drainActSheet(act: keyof typeof DRAINS, site: string): Sheet {
  const [label, says, flag] = DRAINS[act];
  return plain(act, label, says, `kubectl capp drain ${site} ${flag}`);
}
