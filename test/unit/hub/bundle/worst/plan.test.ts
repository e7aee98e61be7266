// The plan of a Bundle that has most to look at: the webhook makes it for whoever may write Bundles.
import { previewOf } from '../../../../../activities/hub/bundle/preview.ts';
import { groupedChanges } from '../../../../../activities/hub/rollout/preview/plan-changes.ts';
import { timesAsLong } from '../../../../support/pace.ts';
import { worstPlan } from '../../../../support/builders/fleet/worst.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

test('tells every site, and of changes a bounded number of lines', () => {
  const { rules, asked } = worstPlan(1_000);
  const plan = previewOf(rules, asked, NOW);
  expect(plan?.steps.flatMap(({ sites }) => sites).length).toBe(1_000);
  expect(Buffer.byteLength(JSON.stringify(plan?.changes))).toBeLessThan(65_536);
});

test('writes out once what is the same on thousands of sites', () => {
  let written = 0;
  const lines = Object.assign(['a line'], {
    toJSON: () => {
      written += 1;
      return ['a line'];
    },
  });
  const found = { what: 'changed', lines } as const;
  const sites = Array.from({ length: 10_000 }, (_, index) => [`site-${index}`, found] as const);
  expect(groupedChanges(sites).changes[0]?.sites.length).toBe(10_000);
  expect(written).toBe(1);
});

test('takes time that grows with the sites', () => {
  const [few, many] = [worstPlan(250, 10), worstPlan(2_000, 10)];
  // With eight times the sites, work that grows by the square takes sixty-four times as long.
  expect(
    timesAsLong(
      24,
      () => previewOf(many.rules, many.asked, NOW),
      () => previewOf(few.rules, few.asked, NOW),
    ),
  ).toBeLessThan(24);
});

test('takes time that grows with the bytes of manifests', () => {
  const [small, large] = [worstPlan(50, 100), worstPlan(50, 1_600)];
  const ratio = JSON.stringify(large.asked.bundle).length / JSON.stringify(small.asked.bundle).length;
  expect(
    timesAsLong(
      3 * ratio,
      () => previewOf(large.rules, large.asked, NOW),
      () => previewOf(small.rules, small.asked, NOW),
    ),
  ).toBeLessThan(3 * ratio);
});
