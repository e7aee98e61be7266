// Whose a hostname is, by the webhook's caches on a hub: the same Capp by each of its spellings.
import { nothingPending } from '../../../admission/pending.ts';
import { byHostname } from '../../../crds/capp/hostname.ts';
import { RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import {
  hubHostnameKey,
  knownFrom,
  type AdmissionCaches,
  type WebhookPlace,
} from '../../../workers/webhook/known.ts';
import { capp } from '../../../testbed/capps.ts';

const PLACE: WebhookPlace = {
  configKey: RCS_CONFIG_KEY,
  namespace: 'system',
  clusterDomain: 'cluster.local',
  reserved: [],
};

function cachesWith(zone: string | null, ...hostnames: readonly string[]): AdmissionCaches {
  const capps = hostnames.map((hostname, index) =>
    capp({ namespace: 'bank', name: `app-${index}`, spec: { routeSpec: { hostname } } }),
  );
  const dns = zone === null ? {} : { dns: { zone, provider: 'p', ttlSeconds: 60, allowedTargets: ['a.b'] } };
  const none = { list: () => [], get: () => undefined, by: () => [] };
  return {
    capps: { by: (_index: string, name: string) => capps.filter((one) => byHostname(one).includes(name)) },
    configs: { get: () => ({ spec: { placements: [], ...dns } }) },
    placements: none,
    clusterSets: none,
    setBindings: none,
    clusters: none,
    drains: none,
  } as unknown as AdmissionCaches;
}

test.each<[string | null, string, string, string[]]>([
  ['Zone.io.', 'shop.bank.zone.io', 'shop.bank', ['app-0']],
  ['Zone.io.', 'shop.bank', 'shop.bank.zone.io', ['app-0']],
  ['zone.io', 'shop.bank', 'Shop.Bank.', ['app-0']],
  ['zone.io', 'shop.bank', 'shop.bank.zone.com', []],
  [null, 'shop.bank.zone.io', 'shop.bank', []],
  [null, 'shop.bank', 'shop.bank', ['app-0']],
])('in zone %s, of a Capp with %s, %s is held by %j', (zone, has, asked, holders) => {
  const caches = cachesWith(zone, has);
  const known = knownFrom(caches, PLACE, nothingPending());
  expect(known.holders(hubHostnameKey(caches, PLACE, asked)).map(({ name }) => name)).toEqual(holders);
});

test('a cluster that is being deleted is known to be going', () => {
  const clusters = [
    { metadata: { name: 'site-1' } },
    { metadata: { name: 'site-2', deletionTimestamp: '2026-11-29T00:00:00Z' } },
  ];
  const caches = { ...cachesWith(null), clusters: { list: () => clusters } } as unknown as AdmissionCaches;
  const sites = knownFrom(caches, PLACE, nothingPending()).sites();
  expect(sites.map(({ name, isGoing }) => [name, isGoing])).toEqual([
    ['site-1', undefined],
    ['site-2', true],
  ]);
});

describe('the sites that are being drained', () => {
  const drain = (name: string, dryRun: boolean, metadata: object = {}) => ({
    metadata: { name, ...metadata },
    spec: { dryRun },
  });
  const drains = [
    drain('site-1', false),
    drain('site-2', true),
    drain('site-3', false, { deletionTimestamp: '2026-11-29T00:00:00Z' }),
    drain('gone', false),
  ];
  const caches = {
    ...cachesWith(null),
    clusters: { list: () => ['site-1', 'site-2', 'site-3'].map((name) => ({ metadata: { name } })) },
    drains: { get: ({ name }: { name: string }) => drains.find(({ metadata }) => metadata.name === name) },
  } as unknown as AdmissionCaches;

  test('are those of Drains that stand and are no dry runs', () => {
    expect(knownFrom(caches, PLACE, nothingPending()).draining()).toEqual([{ site: 'site-1' }]);
  });

  test('are also those whose Drain was let in a moment ago', () => {
    const pending = nothingPending();
    for (const name of ['site-1', 'site-2', 'elsewhere'])
      pending.drains.note(name, { namespace: '', name, deleting: false }, Date.now());
    expect(knownFrom(caches, PLACE, pending).draining()).toEqual([
      { site: 'site-1' },
      { site: 'site-2', isPending: true },
    ]);
  });
});

test('a name that was allowed a moment ago is held by its whole name', () => {
  const pending = nothingPending();
  const caches = cachesWith('zone.io');
  const holder = { namespace: 'bank', name: 'new', deleting: false };
  pending.hostnames.note(hubHostnameKey(caches, PLACE, 'shop.bank'), holder, Date.now());
  const known = knownFrom(caches, PLACE, pending);
  expect(known.holders(hubHostnameKey(caches, PLACE, 'shop.bank.zone.io'))).toEqual([
    { ...holder, isPending: true },
  ]);
});
