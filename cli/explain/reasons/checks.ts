// Advice for reasons about the checks of an app (docs/verification.md).
import type { HubReason } from '../../../crds/capp/conditions.ts';
import { EDIT, LOOK, NOTHING, WATCH, type Advice } from './advice.ts';

const SEE = 'kubectl -n {namespace} get capp {name} -o yaml';

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
      'See status.verification for the last measurements (of a move that has ended, status.migration.lastMove), and correct the app or the check.',
    command: EDIT,
  },
  ChecksInconclusive: {
    words: 'Nobody knows whether the app does what its checks ask for.',
    remedy: 'See status.verification for the last measurements; then have the checks made once more.',
    command: SEE,
  },
} as const satisfies Partial<Record<HubReason, Advice>>;
