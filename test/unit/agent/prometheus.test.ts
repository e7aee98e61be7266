// Where an agent finds the site's Prometheus, whom it trusts there, and to whom it shows credentials.
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { prometheusIn } from '../../../activities/agent/verify/prometheus.ts';
import { openPki } from '../../../deploy/local/kubernetes/pki.ts';
import { issue } from '../../../tls/certificate.ts';
import { authority, writeAuthority } from '../../support/builders/authority.ts';
import {
  besidePrometheus,
  measureAt,
  says,
  vector,
  type QueryAsked,
  type StandInPrometheus,
} from '../../support/servers/site/stand-in-prometheus.ts';

let prometheus: StandInPrometheus;
besidePrometheus((given) => (prometheus = given));

const measure = (asking?: QueryAsked) => measureAt(prometheus, asking);

test.each<[string, unknown, RegExp]>([
  ['no CappConfig', null, /prometheus\.url in its CappConfig/],
  ['no address', {}, /prometheus\.url in its CappConfig/],
  ['no object', { prometheus: null }, /prometheus\.url in its CappConfig/],
  ['a word', { prometheus: { url: 'prometheus' } }, /no address/],
  ['a number', { prometheus: { url: 9_090 } }, /no address/],
  ['a file', { prometheus: { url: 'file:///etc/passwd' } }, /no address/],
  ['a user', { prometheus: { url: 'https://user:password@prometheus' } }, /no address/],
  ['a query of its own', { prometheus: { url: 'https://prometheus/?query=up' } }, /no address/],
])('with %s nothing is asked', (_what, config, why) => {
  const found = prometheusIn(config, { url: null, authorization: null });
  expect(found).toMatch(why);
  expect(found).not.toContain('password@');
});

test('the address in the Secret comes before that of the CappConfig', () => {
  const key = { url: 'https://[::1]:9091/', authorization: 'Bearer a-token' };
  const place = { host: '::1', port: 9091, isTls: true, prefix: '' };
  for (const config of [{}, { prometheus: { url: 'https://other' } }])
    expect(prometheusIn(config, key)).toEqual(place);
  expect(prometheusIn({}, { ...key, url: 'prometheus' })).toMatch(/url of the Secret .* no address/);
});

test('credentials go nowhere by the word of a CappConfig', async () => {
  await writeFile(join(prometheus.folder, 'token'), 'a-token\n');
  const config = { prometheus: { url: prometheus.address.replace('http:', 'https:') } };
  for (const one of [config, { prometheus: { url: prometheus.address } }])
    expect(await measure({ config: one })).toEqual({
      is: 'Error',
      says: 'credentials go to the address in their Secret alone: set its key url',
    });
  expect(prometheus.asked).toEqual([]);
});

test('credentials are never sent without TLS', async () => {
  await writeFile(join(prometheus.folder, 'token'), 'a-token\n');
  await writeFile(join(prometheus.folder, 'url'), `${prometheus.address}\n`);
  expect(await measure()).toMatchObject({ is: 'Error', says: expect.stringContaining('TLS alone') });
  expect(prometheus.asked).toEqual([]);
});

test('over TLS the certificate is judged, and the credentials are read anew for each query', async () => {
  const pair = await issue(['localhost'], Date.now());
  const seen: (string | undefined)[] = [];
  const secure = createSecure(pair, (request, response) => {
    seen.push(request.headers.authorization);
    says(200, vector('0.1'))(request, response);
  });
  await new Promise<void>((resolve) => void secure.listen(0, '127.0.0.1', resolve));
  const { port } = secure.address() as AddressInfo;
  const config = { prometheus: { url: 'https://localhost:1' } };
  await writeFile(join(prometheus.folder, 'url'), `https://localhost:${port}`);
  await writeFile(join(prometheus.folder, 'token'), 'a-token\n');
  expect(await measure({ config })).toMatchObject({
    is: 'Error',
    says: expect.stringContaining('did not answer'),
  });
  await writeFile(join(prometheus.folder, 'ca.crt'), pair.authority);
  expect(await measure({ config })).toMatchObject({ is: 'Successful' });
  await rm(join(prometheus.folder, 'token'));
  await writeFile(join(prometheus.folder, 'username'), 'reader');
  await writeFile(join(prometheus.folder, 'password'), 'a-password\n');
  expect(await measure({ config })).toMatchObject({ is: 'Successful' });
  expect(seen).toEqual(['Bearer a-token', `Basic ${Buffer.from('reader:a-password').toString('base64')}`]);
  secure.closeAllConnections();
  secure.close();
});

test('an authority in the middle of a chain is enough as ca.crt, and another of the same root is none', async () => {
  const root = await authority('root');
  const issuing = await authority('issuing', { by: root });
  const other = await authority('other', { by: root });
  const pki = await openPki(join(prometheus.folder, 'pki'), {
    authority: await writeAuthority(prometheus.folder, 'issuing', issuing),
  });
  const { cert, key } = await pki.issue('server', { name: 'server', hosts: ['localhost'] });
  const pair = { cert: readFileSync(cert), key: readFileSync(key) };
  const secure = createSecure(pair, says(200, vector('0.1')));
  await new Promise<void>((resolve) => void secure.listen(0, '127.0.0.1', resolve));
  await writeFile(
    join(prometheus.folder, 'url'),
    `https://localhost:${(secure.address() as AddressInfo).port}`,
  );
  const answers: string[] = [];
  for (const one of [issuing, root, other]) {
    const { cert: ca } = await writeAuthority(prometheus.folder, 'trusted', one);
    await writeFile(join(prometheus.folder, 'ca.crt'), readFileSync(ca));
    answers.push((await measure({ config: {} })).is);
  }
  secure.closeAllConnections();
  secure.close();
  expect(answers).toEqual(['Successful', 'Successful', 'Error']);
});
