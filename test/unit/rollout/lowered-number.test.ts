// A person who lowers numberOfClusters has said by that how many copies may go, and nothing of others.
import { withoutMissing } from '../../../activities/hub/rollout/removing/removal-memory.ts';
import {
  release,
  whilePaused,
  type LeavingCopies,
} from '../../../activities/hub/rollout/removing/removals.ts';
import { clusters, held, leaving, NOW, quiet } from '../../support/builders/fleet/removals.ts';

describe('a lowered number of the Placement', () => {
  const before = quiet({ number: 12, selected: 12, placement: 'p' });
  const of = (number: number, plain: Partial<LeavingCopies> = {}): Partial<LeavingCopies> => ({
    number,
    selected: number,
    placement: 'p',
    ...plain,
  });

  test('as many as it was lowered by go without asking', () => {
    const released = held(leaving(9, 3, of(3)), before);
    expect(released).toMatchObject({ clusters: clusters(9), held: 0, removal: { recent: [], lowered: 0 } });
  });

  test('fewer sites than the number are a decision that has not come to its end', () => {
    expect(held(leaving(9, 3, of(3, { selected: 2 })), before)).toMatchObject({ clusters: [], held: 9 });
  });

  test('twelve others for a number that is lowered by one free one, and so none goes unasked', () => {
    expect(held(leaving(12, 0, of(11)), before)).toMatchObject({ clusters: [], held: 12 });
  });

  test('another Placement with a smaller number frees nobody', () => {
    expect(held(leaving(9, 3, of(3, { placement: 'other' })), before)).toMatchObject({ held: 9 });
    expect(held(leaving(9, 3, of(3)))).toMatchObject({ held: 9 });
  });

  test('what is left of a lowered number frees nobody where another Placement has come', () => {
    const left = { ...before, lowered: 9 };
    expect(held(leaving(9, 3, of(3, { placement: 'other' })), left)).toMatchObject({ clusters: [], held: 9 });
  });

  test('what is left of a lowered number frees nobody where a Placement without a number has come, be it at once or after a pause', () => {
    const left = { ...before, number: 50, lowered: 50 };
    const other = leaving(60, 40, { number: null, selected: 40, placement: 'other' });
    expect(held(other, left)).toMatchObject({ clusters: [], held: 60, removal: { lowered: 0 } });
    const back = of(40, { selected: 40 });
    expect(held(leaving(60, 40, back), held(other, left).removal)).toMatchObject({ held: 60 });
    expect(whilePaused(other, { leaving: null, removal: left }).removal.lowered).toBe(0);
  });

  test('a number that an earlier version noted without its Placement frees nobody at the first look', () => {
    const earlier = { ...before, placement: null };
    const first = held(leaving(9, 3, of(3)), earlier);
    expect(first).toMatchObject({
      clusters: [],
      held: 9,
      removal: { number: 3, placement: 'p', lowered: 0 },
    });
    expect(held(leaving(1, 2, of(2)), first.removal)).toMatchObject({ held: 0 });
  });

  test('what is left of a lowered number after a refused removal frees one, and not ten others an hour later', () => {
    const first = held(leaving(1, 11, of(11)), before);
    expect(first.clusters).toHaveLength(1);
    const removal = withoutMissing(first, first.clusters);
    expect(removal).toMatchObject({ number: 11, lowered: 1 });
    expect(held(leaving(11, 0, of(11)), removal, 100, NOW + 3_600_000)).toMatchObject({ held: 11 });
    expect(held(leaving(1, 11, of(11)), removal, 100, NOW + 3_600_000)).toMatchObject({ held: 0 });
  });

  test('a number that is raised takes back what is left, and so does the end of all removals', () => {
    const lowered = release(leaving(9, 3, of(3)), { leaving: null, removal: before }, 100, NOW).removal;
    expect(lowered).toMatchObject({ number: 3, lowered: 9 });
    expect(held(leaving(9, 12, of(12)), lowered)).toMatchObject({ held: 9, removal: { lowered: 0 } });
    expect(quiet(of(3), lowered)).toMatchObject({ number: 3, lowered: 0 });
  });

  test('a number that is taken away takes back what is left, and the next one is compared with none', () => {
    const lowered = release(leaving(9, 3, of(3)), { leaving: null, removal: before }, 100, NOW).removal;
    const without = held(leaving(9, 12, of(3, { number: null, selected: 12 })), lowered);
    expect(without).toMatchObject({ held: 9, removal: { number: null, lowered: 0 } });
    const after = quiet({ number: null, selected: 12, placement: 'p' }, before);
    expect(held(leaving(9, 3, of(3)), after)).toMatchObject({ clusters: [], held: 9 });
    expect(held(leaving(2, 1, of(1)), quiet(of(3), after))).toMatchObject({ held: 0 });
  });

  test('a number that is raised takes back what is left before so many sites can be selected', () => {
    const lowered = release(leaving(1, 11, of(11)), { leaving: null, removal: before }, 100, NOW).removal;
    expect(lowered).toMatchObject({ number: 11, lowered: 1 });
    const raised = held(leaving(2, 9, of(13, { selected: 11 })), lowered);
    expect(raised).toMatchObject({ clusters: [], held: 2, removal: { number: 11, lowered: 0 } });
    expect(held(leaving(2, 9, of(11)), raised.removal)).toMatchObject({ clusters: [], held: 2 });
  });
});
