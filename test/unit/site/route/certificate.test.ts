// The certificate of a Capp's hostname: what is asked of cert-manager, and what is said of it.
import { readFileSync } from 'node:fs';
import type { Capp } from '../../../../crds/capp/capp.ts';
import type { CertificateObject } from '../../../../crds/kubernetes/certificate.ts';
import { certificate, isIssued } from '../../../../site/route/certificate.ts';
import { certificateReady } from '../../../../site/route/certificate-ready.ts';
import { routeStatus, type SeenRoute } from '../../../../site/route/status.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { is, type Truth } from '../../../support/builders/site/knative.ts';
import { SEEN_NOTHING } from '../../../support/builders/site/site.ts';

type Recorded = Required<Pick<CertificateObject, 'status'>> & { readonly generation: number };

/**
 * What cert-manager v1.19.4 wrote on a real API server: while its issuer did not exist, once it had signed,
 * while a person asked for a renewal and after it, right after the issuer was edited and once cert-manager
 * had noticed, and after a request had failed.
 */
const RECORDED = JSON.parse(
  readFileSync(new URL('certificate-states.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, Recorded>>;

const NAME = 'shop.example.com';
const ISSUER = { name: 'ca', kind: 'ClusterIssuer', group: 'cert.dana.io' };
const labels = { 'rcs.dana.io/parent-capp': 'app', 'rcs.dana.io/managed-by': 'capp' };
const tls = (routeSpec: object = {}): Capp =>
  aCapp({ spec: { routeSpec: { hostname: NAME, tlsEnabled: true, ...routeSpec } } });

function recorded(state: string): CertificateObject {
  const { generation, status } = RECORDED[state] ?? { generation: 0, status: {} };
  return { metadata: { name: NAME, generation, labels }, status };
}

/** Of a site whose mapping answers under this URL. */
function seen(
  certificates: readonly CertificateObject[],
  url = `http://${NAME}`,
  more: Partial<SeenRoute> = {},
): SeenRoute {
  const mapping = { metadata: { name: NAME, labels }, status: { url } };
  return { ...SEEN_NOTHING.route, mappings: [mapping], certificates, ...more };
}

describe('a Certificate', () => {
  it('has the name of the hostname, our labels and owner, and the fields that upstream asks for', () => {
    expect(certificate(aCapp(), NAME, ISSUER)).toEqual({
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: {
        name: NAME,
        namespace: 'apps',
        labels,
        ownerReferences: [{ apiVersion: 'rcs.dana.io/v1alpha1', kind: 'Capp', name: 'app', uid: 'uid-1' }],
      },
      spec: {
        commonName: NAME,
        dnsNames: [NAME],
        privateKey: { algorithm: 'RSA', encoding: 'PKCS1', size: 4096 },
        issuerRef: ISSUER,
        secretName: `${NAME}-tls`,
        secretTemplate: { labels: { 'networking.internal.knative.dev/certificate-uid': '' } },
      },
    });
  });

  it('W-34 has no common name that is cut, which would be no name of the certificate', () => {
    const [fits, long] = [`${'a'.repeat(60)}.com`, `${'a'.repeat(61)}.com`];
    expect(certificate(aCapp(), fits, ISSUER).spec).toMatchObject({ commonName: fits, dnsNames: [fits] });
    expect(certificate(aCapp(), long, ISSUER).spec).not.toHaveProperty('commonName');
    expect(certificate(aCapp(), long, ISSUER).spec).toMatchObject({ dnsNames: [long] });
  });

  it.each([
    ['issuing', false],
    ['issued', true],
    ['renewing', true],
    ['renewed', true],
    ['edited', false],
    ['another issuer', false],
    ['refused', false],
  ])('as cert-manager has it in the state "%s": is it issued? %s', (state, issued) => {
    expect(isIssued(recorded(state))).toBe(issued);
  });
});

describe('CertificateReady', () => {
  const fault = { reason: 'NoIssuer', message: 'm' } as const;
  const https = `https://${NAME}`;
  it.each<[string, SeenRoute, Truth, string, RegExp]>([
    [
      'is False with the fault that kept it from being written',
      seen([], '', { certificateFault: fault }),
      'False',
      'NoIssuer',
      /^m$/,
    ],
    [
      'is False for a hostname that the site does not allow',
      seen([], '', { fault: { reason: 'HostnameRefused', message: 'no' } }),
      'False',
      'HostnameRefused',
      /^no$/,
    ],
    [
      'is Unknown before cert-manager has looked',
      seen([{ metadata: { name: NAME, labels } }]),
      'Unknown',
      'NotIssued',
      /has not looked/,
    ],
    [
      'is Unknown while it is issued, in the words of cert-manager',
      seen([recorded('issuing')]),
      'Unknown',
      'NotIssued',
      /Issuing certificate as Secret does not exist\.$/,
    ],
    [
      'is False when the request was refused',
      seen([recorded('refused')]),
      'False',
      'NotIssued',
      /failed to complete and will be retried: The CA does not sign for refused\.example\.com\.$/,
    ],
    [
      'is Unknown until Knative uses it',
      seen([recorded('issued')]),
      'Unknown',
      'NotMapped',
      /issued, and Knative does not use it yet/,
    ],
    [
      'is True once the hostname is served with it, and says until when it is valid',
      seen([recorded('issued')], https),
      'True',
      'Provided',
      /https:\/\/shop\.example\.com, valid until 20\d\d-/,
    ],
    ['stays True while it is renewed', seen([recorded('renewing')], https), 'True', 'Provided', /valid/],
    [
      'is Unknown while another issuer is to sign it, although the former one is served',
      seen([recorded('another issuer')], https),
      'Unknown',
      'NotIssued',
      /previously issued by/,
    ],
    ['is False when it has expired', seen([expired()], https), 'False', 'NotIssued', /has expired/],
    ['is True where the site has one from elsewhere', seen([], https), 'True', 'Provided', /example\.com\.$/],
    [
      'ignores a Certificate that is not of the Capp',
      seen([{ ...recorded('issued'), metadata: { name: NAME } }]),
      'Unknown',
      'NotIssued',
      /has not looked/,
    ],
  ])('%s', (_title, world, status, reason, message) => {
    expect(certificateReady(tls(), world)).toEqual({
      type: 'CertificateReady',
      status,
      reason,
      message: expect.stringMatching(message) as string,
    });
  });

  it('is False for a hostname that is no full name', () => {
    expect(certificateReady(tls({ hostname: 'shop' }), seen([]))?.reason).toBe('NotQualified');
  });

  it.each<[string, string, Truth, Truth, string]>([
    [
      'is Unknown until Knative answers with the Secret that the Capp brings',
      https,
      'False',
      'Unknown',
      'NotMapped',
    ],
    [
      'is True once Knative answers with that Secret, whatever was issued before',
      https,
      'True',
      'True',
      'Provided',
    ],
    ['is Unknown while Knative answers without TLS', `http://${NAME}`, 'True', 'Unknown', 'NotMapped'],
  ])('%s', (_title, url, ready, status, reason) => {
    const conditions = [is('Ready', ready)];
    const mappings = [{ metadata: { name: NAME, labels }, status: { url, conditions } }];
    const found = certificateReady(
      tls({ tlsSecret: 'brought' }),
      seen([recorded('refused')], '', { mappings }),
    );
    expect(found).toMatchObject({ status, reason });
    expect(found?.message).toContain('Secret brought');
  });

  it('is absent for a Capp that has dropped its hostname and kept tlsEnabled', () => {
    expect(certificateReady(tls({ hostname: '' }), seen([recorded('issued')], https))).toBeNull();
  });

  it('is absent unless spec.routeSpec.tlsEnabled is set, and so is the status of a Certificate', () => {
    for (const capp of [tls({ tlsEnabled: false }), aCapp({ spec: { routeSpec: { tlsSecret: 'older' } } })]) {
      expect(certificateReady(capp, seen([recorded('issued')], https))).toBeNull();
      expect(
        routeStatus(capp, seen([recorded('issued')]), null)?.['certificateObjectStatus'],
      ).toBeUndefined();
    }
  });

  it('comes with the status of the Certificate, unchanged', () => {
    expect(routeStatus(tls(), seen([recorded('issued')]), null)).toMatchObject({
      domainMappingObjectStatus: { url: `http://${NAME}` },
      certificateObjectStatus: recorded('issued').status,
    });
  });
});

function expired(): CertificateObject {
  const condition = {
    type: 'Ready',
    status: 'False',
    reason: 'Expired',
    message: 'Certificate has expired',
  } as const;
  return { metadata: { name: NAME, labels, generation: 1 }, status: { conditions: [condition] } };
}
