// The one write of a Capp's status: each part changes its own fields and no others, whoever wrote them.
import { statusPatch, type StatusParts } from '../../../../activities/hub/status/one-write.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import type { Condition } from '../../../../crds/capp/conditions.ts';
import type { CappStatus } from '../../../../crds/capp/status.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { operated, type Json } from '../../../support/simulator/api/merge.ts';

const AT = '2026-03-01T12:00:00Z';
const said = (type: string, status: 'True' | 'False' = 'True'): Condition => ({
  type,
  status,
  reason: 'Test',
  message: '',
  lastTransitionTime: AT,
});

const HUB: CappStatus = {
  observedGeneration: 2,
  conditions: [said('Ready'), said('Placed')],
  applicationLinks: { site: 'site-1' },
  sites: [{ clusterName: 'site-1', role: 'Serving' }],
  migration: { serving: 'site-1', decidedAt: AT },
};
const MIRROR: CappStatus = {
  conditions: [said('RouteReady')],
  applicationLinks: { consoleLink: 'https://app' },
  stateStatus: { state: 'enabled' },
  migration: { statusHash: 'hash', mirroredAt: AT },
};
const withStatus = (status?: CappStatus): Capp => {
  const { status: _none, ...capp } = aCapp();
  const metadata = { ...capp.metadata, resourceVersion: '7' };
  return status === undefined ? { ...capp, metadata } : { ...capp, metadata, status };
};
const written = (status: CappStatus | undefined, parts: StatusParts, isWhole = true): unknown => {
  const patch = statusPatch(withStatus(status), parts, isWhole);
  return operated(withStatus(status) as unknown as Json, patch)?.['status'];
};
const byType = (status: unknown): string[] =>
  ((status as CappStatus).conditions ?? []).map(({ type }) => type).toSorted();

const BOTH: CappStatus = written(undefined, { hub: HUB, mirror: MIRROR }) as CappStatus;

test('a first status has both parts', () => {
  expect(BOTH).toMatchObject({
    applicationLinks: { site: 'site-1', consoleLink: 'https://app' },
    migration: { serving: 'site-1', statusHash: 'hash', decidedAt: AT, mirroredAt: AT },
    stateStatus: { state: 'enabled' },
  });
  expect(byType(BOTH)).toEqual(['Placed', 'Ready', 'RouteReady']);
});

test('each write names the version that was read, and none is made when nothing differs', () => {
  const patch = statusPatch(withStatus(), { hub: HUB, mirror: null }, true);
  expect(patch[0]).toEqual({ op: 'replace', path: '/metadata/resourceVersion', value: '7' });
  expect(statusPatch(withStatus(BOTH), { hub: HUB, mirror: MIRROR }, true)).toEqual([]);
});

test('the order of conditions is no difference', () => {
  const turned = { ...BOTH, conditions: (BOTH.conditions ?? []).toReversed() };
  expect(statusPatch(withStatus(turned), { hub: HUB, mirror: MIRROR }, true)).toEqual([]);
});

test('what the hub leaves out goes, and what the site says stays', () => {
  const { conditions: _all, ...rest } = HUB;
  const hub = { ...rest, conditions: [said('Ready', 'False')], applicationLinks: {}, migration: {} };
  const after = written(BOTH, { hub, mirror: null }) as CappStatus;
  expect(byType(after)).toEqual(['Ready', 'RouteReady']);
  expect(after).toMatchObject({
    applicationLinks: { consoleLink: 'https://app' },
    migration: { statusHash: 'hash', mirroredAt: AT },
    stateStatus: { state: 'enabled' },
  });
  expect(after.applicationLinks?.site).toBeUndefined();
  expect(after.migration?.serving).toBeUndefined();
});

test.each([true, false])(
  'what the site leaves out goes, and what the hub says stays; read whole: %s',
  (isWhole) => {
    const mirror = { migration: { statusHash: 'other', mirroredAt: AT } };
    const after = written(BOTH, { hub: null, mirror }, isWhole) as CappStatus;
    expect(byType(after)).toEqual(['Placed', 'Ready']);
    expect(after).toMatchObject({ applicationLinks: { site: 'site-1' }, sites: HUB.sites });
    expect(after.stateStatus).toBeUndefined();
    expect(after.migration).toMatchObject({ serving: 'site-1', statusHash: 'other' });
  },
);

test('what a site does not mirror any more goes, also where the cache did not keep that it was there', () => {
  const { stateStatus: _kept, ...cached } = BOTH;
  const patch = statusPatch(
    withStatus(cached),
    { hub: null, mirror: { migration: { statusHash: 'x' } } },
    false,
  );
  const after = operated(withStatus(BOTH) as unknown as Json, patch);
  expect(after).toMatchObject({ status: { migration: { statusHash: 'x' } } });
  expect(after).not.toHaveProperty('status.stateStatus');
});

test('fields and conditions of others stay', () => {
  const others: CappStatus = {
    ...BOTH,
    conditions: [...(BOTH.conditions ?? []), said('Theirs')],
    abandoned: [{ site: 'site-9', work: 'uid', at: AT }],
  };
  const hub = { ...HUB, observedGeneration: 3, conditions: [said('Ready', 'False')] };
  const after = written(others, { hub, mirror: MIRROR }) as CappStatus;
  expect(after.abandoned).toEqual(others.abandoned);
  expect(byType(after)).toEqual(['Ready', 'RouteReady', 'Theirs']);
});
