// Until when the name of a cluster is not free, and what is noted of it.
import {
  formerUntil,
  nextRecord,
  recordIn,
  recordMap,
  recordOf,
  USUAL_LIFE_MS,
  type NamedCluster,
} from '../../../crds/join/name-record.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const DAY = 86_400_000;
const LIFE = { lifeMs: 90 * DAY, now: NOW };
const THERE = recordOf('uid-1', 90 * DAY);
const GONE = { ...THERE, endsAt: NOW + DAY };
const cluster = (uid: string, more: Partial<NamedCluster> = {}): NamedCluster => ({
  uid,
  isAccepted: true,
  hasCome: false,
  ...more,
});

test('a record is read as it was written, and from its own namespace alone', () => {
  expect(recordIn(recordMap('shop-7', THERE))).toEqual(THERE);
  const map = recordMap('shop-7', GONE);
  expect(recordIn(map)).toEqual(GONE);
  expect(recordIn({ metadata: { ...map.metadata, namespace: 'team' } })).toBeNull();
  expect(recordIn({ metadata: { namespace: 'cappstan-clusters', name: 'kube-root-ca.crt' } })).toBeNull();
});

test('one that somebody has spoiled counts for as long as Kubernetes signs at most', () => {
  const { metadata } = recordMap('shop-7', THERE);
  const annotations = { ...metadata.annotations, 'rcs.dana.io/certificate-seconds': 'soon' };
  expect(recordIn({ metadata: { ...metadata, annotations } })?.lifeMs).toBe(USUAL_LIFE_MS);
});

test('the cluster that has the name is no former one; another is kept out until the last certificate has ended', () => {
  expect(formerUntil(null, 'uid-2', NOW)).toBeNull();
  expect(formerUntil(THERE, 'uid-1', NOW)).toBeNull();
  expect(formerUntil(THERE, 'uid-2', NOW)).toBeGreaterThan(NOW + 90 * DAY);
  expect(formerUntil(THERE, null, NOW)).toBeGreaterThan(NOW + 90 * DAY);
  expect(formerUntil(GONE, null, NOW)).toBe(NOW + DAY);
  expect(formerUntil(GONE, null, NOW + DAY)).toBeNull();
});

test('what is noted: who is accepted, and since when it is gone, once', () => {
  expect(nextRecord(null, null, LIFE)).toBeNull();
  expect(nextRecord(null, cluster('uid-1', { isAccepted: false }), LIFE)).toBeNull();
  expect(nextRecord(null, cluster('uid-1'), LIFE)).toEqual(THERE);
  expect(nextRecord(THERE, cluster('uid-1'), LIFE)).toBeNull();
  expect(nextRecord(THERE, cluster('uid-1', { isAccepted: false }), LIFE)).toBeNull();
  expect(nextRecord(THERE, null, LIFE)?.endsAt).toBeGreaterThan(NOW + 90 * DAY);
  expect(nextRecord(THERE, cluster('uid-2', { isAccepted: false }), LIFE)?.endsAt).toBeGreaterThan(NOW);
  expect(nextRecord(GONE, null, LIFE)).toBeNull();
  expect(nextRecord(GONE, cluster('uid-2', { isAccepted: false }), LIFE)).toBeNull();
  expect(nextRecord(GONE, cluster('uid-2'), LIFE)).toEqual({ ...THERE, uid: 'uid-2' });
});

test('of one that came before anything was noted the certificate may be a year old', () => {
  expect(nextRecord(null, cluster('uid-1', { hasCome: true }), LIFE)?.lifeMs).toBe(365 * DAY);
});

test('a cluster that gets a kept name keeps it as long as the former one’s certificates are valid', () => {
  const former = { ...recordOf('uid-1', USUAL_LIFE_MS), endsAt: NOW + USUAL_LIFE_MS };
  const next = recordOf('uid-2', 90 * DAY, former);
  expect(next).toEqual({ uid: 'uid-2', lifeMs: USUAL_LIFE_MS, endsAt: null });
  expect(nextRecord(former, cluster('uid-2'), LIFE)).toEqual(next);
  const ends = nextRecord(next, null, { ...LIFE, now: NOW + DAY })?.endsAt ?? 0;
  expect(ends).toBeGreaterThan(former.endsAt);
  expect(recordOf('uid-2', USUAL_LIFE_MS, GONE).lifeMs).toBe(USUAL_LIFE_MS);
});

test('the longer of two settings counts: a certificate may be of the time of either', () => {
  const ends = (lifeMs: number): number => nextRecord(THERE, null, { lifeMs, now: NOW })?.endsAt ?? 0;
  expect(ends(DAY)).toBe(ends(90 * DAY));
  expect(ends(91 * DAY)).toBe(ends(90 * DAY) + DAY);
});
