// Whether users who were sent to a new copy return to the old one, whose agent is asked first.
import { nextStep, type NextStep } from '../../../../workflows/capp/next/next-step.ts';
import { askingBack } from '../../../../workflows/capp/after/moving/moved.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import { MINUTE, NOW } from '../../../support/builders/states.ts';
import { after, BAD, LATE, moving, READY } from '../../../support/builders/moving.ts';

/** The old copy's agent has been asked since the last ring. */
const ASKED_BACK = { ...LATE, askedBack: { at: NOW, ringsHeard: 1 } };

test.each<[string, NextStep, State]>([
  [
    'users are sent back when a confirmed new copy still fails at the deadline and the old copy is still there',
    { do: 'abandon' },
    after(moving({ ...ASKED_BACK, confirmation: 'Given' }, { ...READY, wanted: false }, BAD)),
  ],
  [
    'users are sent back when the new copy still fails at the deadline',
    { do: 'abandon' },
    after(moving({ ...ASKED_BACK, confirmation: 'Asked' }, READY, BAD)),
  ],
  [
    'the agent of the old copy is asked first whether users can return',
    { do: 'report', cluster: 'site-1' },
    after(moving({ ...LATE, confirmation: 'Asked' }, BAD, BAD)),
  ],
  [
    'its agent is asked again after ten minutes: it may have been silent',
    { do: 'report', cluster: 'site-1' },
    after(
      moving(
        { deadline: NOW, askedBack: { at: NOW - 10 * MINUTE, ringsHeard: 1 }, confirmation: 'Asked' },
        BAD,
        BAD,
      ),
    ),
  ],
  [
    'its agent is asked again after each ring',
    { do: 'report', cluster: 'site-1' },
    after(moving({ ...ASKED_BACK, confirmation: 'Asked' }, BAD, BAD, { ringsHeard: 2, ringsAnswered: 2 })),
  ],
  [
    'users do not return before its agent has answered',
    { do: 'rest', until: NOW + 10 * MINUTE },
    after(
      moving({ ...ASKED_BACK, confirmation: 'Asked' }, { ...READY, heard: false }, { ...BAD, deadline: NOW }),
    ),
  ],
  [
    'its agent is not asked before the deadline',
    { do: 'rest', until: NOW + 10 * MINUTE },
    after(moving({ confirmation: 'Asked' }, BAD, { ...BAD, deadline: NOW })),
  ],
  [
    'its agent is not asked while its site is unreachable',
    { do: 'rest', until: null },
    after(
      moving({ ...LATE, confirmation: 'Asked' }, BAD, { ...BAD, deadline: NOW }, { unreachable: ['site-1'] }),
    ),
  ],
  [
    'its agent is not asked when the new copy serves',
    { do: 'rest', until: null },
    after(moving({ ...LATE, confirmation: 'Asked' }, BAD, READY)),
  ],
  [
    'a paused Capp waits for no time',
    { do: 'rest', until: null },
    after(moving({ ...ASKED_BACK, confirmation: 'Asked' }, BAD, { ...BAD, deadline: NOW }, { paused: true })),
  ],
])('%s', (_name, step, state) => {
  expect(nextStep(state, NOW)).toEqual(step);
});

test('a run of an earlier build does not ask the old copy’s agent again, and sends users back by what it knew', () => {
  const late = after(moving({ ...LATE, confirmation: 'Asked' }, { ...READY, heard: false }, BAD));
  expect(nextStep(askingBack(late, false, NOW), NOW)).toEqual({ do: 'abandon' });
  expect(nextStep(askingBack(late, true, NOW), NOW).do).not.toBe('abandon');
});

test('a run of an earlier build waits as it did, without a timer that its history does not have', () => {
  const late = after(moving({ ...LATE, confirmation: 'Asked' }, BAD, { ...BAD, deadline: NOW }));
  const replayed = askingBack(late, false, NOW);
  expect(replayed.copies).toBe(late.copies);
  expect(nextStep(replayed, NOW)).toEqual({ do: 'rest', until: null });
  expect(nextStep({ ...replayed, ringsHeard: 2, ringsAnswered: 2 }, NOW)).toEqual({
    do: 'report',
    cluster: 'site-1',
  });
});
