// Users were sent on because their copy had failed, and DNS still leads some to it: it may serve again, so
// its agent is asked before that copy is removed.
import { afterNews, reporting } from '../../../../workflows/capp/after/answer.ts';
import { shipped } from '../../../../workflows/capp/after/apply.ts';
import { unwanted } from '../../../../workflows/capp/after/moving/moved.ts';
import { afterRefusal } from '../../../../workflows/capp/after/removal.ts';
import { ASKED_AFTER_SILENCE, ASKED_FIRST } from '../../../../workflows/capp/changes.ts';
import { remove } from '../../../../workflows/capp/steps/remove.ts';
import { report } from '../../../../workflows/capp/steps/wait.ts';
import { nextStep } from '../../../../workflows/capp/next/next-step.ts';
import type { Heard, Inquiry, VerdictNews } from '../../../../workflows/capp/listener.ts';
import type { CappLife } from '../../../../workflows/capp/life.ts';
import type { DnsRecord, State } from '../../../../workflows/capp/state.ts';
import type { Copy } from '../../../../workflows/types/copy.ts';
import type { Move } from '../../../../workflows/types/moves.ts';
import { anAnswer, MINUTE, NOW } from '../../../support/builders/states.ts';
import { after, BAD, moving, READY } from '../../../support/builders/moving.ts';

const STAMP = 'uid-1/1/hash/one';
const TTL = 60_000;
const REMOVE = { do: 'remove', clusters: ['site-1'] };
const WAIT = { do: 'rest', until: NOW + 4_000 };
/** The provider has not brought it to DNS yet. */
const PENDING: DnsRecord = {
  cluster: 'site-2',
  isDue: false,
  isThere: true,
  syncedAt: null,
  ttlMs: 0,
  said: { reason: 'RecordPending', message: 'Not yet.' },
  retryAt: NOW + 4_000,
  tries: 1,
};
/** Resolvers have forgotten the former one. */
const LED: DnsRecord = { ...PENDING, syncedAt: NOW - TTL, ttlMs: TTL };
/** It failed before users were sent on. */
const OLD: Partial<Copy> = { ...BAD, wanted: false, heardAt: NOW - MINUTE };

interface Given {
  readonly old?: Partial<Copy>;
  readonly dns?: DnsRecord;
  readonly move?: Partial<Move>;
  readonly plain?: Partial<State>;
}

/** The new copy on site-2 is Ready, and confirmed. */
function confirmedMove({ old = {}, dns = PENDING, move = {}, plain = {} }: Given = {}): State {
  const told = moving({ confirmation: 'Given', ...move }, { ...OLD, ...old }, READY, plain);
  return { ...after(told), dns };
}

const CHANGES = [ASKED_FIRST, ASKED_AFTER_SILENCE];

/** What `remove` asks and removes, in a run whose history has these changes. */
async function removing(state: State, changes: readonly string[] = CHANGES, now = NOW) {
  const asked: Inquiry[] = [];
  const removed: string[][] = [];
  const by = {
    remove: async (_capp: unknown, clusters: string[]) => {
      removed.push(clusters);
      return { leaving: clusters };
    },
  };
  const runtime = {
    now: () => now,
    localWrite: () => by,
    hub: () => by,
  };
  const agent = { drop: () => undefined, ask: (inquiry: Inquiry) => asked.push(inquiry) };
  const noted = new Set(changes);
  const life = { state, runtime, agent, noted } as unknown as CappLife;
  await remove(life, ['site-1']);
  return { state: life.state, asked: asked.map(({ kind, cluster }) => `${kind} ${cluster}`), removed };
}

const newsOf = (heard: Heard, copy: { cluster?: string; stamp?: string } = {}): VerdictNews => ({
  cluster: 'site-1',
  stamp: STAMP,
  ...copy,
  ...heard,
});
const answerOf = (verdict: 'Ready' | 'Failed'): Heard => ({ outcome: 'Answered', answer: anAnswer(verdict) });

test.each<[string, Given]>([
  ['failed by an old report', {}],
  ['has failed by an old report and is past the deadline of its move', { move: { deadline: NOW } }],
  ['was asked whether users can return, and has not answered', { old: { heard: false } }],
  ['was out of reach with its agent, which may be back', { old: { silentSince: NOW - MINUTE } }],
  [
    'was never heard of since it was shipped',
    { old: { finding: null, heardAt: 0 }, move: { deadline: NOW } },
  ],
])('the agent of an old copy to which DNS may lead is asked first if the copy %s', async (_, given) => {
  const { asked, removed, state } = await removing(confirmedMove(given));
  expect([asked, removed]).toEqual([['report site-1'], []]);
  expect(state.copies['site-1']).toMatchObject({ heard: false, askedAt: NOW });
});

test.each<[string, Given]>([
  ['DNS leads nobody to it any more', { dns: LED }],
  ['its report is fresh', { old: { heardAt: NOW - 29_000 } }],
  ['its agent was silent a moment ago', { old: { silentSince: NOW - MINUTE + 1 } }],
  ['its site has it no more', { old: { absentSince: NOW - MINUTE } }],
  ['its site is unreachable', { plain: { unreachable: ['site-1'] } }],
  ['it was never shipped', { old: { stamp: null } }],
  ['the user wants it to go first', { move: { strategy: 'Recreate' } }],
])('an old copy goes without a question if %s', async (_, given) => {
  const { asked, removed } = await removing(confirmedMove(given));
  expect([asked, removed]).toEqual([[], [['site-1']]]);
});

test.each<[string, readonly string[], Partial<Copy>]>([
  ['of one that asked nobody first', [], {}],
  ['of one that asked no agent that had been silent', [ASKED_FIRST], { silentSince: NOW - 60 * MINUTE }],
])('the history of an earlier build, %s, is replayed as it was', async (_, changes, old) => {
  const { asked, removed } = await removing(confirmedMove({ old }), changes);
  expect([asked, removed]).toEqual([[], [['site-1']]]);
});

describe('the old copy whose agent was asked', () => {
  test('stays until the answer has come, and no longer than any question takes', async () => {
    const { state } = await removing(confirmedMove());
    expect(nextStep(state, NOW)).toEqual(WAIT);
    const later = { ...state, dns: { ...PENDING, retryAt: NOW + 10 * MINUTE } };
    expect(nextStep(later, NOW + 5 * MINUTE)).toEqual({
      do: 'report',
      cluster: 'site-2',
    });
  });

  test('stays when it serves again, until DNS has led users away', async () => {
    const { state } = await removing(confirmedMove());
    const told = afterNews(state, newsOf(answerOf('Ready')), NOW);
    expect(nextStep(told, NOW)).toEqual(WAIT);
    expect(nextStep({ ...told, dns: LED }, NOW)).toEqual(REMOVE);
  });

  test.each<[string, VerdictNews]>([
    ['still fails', newsOf(answerOf('Failed'))],
    ['is on its site no more', newsOf({ outcome: 'Absent', gone: false })],
    ['is not told of, because its agent is silent', newsOf({ outcome: 'Silent' })],
  ])('goes when it %s', async (_, news) => {
    const { state } = await removing(confirmedMove());
    const told = afterNews(state, news, NOW);
    expect(nextStep(told, NOW)).toEqual(REMOVE);
    expect(await removing(told)).toMatchObject({ asked: [], removed: [['site-1']] });
  });

  test('that is silent for the first time counts as asked no more, as in runs of earlier builds', async () => {
    const { state } = await removing(confirmedMove());
    const told = afterNews(state, newsOf({ outcome: 'Silent' }), NOW);
    expect(told.copies['site-1']).toMatchObject({ silentSince: NOW });
    expect(told.copies['site-1']).not.toHaveProperty('askedAt');
  });

  test('goes when its agent is silent again, and is asked about no more, however long that was ago', async () => {
    const { state } = await removing(confirmedMove({ old: { silentSince: NOW - 60 * MINUTE } }));
    const told = afterNews(state, newsOf({ outcome: 'Silent' }), NOW + MINUTE);
    expect(told.copies['site-1']).toMatchObject({ silentSince: NOW + MINUTE });
    expect(nextStep({ ...told, dns: { ...PENDING, retryAt: NOW + 60 * MINUTE } }, NOW + MINUTE)).toEqual({
      do: 'report',
      cluster: 'site-2',
    });
    const later = await removing(told, CHANGES, NOW + 30 * MINUTE);
    expect(later).toMatchObject({ asked: [], removed: [['site-1']] });
  });
});

/** The steps until the old copy goes, if each agent takes that many milliseconds to answer; eight at most. */
async function slowly(given: State, tookMs: number): Promise<string[]> {
  let [state, now] = [given, NOW];
  const steps: string[] = [];
  while (steps.length < 8) {
    const step = nextStep(state, now);
    if (step.do === 'remove') {
      const done = await removing(state, CHANGES, now);
      if (done.removed.length > 0) return [...steps, 'remove'];
      state = done.state;
      steps.push('ask first');
    } else if (step.do === 'report') {
      state = reporting(state, step.cluster);
      steps.push(`ask ${step.cluster}`);
    } else return [...steps, step.do];
    now += tookMs;
    const cluster = step.do === 'remove' ? 'site-1' : step.cluster;
    const stamp = state.copies[cluster]?.stamp ?? '';
    const answer = answerOf(cluster === 'site-1' ? 'Failed' : 'Ready');
    state = afterNews(state, newsOf(answer, { cluster, stamp }), now);
  }
  return steps;
}

describe('agents of both copies that take longer than a report is fresh', () => {
  const unled = { ...PENDING, retryAt: NOW + 60 * MINUTE };

  test('are asked once about the old copy, which then goes by a fresh report on the new one', async () => {
    const given = confirmedMove({ dns: unled });
    expect(await slowly(given, 5_000)).toEqual(['ask first', 'remove']);
    expect(await slowly(given, 40_000)).toEqual(['ask first', 'ask site-2', 'remove']);
  });

  test('are asked again about a copy whose removal has failed, before each further try', async () => {
    const asked = await removing(confirmedMove({ dns: unled }));
    const told = afterNews(asked.state, newsOf(answerOf('Failed')), NOW);
    const refused = afterRefusal(told, ['site-1'], 'a webhook said no', { now: NOW, ringsHeard: 1 });
    expect((await removing(refused, CHANGES, NOW + 120 * MINUTE)).asked).toEqual(['report site-1']);
  });

  test('are asked again about a copy that was shipped or wanted since', async () => {
    const asked = await removing(confirmedMove({ dns: unled }));
    const told = afterNews(asked.state, newsOf(answerOf('Failed')), NOW);
    const old = told.copies['site-1'];
    if (old === undefined) throw new Error('There is no old copy.');
    const back = { ...told.copies, 'site-1': { ...old, wanted: true } };
    const again = { ...told, copies: unwanted(back, 'site-1') };
    expect((await removing(again, CHANGES, NOW + MINUTE)).asked).toEqual(['report site-1']);
    const uid = 'work-uid';
    const work = { uid, applied: 'True', reason: '' } as const;
    const anew = { stamp: 'uid-1/2/hash/two', created: false, deadlineSeconds: 60, generation: 2 } as const;
    const shipment = { outcome: 'Applied', ...anew, work, at: NOW } as const;
    expect(shipped(told, 'site-1', shipment).copies['site-1']).not.toHaveProperty('askedAt');
  });
});

test.each([
  ['an earlier build', []],
  ['this build', CHANGES],
])(
  'in a run of %s the agent of a bad old copy is asked once for the report on which its removal rests',
  async (_, changes) => {
    // The new copy's agent is being asked, so the removal cannot rest on its report.
    const told = confirmedMove({ dns: LED });
    const copies = { ...told.copies, 'site-2': { ...(told.copies['site-2'] as Copy), heard: false } };
    const state = { ...told, copies };
    const step = { do: 'report', cluster: 'site-1' };
    expect(nextStep(state, NOW)).toEqual(step);
    const asked: Inquiry[] = [];
    const agent = { drop: () => undefined, ask: (inquiry: Inquiry) => asked.push(inquiry) };
    const life = {
      state,
      runtime: { now: () => NOW },
      agent,
      noted: new Set(changes),
    } as unknown as CappLife;
    await report(life, 'site-1');
    expect(asked.map(({ kind, cluster }) => `${kind} ${cluster}`)).toEqual(['report site-1']);
    expect(nextStep(life.state, NOW)).not.toEqual(step);
  },
);
