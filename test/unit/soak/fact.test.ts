import { renderChecks } from '../../../activities/hub/bundle/checks/render.ts';
import { VERIFY } from '../../../crds/labels.ts';
import type { ManifestWork } from '../../../crds/ocm/ocm.ts';
import { verifyList } from '../../../crds/verification/check.ts';
import { keyOf, orderText } from '../../../crds/verification/order.ts';
import { CANARY, factOf, placeOf } from '../../soak/storm/record/fact.ts';
import { aBundle } from '../../support/builders/fleet/bundles.ts';
import { appliedOf, unreadyIn } from '../../support/testbeds/fleet/work-reports.ts';

const smoke = {
  name: 'smoke',
  timeoutSeconds: 300,
  job: { template: { spec: { template: { spec: { restartPolicy: 'Never', containers: [] } } } } },
};
const WHEN = { revision: 7, at: 0 };
const condition = (type: string, observedGeneration: number, status = 'True') => ({
  type,
  status,
  observedGeneration,
});

describe('where etcd has an object', () => {
  test.each([
    ['/hub/rcs.dana.io/capps/shop/app', { cluster: 'hub', kind: 'Capp', key: 'shop/app' }],
    ['/site-1/rcs.dana.io/capps/shop/app', { cluster: 'site-1', kind: 'Capp', key: 'shop/app' }],
    ['/hub/rcs.dana.io/cappsets/shop/fleet', { cluster: 'hub', kind: 'CappSet', key: 'shop/fleet' }],
    [
      '/hub/work.open-cluster-management.io/manifestworks/site-1/mw-create-shop-app',
      { cluster: 'hub', kind: 'ManifestWork', key: 'site-1/mw-create-shop-app' },
    ],
    ['/hub/rcs.dana.io/capprevisions/shop/app-1', null],
    ['/hub/leases/kube-system/controller', null],
    ['compact_rev_key', null],
  ])('%s', (key, place) => {
    expect(placeOf(key)).toEqual(place);
  });
});

describe('what a version says', () => {
  const capp = { cluster: 'site-1', kind: 'Capp', key: 'shop/app' } as const;

  test('it is Ready only of exactly its generation, and serves with any', () => {
    const said = (generation: number) =>
      factOf(
        capp,
        {
          metadata: { generation },
          spec: { image: 'app:storm-12', env: 'storm-x' },
          status: { conditions: [condition('Ready', 3), condition('Serving', 3)] },
        },
        WHEN,
      );
    expect(said(3)).toMatchObject({ isReady: true, isServing: true, edition: 12, isGone: false });
    expect(said(4)).toMatchObject({ isReady: false, isServing: true });
  });

  test('a work is of the Capp that it carries, and has the greatest edit in it', () => {
    const manifests = [
      { kind: 'ConfigMap', metadata: { namespace: 'shop', name: 'x' }, data: { edition: 'storm-2' } },
      { kind: 'Capp', metadata: { namespace: 'shop', name: 'app' }, spec: { image: 'app:storm-9' } },
    ];
    const place = { cluster: 'hub', kind: 'ManifestWork', key: 'site-1/mw-create-shop-app' } as const;
    expect(factOf(place, { metadata: {}, spec: { workload: { manifests } } }, WHEN)).toMatchObject({
      of: 'shop/app',
      edition: 9,
    });
  });

  test('the revision of a set is that of its newest generation alone', () => {
    const place = { cluster: 'hub', kind: 'CappSet', key: 'shop/fleet' } as const;
    const said = (observedGeneration: number) =>
      factOf(
        place,
        { metadata: { generation: 2 }, status: { observedGeneration, rollout: { revision: 'r2' } } },
        WHEN,
      ).rollout;
    expect([said(2), said(1)]).toEqual(['r2', null]);
  });

  test('what is gone says nothing', () => {
    expect(factOf(capp, null, WHEN)).toMatchObject({ isGone: true, isServing: false, edition: null });
  });

  const hubCapp = { cluster: 'hub', kind: 'Capp', key: 'shop/fleet-1' } as const;
  const order = { revision: 'r1', round: '1/0', generation: 2, at: 1, checks: [] };
  const checks = verifyList().parse([{ name: 'up', http: { path: '/' } }]);
  const key = keyOf({ ...order, checks });
  const ordered = { [VERIFY]: orderText({ ...order, checks }) };

  test.each([
    ['passed', { key, verdict: 'Passed' }, 'r1'],
    ['failed', { key, verdict: 'Failed' }, null],
    ['passed of another question', { key: 'other', verdict: 'Passed' }, null],
  ])('a Capp of a set whose checks have %s', (_, verification, verified) => {
    const stored = { metadata: { annotations: ordered }, status: { verification } };
    expect(factOf(hubCapp, stored, WHEN).verified).toBe(verified);
  });

  test('a work with the Jobs of a Bundle passes when the site says that they are complete', () => {
    const bundle = aBundle();
    const ask = { cluster: 'site-1', revision: 'r1', round: '1/0', checks: JSON.stringify([smoke]) };
    const work = renderChecks(bundle, { executorNamespace: 'add-on' }, ask, 1) as ManifestWork;
    const place = { cluster: 'hub', kind: 'ManifestWork', key: `site-1/${work.metadata.name}` } as const;
    const sent = { ...work, metadata: { ...work.metadata, generation: 1 } };
    const said = (status: object) => factOf(place, { ...sent, status }, WHEN).verified;
    expect(said({})).toBeNull();
    expect(said(unreadyIn(appliedOf(sent), 'It runs.') ?? {})).toBeNull();
    expect(said(appliedOf(sent) ?? {})).toBe('r1');
  });

  test('that a Capp moves, and the reason of its last move, if that has led anywhere', () => {
    const said = (result: string) =>
      factOf(
        hubCapp,
        {
          metadata: { generation: 1 },
          status: {
            conditions: [condition('Migrating', 1)],
            migration: { lastMove: { reason: 'Unhealthy', result } },
          },
        },
        WHEN,
      );
    expect(said('Moved')).toMatchObject({ isMoving: true, movedFor: 'Unhealthy' });
    expect(said('Failed')).toMatchObject({ isMoving: true, movedFor: null });
  });

  test.each([
    ['as it is', `${CANARY}7`, true],
    ['in base64', btoa(`${CANARY}7`), true],
    ['not at all', 'sealed', false],
  ])('the Secret of a storm that it shows %s', (_, token, shows) => {
    const spec = { workload: { manifests: [{ kind: 'Secret', data: { token } }] } };
    const place = { cluster: 'hub', kind: 'ManifestWork', key: 'site-1/mw' } as const;
    expect(factOf(place, { metadata: {}, spec }, WHEN).showsSecret).toBe(shows);
  });
});
