// What `kubectl capp` may import: nothing of Temporal, and of the workflows only words.
import type { Room } from './room.ts';

/** A command for people: it reads and writes the hub, and of the workflows it knows only names. */
const CLI_COMMAND: Room = {
  imports: ['cli', 'crds', 'kube', 'workflows/names'],
  packages: ['commander', 'node:*'],
};

/** The page of the dashboard. */
const PAGE: Room = {
  imports: ['cli/dashboard/page', 'cli/show/age'],
  types: ['cli/dashboard/feed', 'cli/dashboard/view', 'cli/explain', 'crds/rollout/plan'],
  packages: ['@preact/signals', 'preact'],
};

/** What the page may know, made of what statuses mean. */
const DASHBOARD_VIEW: Room = {
  imports: ['cli/dashboard/view', 'cli/explain', 'cli/show', 'crds', 'workflows/stages/membership'],
  types: ['crds', 'workflows/stages/types'],
};

/** What statuses mean and what helps, without a server. */
const CLI_EXPLANATION: Room = {
  // What may be told of a Bundle's manifests is one rule, for plans and for histories.
  imports: [
    'cli/explain',
    'crds/bundle/differences',
    'crds/capp/conditions',
    'crds/labels',
    'crds/ocm',
    'crds/rollout/revision',
    'kube/fields',
  ],
  types: ['crds', 'workflows/placement', 'workflows/types'],
};

/** What was asked of an app is read as the agent reads it. */
const CLI_EXPLANATION_OF_CHECKS: Room = {
  ...CLI_EXPLANATION,
  imports: [...(CLI_EXPLANATION.imports ?? []), 'crds/verification'],
};

/** With what the reader tells of Pods. */
const CLI_EXPLANATION_OF_PODS: Room = {
  ...CLI_EXPLANATION,
  types: [...(CLI_EXPLANATION.types ?? []), 'reach/pods'],
};

export const CLI: Readonly<Record<string, Room>> = {
  cli: { imports: ['cli'], packages: ['commander', 'node:*', 'picocolors'] },
  'cli/build': { imports: ['cli/build', 'cli/exit'], packages: ['esbuild', 'node:*', 'yaml'] },
  'cli/commands': CLI_COMMAND,
  'cli/commands/capp': CLI_COMMAND,
  'cli/commands/completion': CLI_COMMAND,
  'cli/commands/drain': { ...CLI_COMMAND, types: ['activities/hub/suppose'] },
  // What a join waits for is one rule, for its workflow and for people.
  'cli/commands/join': { ...CLI_COMMAND, imports: ['cli', 'crds', 'kube', 'workflows/join/verdict'] },
  // How lines travel is one rule, for the reader and for whom it answers.
  'cli/commands/logs': {
    ...CLI_COMMAND,
    imports: ['cli', 'crds', 'kube', 'reach/lines', 'reach/names'],
    types: ['reach/pods'],
  },
  'cli/commands/rollout': CLI_COMMAND,
  'cli/commands/write': CLI_COMMAND,
  // `cli/build` makes the page where the sources run; the bundle has it in itself.
  'cli/dashboard': { imports: ['cli', 'kube'], packages: ['node:*'] },
  'cli/dashboard/door': { imports: ['cli/dashboard/door', 'kube/deferred'], packages: ['node:*'] },
  'cli/dashboard/feed': {
    imports: ['cli', 'crds', 'kube', 'reach/lines', 'reach/names'],
    packages: ['node:*'],
  },
  // Drawn in the browser from what the views say: it knows their types, and nothing of the hub.
  'cli/dashboard/page': PAGE,
  'cli/dashboard/page/parts': PAGE,
  'cli/dashboard/page/views': PAGE,
  // Pure, as explanations are; which stage a site is in only the planner's own rule tells.
  'cli/dashboard/view': DASHBOARD_VIEW,
  'cli/dashboard/view/past': DASHBOARD_VIEW,
  'cli/dashboard/view/rollout': DASHBOARD_VIEW,
  'cli/dashboard/view/sheets': { imports: ['cli/dashboard/view/sheets', 'crds/rollout/revision'] },
  'cli/doctor': { imports: ['cli', 'crds', 'kube'], packages: ['node:*'] },
  'cli/doctor/before': { imports: ['cli', 'crds', 'kube'], packages: ['node:*'] },
  'cli/explain': CLI_EXPLANATION,
  'cli/explain/capp': CLI_EXPLANATION_OF_PODS,
  'cli/explain/checks': CLI_EXPLANATION_OF_CHECKS,
  'cli/explain/reasons': CLI_EXPLANATION,
  'cli/explain/set': CLI_EXPLANATION,
  'cli/explain/tree': CLI_EXPLANATION_OF_PODS,
  'cli/hub/follow': { imports: ['cli', 'crds', 'kube'], packages: ['node:*'] },
  // Tokens and requests of a join are read in one way, for the hub and for people.
  'cli/hub/objects': {
    imports: ['activities/hub/join/look', 'cli', 'crds', 'kube'],
    packages: ['node:*'],
  },
  // What a loss or a taint would do is said by the functions that then act, and by nothing else of the hub.
  'cli/hub/plan': {
    imports: ['activities/hub/suppose', 'cli', 'crds', 'kube'],
    types: ['activities/hub/caches'],
    packages: ['node:*'],
  },
  'cli/hub/write': { imports: ['cli', 'crds', 'kube'], packages: ['node:*'] },
  'cli/hub/logs': {
    imports: ['cli', 'crds', 'kube', 'reach/lines', 'reach/names', 'reach/pods', 'reach/times'],
    packages: ['node:*'],
  },
  'cli/hub/tunnel': { imports: ['cli', 'crds', 'kube', 'reach/names'] },
  'cli/hub/acts': { imports: ['cli', 'crds', 'kube'], packages: ['node:*'] },
  'cli/hub/connection': { imports: ['cli', 'crds', 'kube'], packages: ['node:*'] },
  // What a report may tell is said here, for each kind.
  'cli/report': { imports: ['cli', 'crds', 'kube'], packages: ['node:*', 'nanotar'] },
  // Objects as commands write them, without a server.
  'cli/manifests': { imports: ['cli/manifests', 'crds'], types: ['crds', 'kube'] },
  'cli/show': {
    imports: ['cli', 'crds/rollout/plan', 'crds/rollout/revision', 'kube/files/digits'],
    types: ['crds'],
    packages: ['cli-table3', 'yaml'],
  },
};
