// The domain of a Capp on its site: the DomainMapping for its hostname, and the condition about it.
import type { Capp } from '../../../../crds/capp/capp.ts';
import type { DomainMapping } from '../../../../crds/kubernetes/knative.ts';
import { domainOf } from '../../../../crds/capp/hostname.ts';
import { domainMapping } from '../../../../site/route/domain-mapping.ts';
import { routeReady, routeStatus, type SeenRoute } from '../../../../site/route/status.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { SEEN_NOTHING } from '../../../support/builders/site/site.ts';
import { is, type Truth } from '../../../support/builders/site/knative.ts';

const routed = (routeSpec: object = {}, spec: object = {}): Capp =>
  aCapp({ spec: { ...spec, routeSpec: { hostname: 'shop.example.com', ...routeSpec } } });
const labels = { 'rcs.dana.io/parent-capp': 'app', 'rcs.dana.io/managed-by': 'capp' };

function seen(
  status: DomainMapping['status'] = {},
  metadata: Partial<DomainMapping['metadata']> = {},
): SeenRoute {
  const mapping = {
    metadata: { name: 'shop.example.com', generation: 1, labels, ...metadata },
    status: { observedGeneration: 1, ...status },
  };
  return { ...NOTHING, mappings: [mapping] };
}
const NOTHING: SeenRoute = SEEN_NOTHING.route;

describe('the domain of a hostname', () => {
  it.each([
    ['shop.example.com', 'shop.example.com'],
    ['Shop.Example.COM.', 'shop.example.com'],
    ['a-1.b', 'a-1.b'],
    [`${'a'.repeat(63)}.com`, `${'a'.repeat(63)}.com`],
  ])('is, for %s, %s', (hostname, domain) => {
    expect(domainOf(hostname)).toBe(domain);
  });

  it.each([
    '',
    'shop',
    'shop.',
    '.com',
    'a..b',
    '-a.b',
    'a-.b',
    'a_b.c',
    '*.example.com',
    'a.b/c',
    'a.b:80',
    `${'a'.repeat(64)}.com`,
  ])('does not exist for the invalid hostname "%s"', (hostname) => {
    expect(domainOf(hostname)).toBeNull();
  });

  it('has at most 253 characters', () => {
    const name = (length: number) => 'a.'.repeat(length).slice(0, length);
    expect(domainOf(name(253))).toBe(name(253));
    expect(domainOf(name(255))).toBeNull();
  });
});

describe('a DomainMapping', () => {
  it('has the domain as its name, our labels, an owner reference to its Capp and a reference to its Service', () => {
    expect(domainMapping(routed({ hostname: 'Shop.example.com' }), 'shop.example.com', null)).toEqual({
      apiVersion: 'serving.knative.dev/v1beta1',
      kind: 'DomainMapping',
      metadata: {
        name: 'shop.example.com',
        namespace: 'apps',
        labels,
        ownerReferences: [{ apiVersion: 'rcs.dana.io/v1alpha1', kind: 'Capp', name: 'app', uid: 'uid-1' }],
      },
      spec: {
        ref: { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: 'app', namespace: 'apps' },
      },
    });
  });
});

it.each([
  ['shop', 'shop.zone.example', { 'rcs.dana.io/added-zone': 'zone.example' }],
  ['Capp.dev.', 'capp.dev.zone.example', { 'rcs.dana.io/added-zone': 'zone.example' }],
  ['shop.zone.example', 'shop.zone.example', undefined],
])('the DomainMapping of %s, %s, remembers the zone that was added', (hostname, name, annotations) => {
  expect(domainMapping(routed({ hostname }), name, null).metadata.annotations).toEqual(annotations);
});

it('a DomainMapping with TLS names the Secret of the certificate', () => {
  expect(domainMapping(routed(), 'shop.example.com', 'shop.example.com-tls').spec).toMatchObject({
    tls: { secretName: 'shop.example.com-tls' },
  });
});

describe('RouteReady', () => {
  const fault = { reason: 'Refused', message: 'm' } as const;
  const notReady = (type: string, status: Truth, reason: string) =>
    seen({ conditions: [is('Ready', status), is(type, status, reason)] });

  it.each<[string, Capp, SeenRoute, Truth, string, RegExp]>([
    [
      'is False for a hostname without a domain, and says how to write it',
      routed({ hostname: 'shop' }),
      NOTHING,
      'False',
      'NotQualified',
      /fully qualified/,
    ],
    [
      'is False with the fault that kept the mapping from being written',
      routed(),
      { ...NOTHING, fault },
      'False',
      'Refused',
      /^m$/,
    ],
    [
      'is False while the Capp is disabled',
      routed({}, { state: 'disabled' }),
      NOTHING,
      'False',
      'Disabled',
      /disabled/,
    ],
    ['is Unknown before there is a mapping', routed(), NOTHING, 'Unknown', 'NotMapped', /not observed/],
    [
      'is Unknown while Knative has not observed the newest generation',
      routed(),
      seen({ observedGeneration: 0 }),
      'Unknown',
      'NotMapped',
      /not observed/,
    ],
    [
      'is True when the mapping is Ready',
      routed(),
      seen({ conditions: [is('Ready', 'True')] }),
      'True',
      'Mapped',
      /answers requests for shop\.example\.com/,
    ],
    [
      'is False when the domain is claimed in another namespace',
      routed(),
      notReady('DomainClaimed', 'False', 'DomainAlreadyClaimed'),
      'False',
      'NameTaken',
      /another namespace/,
    ],
    [
      'says how a domain can be claimed when the claim failed',
      routed(),
      notReady('DomainClaimed', 'False', 'DomainClaimFailed'),
      'False',
      'NotMapped',
      /autocreate-cluster-domain-claims/,
    ],
    [
      'is False while the mapping waits for the Service',
      routed(),
      notReady('ReferenceResolved', 'False', 'ResolveFailed'),
      'False',
      'NotMapped',
      /waits for the Capp/,
    ],
    [
      'repeats any other reason of the mapping',
      routed(),
      notReady('IngressReady', 'Unknown', 'Uninitialized'),
      'Unknown',
      'NotMapped',
      /\(Uninitialized\)/,
    ],
    [
      'is Unknown while the mapping has no conditions',
      routed(),
      seen(),
      'Unknown',
      'NotMapped',
      /\(Unknown\)/,
    ],
    [
      'ignores a mapping without our label',
      routed(),
      seen({ conditions: [is('Ready', 'True')] }, { labels: { 'rcs.dana.io/parent-capp': 'app' } }),
      'Unknown',
      'NotMapped',
      /not observed/,
    ],
  ])('%s', (_title, capp, world, status, reason, message) => {
    expect(routeReady(capp, world)).toEqual({
      type: 'RouteReady',
      status,
      reason,
      message: expect.stringMatching(message) as string,
    });
  });

  it('is absent without a hostname', () => {
    expect(routeReady(aCapp(), seen())).toBeNull();
    expect(routeReady(routed({ hostname: '' }), seen())).toBeNull();
  });

  it('comes with the status of the mapping, unchanged', () => {
    const status = {
      observedGeneration: 1,
      url: 'http://shop.example.com',
      conditions: [is('Ready', 'True')],
    };
    expect(routeStatus(routed(), seen(status), null)).toEqual({ domainMappingObjectStatus: status });
    expect(routeStatus(routed(), NOTHING, null)).toBeUndefined();
    expect(routeStatus(aCapp(), seen(status), null)).toBeUndefined();
  });
});
