// Who may say what to a drain: one that a Drain orders hears of people by its Drain alone, and an order of an
// earlier version is only for histories.
import { noteChanges } from '../../../workflows/drain/earlier.ts';
import { handleDrain, type DrainLife } from '../../../workflows/drain/handlers.ts';
import type { DrainState } from '../../../workflows/drain/state.ts';
import { aDrain } from '../../support/builders/drain/drains.ts';

interface Handler {
  readonly does: (given?: unknown) => unknown;
  readonly validator: ((given?: unknown) => void) | undefined;
}

/** A drain in a state; `isReplayed`: its history is of a build that took orders. */
function drain(state: DrainState, isReplayed = false) {
  const handlers = new Map<string, Handler>();
  let unreadable = 0;
  const runtime = {
    handle: (
      { type, name }: { readonly type: string; readonly name: string },
      does: Handler['does'],
      { validator }: { readonly validator?: Handler['validator'] } = {},
    ) => void handlers.set(`${type} ${name}`, { does, validator }),
    patched: () => !isReplayed,
    now: () => 7,
    countUnreadable: () => void (unreadable += 1),
  };
  const life: DrainLife = {
    runtime: runtime as unknown as DrainLife['runtime'],
    noted: new Set(),
    state,
    ended: false,
  };
  noteChanges(life);
  handleDrain(life);
  const handler = (name: string): Handler => {
    const found = handlers.get(name);
    if (found === undefined) throw new Error(`There is no ${name}`);
    return found;
  };
  return {
    life,
    unreadable: () => unreadable,
    says: (name: string, given?: unknown) => void handler(`signal ${name}`).does(given),
    updates: (name: string, given?: unknown) => {
      const { does, validator } = handler(`update ${name}`);
      validator?.(given);
      return does(given);
    },
  };
}

const BY_DRAIN = aDrain({ everything: true, drain: 'uid-1', generation: 1, paused: true });
const WORDS = [
  ['pause', undefined],
  ['resume', undefined],
  ['stop', undefined],
  ['configure', { width: 1 }],
] as const;

test.each(WORDS)('%s does nothing to a drain that a Drain orders, and is counted', (word, given) => {
  const { life, says, unreadable } = drain(BY_DRAIN);
  says(word, given);
  expect(life.state).toEqual({ ...BY_DRAIN, unreadable: 1 });
  expect(unreadable()).toBe(1);
});

test.each([['configure', { width: 1 }] as const, ['stop', undefined] as const])(
  'the Update %s is refused there, with what steers the drain',
  (name, given) => {
    const { life, updates } = drain(BY_DRAIN);
    expect(() => updates(name, given)).toThrow('kubectl edit drain site-1');
    expect(life.state).toBe(BY_DRAIN);
  },
);

test.each(WORDS)('%s is heard by a drain that Capps began', (word, given) => {
  const { life, says, unreadable } = drain(aDrain({ paused: word === 'resume' }));
  const before = life.state;
  says(word, given);
  expect(life.state).not.toEqual(before);
  expect(unreadable()).toBe(0);
});

test('an order of an earlier version is not heard any more, and empties no site', () => {
  const { life, says, unreadable } = drain(aDrain());
  says('evacuate', { drain: 'uid-1', order: 1 });
  expect(life.state).toMatchObject({ everything: false, unreadable: 1 });
  expect(unreadable()).toBe(1);
});

test('a history of an earlier version has its order, and what was said to it since', () => {
  const { life, says } = drain(aDrain(), true);
  says('evacuate', { drain: 'uid-1', order: 1, paused: false, width: 3 });
  expect(life.state).toMatchObject({ everything: true, drain: 'uid-1', lanes: { width: 3 } });
  says('pause');
  expect(life.state.paused).toBe(true);
  says('drainChanged');
  expect(life.state.isRung).toBeUndefined();
});

test('a ring has the Drain read', () => {
  const { life, says } = drain(aDrain());
  says('drainChanged');
  expect(life.state.isRung).toBe(true);
});
