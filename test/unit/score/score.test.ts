// When a site's score is written again, and when it is cleared.
import { revise, type PublishedScore } from '../../../workflows/score/decide/due.ts';
import type { MeasuredSite } from '../../../workflows/score/measured.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const INTERVAL = 60_000;

const figures = (values: Readonly<Record<string, number>>) =>
  Object.entries(values).map(([name, value]) => ({ name, value }));
/** A published score that is valid for this many intervals more. */
const stands = (values: Readonly<Record<string, number>>, intervals: number | null = 4): PublishedScore => ({
  figures: figures(values),
  validUntil: intervals === null ? null : NOW + intervals * INTERVAL,
});
const measured = (values: Readonly<Record<string, number>>): MeasuredSite => ({ figures: figures(values) });
const decide = (standing: PublishedScore | null, found: MeasuredSite | null) =>
  revise(standing, found, { now: NOW, intervalMs: INTERVAL });

describe('a score that was measured', () => {
  it('is valid for five intervals', () => {
    expect(decide(null, measured({ cpu: 10 }))).toEqual({
      figures: figures({ cpu: 10 }),
      validUntil: NOW + 5 * INTERVAL,
    });
  });

  it.each<{
    title: string;
    standing: PublishedScore | null;
    found: Record<string, number>;
    isWritten: boolean;
  }>([
    { title: 'the first score', standing: null, found: { cpu: 0 }, isWritten: true },
    { title: 'the same score', standing: stands({ cpu: 10 }), found: { cpu: 10 }, isWritten: false },
    { title: 'a small change', standing: stands({ cpu: 10 }), found: { cpu: 14 }, isWritten: false },
    {
      title: 'a small change across zero',
      standing: stands({ cpu: 1 }),
      found: { cpu: -1 },
      isWritten: false,
    },
    { title: 'a change of five', standing: stands({ cpu: 10 }), found: { cpu: 5 }, isWritten: true },
    {
      title: 'a small change after which the site is full',
      standing: stands({ cpu: -98 }),
      found: { cpu: -100 },
      isWritten: true,
    },
    {
      title: 'a small change after which the site is no longer full',
      standing: stands({ cpu: -100 }),
      found: { cpu: -98 },
      isWritten: false,
    },
    {
      title: 'a small change after which the site is empty',
      standing: stands({ cpu: 97 }),
      found: { cpu: 100 },
      isWritten: true,
    },
    { title: 'one more figure', standing: stands({ cpu: 10 }), found: { cpu: 10, gpu: 0 }, isWritten: true },
    { title: 'one figure less', standing: stands({ cpu: 10, gpu: 0 }), found: { cpu: 10 }, isWritten: true },
    {
      title: 'a figure in the place of another',
      standing: stands({ cpu: 10, gpu: 0 }),
      found: { cpu: 10, tpu: 0 },
      isWritten: true,
    },
    {
      title: 'the same score, about to expire',
      standing: stands({ cpu: 10 }, 1.9),
      found: { cpu: 10 },
      isWritten: true,
    },
    {
      title: 'the same score, valid for long enough',
      standing: stands({ cpu: 10 }, 2),
      found: { cpu: 10 },
      isWritten: false,
    },
    {
      title: 'the same score, published without an end',
      standing: stands({ cpu: 10 }, null),
      found: { cpu: 10 },
      isWritten: true,
    },
  ])('$title is written: $isWritten', ({ standing, found, isWritten }) => {
    expect(decide(standing, measured(found)) !== null).toBe(isWritten);
  });
});

describe('while the agent is silent', () => {
  it.each<{ title: string; standing: PublishedScore | null }>([
    { title: 'nothing is written when there is no score', standing: null },
    { title: 'a valid score stays', standing: stands({ cpu: 10 }, 0.1) },
    { title: 'a score without an end stays', standing: stands({ cpu: 10 }, null) },
    { title: 'a score that was cleared is not cleared again', standing: stands({}, -1) },
  ])('$title', ({ standing }) => expect(decide(standing, null)).toBeNull());

  it('an expired score is cleared, so that OCM notices', () => {
    expect(decide(stands({ cpu: 10 }, 0), null)).toEqual({ figures: [], validUntil: NOW });
  });
});
