// Advice for reasons about the checks of an app (docs/verification.md).
import type { HubReason } from '../../../crds/capp/conditions.ts';
import { LOOK, NOTHING, WATCH, type Advice } from './advice.ts';

const SEE = 'kubectl capp why {name} -n {namespace}';

export const CHECKS = {
  AwaitsChecks: {
    words: 'The new copy is Ready, and its checks have not passed yet: users stay where they are.',
    remedy: 'Wait for the verdict; if there is none, mend what the message says, or force the move.',
    command: 'kubectl capp move {name} <new site> --force -n {namespace}',
  },
  ChecksRunning: {
    words: 'The app is being checked on its site.',
    remedy: 'Wait: the checks take as long as their interval and count say.',
    command: WATCH,
  },
  ChecksPassed: { words: 'The checks of the app have passed.', remedy: NOTHING, command: LOOK },
  ChecksFailed: {
    words: 'A check of the app has failed on its site.',
    remedy:
      'Read the last measurements in kubectl capp why, and correct the app or the check. To have the checks of a CappSet made once more: kubectl capp rollout retry <set>.',
    command: SEE,
  },
  ChecksInconclusive: {
    words: 'Nobody knows whether the app does what its checks ask for.',
    remedy:
      'Read the last measurements in kubectl capp why, and mend what they say. To have the checks of a CappSet made once more: kubectl capp rollout retry <set>.',
    command: SEE,
  },
} as const satisfies Partial<Record<HubReason, Advice>>;
