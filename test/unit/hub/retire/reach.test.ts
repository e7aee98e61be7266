// Which cluster counts as lost: its works may be given up, and nothing is waited for there.
import { isReachable, isReachableIn, lossOf, lostSince } from '../../../../activities/hub/retire/reach.ts';
import {
  AVAILABLE,
  TAINT_UNAVAILABLE,
  TAINT_UNREACHABLE,
  type ManagedCluster,
} from '../../../../crds/ocm/ocm.ts';

const AT = '2026-03-01T12:00:00Z';

function cluster(status: string | null, ...taints: readonly string[]): ManagedCluster {
  const conditions = status === null ? [] : [{ type: AVAILABLE, status, lastTransitionTime: AT }];
  return {
    metadata: { name: 'site-1' },
    spec: { taints: taints.map((key) => ({ key })) },
    status: { conditions },
  } as unknown as ManagedCluster;
}

test.each<[string, ManagedCluster, boolean]>([
  ['available', cluster('True'), true],
  ['available with a taint of somebody else', cluster('True', 'gpu'), true],
  ['available and tainted as unreachable', cluster('True', TAINT_UNREACHABLE), false],
  ['available and tainted as unavailable', cluster('True', TAINT_UNAVAILABLE), false],
  ['not available', cluster('False'), false],
  ['silent, so that OCM knows nothing', cluster('Unknown'), false],
  ['new, without a word on it', cluster(null), false],
])('a cluster that is %s is lost or not', (_how, one, isHere) => {
  expect(isReachable(one)).toBe(isHere);
  expect(lossOf(one)).toBe(isHere ? null : 'Unreachable');
});

test('a cluster that the hub does not know is gone, and not one that can be reached', () => {
  const knowing = (found: ManagedCluster | undefined) => ({ clusters: { get: () => found } });
  expect(lossOf(null)).toBe('Gone');
  expect(isReachableIn(knowing(undefined), 'site-1')).toBe(false);
  expect(isReachableIn(knowing(cluster('Unknown')), 'site-1')).toBe(false);
  expect(isReachableIn(knowing(cluster('True')), 'site-1')).toBe(true);
});

test('since when a cluster is lost is known of one that is lost alone', () => {
  expect(lostSince(cluster('Unknown'))).toBe(Date.parse(AT));
  expect(lostSince(cluster('True', TAINT_UNREACHABLE))).toBe(Date.parse(AT));
  expect(lostSince(cluster('True'))).toBeNull();
  expect(lostSince(cluster(null))).toBeNull();
});
