// The hub as a site sees it before it trusts it: who answers at its address, and whether that is the hub of
// the line. The token is shown to nobody else.
import { request } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { CLUSTER_INFO, clusterInfoOf } from '../../crds/join/cluster-info.ts';
import { withFingerprint } from '../../crds/join/authority.ts';
import type { JoinLine } from '../../crds/join/join-line.ts';
import type { ConfigMap } from '../../crds/kubernetes/core.ts';
import { ProxyFailure, tunnel, type Proxy } from '../../kube/http/tunnel.ts';
import { refusedBy } from './proxy.ts';
import { JoinRefused, NobodyThere } from './refused.ts';

const WITHIN_MS = 15_000;
const MOST_BYTES = 256 * 1024;
/** Certificates are valid from the moment when they are made: a clock that is late does not take them. */
const SKEW_MS = 60_000;
/** Codes of OpenSSL for who sends the hub's certificate, and has a certificate of another authority. */
const OF_ANOTHER: ReadonlySet<string> = new Set([
  'CERT_SIGNATURE_FAILURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

export interface KnownHub {
  /** `https://host:port` */
  readonly url: string;
  /** PEM: the certificates of the authority whose key the line names. */
  readonly ca: string;
  /** On the way to it. */
  readonly proxy: Proxy | null;
}

/**
 * Throws JoinRefused when nobody answers, or not the hub of the line; NobodyThere where that is sure. Writes
 * nothing.
 */
export async function knownHub(
  { host, port, fingerprint }: Pick<JoinLine, 'host' | 'port' | 'fingerprint'>,
  proxy: Proxy | null,
): Promise<KnownHub> {
  const url = `https://${host}:${port}`;
  // Nothing of us goes with this request, and of the answer only what has the right key is used.
  const unknown = await ask(url, infoPath(), { proxy, rejectUnauthorized: false });
  const info = unknown.code === 200 ? clusterInfoOf(read(unknown.body)) : null;
  if (info === null)
    throw new JoinRefused([
      `What answers at ${url} does not say that it is a hub (${unknown.code} for ConfigMap kube-public/cluster-info). Look whether the address is right.`,
    ]);
  const ca = trusted(info.ca, fingerprint);
  if (ca === null)
    throw new NobodyThere([
      `What answers at ${url} has another authority than the hub of the line, so it may be somebody else. If the hub was made again, ask for a new line.`,
    ]);
  const { date } = await ask(url, '/version', { proxy, ca, dateThere: unknown.date });
  const skew = skewSentence(date);
  if (skew !== null) throw new JoinRefused([skew]);
  return { url, ca, proxy };
}

/** Who somebody is to the hub: by a token, or by a certificate and its key, PEM. */
export type HubCredential = { readonly token: string } | { readonly cert: string; readonly key: string };

/** What the hub answers to who shows this. Throws JoinRefused when it does not answer. */
export async function answerOf(
  hub: KnownHub,
  shown: HubCredential,
  path: string,
): Promise<{ readonly code: number; readonly body: string }> {
  return ask(hub.url, path, { proxy: hub.proxy, ca: hub.ca, ...shown });
}

interface Trust {
  readonly proxy: Proxy | null;
  readonly ca?: string;
  readonly rejectUnauthorized?: boolean;
  readonly token?: string;
  readonly cert?: string;
  readonly key?: string;
  /** What the clock of who answers said before it was trusted: good for a sentence alone. */
  readonly dateThere?: string;
}

interface Answer {
  readonly code: number;
  readonly date: string;
  readonly body: string;
}

async function ask(
  url: string,
  path: string,
  { proxy, ca, rejectUnauthorized = true, token, dateThere = '', ...pair }: Trust,
): Promise<Answer> {
  const { hostname, host } = new URL(url);
  const through = proxy === null ? {} : await wayTo(host, proxy);
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const trust = ca === undefined ? {} : { ca, allowPartialTrustChain: true };
  const options = {
    headers,
    rejectUnauthorized,
    ...trust,
    ...pair,
    ...through,
    // Behind a proxy the address is not known here.
    ...(proxy === null || isIP(hostname) !== 0 ? {} : { servername: hostname }),
    agent: false,
    signal: AbortSignal.timeout(WITHIN_MS),
  };
  return new Promise((resolve, reject) => {
    let hasAnswered = false;
    const refuse = (why: string, code = ''): void => {
      // Who has shown the hub's authority before counts as the hub, unless he has not its key.
      const isNobody = !hasAnswered && (ca === undefined || OF_ANOTHER.has(code));
      const sentence = `The hub at ${url} cannot be reached (${why}). ${remedyOf(code, dateThere, proxy)}`;
      reject(new (isNobody ? NobodyThere : JoinRefused)([sentence]));
    };
    const call = request(new URL(path, url), options, (answer) => {
      hasAnswered = true;
      let body = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
        if (body.length > MOST_BYTES) call.destroy(new Error('it answers with too much'));
      });
      answer.on('end', () =>
        resolve({ code: answer.statusCode ?? 0, date: answer.headers.date ?? '', body }),
      );
      answer.on('error', ({ message }) => refuse(message));
    });
    call.on('error', (error: NodeJS.ErrnoException) =>
      refuse(
        error.name === 'AbortError' || error.name === 'TimeoutError'
          ? 'it does not answer'
          : (error.code ?? error.message),
        error.code,
      ),
    );
    call.end();
  });
}

/** By OpenSSL's code, or Node's. */
function remedyOf(code: string, dateThere: string, proxy: Proxy | null): string {
  if (/^CERT_(?:NOT_YET_VALID|HAS_EXPIRED)$/.test(code))
    return (
      skewSentence(dateThere) ??
      'Its certificate is not valid at this time, and the clocks agree: ask whoever runs it to start it again, which renews it.'
    );
  if (code.startsWith('ERR_TLS_CERT_ALTNAME'))
    return 'Its certificate is for other names: ask whoever runs it to give it this one (cappstan hub --external-hostname), or for a new line.';
  const look = 'Look whether it runs, and whether a firewall is in between.';
  const named = ['HTTPS_PROXY', 'https_proxy'].find((name) => (process.env[name] ?? '') !== '');
  return proxy !== null || named === undefined
    ? look
    : `${look} ${named} is not followed here, since OCM’s agent goes on without it: say --proxy.`;
}

/** Null: the clocks agree, or that one says nothing. */
function skewSentence(dateThere: string): string | null {
  const skew = Math.abs(Date.now() - Date.parse(dateThere));
  return skew > SKEW_MS
    ? `The clock of this machine and that of the hub are ${Math.round(skew / 1_000)} s apart. Set them right first: certificates would not be valid.`
    : null;
}

/** Throws JoinRefused. */
async function wayTo(hub: string, proxy: Proxy): Promise<{ readonly socket: Duplex }> {
  try {
    return { socket: await tunnel(proxy, hub, WITHIN_MS) };
  } catch (error) {
    throw error instanceof ProxyFailure ? refusedBy(proxy, error, hub) : error;
  }
}

function infoPath(): string {
  return `/api/v1/namespaces/${CLUSTER_INFO.namespace}/configmaps/${CLUSTER_INFO.name}`;
}

/** Anybody may have sent it. */
function read(body: string): Pick<ConfigMap, 'data'> | null {
  try {
    return JSON.parse(body) as Pick<ConfigMap, 'data'> | null;
  } catch {
    return null;
  }
}

function trusted(ca: string, fingerprint: string): string | null {
  try {
    return withFingerprint(ca, fingerprint);
  } catch {
    return null;
  }
}
