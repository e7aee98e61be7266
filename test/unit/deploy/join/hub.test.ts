// Whom a site believes to be the hub of its line, before it shows its token: real servers on loopback, with
// the hub's authority and with others.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificatesOf, fingerprintOfKey } from '../../../../crds/join/authority.ts';
import { clusterInfoMap } from '../../../../crds/join/cluster-info.ts';
import type { JoinLine } from '../../../../crds/join/join-line.ts';
import { answerOf, knownHub } from '../../../../deploy/join/hub.ts';
import { refuseReachable } from '../../../../deploy/join/leave/gone.ts';
import { JoinRefused } from '../../../../deploy/join/refused.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { Membership } from '../../../../deploy/join/site.ts';
import { openPki, type Pki } from '../../../../deploy/local/kubernetes/pki.ts';
import { startProxy, type ProxyForTests } from '../../../support/servers/network/proxy.ts';

const TOKEN = { id: 'abcdef', secret: '0123456789abcdef' };
let folder: string;
let real: Pki;
let evil: Pki;
let server: Server;
/** What the server says, and what it has been shown. */
let says: { readonly code: number; readonly body: string; readonly date?: string };
let shown: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'join-hub-'));
  real = await openPki(join(folder, 'real'), { name: 'hub' });
  evil = await openPki(join(folder, 'evil'), { name: 'evil' });
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => new Promise((done) => server.close(done)));

const caOf = (pki: Pki): string => readFileSync(pki.authority.cert, 'utf8');
const saying = (ca: string): string => JSON.stringify(clusterInfoMap({ server: 'https://hub', ca }));

/** A server with a certificate of this authority. */
async function serving(pki: Pki, host = '127.0.0.1', name = 'serving'): Promise<JoinLine> {
  const pair = await pki.issue(name, { name: 'kube-apiserver', hosts: [host] });
  shown = [];
  const tls = { cert: readFileSync(pair.cert), key: readFileSync(pair.key) };
  server = createServer(tls, ({ headers, url = '' }, answer) => {
    if (headers.authorization !== undefined) shown.push(headers.authorization);
    if (says.date !== undefined) answer.setHeader('date', says.date);
    answer.statusCode = url.includes('/configmaps/') ? says.code : 200;
    answer.end(says.body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const [authority] = certificatesOf(caOf(real));
  return {
    fingerprint: authority === undefined ? '' : fingerprintOfKey(authority.publicKey),
    cluster: 'shop-7',
    token: TOKEN,
    endsAt: null,
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
  };
}

test('the hub of the line is believed, and only its authority, whatever else it sends', async () => {
  says = { code: 200, body: saying(caOf(evil) + caOf(real)) };
  const hub = await knownHub(await serving(real), null);
  expect(certificatesOf(hub.ca).map(String)).toEqual(certificatesOf(caOf(real)).map(String));
  expect(shown).toEqual([]);
  expect(await answerOf(hub, { token: `${TOKEN.id}.${TOKEN.secret}` }, '/x')).toMatchObject({ code: 200 });
  expect(shown).toEqual([`Bearer ${TOKEN.id}.${TOKEN.secret}`]);
});

describe('what is said of the hub of the line when its certificate is not valid here', () => {
  const saidOf = (line: JoinLine): Promise<string> =>
    knownHub(line, null).then(
      () => '',
      ({ message }: Error) => message,
    );
  /** The same hub, whose certificate has ended a minute ago. */
  const ended = async (): Promise<JoinLine> => {
    const late = await openPki(join(folder, 'real'), { name: 'hub', lifetimeMs: -60_000 });
    return serving(late, '127.0.0.1', 'ended');
  };

  test('by the clock of this machine, which is wrong: how far, and that it must be set', async () => {
    says = { code: 200, body: saying(caOf(real)), date: 'Sun, 01 Mar 2020 12:00:00 GMT' };
    expect(await saidOf(await ended())).toMatch(
      /^The hub at .* \(CERT_HAS_EXPIRED\)\. The clock of this machine and that of the hub are \d+ s apart\. Set them right/,
    );
  });

  test('though the clocks agree: that it has to be renewed', async () => {
    says = { code: 200, body: saying(caOf(real)) };
    expect(await saidOf(await ended())).toMatch(
      /\(CERT_HAS_EXPIRED\)\. Its certificate is not valid at this time, and/,
    );
  });

  test('for its name: which flag gives it this one', async () => {
    says = { code: 200, body: saying(caOf(real)) };
    expect(await saidOf(await serving(real, 'hub.example', 'named'))).toMatch(
      /\(ERR_TLS_CERT_ALTNAME_INVALID\)\. Its certificate is for other names: .*--external-hostname/,
    );
  });

  test('nor anything of a certificate where nobody answers: then a proxy that the machine names is named', async () => {
    const line = { ...(await serving(real)), port: 1 };
    const before = process.env['HTTPS_PROXY'];
    try {
      delete process.env['HTTPS_PROXY'];
      expect(await saidOf(line)).toMatch(
        /ECONNREFUSED\)\. Look whether it runs, and whether a firewall is in between\.$/,
      );
      process.env['HTTPS_PROXY'] = 'http://shop:canary@proxy.example:3128';
      expect(await saidOf(line)).toMatch(/in between\. HTTPS_PROXY is not followed here, .*: say --proxy\.$/);
      expect(await saidOf(line)).not.toContain('canary');
    } finally {
      if (before === undefined) delete process.env['HTTPS_PROXY'];
      else process.env['HTTPS_PROXY'] = before;
    }
  });
});

test('who sends the hub’s certificate and has not its key is not believed', async () => {
  says = { code: 200, body: saying(caOf(real)) };
  await expect(knownHub(await serving(evil), null)).rejects.toThrow(/cannot be reached/);
  expect(shown).toEqual([]);
});

test.each<[string, () => typeof says, RegExp]>([
  ['another authority', () => ({ code: 200, body: saying(caOf(evil)) }), /another authority/],
  ['no certificate', () => ({ code: 200, body: saying('nonsense') }), /another authority/],
  [
    'a broken certificate',
    () => ({ code: 200, body: saying('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n') }),
    /another authority/,
  ],
  ['nothing of itself', () => ({ code: 404, body: '{}' }), /does not say that it is a hub/],
  ['no JSON', () => ({ code: 200, body: '<html>' }), /does not say that it is a hub/],
  ['too much', () => ({ code: 200, body: 'x'.repeat(300_000) }), /too much/],
  [
    'another time',
    () => ({ code: 200, body: saying(caOf(real)), date: 'Sun, 01 Mar 2020 12:00:00 GMT' }),
    /clock/,
  ],
])('a server that sends %s is refused, and is shown no token', async (_what, what, why) => {
  says = what();
  await expect(knownHub(await serving(real), null)).rejects.toThrow(why);
  expect(shown).toEqual([]);
});

describe('a leave from a hub that is said to be gone', () => {
  /** What is refused; '' if the hub counts as gone. The site has noted no proxy. */
  const refusedBy = async ({ host, port, fingerprint }: JoinLine): Promise<string> => {
    const site = { get: () => Promise.resolve(null) } as unknown as Kube;
    const known = { cluster: 'shop-7', hub: `https://${host}:${port}`, fingerprint };
    return refuseReachable(site, known as Membership).then(
      () => '',
      ({ message }: Error) => message,
    );
  };

  test.each<[string, () => typeof says, string]>([
    ['as it is', () => ({ code: 200, body: saying(caOf(real)) }), 'so it is not gone'],
    [
      'at another time',
      () => ({ code: 200, body: saying(caOf(real)), date: 'Sun, 01 Mar 2020 12:00:00 GMT' }),
      'it is not sure',
    ],
    ['503', () => ({ code: 503, body: '' }), 'it is not sure'],
    ['401', () => ({ code: 401, body: '{}' }), 'it is not sure'],
    ['too much', () => ({ code: 200, body: 'x'.repeat(300_000) }), 'it is not sure'],
  ])('is refused while it answers %s', async (_what, what, why) => {
    says = what();
    expect(await refusedBy(await serving(real))).toContain(why);
  });

  test('goes on where somebody with another key answers, or nobody', async () => {
    says = { code: 200, body: saying(caOf(evil)) };
    expect(await refusedBy(await serving(evil))).toBe('');
    says = { code: 200, body: saying(caOf(real)) };
    await new Promise((done) => server.close(done));
    const line = await serving(evil);
    expect(await refusedBy(line)).toBe('');
    await new Promise((done) => server.close(done));
    expect(await refusedBy(line)).toBe('');
  });
});

describe('through a proxy', () => {
  const credentials = 'shop:canary';
  let proxy: ProxyForTests;
  beforeAll(async () => {
    proxy = await startProxy({ hasTls: true, credentials });
  });
  afterAll(() => proxy.stop());

  test('the hub is known as it is without one, by a name that the proxy alone knows, and the proxy sees no token', async () => {
    says = { code: 200, body: saying(caOf(real)) };
    const line = await serving(real, 'hub.test');
    const hub = await knownHub(
      { ...line, host: 'hub.test' },
      { url: proxy.urlWithCredentials, ca: proxy.ca },
    );
    expect(await answerOf(hub, { token: `${TOKEN.id}.${TOKEN.secret}` }, '/x')).toMatchObject({ code: 200 });
    expect(shown).toEqual([`Bearer ${TOKEN.id}.${TOKEN.secret}`]);
    // The hub's information, its clock, and the token.
    expect(proxy.tunnels).toEqual(Array.from({ length: 3 }, () => `hub.test:${line.port}`));
  });

  test('who answers behind it with another key than that of the line’s hub is believed no more than without one', async () => {
    says = { code: 200, body: saying(caOf(real)) };
    const line = await serving(evil, 'hub.test');
    const through = { url: proxy.urlWithCredentials, ca: proxy.ca };
    await expect(knownHub({ ...line, host: 'hub.test' }, through)).rejects.toThrow(/cannot be reached/);
    expect(shown).toEqual([]);
  });

  test.each<[string, () => { url: string; ca: string | null }, RegExp]>([
    [
      'wrong credentials',
      () => ({ url: proxy.url, ca: proxy.ca }),
      /^--proxy: .*407.*--proxy-credentials <file>\.$/,
    ],
    [
      'an unknown authority',
      () => ({ url: proxy.urlWithCredentials, ca: null }),
      /^--proxy: .*not known here.*--proxy-ca <file>\.$/,
    ],
    [
      'another authority',
      () => ({ url: proxy.urlWithCredentials, ca: caOf(evil) }),
      /^--proxy: .*not the one of --proxy-ca.*--proxy-ca <file>\.$/,
    ],
    [
      'no proxy there',
      () => ({ url: 'http://shop:canary@127.0.0.1:1', ca: null }),
      /^--proxy: http:\/\/127\.0\.0\.1:1 cannot be reached/,
    ],
  ])('%s: one sentence names the flag and the remedy, and no credentials', async (_what, given, sentence) => {
    const line = await serving(real, 'hub.test');
    const failed = await knownHub(line, given()).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(JoinRefused);
    const { message } = failed as JoinRefused;
    expect(message).toMatch(sentence);
    expect(message).not.toContain('canary');
  });
});
