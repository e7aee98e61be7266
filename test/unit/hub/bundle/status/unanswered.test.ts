// A Bundle that leaves a site says which sites have still to answer, what they cannot do, and what helps.
import { leavingStatus } from '../../../../../activities/hub/bundle/status/status.ts';
import { happeningOf } from '../../../../../activities/hub/bundle/status/told.ts';
import { conditionOf } from '../../../../../crds/kubernetes/core.ts';
import type { Bundle } from '../../../../../crds/bundle/bundle.ts';
import type { BundleStatus } from '../../../../../crds/bundle/status.ts';
import { aBundle, aConfigMap, APPLY_FAILED } from '../../../../support/builders/fleet/bundles.ts';
import { bundleWorld } from '../../../../support/testbeds/fleet/bundle-world.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const CONFLICT = {
  kind: 'ConfigMap',
  name: 'settings',
  condition: 'Applied',
  reason: 'Conflict',
  message: 'Apply failed with 1 conflict',
} as const;
const said = ({ status }: { readonly status?: BundleStatus }, type: string) => {
  const { status: is, reason, message } = conditionOf(status?.conditions, type) ?? { status: '?' };
  return { is, reason, message };
};
const GIVE_UP = 'To give up what the site may delete with it, delete ManifestWork b/bundle-apps.base.';
const STUCK = `Waits for the work agents of b to apply that what is there stays. b cannot apply it to ConfigMap settings (Conflict), which it still owns and would delete: mend what condition Applied of that object says in ManifestWork b/bundle-apps.base. ${GIVE_UP}`;

test('a Bundle that lives says which site is waited for, and is stalled once that has answered that it cannot', async () => {
  const world = bundleWorld(['a', 'b'], { manifests: [aConfigMap()], strategy: { maxConcurrent: 2 } });
  await world.turn();
  for (const cluster of ['a', 'b']) world.apply(cluster);
  await world.turn();
  world.edit({ sites: { clusters: ['a'] }, onRemoval: 'Orphan' });
  await world.turn();
  world.apply('a');
  await world.turn();
  await world.turn();
  expect(world.bundle.status?.leaving).toEqual(['b']);
  expect(said(world.bundle, 'Progressing').message).toContain(
    `Waits for the work agents of b to apply that what is there stays. If none answers, see that they run. ${GIVE_UP}`,
  );
  expect(said(world.bundle, 'Stalled')).toMatchObject({ is: 'False' });
  world.refuse('b', `${APPLY_FAILED}Apply failed with 1 conflict: conflict with "kubectl": .data.color`);
  await world.turn();
  expect(said(world.bundle, 'Stalled')).toEqual({ is: 'True', reason: 'StillLeaving', message: STUCK });
  expect(said(world.bundle, 'Ready')).toMatchObject({ is: 'True' });
});

const leavingSaid = (bundle: Bundle, problems: readonly (typeof CONFLICT)[]) => {
  const unanswered = [{ cluster: 'b', problems }];
  const left = { clusters: ['b'], lost: [], isOrphaning: false, unremoved: [], unanswered };
  return { ...bundle, status: leavingStatus(bundle, left, NOW) };
};

test('a Bundle that is deleted says the same', () => {
  const bundle = aBundle({ onRemoval: 'Orphan' });
  const silent = leavingSaid(bundle, []);
  expect(said(silent, 'Ready')).toEqual({
    is: 'False',
    reason: 'Leaving',
    message: `These sites have still to clean up: b. Waits for the work agents of b to apply that what is there stays. If none answers, see that they run. ${GIVE_UP}`,
  });
  expect(said(silent, 'Stalled')).toMatchObject({ is: 'False' });
  const stuck = leavingSaid(bundle, [CONFLICT]);
  expect(said(stuck, 'Stalled')).toEqual({ is: 'True', reason: 'StillLeaving', message: STUCK });
  expect(happeningOf(silent, stuck.status)).toMatchObject({ type: 'Warning', reason: 'BundleStillLeaving' });
});

test('a Bundle that deletes waits only for what other Bundles keep', () => {
  expect(said(leavingSaid(aBundle(), [CONFLICT]), 'Ready')).toEqual({
    is: 'False',
    reason: 'Leaving',
    message:
      'These sites have still to clean up: b. Waits for the work agents of b to let go of what other Bundles keep there.',
  });
});
