// What a Capp says of HTTPS holds for its hostname once that has a certificate, nothing that could take the
// hostname off the net does, and whoever gives it such an annotation is told.
import { PATHS } from '../../../../admission/router.ts';
import { domainMapping } from '../../../../site/route/domain-mapping.ts';
import { asked, judged, raw } from '../../../support/builders/admission.ts';
import { aCapp } from '../../../support/builders/capps.ts';

const OF = 'networking.knative.dev';
const HOSTNAME = 'shop.example.com';
const SECRET = 'shop.example.com-tls';

const mapped = (annotations: Record<string, string>, secretName: string | null = SECRET, name = HOSTNAME) => {
  const hostname = name.startsWith('shop.zone') ? 'shop' : name;
  const capp = aCapp({ spec: { routeSpec: { hostname, tlsEnabled: true } } });
  const { metadata } = domainMapping(
    { ...capp, metadata: { ...capp.metadata, annotations } },
    name,
    secretName,
  );
  return metadata.annotations;
};

it.each<[string, string]>([
  ['http-protocol', 'Redirected'],
  ['httpOption', 'Redirected'],
  ['httpOption', 'Enabled'],
])('%s: %s of a Capp is on the DomainMapping that has a certificate, and on no other', (given, value) => {
  const annotations = { [`${OF}/${given}`]: value, note: 'a' };
  expect(mapped(annotations)).toEqual({ [`${OF}/httpOption`]: value });
  expect(mapped(annotations, null)).toBeUndefined();
});

it('of two spellings the one counts that Knative looks for first', () => {
  const both = { [`${OF}/http-protocol`]: 'Redirected', [`${OF}/httpOption`]: 'Enabled' };
  expect(mapped(both)).toEqual({ [`${OF}/httpOption`]: 'Enabled' });
});

it('it stands beside the zone that was added', () => {
  expect(mapped({ [`${OF}/httpOption`]: 'Redirected' }, SECRET, 'shop.zone.example')).toEqual({
    [`${OF}/httpOption`]: 'Redirected',
    'rcs.dana.io/added-zone': 'zone.example',
  });
});

it.each([
  { note: 'a' },
  { 'serving.knative.dev/rollout-duration': '2m' },
  { [`${OF}/visibility`]: 'x' },
  // The DNS record of the hostname leads to the one ingress that the site names.
  { [`${OF}/ingress-class`]: 'own.example.com' },
  { [`${OF}/ingress.class`]: 'own.example.com' },
  // A hostname that Knative has made a certificate for would lose it.
  { [`${OF}/certificate-class`]: 'own.example.com' },
  { [`${OF}/disable-external-domain-tls`]: 'true' },
])('%j is nothing for its DomainMapping', (annotations) => {
  expect(mapped(annotations)).toBeUndefined();
});

const told = (object: object, before: object | null = null) =>
  judged(PATHS.validateCapp, asked(object, before)).warnings;
const capp = (key: string, routeSpec: object, value: string, more: object = {}) =>
  raw({ routeSpec }, { annotations: { [key]: value, ...more } });
const PRIVATE = { [`${OF}/visibility`]: 'cluster-local' };

describe('of a hostname that is to lead to HTTPS without a certificate', () => {
  const KEY = `${OF}/http-protocol`;
  const of = (routeSpec: object, value = 'Redirected', more: object = {}) =>
    capp(KEY, routeSpec, value, more);
  const words = `metadata.annotations[${KEY}] does not hold for spec.routeSpec.hostname, which answers by plain HTTP while it has no certificate: set spec.routeSpec.tlsEnabled.`;

  it('is told when it is made, when the hostname comes, and when TLS goes', () => {
    const open = of({ hostname: HOSTNAME });
    expect(told(open)).toEqual([words]);
    expect(told(open, of({}))).toEqual([words]);
    expect(told(open, of({ hostname: HOSTNAME, tlsEnabled: true }))).toEqual([words]);
    expect(told(open, of({ hostname: HOSTNAME }, 'Enabled'))).toEqual([words]);
    expect(told(of({ hostname: HOSTNAME, tlsEnabled: false }, 'redirected'))).toEqual([words]);
  });

  it('is not told again, and neither of a certificate, no hostname or plain HTTP', () => {
    const open = of({ hostname: HOSTNAME });
    expect(told(of({ hostname: HOSTNAME }, 'Redirected', { note: 'b' }), open)).toEqual([]);
    expect(told(of({ hostname: HOSTNAME, tlsEnabled: true }))).toEqual([]);
    expect(told(of({}))).toEqual([]);
    expect(told(of({ hostname: HOSTNAME }, 'Enabled'))).toEqual([]);
  });

  it('is not told of a private Capp, whose hostname leads nowhere', () => {
    expect(told(of({ hostname: HOSTNAME }, 'Redirected', PRIVATE))).toEqual([
      expect.stringContaining('makes the Capp private'),
    ]);
  });
});

describe.each([`${OF}/ingress-class`, `${OF}/ingress.class`])('of a hostname and %s', (key) => {
  const of = (routeSpec: object, value = 'own', more: object = {}) => capp(key, routeSpec, value, more);
  const words = `metadata.annotations[${key}] does not hold for spec.routeSpec.hostname, which leads to the ingress of the whole site: leave the hostname out where nobody is to reach the Capp there.`;

  it('is told that the class does not hold for it, when either comes', () => {
    const classed = of({ hostname: HOSTNAME });
    expect(told(classed)).toEqual([words]);
    expect(told(classed, of({}))).toEqual([words]);
    expect(told(classed, raw({ routeSpec: { hostname: HOSTNAME } }))).toEqual([words]);
    // An API server would cut it.
    expect(words.length).toBeLessThan(256);
  });

  it('is not told again, of no hostname, or of a private Capp', () => {
    const classed = of({ hostname: HOSTNAME });
    expect(told(of({ hostname: HOSTNAME }, 'own', { note: 'b' }), classed)).toEqual([]);
    expect(told(of({}))).toEqual([]);
    expect(told(of({ hostname: HOSTNAME }, 'own', PRIVATE))).toEqual([
      expect.stringContaining('makes the Capp private'),
    ]);
  });
});
