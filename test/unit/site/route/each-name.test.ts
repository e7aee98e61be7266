// What a Capp says to Knative of how requests reach it holds for its hostname as for its own URL, and whoever
// leads a hostname to HTTPS without a certificate is told.
import { PATHS } from '../../../../admission/router.ts';
import { domainMapping } from '../../../../site/route/domain-mapping.ts';
import { asked, judged, raw } from '../../../support/builders/admission.ts';
import { aCapp } from '../../../support/builders/capps.ts';

const OF = 'networking.knative.dev';
const HOSTNAME = 'shop.example.com';

const mapped = (annotations: Record<string, string>, hostname = HOSTNAME, name = HOSTNAME) => {
  const capp = aCapp({ spec: { routeSpec: { hostname } } });
  return domainMapping({ ...capp, metadata: { ...capp.metadata, annotations } }, name, null).metadata
    .annotations;
};

it.each<[string, string, string]>([
  ['http-protocol', 'Redirected', 'httpOption'],
  ['httpOption', 'Redirected', 'httpOption'],
  ['ingress-class', 'own.example.com', 'ingress.class'],
  ['ingress.class', 'own.example.com', 'ingress.class'],
  // Of a mapping Knative reads this spelling alone.
  ['certificate-class', 'own.example.com', 'certificate.class'],
  ['disable-external-domain-tls', 'true', 'disableAutoTLS'],
  ['disable-auto-tls', 'true', 'disableAutoTLS'],
])('%s: %s of the Capp is %s of its DomainMapping', (given, value, named) => {
  expect(mapped({ [`${OF}/${given}`]: value, note: 'a' })).toEqual({ [`${OF}/${named}`]: value });
});

it('of two spellings the one counts that Knative looks for first', () => {
  const both = { [`${OF}/http-protocol`]: 'Redirected', [`${OF}/httpOption`]: 'Enabled' };
  expect(mapped(both)).toEqual({ [`${OF}/httpOption`]: 'Enabled' });
});

it('what Kourier reads of an Ingress stands beside the zone that was added', () => {
  const annotations = mapped({ 'kourier.knative.dev/disable-http2': 'true' }, 'shop', 'shop.zone.example');
  expect(annotations).toEqual({
    'kourier.knative.dev/disable-http2': 'true',
    'rcs.dana.io/added-zone': 'zone.example',
  });
});

it.each([{ note: 'a' }, { 'serving.knative.dev/rollout-duration': '2m' }, { [`${OF}/visibility`]: 'x' }])(
  '%j is nothing for its DomainMapping',
  (annotations) => {
    expect(mapped(annotations)).toBeUndefined();
  },
);

describe('a hostname that is led to HTTPS without a certificate', () => {
  const KEY = `${OF}/http-protocol`;
  const capp = (routeSpec: object, value = 'Redirected', note = 'a') =>
    raw({ routeSpec }, { annotations: { [KEY]: value, note } });
  const told = (object: object, before: object | null = null) =>
    judged(PATHS.validateCapp, asked(object, before)).warnings;
  const words = `metadata.annotations[${KEY}] leads spec.routeSpec.hostname to HTTPS, too, without a certificate unless the site's Knative makes one: set spec.routeSpec.tlsEnabled, or take the annotation out.`;

  it('is told when it is made, when the hostname comes, and when TLS goes', () => {
    const open = capp({ hostname: HOSTNAME });
    expect(told(open)).toEqual([words]);
    expect(told(open, capp({}))).toEqual([words]);
    expect(told(open, capp({ hostname: HOSTNAME, tlsEnabled: true }))).toEqual([words]);
    expect(told(open, capp({ hostname: HOSTNAME }, 'Enabled'))).toEqual([words]);
    expect(told(capp({ hostname: HOSTNAME, tlsEnabled: false }, 'redirected'))).toEqual([words]);
    // An API server would cut it.
    expect(words.length).toBeLessThan(256);
  });

  it('is not told again, and neither of a certificate, no hostname or plain HTTP', () => {
    const open = capp({ hostname: HOSTNAME });
    expect(told(capp({ hostname: HOSTNAME }, 'Redirected', 'b'), open)).toEqual([]);
    expect(told(capp({ hostname: HOSTNAME, tlsEnabled: true }))).toEqual([]);
    expect(told(capp({}))).toEqual([]);
    expect(told(capp({ hostname: HOSTNAME }, 'Enabled'))).toEqual([]);
  });
});
