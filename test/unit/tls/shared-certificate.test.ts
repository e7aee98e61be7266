// A certificate that a process makes for itself: its successor is served when clients have had their time to
// trust it.
import { ownCertificate } from '../../../tls/shared-certificate.ts';
import { TLS_TIMES } from '../../../tls/times.ts';
import { oneSecret } from '../../support/builders/process/one-secret.ts';

const DAY = 86_400_000;

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
