// The domain of a Capp on its site: what is made of a hostname, and what is said of it, of its certificate
// and of logs.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { DomainMapping } from '../../../crds/kubernetes/knative.ts';
import { loggingReady } from '../../../site/status.ts';
import { domainOf } from '../../../crds/capp/hostname.ts';
import { domainMapping } from '../../../site/route/domain-mapping.ts';
import { certificateReady, routeReady, routeStatus, type SeenRoute } from '../../../site/route/status.ts';
import { aCapp } from '../../support/builders/capps.ts';
import { is, type Truth } from '../../support/builders/knative.ts';

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
  return { mappings: [mapping], fault: null };
}
const NOTHING: SeenRoute = { mappings: [], fault: null };

describe('the domain that a hostname means', () => {
  it.each([
    ['shop.example.com', 'shop.example.com'],
    ['Shop.Example.COM.', 'shop.example.com'],
    ['a-1.b', 'a-1.b'],
    [`${'a'.repeat(63)}.com`, `${'a'.repeat(63)}.com`],
  ])('of %s is %s', (hostname, domain) => {
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
  ])('of "%s" is none', (hostname) => {
    expect(domainOf(hostname)).toBeNull();
  });

  it('has at most 253 characters', () => {
    const name = (length: number) => 'a.'.repeat(length).slice(0, length);
    expect(domainOf(name(253))).toBe(name(253));
    expect(domainOf(name(255))).toBeNull();
  });
});

describe('a DomainMapping', () => {
  it('bears the domain as its name, the marks and the owner of its Capp, and leads to its Service', () => {
    expect(domainMapping(routed({ hostname: 'Shop.example.com' }))).toEqual({
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

  it('stays for a disabled Capp, and is none for one that asks for none or for one that cannot be', () => {
    expect(domainMapping(routed({}, { state: 'disabled' }))).not.toBeNull();
    expect(domainMapping(aCapp())).toBeNull();
    expect(domainMapping(routed({ hostname: '' }))).toBeNull();
    expect(domainMapping(routed({ hostname: 'shop' }))).toBeNull();
  });
});

describe('RouteReady', () => {
  const fault = { reason: 'Refused', message: 'm' } as const;
  const notReady = (type: string, status: Truth, reason: string) =>
    seen({ conditions: [is('Ready', status), is(type, status, reason)] });

  it.each<[string, Capp, SeenRoute, Truth, string, RegExp]>([
    [
      'of a name without a domain says how to write it',
      routed({ hostname: 'shop' }),
      NOTHING,
      'False',
      'NotQualified',
      /fully qualified/,
    ],
    ['is what stood in the way of writing', routed(), { ...NOTHING, fault }, 'False', 'Refused', /^m$/],
    [
      'is false while the Capp is disabled',
      routed({}, { state: 'disabled' }),
      NOTHING,
      'False',
      'Disabled',
      /disabled/,
    ],
    ['is unknown before there is a mapping', routed(), NOTHING, 'Unknown', 'NotMapped', /not observed/],
    [
      'is unknown while Knative is behind',
      routed(),
      seen({ observedGeneration: 0 }),
      'Unknown',
      'NotMapped',
      /not observed/,
    ],
    [
      'is true when Knative says so',
      routed(),
      seen({ conditions: [is('Ready', 'True')] }),
      'True',
      'Mapped',
      /answers requests for shop\.example\.com/,
    ],
    [
      'names who has the domain',
      routed(),
      notReady('DomainClaimed', 'False', 'DomainAlreadyClaimed'),
      'False',
      'NameTaken',
      /another namespace/,
    ],
    [
      'says how a domain can be claimed',
      routed(),
      notReady('DomainClaimed', 'False', 'DomainClaimFailed'),
      'False',
      'NotMapped',
      /autocreate-cluster-domain-claims/,
    ],
    [
      'waits for the Service',
      routed(),
      notReady('ReferenceResolved', 'False', 'ResolveFailed'),
      'False',
      'NotMapped',
      /waits for the Capp/,
    ],
    [
      'repeats any other reason',
      routed(),
      notReady('IngressReady', 'Unknown', 'Uninitialized'),
      'Unknown',
      'NotMapped',
      /\(Uninitialized\)/,
    ],
    ['is unknown while Knative says nothing', routed(), seen(), 'Unknown', 'NotMapped', /\(Unknown\)/],
    [
      'believes no mapping of somebody else',
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

  it('is not there without a hostname', () => {
    expect(routeReady(aCapp(), seen())).toBeNull();
    expect(routeReady(routed({ hostname: '' }), seen())).toBeNull();
  });

  it('comes with what Knative says, as it says it', () => {
    const status = {
      observedGeneration: 1,
      url: 'http://shop.example.com',
      conditions: [is('Ready', 'True')],
    };
    expect(routeStatus(routed(), seen(status))).toEqual({ domainMappingObjectStatus: status });
    expect(routeStatus(routed(), NOTHING)).toBeUndefined();
    expect(routeStatus(aCapp(), seen(status))).toBeUndefined();
  });
});

describe('CertificateReady', () => {
  const tls = routed({ tlsEnabled: true });
  it.each<[string, SeenRoute, Truth, string]>([
    ['says that nobody makes one', seen({ url: 'http://shop.example.com' }), 'False', 'NotSupported'],
    ['says so before there is a mapping', NOTHING, 'False', 'NotSupported'],
    [
      'is true for one that the site has all the same',
      seen({ url: 'https://shop.example.com' }),
      'True',
      'Provided',
    ],
  ])('%s', (_title, world, status, reason) => {
    expect(certificateReady(tls, world)).toMatchObject({ type: 'CertificateReady', status, reason });
  });

  it('is not there unless it is asked for', () => {
    expect(certificateReady(routed(), seen({ url: 'https://shop.example.com' }))).toBeNull();
    expect(certificateReady(aCapp({ spec: { routeSpec: { tlsSecret: 'older' } } }), NOTHING)).toBeNull();
  });
});

describe('LoggingReady', () => {
  const elastic = { type: 'elastic', host: 'h', index: 'i', user: 'u', passwordSecret: 'p' };
  it('says that no logs are shipped to who asks for it, and nothing to others', () => {
    expect(loggingReady(aCapp({ spec: { logSpec: elastic } }))).toMatchObject({
      type: 'LoggingReady',
      status: 'False',
      reason: 'NotSupported',
    });
    expect(loggingReady(aCapp({ spec: { logSpec: {} } }))).toBeNull();
    expect(loggingReady(aCapp())).toBeNull();
  });
});
