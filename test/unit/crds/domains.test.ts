// Whose domains are whose: a namespace gets a hostname only where the hub's operator has named it.
import { closedTo } from '../../../activities/hub/ship/hostname.ts';
import { closedDomain } from '../../../crds/hub/domains.ts';
import { RcsConfigSpec } from '../../../crds/hub/rcs-config.ts';
import { aCapp } from '../../support/builders/capps.ts';

const DOMAINS = [
  { domain: 'zone.io', namespaces: ['platform'] },
  { domain: 'bank.zone.io', namespaces: ['bank', 'bank-*'] },
  { domain: 'safe.bank.zone.io', namespaces: [] },
  { domain: 'shared.io', namespaces: ['*'] },
];

test.each<[string, string, string | undefined]>([
  ['bank', 'shop.bank.zone.io', undefined],
  ['bank-test', 'shop.bank.zone.io', undefined],
  ['bank', 'bank.zone.io', undefined],
  ['bank', 'other.zone.io', 'zone.io'],
  ['evil', 'shop.bank.zone.io', 'bank.zone.io'],
  ['bankrobber', 'shop.bank.zone.io', 'bank.zone.io'],
  ['ban', 'shop.bank.zone.io', 'bank.zone.io'],
  ['evil', 'zone.io', 'zone.io'],
  ['platform', 'www.zone.io', undefined],
  ['platform', 'shop.bank.zone.io', 'bank.zone.io'],
  ['bank', 'x.safe.bank.zone.io', 'safe.bank.zone.io'],
  ['evil', 'evilbank.zone.io', 'zone.io'],
  ['evil', 'myzone.io', undefined],
  ['evil', 'any.shared.io', undefined],
  ['evil', 'elsewhere.org', undefined],
])('of namespace %s, %s is kept by %s', (namespace, name, domain) => {
  expect(closedDomain(namespace, name, DOMAINS)).toBe(domain);
});

test('every other name may be closed too, and the order of the list does not matter', () => {
  const all = [{ domain: '*', namespaces: ['platform'] }, ...DOMAINS];
  for (const domains of [all, all.toReversed()]) {
    expect(closedDomain('evil', 'elsewhere.org', domains)).toBe('*');
    expect(closedDomain('platform', 'elsewhere.org', domains)).toBeUndefined();
    expect(closedDomain('bank', 'shop.bank.zone.io', domains)).toBeUndefined();
  }
});

test('two entries of one domain are one, and without a list everything is open', () => {
  const twice = [
    { domain: 'zone.io', namespaces: ['a'] },
    { domain: 'zone.io', namespaces: ['b'] },
  ];
  expect(['a', 'b', 'c'].map((one) => closedDomain(one, 'x.zone.io', twice))).toEqual([
    undefined,
    undefined,
    'zone.io',
  ]);
  expect(closedDomain('a', 'x.zone.io')).toBeUndefined();
});

test.each([
  [{ domain: 'Zone.io', namespaces: [] }],
  [{ domain: '*.zone.io', namespaces: [] }],
  [{ domain: 'zone.io', namespaces: ['a*b'] }],
  [{ domain: 'zone.io' }],
])('the entry %j says nothing that could be meant, and is refused', (entry) => {
  const spec = { placements: ['all'], placementsNamespace: 'placements', domains: [entry] };
  expect(RcsConfigSpec.safeParse(spec).success).toBe(false);
});

test('the hub worker compares the whole name, and says who can help', () => {
  const capp = aCapp({ name: 'shop', namespace: 'evil', spec: { routeSpec: { hostname: 'Shop.Bank' } } });
  const config = { namespace: 'rcs-deployer-system', name: 'rcs-config' };
  expect(closedTo(capp, { zone: 'Zone.io.', domains: DOMAINS, config })).toBe(
    'spec.routeSpec.hostname "shop.bank.zone.io" is in bank.zone.io, which is not open to namespace evil: use another, or have whoever runs the hub name the namespace in spec.domains of RCSConfig rcs-deployer-system/rcs-config.',
  );
  expect(closedTo(capp, { zone: undefined, domains: undefined, config })).toBeNull();
});
