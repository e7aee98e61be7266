// What `cappstan join` takes from the kubeconfig of a site for its agent, and what it says of a site that
// cannot be used. The site is an HTTPS server on loopback.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { siteAddress } from '../../../../deploy/join/account.ts';
import { openSite, refuseUnreachable } from '../../../../deploy/join/site.ts';
import { openPki, type Pki } from '../../../../deploy/local/kubernetes/pki.ts';

let folder: string;
let pki: Pki;
let server: Server;
let code = 200;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'site-door-'));
  pki = await openPki(join(folder, 'pki'));
  const pair = await pki.issue('serving', { name: 'kube-apiserver', hosts: ['127.0.0.1'] });
  const tls = { cert: readFileSync(pair.cert), key: readFileSync(pair.key) };
  server = createServer(tls, (_asked, answer) => {
    answer.statusCode = code;
    answer.setHeader('content-type', 'application/json');
    answer.end('{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  await new Promise((done) => server.close(done));
  rmSync(folder, { recursive: true });
});

/** Of a site at this port, with more lines of its cluster. */
function kubeconfigOf(port: number, more: object = {}, user = 'admin'): string {
  const file = join(folder, 'site.kubeconfig');
  const ca = readFileSync(pki.authority.cert).toString('base64');
  const cluster = { server: `https://127.0.0.1:${port}`, 'certificate-authority-data': ca, ...more };
  const text = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'site', cluster }],
    users: [{ name: user, user: { token: 'canary' } }],
    contexts: [{ name: 'site', context: { cluster: 'site', user: 'admin' } }],
    'current-context': 'site',
  };
  writeFileSync(file, JSON.stringify(text));
  return file;
}

const portOf = (): number => (server.address() as AddressInfo).port;

async function said(port: number): Promise<string> {
  const kubeconfig = kubeconfigOf(port);
  const site = openSite(kubeconfig);
  try {
    await refuseUnreachable(site, kubeconfig);
    return '';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await site.close();
  }
}

test('the agent comes to the site by the way of the kubeconfig: its proxy, and the name in its certificate', async () => {
  const server = 'https://127.0.0.1:6443';
  expect(await siteAddress(kubeconfigOf(6443))).toEqual({ server, ca: expect.any(String) as string });
  const more = { 'proxy-url': 'http://proxy.example:3128', 'tls-server-name': 'site.example' };
  expect(await siteAddress(kubeconfigOf(6443, more))).toMatchObject({
    server,
    proxyUrl: 'http://proxy.example:3128',
    serverName: 'site.example',
  });
});

test('a kubeconfig without an authority, or whose user is not in it, is refused with both', async () => {
  const sentence =
    /^--kubeconfig: .* names no authority \(certificate-authority\), or its context names a user/;
  await expect(siteAddress(kubeconfigOf(1, { 'certificate-authority-data': undefined }))).rejects.toThrow(
    sentence,
  );
  await expect(siteAddress(kubeconfigOf(1, {}, 'somebody'))).rejects.toThrow(sentence);
});

test('a site that answers is taken; one that does not, and one that does not know who asks, are said with the flag', async () => {
  expect(await said(portOf())).toBe('');
  code = 401;
  expect(await said(portOf())).toMatch(
    /^--kubeconfig: the site does not know who .*site\.kubeconfig is of \(401\), .* Give one that is good\.$/,
  );
  const silent = await said(1);
  expect(silent).toMatch(
    /^--kubeconfig: the site of .*site\.kubeconfig does not answer \(.*ECONNREFUSED.*\)\. Look whether its API server runs/,
  );
  expect(silent).not.toContain('canary');
});
