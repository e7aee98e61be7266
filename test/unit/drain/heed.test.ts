// What becomes of a drain when its Drain has been read: it is begun, adjusted, taken back or planned; never
// twice, and never by an answer that is older than what is known.
import { heed } from '../../../workflows/drain/decide/heed.ts';
import { begunByPerson, boundIn } from '../../../workflows/drain/decide/looked.ts';
import { drainStep, LINGER_MS } from '../../../workflows/drain/decide/step.ts';
import { settled, unanswered } from '../../../workflows/drain/decide/transitions.ts';
import { LANES } from '../../../workflows/drain/decide/width.ts';
import { readDrain } from '../../../workflows/drain/input.ts';
import type { DrainAsked } from '../../../workflows/drain/object.ts';
import type { DrainState } from '../../../workflows/drain/state.ts';
import { aDrain, asks, aWaiting, goingTo } from '../../support/builders/drain/drains.ts';
import { NOW } from '../../support/builders/states.ts';

const after = (state: DrainState, asked: DrainAsked | null): DrainState => heed(state, asked, NOW).state;
const fresh = aDrain({ isRung: true, readBy: NOW + 5_000 });
const BEGUN = after(aDrain(), asks());
const LISTED: DrainState = {
  ...BEGUN,
  listing: null,
  waiting: [aWaiting('listed', { askedAt: null }), aWaiting('asked')],
  going: goingTo('site-2', 2),
  moved: 3,
  stays: { 'apps/x': 'Pinned' },
  looks: 1,
};

describe('a drain that has read its Drain', () => {
  test('begins with the uid, the generation, the lanes and the pause of the Drain, and tells all that are there', () => {
    const lanes = { ...LANES, width: 7 };
    expect(after(fresh, asks({ paused: true, lanes }))).toMatchObject({
      drain: 'uid-1',
      generation: 1,
      everything: true,
      paused: true,
      lanes,
      listing: { isFirst: true, after: null },
    });
  });

  test('does not begin a second time for what it knows: it is the very same state', () => {
    expect(after(LISTED, asks())).toBe(LISTED);
    const again = readDrain(JSON.parse(JSON.stringify(LISTED)) as DrainState, NOW + 1);
    expect(after(again, asks())).toBe(again);
  });

  test('is adjusted whole by a new generation, and goes on where it is', () => {
    const lanes = { ...LANES, width: 2 };
    const edited = after(LISTED, asks({ generation: 2, lanes, paused: true }));
    expect(edited).toEqual({ ...LISTED, generation: 2, lanes, paused: true });
    expect(after(edited, asks({ generation: 3, lanes }))).toMatchObject({ paused: false, heardAt: NOW });
  });

  test('pays no heed to an answer that is older than what it knows', () => {
    const edited = after(LISTED, asks({ generation: 3, paused: true }));
    expect(after(edited, asks({ generation: 2 }))).toBe(edited);
    expect(heed(edited, asks({ generation: 2, dryRun: true }), NOW)).toEqual({ state: edited, tells: null });
  });

  test('learns the generation where an earlier build had begun it, and tells nobody again', () => {
    const { generation: _unknown, ...earlier } = LISTED;
    expect(after(earlier, asks({ generation: 4 }))).toEqual({ ...earlier, generation: 4 });
  });
});

describe('without its Drain a drain', () => {
  test.each<[string, DrainAsked | null]>([
    ['deleted', null],
    ['made a dry run', asks({ generation: 2, dryRun: true })],
  ])(
    'tells nobody to leave: those on their way keep their lanes, and those that asked their places (%s)',
    (_how, asked) => {
      const { drain, everything, going, lanes, listing, paused, waiting } = after(
        { ...LISTED, lanes: { ...LANES, width: 1 }, paused: true },
        asked,
      );
      expect({ drain, everything, lanes, listing, paused }).toEqual({
        drain: undefined,
        everything: false,
        lanes: LANES,
        listing: null,
        paused: false,
      });
      expect(going).toEqual(LISTED.going);
      expect(waiting.map(({ capp }) => capp)).toEqual(['apps/asked']);
    },
  );

  test('does not end before those on their way have arrived', () => {
    const { going } = LISTED;
    const alone = after({ ...LISTED, waiting: [] }, null);
    expect(drainStep(alone, NOW).do).toBe('rest');
    const news = { outcome: 'Moved', to: 'site-2', reason: 'Asked' } as const;
    const done = Object.keys(going).reduce((state, capp) => {
      const [namespace = '', name = ''] = capp.split('/');
      return settled(state, { namespace, name, ...news }, NOW);
    }, alone);
    expect(done.moved).toBe(2);
    expect(drainStep(done, NOW)).toEqual({ do: 'rest', until: NOW + LINGER_MS });
  });

  test('does not tell a Capp again that could not be told before it was taken back', () => {
    const telling = { do: 'answer', go: [aWaiting('a', { askedAt: null })], wait: [] } as const;
    const going = { 'apps/a': { to: 'site-2', since: NOW, isAsked: false } };
    const taken = after({ ...LISTED, waiting: [], going }, null);
    const { waiting, going: left } = unanswered(taken, telling, ['apps/a']);
    expect({ waiting, left }).toEqual({ waiting: [], left: {} });
    expect(unanswered({ ...LISTED, waiting: [], going }, telling, ['apps/a']).waiting).toHaveLength(1);
  });

  test('ends at once where no Capp has anything to do with it', () => {
    expect(drainStep(after(aDrain(), null), NOW)).toEqual({ do: 'end' });
    expect(drainStep(after({ ...LISTED, waiting: [], going: {} }, null), NOW)).toEqual({ do: 'end' });
    expect(drainStep(after(aDrain({ moved: 1 }), null), NOW).do).toBe('rest');
    expect(drainStep(after(aDrain({ waiting: [aWaiting('a')] }), null), NOW).do).toBe('answer');
  });
});

test('another Drain of the name is a new order: all are told again, and those on their way keep their lanes', () => {
  const again = after(LISTED, asks({ uid: 'uid-2', paused: true }));
  expect(again).toMatchObject({
    drain: 'uid-2',
    generation: 1,
    moved: 0,
    stays: {},
    paused: true,
    begunAt: NOW,
    listing: { isFirst: true },
  });
  expect(again.going).toEqual(LISTED.going);
  expect(boundIn(again).map(({ capp }) => capp)).not.toContain('apps/listed');
  expect(after({ ...LISTED, paused: true }, asks({ uid: 'uid-2' }))).toMatchObject({ paused: false });
});

test('what Capps began is a person’s from the Drain on, with what has moved already', () => {
  const byCapps = aDrain({ going: goingTo('site-2', 1), moved: 4 });
  expect(after(byCapps, asks())).toMatchObject({ everything: true, moved: 4, going: byCapps.going });
});

describe('the Drain hears beside the progress', () => {
  test.each<[string, DrainState, DrainAsked, 'plan' | 'note' | null]>([
    ['what would happen, for a dry run', fresh, asks({ dryRun: true }), 'plan'],
    ['nothing more, when it says so already', fresh, asks({ dryRun: true, isSettled: true }), null],
    [
      'what would happen, for a dry run that ends a drain',
      LISTED,
      asks({ dryRun: true, generation: 2 }),
      'plan',
    ],
    ['that its new generation begins nothing, after the end', fresh, asks({ isOver: true }), 'note'],
    ['nothing, after the end', fresh, asks({ isOver: true, isSettled: true }), null],
    ['nothing, while it is carried out', LISTED, asks({ generation: 2 }), null],
  ])('%s', (_what, state, asked, tells) => {
    expect(heed(state, asked, NOW).tells).toBe(tells);
  });

  test('a drain that is over is not begun a second time', () => {
    expect(after(fresh, asks({ isOver: true }))).toMatchObject({ everything: false, isClear: true });
  });
});

describe('until the Drain has been read', () => {
  const blind = aDrain({ ...fresh, waiting: [aWaiting('a')] });

  test('a Capp gets no permit, for five seconds at most: the Drain may be paused', () => {
    expect(drainStep(blind, NOW)).toEqual({ do: 'rest', until: NOW + 5_000 });
    expect(drainStep(blind, NOW + 5_000)).toMatchObject({ do: 'answer', go: [{ capp: 'apps/a' }] });
    expect(drainStep(after(blind, null), NOW)).toMatchObject({ do: 'answer', go: [{ capp: 'apps/a' }] });
    expect(drainStep(after(blind, asks({ paused: true })), NOW)).toMatchObject({ do: 'answer', go: [] });
  });

  test('a drain that is rung does not end', () => {
    const over = aDrain({ isClear: true });
    expect(drainStep(over, NOW)).toEqual({ do: 'end' });
    expect(drainStep({ ...over, isRung: true }, NOW)).toEqual({ do: 'rest', until: null });
    expect(drainStep({ ...begunByPerson(over), stopped: true, isRung: true }, NOW).do).toBe('rest');
  });
});
