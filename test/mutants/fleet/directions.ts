// Faults in which way a rollout goes: back, on with another revision, and to sites that join it.
import type { Mutant } from '../mutant.ts';

export const DIRECTIONS: readonly Mutant[] = [
  {
    breaks: 'a rollback changes all stages at once',
    file: 'workflows/stages/plan/backward.ts',
    inside: 'backward',
    text: 'view === last\n',
    becomes: 'isBusy(view)\n',
    seenBy: ['test/unit/stages/asked.test.ts'],
  },
  {
    breaks: 'a rollback begins with the stage that was first',
    file: 'workflows/stages/plan/backward.ts',
    inside: 'backward',
    text: 'views.findLast(isBusy)',
    becomes: 'views.find(isBusy)',
    seenBy: ['test/unit/stages/asked.test.ts'],
  },
  {
    breaks: 'an aborted revision is given to new sites',
    file: 'workflows/stages/plan/joining.ts',
    inside: 'advanceAfterAbort',
    text: '(revision !== aborted && isOlder(revision))',
    becomes: 'true',
    seenBy: ['test/unit/stages/asked.test.ts'],
  },
  {
    breaks: 'a site that joins while a revision goes forward waits for its stage',
    file: 'workflows/stages/plan/forward.ts',
    inside: 'advanceIn',
    text: 'return joining(asked, index)',
    becomes: 'return []',
    seenBy: ['test/unit/stages/asked.test.ts'],
  },
  {
    breaks: 'a superseding edit keeps the approvals of the earlier revision',
    file: 'workflows/stages/rollout.ts',
    inside: 'begin',
    text: '    paused,\n',
    becomes: '    paused,\n    approved: previous.approved,\n',
    seenBy: ['test/unit/stages/asked.test.ts'],
  },
  {
    breaks: 'an edit back to the settled revision goes forward, through the approvals',
    file: 'workflows/stages/rollout.ts',
    inside: 'begin',
    text: "isBack ? 'Back' : 'Forward'",
    becomes: "'Forward'",
    seenBy: ['test/unit/stages/asked.test.ts'],
  },
  {
    breaks: 'after a retry of what was aborted, stages that had passed do not open again',
    file: 'workflows/stages/rollout.ts',
    inside: null,
    text: '  closed: [],\n  retries: {},\n  cause: null,\n} as const',
    becomes: '  retries: {},\n  cause: null,\n} as const',
    seenBy: ['test/unit/stages/asked.test.ts'],
  },
  {
    breaks: 'sites of a stage by percent change whenever one joins',
    file: 'workflows/stages/membership.ts',
    inside: 'takenBy',
    text: 'hashOf(`${seed}/${cluster}`)',
    becomes: 'hashOf(`${seed}/${cluster}/${left.length}`)',
    seenBy: ['test/unit/stages/membership.test.ts'],
  },
];
