// What `kubectl capp drill` shows of what a drill found.
import { drillView } from '../../../../cli/explain/drill.ts';
import { drainView } from '../../../../cli/hub/objects/drains.ts';
import { drillText } from '../../../../cli/show/drill.ts';
import { DrainSpec, type Drain } from '../../../../crds/drain/drain.ts';
import type { Rehearsal } from '../../../../crds/drain/rehearsal.ts';
import { NO_COLOURS } from '../../../support/builders/process/terminals.ts';
import { aRehearsal } from '../../../support/builders/drill/drills.ts';

const DONE = {
  type: 'Complete',
  status: 'True',
  reason: 'Planned',
  message: '',
  lastTransitionTime: '2026-03-01T12:00:00Z',
} as const;
const drain = (
  rehearsal?: Rehearsal,
  conditions: NonNullable<Drain['status']>['conditions'] = [DONE],
): Drain => ({
  apiVersion: 'rcs.dana.io/v1alpha1',
  kind: 'Drain',
  metadata: { name: 'site-1', generation: 1 },
  spec: DrainSpec.parse({ dryRun: true, rehearse: true }),
  status: {
    observedGeneration: 1,
    conditions,
    going: [{ capp: 'apps/app', site: 'site-2' }],
    ...(rehearsal === undefined ? {} : { rehearsal }),
  },
});
const view = (...given: Parameters<typeof drain>) => drillView(drain(...given), drainView(drain(...given)));

test('a drill is shown when it is over, and so is the plan', () => {
  expect(view()).toBeNull();
  expect(view(aRehearsal(), [])).toBeNull();
  expect(view(aRehearsal({ observedGeneration: 2 }))).toBeNull();
  expect(view(aRehearsal())).toMatchObject({ site: 'site-1', rehearsal: { ready: 1 } });
});

test('it says what was found, where Capps would go, and what helps', () => {
  const finding = {
    capp: 'apps/app',
    site: 'site-2',
    check: 'Quota',
    result: 'Failed',
    reason: 'QuotaTooSmall',
    message: 'Raise it there.',
  } as const;
  const found = view(
    aRehearsal({
      capps: 2,
      ready: 0,
      failed: 2,
      findings: [finding, { ...finding, site: '', check: 'Choice', reason: 'Pinned' }],
    }),
  );
  const text = found === null ? '' : drillText(found, { isWide: false, colours: NO_COLOURS });
  expect(text.split('\n')[0]).toBe(
    'Of 2 Capps on site-1, 0 passed every check, 2 failed one, and of 0 not all is known. Nothing has been changed.',
  );
  expect(text).toMatch(/site-2 +1 +4 cores are free\./);
  expect(text).toMatch(/apps\/app +site-2 +Quota +Failed QuotaTooSmall +Raise it there\./);
  expect(text).toMatch(/apps\/app +nowhere +Choice +Failed Pinned/);
});

test('of many findings a few are shown, and all with -o wide', () => {
  const findings = Array.from({ length: 40 }, (_, index) => ({
    capp: `apps/app-${index}`,
    site: 'site-2',
    check: 'Image' as const,
    result: 'Unknown' as const,
    reason: 'ImageNotThere',
    message: '',
  }));
  const found = view(aRehearsal({ findings, leftOut: 3 }));
  if (found === null) throw new Error('no view');
  const narrow = drillText(found, { isWide: false, colours: NO_COLOURS });
  expect(narrow).toContain('and 25 more, which -o wide names.');
  expect(narrow).toContain('3 Capps more were not looked at');
  expect(drillText(found, { isWide: true, colours: NO_COLOURS })).toContain('apps/app-39');
});
