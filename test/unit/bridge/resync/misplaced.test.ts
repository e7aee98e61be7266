// Which Capps a bridge rings for when it starts, because they may be on the wrong site.
import { ringForMisplaced } from '../../../../bridge/resync/resync.ts';
import type { RingCall, Ringer } from '../../../../bridge/ringer.ts';
import type { BridgeWatched } from '../../../../bridge/changes/watched.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import { AVAILABLE } from '../../../../crds/ocm/ocm.ts';
import { PLACEMENT_LABEL } from '../../../../crds/ocm/placements.ts';
import { aCapp } from '../../../support/builders/capps.ts';

const NAMESPACE = 'placements';

/** On site-1, with a condition Migrating that has this reason. */
function placed(migrating: string, annotations: Record<string, string> = {}): Capp {
  const capp = aCapp({ name: 'one' });
  const condition = {
    type: 'Migrating',
    status: 'False' as const,
    reason: migrating,
    message: '',
    lastTransitionTime: '2026-03-01T12:00:00Z',
    observedGeneration: 1,
  };
  return {
    ...capp,
    metadata: { ...capp.metadata, annotations },
    status: { conditions: [condition], applicationLinks: { site: 'site-1' } },
  };
}

/** The causes that the start of a bridge rings with, where a placement decides for these clusters. */
function causesAtStart(capp: Capp, decided: readonly string[]): string[] {
  const available = { conditions: [{ type: AVAILABLE, status: 'True' }] };
  const decision = {
    metadata: { name: 'all-1', namespace: NAMESPACE, labels: { [PLACEMENT_LABEL]: 'all' } },
    status: { decisions: decided.map((clusterName) => ({ clusterName })) },
  };
  const watched = {
    capps: { list: () => [capp] },
    configs: {
      list: () => [
        { metadata: { name: 'config' }, spec: { placements: ['all'], placementsNamespace: NAMESPACE } },
      ],
    },
    decisions: { list: () => [decision] },
    placements: { list: () => [] },
    drains: { list: () => [], changedAt: () => '' },
    clusters: { get: () => ({ metadata: { name: 'site-1' }, status: available }), list: () => [] },
    roleBindings: { by: () => [] },
    serviceAccounts: { get: () => undefined },
  } as unknown as BridgeWatched;
  const causes: string[] = [];
  const ringer = { ring: ({ cause }: RingCall) => void causes.push(cause) } as unknown as Ringer;
  ringForMisplaced(watched, ringer);
  return causes;
}

test('a Capp that is well on a selected site is not rung for', () => {
  expect(causesAtStart(placed('NotMoving'), ['site-1'])).toEqual([]);
});

test('a Capp on a site that no placement selects any more is reviewed', () => {
  expect(causesAtStart(placed('NotMoving'), ['site-2'])).toEqual(['decision']);
});

test('a Capp on a site that has stopped to fit spec.requires is reviewed', () => {
  const well = placed('NotMoving');
  const key = 'region';
  const asking = (operator: 'Exists' | 'DoesNotExist'): Capp => ({
    ...well,
    spec: { ...well.spec, requires: { labels: { matchExpressions: [{ key, operator }] } } },
  });
  expect(causesAtStart(asking('Exists'), ['site-1'])).toEqual(['decision']);
  expect(causesAtStart(asking('DoesNotExist'), ['site-1'])).toEqual([]);
});

test('a Capp that says that it waits to leave is reviewed although its site is selected again', () => {
  expect(causesAtStart(placed('NoDecision'), ['site-1'])).toEqual(['decision']);
});

test('a request by annotation that nobody has answered is rung for', () => {
  const asked = placed('NotMoving', { 'rcs.dana.io/migrate': 'site-2#1' });
  expect(causesAtStart(asked, ['site-1'])).toEqual(['request']);
});
