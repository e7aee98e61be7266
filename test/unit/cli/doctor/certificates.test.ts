// `kubectl capp doctor` says it while there is time that certificates end, and when that of the gateway does.
import { createServer, type Server, type TlsOptions } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { shownAt } from '../../../../cli/doctor/shown.ts';
import { issue } from '../../../../tls/certificate.ts';
import { TLS_TIMES } from '../../../../tls/times.ts';
import {
  aConfiguration,
  anApiService,
  base64,
  DAY,
  findsOnly,
  healthy,
  lines,
  NOW,
} from '../../../support/builders/hub-facts.ts';

/** The authority of a certificate that ends in so many days. */
const ending = async (days: number): Promise<string> =>
  base64((await issue(['here'], NOW - TLS_TIMES.lifetime.ms + days * DAY)).authority);

const [past, soon, later] = [await ending(-1), await ending(13), await ending(15)];
const both = (bundle: string) => ({
  validating: [aConfiguration(bundle)],
  mutating: [aConfiguration(bundle)],
});

test.each([
  [
    'the webhook’s end within two weeks',
    () => both(soon),
    /^webhook: The \S+ trusts only certificates that end by \d{4}-\S+\. .*restart/,
  ],
  [
    'the reader’s end within two weeks',
    () => ({ apiServices: [anApiService(soon)] }),
    /^reader: The APIService \S+ trusts only certificates that end by /,
  ],
  [
    'the reader’s have expired',
    () => ({ apiServices: [anApiService(past)] }),
    /^reader: .* trusts only certificates that have expired/,
  ],
  ['the reader is not trusted', () => ({ apiServices: [anApiService('')] }), /^reader: .*caBundle is empty/],
  [
    'the reader does not answer',
    () => ({ apiServices: [anApiService(later, 'False')] }),
    /^reader: The API server does not reach it, .*no deletion of a namespace.*cappstan-reader/,
  ],
])('%s', findsOnly);

test('a successor that is trusted too is enough, and so is a hub without a reader', () => {
  const two = base64([soon, later].map((one) => Buffer.from(one, 'base64').toString()).join('\n'));
  expect(lines({ ...healthy(), ...both(two), apiServices: [anApiService(later)] })).toEqual([]);
  expect(lines({ ...healthy(), apiServices: [] })).toEqual([]);
  expect(lines({ ...healthy(), apiServices: null })).toEqual([]);
});

test('a server hears which name is looked for, and none where an address is', async () => {
  const { cert, key } = await issue(['gateway.example'], NOW);
  const heard: string[] = [];
  const SNICallback: TlsOptions['SNICallback'] = (name, answer) => {
    heard.push(name);
    answer(null);
  };
  const server: Server = createServer({ cert, key, SNICallback }).listen(0);
  await new Promise((resolve) => {
    server.once('listening', resolve);
  });
  const { port } = server.address() as AddressInfo;
  for (const host of ['localhost', '127.0.0.1']) expect(await shownAt(`${host}:${port}`)).not.toBeNull();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  expect(heard).toEqual(['localhost']);
});

test('what a server shows is read without trusting it, and silence is null', async () => {
  const { cert, key } = await issue(['gateway.example'], NOW);
  const server: Server = createServer({ cert, key }).listen(0, '127.0.0.1');
  await new Promise((resolve) => {
    server.once('listening', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const ends = Date.parse((await shownAt(`127.0.0.1:${port}`)) ?? '');
  expect(Math.abs(ends - (NOW + TLS_TIMES.lifetime.ms))).toBeLessThan(2_000);
  await new Promise((resolve) => {
    server.close(resolve);
  });
  expect(await shownAt(`127.0.0.1:${port}`)).toBeNull();
  for (const text of ['', 'gateway', 'gateway:0', 'gateway:1.5', 'https://gateway'])
    expect(await shownAt(text)).toBeNull();
});
