// Advice for each reason that the hub gives in a Capp's conditions.
import type { HubReason } from '../../../crds/capp/conditions.ts';
import { EDIT, GOES_ON, LOOK, NOTHING, WAIT, WATCH, WORK, type Advice } from './advice.ts';
import { APPLIED } from './applied.ts';
import { CHECKS } from './checks.ts';
import { MIGRATING } from './migrating.ts';
import { NAMES } from './name.ts';
import { PLACED } from './placed.ts';

const AVAILABLE = {
  Serving: { words: 'A revision answers requests.', remedy: NOTHING, command: LOOK },
  NoSiteOperator: {
    words: 'Nothing looks at Capps on the site.',
    remedy: 'Whoever runs the site checks that the Deployment cappstan-site runs there.',
    command: 'kubectl -n {site} describe managedclusteraddon cappstan',
  },
  AgentSilent: {
    words: 'The agent on the site does not answer; the app may still run.',
    remedy:
      'Whoever runs the site checks that cappstan-agent runs there and can reach Temporal. What the site itself shows, kubectl capp pods says.',
    command: 'kubectl -n {site} describe managedclusteraddon cappstan',
  },
  Missing: {
    words: 'The site does not have what was sent to it.',
    remedy: "The work agent puts it back within minutes; if not, the work's conditions say why.",
    command: WORK,
  },
  NotObserved: {
    words: 'The agent on the site has not seen this generation yet.',
    remedy: GOES_ON,
    command: WATCH,
  },
} as const satisfies Partial<Record<HubReason, Advice>>;

/** Of deadlines and of deletions. */
const ENDING = {
  WorkflowFailing: {
    words: "The Capp's own workflow fails again and again; what runs keeps running.",
    remedy: "Whoever runs the hub reads the hub worker's log, and restarts the workflow.",
    command: 'kubectl capp ui {name} -n {namespace}',
  },
  DeadlinePassed: {
    words: 'The Capp was not Ready in time.',
    remedy: 'Correct the Capp; a new generation has a new deadline.',
    command: EDIT,
  },
  Progressing: { words: 'No deadline has passed.', remedy: GOES_ON, command: WAIT },
  Leaving: {
    words: 'The Capp is being deleted, and a site has still to remove its copy.',
    remedy: 'Wait; if it takes long, the klusterlet agent of that site does not run.',
    command: 'kubectl capp wait {name} --for deleted -n {namespace}',
  },
  AbandonRefused: {
    words: 'A copy was given up whose site can be reached.',
    remedy: 'Nothing has to be done: the site removes its copy by itself.',
    command: 'kubectl capp wait {name} --for deleted -n {namespace}',
  },
} as const satisfies Partial<Record<HubReason, Advice>>;

export const HUB: Readonly<Record<HubReason, Advice>> = {
  ...PLACED,
  ...APPLIED,
  ...AVAILABLE,
  ...MIGRATING,
  ...NAMES,
  ...CHECKS,
  ...ENDING,
};
