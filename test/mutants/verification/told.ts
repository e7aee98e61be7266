// What people are told of checks.
import type { Mutant } from '../mutant.ts';

const SEEN_BY = ['test/unit/cli/explain/checks.test.ts'];

export const CHECKS_TOLD: readonly Mutant[] = [
  {
    breaks: 'beside what was measured stands what the Capp asks for by now, which nobody has measured',
    file: 'cli/explain/checks/capp.ts',
    inside: 'askedAs',
    text: ' && moveKeyOf(ofMove) === key',
    becomes: '',
    seenBy: SEEN_BY,
  },
  {
    breaks: 'checks that passed long ago are told of as long as the Capp lives',
    file: 'cli/explain/checks/capp.ts',
    inside: 'checksOf',
    text: 'isOfNow(capp, verification) ? ended(capp, verification) : null',
    becomes: "verification === undefined ? null : told(capp, verification, '')",
    seenBy: SEEN_BY,
  },
  {
    breaks: 'a failure that shuts a gate is not told of until the Capp goes on',
    file: 'cli/explain/checks/capp.ts',
    inside: 'isOfNow',
    text: 'verification?.generation === capp.metadata.generation',
    becomes: 'false',
    seenBy: SEEN_BY,
  },
  {
    breaks: 'a stage in which a site never became Ready is told to have failed its checks',
    file: 'cli/explain/checks/stages.ts',
    inside: 'stageChecks',
    text: 'haveFailed && ',
    becomes: '',
    seenBy: SEEN_BY,
  },
  {
    breaks: 'a Capp whose checks have failed is told to miss nothing',
    file: 'cli/explain/capp/why.ts',
    inside: 'tellingIn',
    text: '...checks, ',
    becomes: '',
    seenBy: SEEN_BY,
  },
  {
    breaks: 'the page of an app has no panel with what its checks asked and measured',
    file: 'cli/dashboard/page/views/app.tsx',
    inside: 'App',
    text: '<Checks checks={app.checks} />',
    becomes: '',
    seenBy: ['test/unit/cli/dashboard/checks-panel.test.ts'],
  },
  {
    breaks: 'a token in the query of a path stands in what is passed on in tickets',
    file: 'cli/explain/checks/asked.ts',
    inside: 'askedBy',
    text: 'withoutQuery(path)',
    becomes: 'path',
    seenBy: SEEN_BY,
  },
  {
    breaks: 'of a Capp that is paused, checks are told of that nobody makes',
    file: 'cli/explain/checks/capp.ts',
    inside: 'checksOf',
    text: ' && !isPaused(capp)',
    becomes: '',
    seenBy: SEEN_BY,
  },
  {
    breaks: 'one Capp that cannot be read takes with it all that is said of its CappSet',
    file: 'cli/hub/objects/checked.ts',
    inside: 'checksOfMembers',
    text: '.catch(() => null)',
    becomes: '',
    seenBy: SEEN_BY,
  },
  {
    breaks: 'every failing Capp of a set is read to say what its checks found',
    file: 'cli/hub/objects/checked.ts',
    inside: 'checksOfMembers',
    text: '.slice(0, MOST_READ)',
    becomes: '',
    seenBy: SEEN_BY,
  },
];
