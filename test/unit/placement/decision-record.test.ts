// What the decision record of a choice says.
import { select } from '../../../workflows/placement/select.ts';
import { MEMBER, members, anEvenField } from '../../support/builders/placement.ts';
import { NOW } from '../../support/builders/states.ts';

const names = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `site-${String(index + 1).padStart(3, '0')}`);

describe('the decision record', () => {
  test('counts the excluded clusters by reason, with three examples each', () => {
    const clusters = {
      ...members('a', 'b', ...names(5)),
      hub: { ...MEMBER, isHub: true },
      shy: { ...MEMBER, accepted: false },
    };
    const all = { clusters: ['hub', 'shy', 'gone', 'a', 'b', ...names(5)], complete: true };
    const avoid = Object.fromEntries(names(5).map((name) => [name, NOW + 1]));
    const { record } = select(
      anEvenField({ clusters, byPlacement: { all }, avoid, works: { b: { leaving: true } } }),
      NOW,
    );
    expect(record.excluded).toEqual([
      { reason: 'Avoided', count: 5, examples: ['site-001', 'site-002', 'site-003'] },
      { reason: 'Hub', count: 1, examples: ['hub'] },
      { reason: 'NotAccepted', count: 1, examples: ['shy'] },
      { reason: 'Removed', count: 1, examples: ['gone'] },
      { reason: 'StillLeaving', count: 1, examples: ['b'] },
    ]);
    expect(record).toMatchObject({ cluster: 'a', placement: 'all', at: '2026-03-01T12:00:00.000Z' });
  });

  test('names at most ten candidates, the best ones', () => {
    const sites = names(250);
    const scores = { 'site-250': 7, 'site-120': 8 };
    const { record } = select(
      anEvenField({
        clusters: members(...sites),
        byPlacement: { all: { clusters: sites, complete: true } },
        scores,
      }),
      NOW,
    );
    expect(record.candidates).toHaveLength(10);
    expect(record.candidates.slice(0, 3)).toEqual([
      { cluster: 'site-120', score: 8, capps: 0 },
      { cluster: 'site-250', score: 7, capps: 0 },
      { cluster: 'site-001', score: 0, capps: 0 },
    ]);
  });

  test('stays small, however many clusters are excluded', () => {
    const sites = names(2_000);
    const inputs = anEvenField({
      clusters: members(...sites),
      byPlacement: { all: { clusters: sites, complete: true } },
      avoid: Object.fromEntries(sites.map((name) => [name, NOW + 1])),
    });
    const selection = select(inputs, NOW);
    expect(JSON.stringify(selection).length).toBeLessThan(1_000);
    expect(selection.message).toContain('site-003 and 1997 more');
  });

  test('counts a cluster in two PlacementDecisions once', () => {
    const { record } = select(
      anEvenField({ byPlacement: { all: { clusters: ['a', 'a', 'b'], complete: true } } }),
      NOW,
    );
    expect(record.candidates.map(({ cluster }) => cluster)).toEqual(['a', 'b']);
  });
});
