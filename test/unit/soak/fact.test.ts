import { factOf, placeOf } from '../../soak/storm/record/fact.ts';

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
});
