// How a drain reads its input, and what people read about it.
import { drainCommand } from '../../../workflows/drain/decide/command.ts';
import { describeDrain, progressOf, summaryOf } from '../../../workflows/drain/decide/progress.ts';
import { drainStep } from '../../../workflows/drain/decide/step.ts';
import { LANES } from '../../../workflows/drain/decide/width.ts';
import { refused } from '../../../workflows/drain/earlier.ts';
import { readDrain, readLanes } from '../../../workflows/drain/input.ts';
import type { DrainStart } from '../../../workflows/drain/state.ts';
import { readTurnRequest, readSettled } from '../../../workflows/parse/turns.ts';
import { aDrain, aWaiting, goingTo } from '../../support/builders/drain/drains.ts';
import { NOW } from '../../support/builders/states.ts';

const NEWS = { namespace: 'apps', name: 'a', outcome: 'Moved', to: 'site-2', reason: 'Tainted' };

describe('the input of a turns workflow', () => {
  test('may be the cluster alone, and then only Capps that ask get a turn', () => {
    expect(readDrain({ cluster: 'site-1' }, NOW)).toMatchObject({
      everything: false,
      lanes: LANES,
      listing: null,
      begunAt: NOW,
    });
  });

  test('may set the width of the lanes', () => {
    expect(readDrain({ cluster: 'site-1', width: 3 }, NOW).lanes).toEqual({ ...LANES, width: 3 });
  });

  test('may be the state of its previous run', () => {
    const state = aDrain({ waiting: [aWaiting('a')], moved: 7, paused: true });
    expect(readDrain(JSON.parse(JSON.stringify(state)) as typeof state, NOW + 1)).toEqual(state);
  });

  test.each<[string, unknown]>([
    ['"cluster" must be the name of a site', {}],
    ['"cluster" must be the name of a site', null],
    ['"cluster" must be the name of a site', { cluster: 7 }],
    ['"width" must be a whole number from 1 to 1000', { cluster: 'site-1', width: '10' }],
  ])('is refused when a field is missing or invalid: %s', (message, given) => {
    expect(() => readDrain(given as DrainStart, NOW)).toThrow(message);
  });
});

const MAKES_A_DRAIN =
  `echo '{"apiVersion":"rcs.dana.io/v1alpha1","kind":"Drain","metadata":{"name":"site-1"},"spec":{}}' | ` +
  'kubectl create -f -';

describe('a drain that a person starts in Temporal is refused', () => {
  test.each<[string, unknown]>([
    ['as the page once said', { cluster: 'site-1' }],
    ['with lanes', { cluster: 'site-1', width: 3 }],
    ['with the state of an earlier version', { cluster: 'site-1', version: 1, everything: true }],
    ['as the bridge of an earlier version starts it', { cluster: 'site-1', drain: 'uid-1' }],
  ])('with the line that creates the Drain: %s', (_how, given) => {
    const { message, nonRetryable, type } = refused('drain', given);
    expect({ nonRetryable, type }).toEqual({ nonRetryable: true, type: 'Invalid' });
    expect(message).toContain(MAKES_A_DRAIN);
  });

  test('and a plan with the line that creates a dry run', () => {
    const { message } = refused('plan', { cluster: 'site-1' });
    expect(message).toContain('"spec":{"dryRun":true}');
  });

  test.each([undefined, null, {}, { cluster: "x' ; rm -rf /" }])(
    'and no line for a shell holds what is no name of a site: %j',
    (given) => {
      expect(refused('drain', given).message).toContain('"name":"<site>"');
    },
  );
});

describe('lanes', () => {
  test.each<[string, unknown, object]>([
    ['stay unchanged where a field is missing', {}, LANES],
    ['stay unchanged without a value', undefined, LANES],
    [
      'change where a field is set',
      { perTarget: 1, ratePerSecond: 2 },
      { ...LANES, perTarget: 1, ratePerSecond: 2 },
    ],
  ])('%s', (_name, given, expected) => {
    expect(readLanes(LANES, given)).toEqual(expected);
  });

  test.each([
    { width: 0 },
    { width: 1.5 },
    { width: 1001 },
    { perTarget: '5' },
    { ratePerSecond: null },
    { ratePerSecond: Infinity },
  ])('cannot be %j', (given) => {
    const [field = ''] = Object.keys(given);
    expect(() => readLanes(LANES, given)).toThrow(`"${field}" must be a whole number`);
  });
});

describe('the signal of a Capp', () => {
  test.each<[string, unknown, unknown]>([
    [
      'is read unchanged',
      { namespace: 'apps', name: 'a', to: 'site-2', priority: 3 },
      { namespace: 'apps', name: 'a', to: 'site-2', priority: 3 },
    ],
    [
      'may lack target and priority',
      { namespace: 'apps', name: 'a' },
      { namespace: 'apps', name: 'a', to: null, priority: 0 },
    ],
    ['is ignored without a name', { namespace: 'apps' }, null],
    ['is ignored without a value', undefined, null],
    [
      'is ignored with a priority that is not a number',
      { namespace: 'apps', name: 'a', priority: 'high' },
      null,
    ],
  ])('that requests a turn %s', (_name, given, expected) => {
    expect(readTurnRequest(given)).toEqual(expected);
  });

  test.each<[string, unknown, unknown]>([
    ['is read unchanged', NEWS, NEWS],
    ['may lack the reason', { ...NEWS, reason: undefined }, { ...NEWS, reason: 'Unknown' }],
    ['is ignored with an unknown outcome', { ...NEWS, outcome: 'Lost' }, null],
    ['is ignored without a value', null, null],
  ])('with its news %s', (_name, given, expected) => {
    expect(readSettled(given)).toEqual(expected);
  });
});

describe('a drain shows', () => {
  const state = aDrain({
    waiting: Array.from({ length: 2_000 }, (_, index) => aWaiting(`app-${index}`, { isTold: true })),
    going: { ...goingTo('site-2', 40), ...goingTo(null, 10) },
    moved: 12,
    stays: {
      'apps/a': 'Pinned',
      'apps/b': 'Pinned',
      'apps/c': 'CoolDown until 2026-03-01T12:10:00Z',
      'apps/odd': 'Failed',
    },
    unnamed: 2,
  });

  test('its progress in a few fields, however many Capps wait', () => {
    expect(progressOf(state)).toMatchObject({
      phase: 'Draining',
      waiting: 2_000,
      targets: { 'site-2': 40, '?': 10 },
      moved: 12,
      stayed: { Pinned: 2, CoolDown: 1, Failed: 1, Other: 2 },
      named: [
        { capp: 'apps/odd', why: 'Failed' },
        { capp: 'apps/c', why: 'CoolDown until 2026-03-01T12:10:00Z' },
        { capp: 'apps/a', why: 'Pinned' },
        { capp: 'apps/b', why: 'Pinned' },
      ],
    });
    expect(progressOf(state).next).toHaveLength(10);
    expect(progressOf(state).firstMoves).toHaveLength(50);
    expect(progressOf({ ...state, paused: true }).phase).toBe('Paused');
    expect(progressOf({ ...state, paused: true, stopped: true }).phase).toBe('Stopped');
    expect(summaryOf(state)).toEqual({ ...progressOf(state), phase: 'Done' });
    expect(summaryOf({ ...state, stopped: true }).phase).toBe('Stopped');
  });

  test('its targets and first moves under their former names, too', () => {
    const { going, first, targets, firstMoves } = progressOf(state);
    expect([going, first]).toEqual([targets, firstMoves]);
  });

  test('in the UI how many Capps wait, moved and stayed, until when it rests, and the commands', () => {
    const text = describeDrain(state, drainStep(state, NOW));
    for (const part of [
      '**Draining** `site-1`',
      '| 2000 | 50 (site-2 40, ? 10) | 12 | 6 (Other 2, Pinned 2, CoolDown 1, Failed 1) |',
      'until 2026-03-01T12:15:00Z',
      '`apps/odd`: Failed',
      '`apps/c`: CoolDown until 2026-03-01T12:10:00Z',
      '-w turns/site-1 --name pause',
      `To tell every Capp to leave: \`${drainCommand('site-1')}\``,
    ]) {
      expect(text).toContain(part);
    }
  });

  test('its result and no commands when it has ended', () => {
    const text = describeDrain({ ...state, waiting: [], going: {} }, { do: 'end' });
    expect(text).toContain('**Done** `site-1`');
    expect(text).toContain('| 0 | 0 | 12 | 6 (Other 2, Pinned 2, CoolDown 1, Failed 1) |');
    expect(text).toContain('No Drain orders this');
    expect(text).not.toContain('pause');
  });

  test('where to look for who ordered it', () => {
    const text = describeDrain({ ...state, everything: true, drain: 'uid-1' }, { do: 'list' });
    expect(text).toContain('`kubectl describe drain site-1`');
    expect(text).not.toContain('No Drain orders this');
    expect(text).not.toContain('temporal ');
  });
});
