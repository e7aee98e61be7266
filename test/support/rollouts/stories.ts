// Rollouts that a user would want to see from beginning to end: their strategy, their sites, and what people
// do.
import type { z } from 'zod';
import type { Strategy } from '../../../crds/rollout/stages.ts';
import { nothingMeasured, type Figures } from '../../../workflows/types/verification.ts';

/** `editBack`: to the revision before. */
export type StoryRequest = 'abort' | 'retry' | 'editBack';

export interface Story {
  readonly title: string;
  /** For readers, before the lines. */
  readonly about: string;
  readonly clusters: readonly string[];
  readonly strategy: z.input<typeof Strategy>;
  /** Sites on which the new revision does not become Ready. */
  readonly failing?: readonly string[];
  /** The status with which the app answers its checks with the new revision; 200 if absent. */
  readonly answers?: 200 | 500;
  /** Site → how many seconds after the edit it can be reached again. */
  readonly lost?: Readonly<Record<string, number>>;
  /** Seconds after the edit → what a person asks for then. */
  readonly requests?: Readonly<Record<number, StoryRequest>>;
  /** Seconds after the edit → the stage that a person approves then. */
  readonly approvals?: Readonly<Record<number, string>>;
}

/** Each site says after so long whether its copy is Ready. */
export const READY_SECONDS = 60;
/** The checks of a copy have ended so long after they were asked for. */
export const CHECKED_SECONDS = 30;

/** What the agent has counted of them by then, in milliseconds since the epoch. */
export function figuresOf({ answers = 200 }: Story, at: number): readonly Figures[] {
  const figures = nothingMeasured('answers');
  const last = [{ at, is: answers === 200 ? 'Successful' : 'Failed', says: `status ${answers}` }] as const;
  return [answers === 200 ? { ...figures, successful: 3, last } : { ...figures, failed: 1, last }];
}

const SITES = ['berlin', 'lima', 'oslo', 'quito', 'rome'];
const CANARY = { name: 'canary', sites: { count: 1 } };
const CHECKED: Story['strategy'] = {
  stages: [{ ...CANARY, verify: [{ name: 'answers', http: { path: '/healthz' } }] }, { name: 'rest' }],
  maxConcurrent: '100%',
};

export const STORIES: readonly Story[] = [
  {
    title: 'Without stages',
    about:
      'At most a quarter of the sites at once, and at least one. That is what a set does without a strategy.',
    clusters: SITES,
    strategy: {},
  },
  {
    title: 'A canary, a soak, and the rest two at a time',
    about: 'The canary must have been Ready for ten minutes before the others get the revision.',
    clusters: SITES,
    strategy: { stages: [{ ...CANARY, soakSeconds: 600 }, { name: 'rest' }], maxConcurrent: 2 },
  },
  {
    title: 'A person approves',
    about: 'The second stage waits for a person, who approves it after five minutes.',
    clusters: SITES,
    strategy: { stages: [CANARY, { name: 'rest', approval: 'Required' }], maxConcurrent: '100%' },
    approvals: { 300: 'rest' },
  },
  {
    title: 'A canary fails',
    about: 'Nothing more is changed, and a person decides. That is onFailure: Pause, which is the default.',
    clusters: SITES,
    strategy: { stages: [CANARY, { name: 'rest' }] },
    failing: SITES,
  },
  {
    title: 'The app is checked on the canary',
    about:
      'The canary must answer its [checks](verification.md) before the others get the revision: here they take half a minute.',
    clusters: SITES,
    strategy: CHECKED,
  },
  {
    title: 'A check fails, and it goes back by itself',
    about:
      'The canary starts and is Ready, and its app answers with 500. With onFailure: RollBack it gets the earlier revision.',
    clusters: SITES,
    strategy: { ...CHECKED, onFailure: 'RollBack' },
    answers: 500,
  },
  {
    title: 'It goes back by itself',
    about: 'With onFailure: RollBack the sites that were changed get the earlier revision.',
    clusters: SITES,
    strategy: { maxConcurrent: 2, onFailure: 'RollBack' },
    failing: ['lima', 'oslo', 'rome', 'quito', 'berlin'],
  },
  {
    title: 'Some may fail',
    about: 'One site in five may fail, and the rollout goes on.',
    clusters: SITES,
    strategy: { maxConcurrent: 2, maxFailures: '20%' },
    failing: ['oslo'],
  },
  {
    title: 'A site that cannot be reached',
    about:
      'With offline: Later, the default, it does not count, and gets the revision when it is back, after twenty minutes.',
    clusters: SITES,
    strategy: { maxConcurrent: 2 },
    lost: { lima: 1_200 },
  },
  {
    title: 'A site that cannot be reached, and is waited for',
    about:
      'With offline: Wait the stage of the canaries waits for oslo, which is back after twenty minutes. The rest gets nothing before.',
    clusters: SITES,
    strategy: {
      stages: [{ name: 'canary', sites: { percent: 60 } }, { name: 'rest' }],
      maxConcurrent: '100%',
      offline: 'Wait',
    },
    lost: { oslo: 1_200 },
  },
  {
    title: 'A site that cannot be reached, and counts as failed',
    about:
      'With offline: Fail the rollout stops at once, and goes on when lima is back, after twenty minutes.',
    clusters: SITES,
    strategy: { maxConcurrent: 2, offline: 'Fail' },
    lost: { lima: 1_200 },
  },
  {
    title: 'A tenth, then half, then all',
    about: 'Shares are rounded up. Which sites they take is drawn once for each set.',
    clusters: SITES,
    strategy: {
      stages: [
        { name: 'tenth', sites: { percent: 10 } },
        { name: 'half', sites: { percent: 50 } },
        { name: 'rest' },
      ],
      maxConcurrent: '100%',
      soakSeconds: 120,
    },
  },
  {
    title: 'A person aborts it, and retries later',
    about: 'After the retry it begins again at the first stage. Sites that have the revision keep it.',
    clusters: SITES,
    strategy: { stages: [{ ...CANARY, soakSeconds: 600 }, { name: 'rest' }], maxConcurrent: 2 },
    requests: { 120: 'abort', 900: 'retry' },
  },
  {
    title: 'A person edits it back',
    about: 'The sites that were changed get the earlier revision, without a soak.',
    clusters: SITES,
    strategy: { maxConcurrent: 2, soakSeconds: 600 },
    requests: { 210: 'editBack' },
  },
  {
    title: 'At night alone',
    about: 'The edit is made at noon, and no site gets the revision before ten in the evening.',
    clusters: SITES,
    strategy: {
      maxConcurrent: '100%',
      windows: [{ days: ['Sun'], from: '22:00', to: '24:00', timeZone: 'UTC' }],
    },
  },
];
