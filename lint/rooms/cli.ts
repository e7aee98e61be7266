// What `kubectl capp` may import: nothing of Temporal, and of the workflows only words.
import type { Room } from './room.ts';

/** A command for people: it reads and writes the hub, and of the workflows it knows only names. */
const CLI_COMMAND: Room = {
  imports: ['cli', 'crds', 'kube', 'workflows/names'],
  packages: ['commander', 'node:*'],
};

/** What statuses mean and what helps, without a server. */
const CLI_EXPLANATION: Room = {
  // What may be told of a Bundle's manifests is one rule, for plans and for histories.
  imports: [
    'cli/explain',
    'crds/bundle/differences',
    'crds/capp/conditions',
    'crds/labels',
    'crds/rollout/revision',
  ],
  types: ['crds', 'workflows/placement', 'workflows/types'],
};

export const CLI: Readonly<Record<string, Room>> = {
  cli: { imports: ['cli'], packages: ['commander', 'node:*', 'picocolors'] },
  'cli/build': { imports: ['cli/build', 'cli/exit'], packages: ['esbuild', 'node:*', 'yaml'] },
  'cli/commands': CLI_COMMAND,
  'cli/commands/capp': CLI_COMMAND,
  'cli/commands/completion': CLI_COMMAND,
  'cli/commands/drain': CLI_COMMAND,
  'cli/commands/rollout': CLI_COMMAND,
  'cli/doctor': { imports: ['cli', 'crds', 'kube'], packages: ['node:*'] },
  'cli/explain': CLI_EXPLANATION,
  'cli/explain/capp': CLI_EXPLANATION,
  'cli/explain/reasons': CLI_EXPLANATION,
  'cli/explain/set': CLI_EXPLANATION,
  'cli/hub': { imports: ['cli', 'crds', 'kube'], packages: ['node:*'] },
  'cli/hub/acts': { imports: ['cli', 'crds', 'kube'], packages: ['node:*'] },
  'cli/hub/connection': { imports: ['cli', 'crds', 'kube'], packages: ['node:*'] },
  'cli/show': {
    imports: ['cli', 'crds/rollout/plan', 'crds/rollout/revision'],
    types: ['crds'],
    packages: ['cli-table3', 'yaml'],
  },
};
