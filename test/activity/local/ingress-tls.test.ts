// The stand-in for a site's ingress answers with TLS by the Secrets that Ingresses name, on a real API
// server.
import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { connect as dial } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as dialSecurely, type PeerCertificate } from 'node:tls';
import { SECRET } from '../../../crds/kubernetes/core.ts';
import { askApp } from '../../../deploy/local/cappstan/ask.ts';
import { openPki, type Pki } from '../../../deploy/local/kubernetes/pki.ts';
import { ingressHost } from '../../../deploy/local/standins/ingress/address.ts';
import { newPodLogs } from '../../../deploy/local/standins/output/pod-logs.ts';
import { ingress } from '../../../deploy/local/standins/ingress/ingress.ts';
import {
  INGRESS,
  INGRESS_CLASS,
  type KnativeIngress,
} from '../../../deploy/local/standins/ingress/ingress-object.ts';
import type { StandIn } from '../../../deploy/local/standins/stand-in.ts';
import { openPorts } from '../../../deploy/local/supervise/ports.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import { API_TIMEOUT_MS, eventually } from '../../../testbed/eventually.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api/api-server.ts';
import { serveBare } from '../../support/servers/api/definitions.ts';

const SITE = 'site-2';
const namespace = 'default';

let server: ApiServerForTests;
let kube: Kube;
let part: StandIn;
let pki: Pki;
let dir: string;
let address: { host: string; port: number };
beforeAll(async () => {
  server = await startApiServer();
  kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await serveBare(kube, INGRESS);
  dir = await mkdtemp(join(tmpdir(), 'ingress-tls-'));
  pki = await openPki(dir);
  const host = ingressHost(SITE);
  address = { host, port: await (await openPorts(join(dir, 'ports.json'))).of('ingress', [host]) };
  part = ingress(kube, () => undefined, { site: SITE, ...address, written: newPodLogs() });
  await part.synced;
}, 300_000);
afterAll(async () => {
  await kube?.close();
  await server?.stop();
  await rm(dir, { recursive: true, force: true });
});

async function serveHost(host: string, more: object = {}): Promise<void> {
  const splits = [{ serviceNamespace: namespace, serviceName: 'app-1', percent: 100 }];
  await kube.create<KnativeIngress>(INGRESS, {
    apiVersion: INGRESS.apiVersion,
    kind: INGRESS.kind,
    metadata: {
      namespace,
      name: host,
      annotations: { 'networking.knative.dev/ingress.class': INGRESS_CLASS },
    },
    spec: {
      rules: [{ hosts: [host], http: { paths: [{ splits }] } }],
      tls: [{ hosts: [host], secretName: `${host}-tls`, secretNamespace: namespace }],
      ...more,
    },
  });
  await eventually(async () => ((await askApp(address, host)).status === 404 ? undefined : true));
}

/** A certificate of the test's authority, in the Secret that the Ingress names. */
async function writeSecret(host: string, file = host): Promise<void> {
  const pair = await pki.issue(file, { name: host, hosts: [host] });
  const read = async (path: string): Promise<string> => (await readFile(path)).toString('base64');
  const object = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name: `${host}-tls` },
    type: 'kubernetes.io/tls',
    data: { 'tls.crt': await read(pair.cert), 'tls.key': await read(pair.key) },
  };
  await kube.apply(SECRET, object, { fieldManager: 'test', force: true });
}

interface Secured {
  readonly certificate: PeerCertificate;
  readonly answer: string;
}

/** One request with TLS, by a client that trusts the test's authority alone. Rejects if it is refused. */
async function askSecurely(host: string): Promise<Secured> {
  const ca = await readFile(pki.authority.cert);
  return new Promise((resolve, reject) => {
    const socket = dialSecurely({ ...address, servername: host, ca });
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerCertificate();
      socket.once('end', () => resolve({ certificate, answer }));
      socket.write(`GET / HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
    });
  });
}

test('each host is answered with its own certificate, and without TLS on the same port', async () => {
  for (const host of ['one.example.com', 'two.example.com']) {
    await serveHost(host);
    await writeSecret(host);
    const { certificate, answer } = await askSecurely(host);
    expect(certificate.subjectaltname).toBe(`DNS:${host}`);
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect((await askApp(address, host)).status).toBe(503);
  }
});

test('a connection is refused while the Secret of its host does not exist, and so is one for an unknown host', async () => {
  await serveHost('late.example.com');
  await expect(askSecurely('late.example.com')).rejects.toThrow();
  await expect(askSecurely('unknown.example.com')).rejects.toThrow();
  expect((await askApp(address, 'late.example.com')).status).toBe(503);
  await writeSecret('late.example.com');
  expect((await askSecurely('late.example.com')).answer).toMatch(/^HTTP/);
});

test('a renewed certificate counts for the next connection', async () => {
  const host = 'renewed.example.com';
  await serveHost(host);
  await writeSecret(host);
  const { certificate: before } = await askSecurely(host);
  await writeSecret(host, 'renewed');
  const { certificate: after } = await askSecurely(host);
  expect(after.serialNumber).not.toBe(before.serialNumber);
});

test('a host that answers with TLS only sends plain requests there', async () => {
  const host = 'strict.example.com';
  await serveHost(host, { httpOption: 'Redirected' });
  await writeSecret(host);
  expect(await askApp(address, host)).toMatchObject({
    status: 301,
    headers: { location: `https://${host}/` },
  });
  expect((await askSecurely(host)).answer).toMatch(/^HTTP\/1\.1 503 /);
});

test('a client that says nothing, or something else, harms nobody', async () => {
  for (const bytes of ['', 'no http\r\n\r\n', '\u0016\u0003 no handshake either']) {
    await new Promise<void>((resolve) => {
      const socket = dial(address, () => socket.end(bytes));
      socket.on('error', () => undefined).on('close', () => resolve());
      socket.resume();
    });
  }
  expect((await askApp(address, 'nobody.example.com')).status).toBe(404);
});

test('the ingress stops although a client is connected that has said nothing', async () => {
  const socket = dial(address);
  const closed = new Promise((resolve) => socket.on('error', () => undefined).once('close', resolve));
  await new Promise((resolve) => socket.once('connect', resolve));
  expect((await askApp(address, 'nobody.example.com')).status).toBe(404);
  await part.stop();
  await closed;
});
