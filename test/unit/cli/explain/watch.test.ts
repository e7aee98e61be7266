// The steps that `kubectl capp watch` shows, and the answers that `wait` and `move --wait` take.
import type { Capp } from '../../../../crds/capp/capp.ts';
import type { CappStatus } from '../../../../crds/capp/status.ts';
import { stepDrawer, stepLine } from '../../../../cli/commands/capp/watch.ts';
import { answerTo, type MoveAsked } from '../../../../cli/explain/capp/answer.ts';
import { durationFrom, goalFrom, verdictOn } from '../../../../cli/explain/capp/goal.ts';
import { stepsOf } from '../../../../cli/explain/capp/steps.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { NO_COLOURS } from '../../../support/builders/process/terminals.ts';

type Said = readonly [
  type: string,
  status: 'True' | 'False' | 'Unknown',
  reason: string,
  generation?: number,
];

function saying(conditions: readonly Said[], status: CappStatus = {}, generation = 1): Capp {
  const lastTransitionTime = '2026-03-01T12:00:00Z';
  return {
    ...aCapp({ generation }),
    status: {
      ...status,
      conditions: conditions.map(([type, is, reason, observedGeneration = 1]) => ({
        type,
        status: is,
        reason,
        message: `About ${reason}.`,
        lastTransitionTime,
        observedGeneration,
      })),
    },
  };
}

const states = (capp: Capp | null): string[] => stepsOf(capp).map(({ name, state }) => `${name} ${state}`);

describe('the steps', () => {
  it('of a Capp that nobody has looked at have not begun', () => {
    expect(states(aCapp())).toEqual([
      'Placed not yet',
      'Applied not yet',
      'Available not yet',
      'Ready not yet',
    ]);
  });

  it('after one that is under way have not begun', () => {
    const capp = saying([
      ['Placed', 'True', 'Chosen'],
      ['Applied', 'Unknown', 'Applying'],
      ['Available', 'Unknown', 'NotObserved'],
      ['Ready', 'Unknown', 'Applying'],
    ]);
    expect(states(capp)).toEqual([
      'Placed done',
      'Applied under way',
      'Available not yet',
      'Ready under way',
    ]);
  });

  it('of an older generation do not count, but its site does', () => {
    const capp = saying(
      [
        ['Placed', 'True', 'Chosen'],
        ['Ready', 'True', 'Ready'],
      ],
      {},
      2,
    );
    expect(states(capp)).toEqual(['Placed done', 'Applied not yet', 'Available not yet', 'Ready not yet']);
  });

  it('have a move and a passed deadline among them where there is one', () => {
    const capp = saying([
      ['Migrating', 'True', 'Moving'],
      ['Stalled', 'True', 'DeadlinePassed'],
    ]);
    expect(states(capp).slice(3)).toEqual(['Moving under way', 'Ready not yet', 'Stalled failed']);
    expect(states(saying([['Migrating', 'False', 'CoolDown']]))).toContain('Moving not yet');
    expect(states(saying([['Migrating', 'False', 'NotMoving']])).join()).not.toContain('Moving');
  });

  it('of a Capp that is gone are one', () => {
    expect(states(null)).toEqual(['Ready failed']);
  });

  it('are cut to the width of the terminal', () => {
    const [step] = stepsOf(saying([['Placed', 'True', 'Chosen']]));
    if (step === undefined) throw new Error('There is no step.');
    expect(stepLine(step, { width: 24, colours: NO_COLOURS })).toBe('✓ Placed    Chosen: Abo…');
    expect(stepLine(step, { width: 33, colours: NO_COLOURS })).toBe('✓ Placed    Chosen: About Chosen.');
  });
});

test('in a terminal each picture is drawn over the one before it, whatever the number of its lines', () => {
  const out: string[] = [];
  const draw = stepDrawer({ out: (text) => void out.push(text), colours: NO_COLOURS, width: 40 });
  draw(saying([['Migrating', 'True', 'Moving']], { applicationLinks: { site: 'site-1' } }));
  draw(saying([['Placed', 'True', 'Chosen']]));
  draw(null);
  const [first = '', second = '', last = ''] = out;
  expect(first.split('\n')).toHaveLength(6);
  expect(first.split('\n')[0]).toBe('apps/app: Moving on site-1');
  expect(second.startsWith('\u001b[6A\u001b[0Japps/app: ')).toBe(true);
  expect(last).toBe('\u001b[5A\u001b[0J✗ Ready     Gone: The Capp is gone from…');
});

test.each([
  ['ready', { kind: 'ready' }],
  ['deleted', { kind: 'deleted' }],
  ['site=site-2', { kind: 'site', site: 'site-2' }],
  ['Placed=True', { kind: 'condition', type: 'Placed', status: 'True' }],
  ['Ready=false', { kind: 'condition', type: 'Ready', status: 'False' }],
  // As for kubectl: there is no condition of this name for which anybody could wait.
  ['condition=Ready', null],
  ['rain', null],
  ['site=', null],
  ['=True', null],
])('the goal "%s" is read as %j', (text, goal) => {
  expect(goalFrom(text)).toEqual(goal);
});

test.each([
  ['90s', 90_000],
  ['10m', 600_000],
  ['2h', 7_200_000],
  ['10', null],
  ['m', null],
  ['1d', null],
])('the time "%s" is %s ms', (text, ms) => {
  expect(durationFrom(text)).toBe(ms);
});

describe('a goal', () => {
  const ready = { kind: 'ready' } as const;
  const on = { kind: 'site', site: 'site-2' } as const;
  const there: CappStatus = { applicationLinks: { site: 'site-2' } };

  it.each([
    ['Ready of this generation', ready, saying([['Ready', 'True', 'Ready']]), 'reached'],
    ['Ready of an older one', ready, saying([['Ready', 'True', 'Ready']], {}, 2), undefined],
    ['a passed deadline', ready, saying([['Stalled', 'True', 'DeadlinePassed']]), 'missed'],
    ['one of an older generation', ready, saying([['Stalled', 'True', 'DeadlinePassed']], {}, 2), undefined],
    ['a Capp that is gone', ready, null, 'missed'],
    ['the site, and no move', on, saying([['Migrating', 'False', 'NotMoving']], there), 'reached'],
    ['the site before the old copy is gone', on, saying([['Migrating', 'True', 'Moving']], there), undefined],
    ['another site', on, saying([], { applicationLinks: { site: 'site-1' } }), undefined],
    ['a deleted Capp', { kind: 'deleted' } as const, null, 'reached'],
    ['a Capp that is there', { kind: 'deleted' } as const, saying([]), undefined],
    [
      'a condition',
      { kind: 'condition', type: 'Placed', status: 'False' } as const,
      saying([['Placed', 'False', 'NoDecision']]),
      'reached',
    ],
  ])('with %s', (_, goal, capp, expected) => {
    expect(verdictOn(goal, capp)?.is).toBe(expected);
  });
});

describe('a request to move', () => {
  const asked: MoveAsked = { source: 'migrate', id: 'new', to: null, lastEndedAt: '2026-03-01T11:00:00Z' };
  const moved = (endedAt: string, result = 'Moved'): CappStatus => ({
    migration: { handledRequest: 'new', lastMove: { to: 'site-2', result, endedAt, message: 'Why.' } },
  });
  const LATER = '2026-03-01T12:30:00Z';

  it.each([
    [
      'has no answer while another one was answered last',
      { migration: { handledRequest: 'old' } },
      undefined,
    ],
    ['has none by the end of an earlier move', moved('2026-03-01T11:00:00Z'), undefined],
    ['is met by the end of a later one', moved(LATER), 'reached'],
    ['is not met by one that failed', moved(LATER, 'Failed'), 'missed'],
  ])('%s', (_, status, expected) => {
    expect(answerTo(asked, saying([['Migrating', 'False', 'NotMoving']], status))?.is).toBe(expected);
  });

  it('is not over while the Capp is on its way', () => {
    expect(answerTo(asked, saying([['Migrating', 'True', 'Moving']], moved(LATER)))).toBeNull();
  });

  it('is met where the Capp is there already, although it was refused', () => {
    const status = { ...moved('2026-03-01T11:00:00Z'), applicationLinks: { site: 'site-2' } };
    const capp = saying([['Migrating', 'False', 'MoveRefused']], status);
    expect(answerTo({ ...asked, to: 'site-2' }, capp)?.is).toBe('reached');
    expect(answerTo(asked, capp)?.is).toBe('missed');
  });

  it('with force is answered by its own id', () => {
    const status = { migration: { ...moved(LATER).migration, handledForce: 'old' } };
    expect(answerTo({ ...asked, source: 'force' }, saying([], status))).toBeNull();
  });
});
