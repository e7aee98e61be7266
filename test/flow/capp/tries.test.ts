// What Temporal itself tells an activity's try of its end: local activities, which ship and publish, above
// all.
import { Context } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import { trying } from '../../../activities/trying.ts';
import type { Hub } from '../../../workflows/ports/hub.ts';
import { storiesOf } from '../../support/flow/flow.ts';

const story = storiesOf('tries');

interface Heard {
  readonly isLocal: boolean;
  readonly startToCloseMs: number;
  readonly leftMs: number;
  /** Why it was cut off; null until it is. */
  reason: unknown;
}

/** The first try waits until it is cut off; later ones do what `place` does. */
function stubborn({ place }: Pick<Hub, 'place'>): Pick<Hub, 'place'> & { readonly heard: Heard[] } {
  const heard: Heard[] = [];
  return {
    heard,
    place: (ref, state) =>
      trying(async ({ until, signal }) => {
        if (heard.length > 0) return place(ref, state);
        const { isLocal, startToCloseTimeoutMs } = Context.current().info;
        const mine: Heard = {
          isLocal,
          startToCloseMs: startToCloseTimeoutMs,
          leftMs: until - Date.now(),
          reason: null,
        };
        heard.push(mine);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        mine.reason = signal.reason;
        throw signal.reason;
      }),
  };
}

story(
  'a local try has less time than Temporal waits for it, and is cut off when that is over; the Capp is shipped all the same',
  async (testbed) => {
    const { place, heard } = stubborn(testbed.world.hub);
    await testbed.startHub({ activities: { ...testbed.world.hub, place } });
    await testbed.startAgent();
    await testbed.ring('spec');
    await testbed.until(({ serving }) => serving !== null);
    expect(heard).toMatchObject([{ isLocal: true, startToCloseMs: 5_000 }]);
    expect(heard[0]?.leftMs).toBeLessThanOrEqual(4_000);
    expect(heard[0]?.leftMs).toBeGreaterThan(1_000);
    expect(heard[0]?.reason).toEqual(new CancelledFailure('TIMED_OUT'));
    await testbed.untilReady();
  },
);

story(
  'each word for users is decided later than the one before, so that a late try can be told from a newer one',
  async (testbed) => {
    const { place, apply, publish } = testbed.world.hub;
    const told: number[] = [];
    const noting = { place: notes(told, place), apply: notes(told, apply), publish: notes(told, publish) };
    await testbed.startHub({ activities: { ...testbed.world.hub, ...noting } });
    await testbed.startAgent();
    await testbed.ring('spec');
    await testbed.untilReady();
    testbed.world.edit();
    await testbed.ring('spec');
    await testbed.until(({ generation, due }) => generation === 2 && due.length === 0);
    expect(told.length).toBeGreaterThanOrEqual(3);
    expect(told).toEqual([...new Set(told)].toSorted((a, b) => a - b));
    expect(told[0]).toBeGreaterThan(0);
  },
);

/** Writes down with which time the states come that an activity is given. */
function notes<Args extends unknown[], T>(
  told: number[],
  activity: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<T> {
  return (...args) => {
    const state = args.find((arg) => typeof arg === 'object' && arg !== null && 'statusDecidedAt' in arg) as
      | { statusDecidedAt: number }
      | undefined;
    told.push(state?.statusDecidedAt ?? 0);
    return activity(...args);
  };
}
