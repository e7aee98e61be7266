// What a drain understands of what it is given, and what people read of it.
import {
  describeDrain,
  progressOf,
  summaryOf,
  taintCommand,
} from '../../../workflows/drain/decide/progress.ts';
import { drainStep } from '../../../workflows/drain/decide/step.ts';
import { LANES, readAccount, readDrain, readLanes, readOrder } from '../../../workflows/drain/input.ts';
import type { DrainStart } from '../../../workflows/drain/state.ts';
import { readTurnRequest, readSettled } from '../../../workflows/parse/turns.ts';
import { aDrain, aWaiting, goingTo } from '../../support/builders/drains.ts';
import { NOW } from '../../support/builders/states.ts';

const NEWS = { namespace: 'apps', name: 'a', outcome: 'Moved', to: 'site-2', reason: 'Tainted' };

describe('a drain is begun', () => {
  test('with a cluster alone: only those go that ask, until a person wants everything off', () => {
    expect(readDrain({ cluster: 'site-1' }, NOW)).toMatchObject({
      everything: false,
      lanes: LANES,
      listing: null,
      begunAt: NOW,
    });
  });

  test('with lanes of its own', () => {
    expect(readDrain({ cluster: 'site-1', width: 3 }, NOW).lanes).toEqual({ ...LANES, width: 3 });
  });

  test('anew from a checkpoint, as it was', () => {
    const state = aDrain({ waiting: [aWaiting('a')], moved: 7, paused: true });
    expect(readDrain(JSON.parse(JSON.stringify(state)) as typeof state, NOW + 1)).toEqual(state);
  });

  test.each<[string, unknown]>([
    ['"cluster" must be the name of a site', {}],
    ['"cluster" must be the name of a site', null],
    ['"cluster" must be the name of a site', { cluster: 7 }],
    ['"width" must be a whole number from 1 to 1000', { cluster: 'site-1', width: '10' }],
  ])('not without what it needs: %s', (message, given) => {
    expect(() => readDrain(given as DrainStart, NOW)).toThrow(message);
  });
});

describe('an order to empty a cluster is read', () => {
  test('with its time, and the lanes that a person gives', () => {
    expect(readOrder({ cluster: 'site-1' }, NOW)).toEqual({ cluster: 'site-1', lanes: {}, since: NOW });
    expect(readOrder({ cluster: 'site-1', width: 3 }, NOW)).toEqual({
      cluster: 'site-1',
      lanes: { width: 3 },
      since: NOW,
    });
  });

  test('nothing is ordered to leave by what Capps of an earlier version began', () => {
    expect(() => readOrder({ cluster: 'site-1', everything: false } as never, NOW)).toThrow('turns/<site>');
    expect(() => readOrder({ cluster: 'site-1', version: 1 } as never, NOW)).toThrow('turns/<site>');
  });

  test('as it was, in a new run', () => {
    const order = readOrder({ cluster: 'site-1', width: 3 }, NOW);
    expect(readOrder(JSON.parse(JSON.stringify(order)) as typeof order, NOW + 1)).toEqual(order);
  });

  test.each<[string, unknown]>([
    ['"cluster" must be the name of a site', null],
    ['"cluster" must be the name of a site', {}],
    ['"width" must be a whole number from 1 to 1000', { cluster: 'site-1', width: 0 }],
  ])('not without what it needs: %s', (message, given) => {
    expect(() => readOrder(given as DrainStart, NOW)).toThrow(message);
  });

  test('and ends with the account of this order only', () => {
    const order = readOrder({ cluster: 'site-1' }, NOW);
    const progress = summaryOf(aDrain());
    expect(readAccount({ order: NOW, progress }, order)).toEqual(progress);
    for (const given of [
      null,
      {},
      { order: NOW - 1, progress },
      { order: NOW },
      { order: NOW, progress: { ...progress, cluster: 'x' } },
    ])
      expect(readAccount(given, order)).toBeNull();
  });
});

describe('lanes', () => {
  test.each<[string, unknown, object]>([
    ['stay as they were where nothing is said', {}, LANES],
    ['stay as they were when nothing is said at all', undefined, LANES],
    [
      'change where something is said',
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

describe('what Capps say', () => {
  test.each<[string, unknown, unknown]>([
    [
      'is taken as it is',
      { namespace: 'apps', name: 'a', to: 'site-2', priority: 3 },
      { namespace: 'apps', name: 'a', to: 'site-2', priority: 3 },
    ],
    [
      'may lack what is not known',
      { namespace: 'apps', name: 'a' },
      { namespace: 'apps', name: 'a', to: null, priority: 0 },
    ],
    ['is nothing without a name', { namespace: 'apps' }, null],
    ['is nothing when it is nothing', undefined, null],
    [
      'is nothing with a priority that cannot be compared',
      { namespace: 'apps', name: 'a', priority: 'high' },
      null,
    ],
  ])('as a turn request %s', (_name, given, expected) => {
    expect(readTurnRequest(given)).toEqual(expected);
  });

  test.each<[string, unknown, unknown]>([
    ['is taken as it is', NEWS, NEWS],
    ['may lack a reason', { ...NEWS, reason: undefined }, { ...NEWS, reason: 'Unknown' }],
    ['is nothing with an outcome nobody knows', { ...NEWS, outcome: 'Lost' }, null],
    ['is nothing when it is nothing', null, null],
  ])('as news %s', (_name, given, expected) => {
    expect(readSettled(given)).toEqual(expected);
  });
});

describe('people read', () => {
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

  test('how far it is, in few words however many wait', () => {
    expect(progressOf(state)).toMatchObject({
      phase: 'Draining',
      waiting: 2_000,
      going: { 'site-2': 40, '?': 10 },
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
    expect(progressOf({ ...state, paused: true }).phase).toBe('Paused');
    expect(progressOf({ ...state, paused: true, stopped: true }).phase).toBe('Stopped');
    expect(summaryOf(state)).toEqual({ ...progressOf(state), phase: 'Done' });
    expect(summaryOf({ ...state, stopped: true }).phase).toBe('Stopped');
  });

  test('in the UI what waits, moved and stayed, until when, and what can be done', () => {
    const text = describeDrain(state, drainStep(state, NOW));
    for (const part of [
      '**Draining** `site-1`',
      '| 2000 | 50 (site-2 40, ? 10) | 12 | 6 (Other 2, Pinned 2, CoolDown 1, Failed 1) |',
      'until 2026-03-01T12:15:00Z',
      '`apps/odd`: Failed',
      '`apps/c`: CoolDown until 2026-03-01T12:10:00Z',
      '-w turns/site-1 --name pause',
      'Nobody has asked for the cluster to be emptied. To empty it: `temporal workflow start --type drain -w drain/site-1 ',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('kubectl');
  });

  test('when it has ended, what came of it and nothing to do', () => {
    const text = describeDrain({ ...state, waiting: [], going: {} }, { do: 'end' });
    expect(text).toContain('**Done** `site-1`');
    expect(text).toContain('| 0 | 0 | 12 | 6 (Other 2, Pinned 2, CoolDown 1, Failed 1) |');
    expect(text).toContain('Nobody has asked for the cluster to be emptied');
    expect(text).not.toContain('pause');
  });

  test('how new Capps are kept away, when everything is to leave', () => {
    const text = describeDrain({ ...state, everything: true }, { do: 'list' });
    expect(text).toContain(taintCommand('site-1'));
    expect(text).not.toContain('Nobody has asked');
  });
});
