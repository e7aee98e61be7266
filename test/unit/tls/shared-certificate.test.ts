// A certificate that a process makes for itself: its successor is served when clients have had their time to
// trust it.
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { ownCertificate } from '../../../tls/shared-certificate.ts';
import { TLS_TIMES } from '../../../tls/times.ts';
import { oneSecret } from '../../support/builders/process/one-secret.ts';

const DAY = 86_400_000;

const BLOCKS = /-----BEGIN (CERTIFICATE|PRIVATE KEY)-----[^-]+-----END \1-----/g;

/** The public key of a certificate or of a private key (PEM). */
const publicOf = (pem: string): string => {
  const key = pem.includes('CERTIFICATE')
    ? new X509Certificate(pem).publicKey
    : createPublicKey(createPrivateKey(pem));
  return key.export({ format: 'pem', type: 'spki' }).toString();
};

test('each certificate has an authority of its own for 90 days, and no key of one is ever written', async () => {
  const { kube, values } = oneSecret();
  const published = new Set<string>();
  let now = Date.now();
  const certificate = ownCertificate(kube, {
    namespace: 'cappstan-system',
    secret: 'shared',
    hosts: ['webhook.example'],
    publish: (authorities) => Promise.resolve(void published.add(authorities)),
    promoteAfterMs: 0,
    now: () => now,
  });
  for (let time = 0; time < 3; time += 1) {
    const { cert } = await certificate.read();
    expect(Date.parse(new X509Certificate(cert).validTo) - now).toBeLessThanOrEqual(90 * DAY);
    now += 61 * DAY;
    await certificate.read();
    await certificate.read();
  }
  const blocks = [...new Set(values.flatMap((value) => value.match(BLOCKS) ?? []))];
  const keys = blocks.filter((pem) => pem.includes('PRIVATE KEY')).map(publicOf);
  const certificates = blocks.filter((pem) => pem.includes('CERTIFICATE'));
  const isAuthority = (pem: string): boolean => new X509Certificate(pem).ca;
  const authorities = certificates.filter(isAuthority).map(publicOf);
  const served = certificates.filter((pem) => !isAuthority(pem)).map(publicOf);
  expect(new Set(authorities).size).toBe(served.length);
  expect(served.length).toBeGreaterThan(2);
  expect(keys.toSorted()).toEqual(served.toSorted());
  expect(published.size).toBeGreaterThan(2);
  // Nothing but these blocks stands there.
  expect(values.map((value) => value.replaceAll(BLOCKS, '').trim()).join('')).toBe('');
});

test('the next certificate is published at once and served when its clients have had the time that they need', async () => {
  const { kube } = oneSecret();
  const published: string[] = [];
  let now = Date.now();
  const certificate = ownCertificate(kube, {
    namespace: 'cappstan-system',
    secret: 'shared',
    hosts: ['gateway.example'],
    publish: (authorities) => Promise.resolve(void published.push(authorities)),
    promoteAfterMs: TLS_TIMES.promote.ms,
    now: () => now,
  });
  const first = await certificate.read();
  const [authority = ''] = published;
  now += 61 * DAY;
  expect(await certificate.read()).toEqual(first);
  expect(published.at(-1)).not.toBe(authority);
  expect(published.at(-1)).toContain(authority);
  for (let day = 0; day < 6; day += 1) {
    now += DAY;
    expect(await certificate.read()).toEqual(first);
    expect(await certificate.read()).toEqual(first);
  }
  now += DAY + TLS_TIMES.backdate.ms;
  await certificate.read();
  const second = await certificate.read();
  expect(second).not.toEqual(first);
  expect(published.at(-1)).toContain(authority);
});
