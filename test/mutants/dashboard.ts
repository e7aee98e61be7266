// Faults in the page of the hub: who may come in, what it says of an act, and what it sends.
import type { Mutant } from './mutant.ts';

const DOOR = ['test/unit/cli/dashboard/door.test.ts'];
const APP = ['test/unit/cli/dashboard/app.test.ts'];
const ROLLOUT = ['test/unit/cli/dashboard/rollout-acts.test.ts'];
const PAST = ['test/unit/cli/dashboard/time-line.test.ts'];

export const DASHBOARD: readonly Mutant[] = [
  {
    breaks: 'a page of another port of loopback may ask the dashboard',
    file: 'cli/dashboard/door/guard.ts',
    inside: 'refusalOf',
    text: "headers['sec-fetch-site'] !== 'same-origin'",
    becomes: "headers['sec-fetch-site'] === 'cross-site'",
    seenBy: DOOR,
  },
  {
    breaks: 'a page of any origin may write by the dashboard',
    file: 'cli/dashboard/door/guard.ts',
    inside: 'refusalOf',
    text: "headers['origin'] !== origin",
    becomes: "headers['origin'] === ''",
    seenBy: DOOR,
  },
  {
    breaks: 'the cookie alone opens the dashboard, which every port of loopback gets',
    file: 'cli/dashboard/door/secrets.ts',
    inside: null,
    text: 'tabKey === null || !tabs.has(tabKey)',
    becomes: 'tabKey === null',
    seenBy: [...DOOR, 'test/unit/cli/dashboard/secrets.test.ts'],
  },
  {
    breaks: 'the dashboard can be put into a frame of another page',
    file: 'cli/dashboard/door/answer.ts',
    inside: null,
    text: "frame-ancestors 'none'",
    becomes: 'frame-ancestors http:',
    seenBy: [...DOOR, 'test/activity/dashboard/elsewhere.test.ts'],
  },
  {
    breaks: 'another page can load the parts of the dashboard',
    file: 'cli/dashboard/door/answer.ts',
    inside: null,
    text: "'cross-origin-resource-policy': 'same-origin'",
    becomes: "'cross-origin-resource-policy': 'cross-origin'",
    seenBy: [...DOOR, 'test/activity/dashboard/elsewhere.test.ts'],
  },
  {
    breaks: 'a stage whose checks came to no verdict cannot be approved',
    file: 'cli/explain/set/approval.ts',
    inside: 'approvableIn',
    text: "isUnknown ? 'Open' : 'Waiting'",
    becomes: "isUnknown ? 'Waiting' : 'Waiting'",
    seenBy: ROLLOUT,
  },
  {
    breaks: 'the page does not offer to make checks once more that came to no verdict',
    file: 'cli/dashboard/view/rollout/acts.ts',
    inside: 'wantedOf',
    text: 'hasFailed || isUnknown',
    becomes: 'hasFailed',
    seenBy: ROLLOUT,
  },
  {
    breaks: 'the planner is offered to who may not write',
    file: 'cli/dashboard/view/rollout/acts.ts',
    inside: 'mayPlan',
    text: "may('update'",
    becomes: "may('patch'",
    seenBy: ROLLOUT,
  },
  {
    breaks: 'an approval counts for a stage that nobody has looked at',
    file: 'cli/dashboard/view/seen.ts',
    inside: 'seenOfRollout',
    text: "waits: approvableIn(one).waiting[0] ?? ''",
    becomes: "waits: ''",
    seenBy: ROLLOUT,
  },
  {
    breaks: 'a Capp that has moved is moved off again by a sheet that was opened before',
    file: 'cli/dashboard/view/seen.ts',
    inside: 'seenOf',
    text: "sites.map(({ clusterName }) => clusterName).join(' and ')",
    becomes: "''",
    seenBy: APP,
  },
  {
    breaks: 'a move with Recreate is said to start a second copy first',
    file: 'cli/dashboard/view/sheets/app.ts',
    inside: 'moveOf',
    text: 'isRecreated ? gap : noGap',
    becomes: 'noGap === gap ? gap : noGap',
    seenBy: APP,
  },
  {
    breaks: 'a person is offered a question that the API server refuses them',
    file: 'cli/dashboard/view/fleet.ts',
    inside: 'siteCards',
    text: 'SUPPOSED.every(',
    becomes: 'SUPPOSED.some(',
    seenBy: ['test/unit/cli/dashboard/fleet.test.ts'],
  },
  {
    breaks: 'the time line leaves out the newest where older ones were there first',
    file: 'cli/dashboard/view/past/newest.ts',
    inside: null,
    text: 'ms <= (kept.at(-1)?.ms ?? -Infinity)',
    becomes: 'ms >= (kept.at(-1)?.ms ?? -Infinity)',
    seenBy: PAST,
  },
  {
    breaks: 'a move is said to follow from what came after it',
    file: 'cli/dashboard/view/past/time-line.ts',
    inside: 'causeOf',
    text: 'one.ms <= ms && ',
    becomes: '',
    seenBy: PAST,
  },
];
