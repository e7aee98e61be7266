// The webhook's certificate: what it proves, when it is replaced, and that no moment comes in which it is not
// trusted.
import { X509Certificate } from 'node:crypto';
import { endOf, hostsOf, issue, type Issued } from '../../../tls/certificate.ts';
import { TLS_TIMES } from '../../../tls/times.ts';
import { due, hostsFor, prepared, promoted, replaced, type CertificateSet } from '../../../tls/rotation.ts';

const HOSTS = ['cappstan-webhook.cappstan-system.svc', '127.0.0.1'];
const NOW = Date.parse('2026-11-21T12:00:00Z');
const DAY = 86_400_000;

let issued: Issued;
let holding: CertificateSet;
beforeAll(async () => {
  issued = await issue(HOSTS, NOW);
  holding = replaced(null, issued);
});

const authoritiesOf = ({ authorities }: CertificateSet): X509Certificate[] =>
  (authorities.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? []).map(
    (pem) => new X509Certificate(pem),
  );
const isTrusted = (cert: string, by: CertificateSet): boolean =>
  authoritiesOf(by).some((authority) => new X509Certificate(cert).verify(authority.publicKey));

test('a certificate is for the hosts that were asked for, by an authority that may sign nothing but servers', () => {
  expect(hostsOf(issued.cert)).toEqual(HOSTS);
  expect(endOf(issued.cert)).toBe(NOW + TLS_TIMES.lifetime.ms);
  const [cert, authority] = [new X509Certificate(issued.cert), new X509Certificate(issued.authority)];
  expect([cert.ca, authority.ca]).toEqual([false, true]);
  expect(cert.checkIssued(authority)).toBe(true);
  expect(cert.verify(authority.publicKey)).toBe(true);
});

test.each<[string, CertificateSet | null | 'ours', readonly string[], number, string]>([
  ['there is none', null, HOSTS, 0, 'replace'],
  ['it is fresh', 'ours', HOSTS, 0, 'nothing'],
  ['it is for more than is asked', 'ours', HOSTS.slice(1), 0, 'nothing'],
  ['another host is asked for', 'ours', [...HOSTS, 'hub.example.com'], 0, 'replace'],
  ['more than a third of its life is left', 'ours', HOSTS, 59 * DAY, 'nothing'],
  ['less than a third of its life is left', 'ours', HOSTS, 61 * DAY, 'prepare'],
  ['it has ended', 'ours', HOSTS, 90 * DAY, 'replace'],
  [
    'it is none',
    { serving: { cert: 'nonsense', key: '' }, next: null, authorities: '' },
    HOSTS,
    0,
    'replace',
  ],
])('when %s', (_title, given, hosts, later, wanted) => {
  expect(due(given === 'ours' ? holding : given, hosts, NOW + later)).toBe(wanted);
});

test('a new one is served only after both authorities have been published, and is prepared once', async () => {
  const next = await issue(HOSTS, NOW + 61 * DAY);
  const preparing = prepared(holding, next);
  expect(preparing.serving).toEqual(holding.serving);
  expect(isTrusted(preparing.serving.cert, preparing)).toBe(true);
  expect(isTrusted(next.cert, preparing)).toBe(true);
  expect(due(preparing, HOSTS, NOW + 61 * DAY)).toBe('nothing');
  const serving = promoted(preparing);
  expect(serving).toMatchObject({
    serving: { cert: next.cert },
    next: null,
    authorities: preparing.authorities,
  });
  expect(due(serving, HOSTS, NOW + 61 * DAY)).toBe('nothing');
});

test('authorities do not pile up, and never leave out the one of what is served', async () => {
  let held = holding;
  for (let round = 1; round <= 4; round += 1) {
    held = prepared(held, await issue(HOSTS, NOW));
    expect(isTrusted(held.serving.cert, held)).toBe(true);
    if (round === 3) {
      const old = held.serving.cert;
      held = replaced(held, await issue(HOSTS, NOW));
      expect(isTrusted(old, held)).toBe(true);
    }
    held = promoted(held);
    expect(isTrusted(held.serving.cert, held)).toBe(true);
    expect(authoritiesOf(held).length).toBeLessThanOrEqual(3);
  }
});

test('replicas that are asked for different hosts agree on all of them, as long as what they have is alive', () => {
  expect(hostsFor(holding, ['hub.example.com'], NOW)).toEqual(['hub.example.com', ...HOSTS]);
  expect(hostsFor(holding, ['hub.example.com'], NOW + 91 * DAY)).toEqual(['hub.example.com']);
  expect(hostsFor(null, HOSTS, NOW)).toEqual(HOSTS);
});
