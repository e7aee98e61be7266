// Where the site's Prometheus is, which its CappConfig says, and the credentials for it, which are in a
// Secret beside the agent with the address that they are for. Neither is a tenant's to write, and nothing of
// the credentials is ever said.
//
// Whoever may write the CappConfig need not be who may read Secrets there, so it does not decide where
// credentials go.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bareHost } from '../../../kube/http/bare-host.ts';

export interface PrometheusPlace {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  /** Of the API, without a slash at its end. */
  readonly prefix: string;
}

export interface PrometheusKey {
  /** It comes before that of the CappConfig. Credentials go nowhere else. */
  readonly url: string | null;
  /** A header's value; null where none is needed. */
  readonly authorization: string | null;
  /** PEM of what has signed its certificate; null for the authorities that Node knows. */
  readonly ca: string | null;
}

/** `spec`: of the CappConfig. A sentence where it is not known, without its full stop. */
export function prometheusIn(
  spec: unknown,
  { url: own, authorization }: Pick<PrometheusKey, 'url' | 'authorization'>,
): PrometheusPlace | string {
  const { prometheus } = (spec ?? {}) as { readonly prometheus?: { readonly url?: unknown } | null };
  if (own === null && authorization !== null)
    return 'credentials go to the address in their Secret alone: set its key url';
  const url = own ?? prometheus?.url ?? null;
  if (url === null) return "the site's Prometheus is not known: set prometheus.url in its CappConfig";
  const parsed = typeof url === 'string' ? URL.parse(url) : null;
  const field = own === null ? 'prometheus.url of the CappConfig' : 'url of the Secret with its credentials';
  if (parsed === null || !isPlace(parsed)) return `${field} is no address such as https://prometheus:9090`;
  const isTls = parsed.protocol === 'https:';
  return {
    host: bareHost(parsed.hostname),
    port: parsed.port === '' ? (isTls ? 443 : 80) : Number(parsed.port),
    isTls,
    prefix: parsed.pathname.replace(/\/+$/, ''),
  };
}

function isPlace({ protocol, hostname, username, password, search, hash }: URL): boolean {
  return /^https?:$/.test(protocol) && hostname !== '' && username + password + search + hash === '';
}

/** Read for each query: it may have been renewed. `folder`: null where there is none. */
export async function prometheusKey(folder: string | null): Promise<PrometheusKey> {
  const of = (name: string): Promise<string | null> =>
    folder === null ? Promise.resolve(null) : readFile(join(folder, name), 'utf8').catch(absent);
  const [url, token, username, password, ca] = await Promise.all(
    ['url', 'token', 'username', 'password', 'ca.crt'].map(of),
  );
  const authorization = authorizationOf(token, username, password);
  return { url: url?.trim() ?? null, authorization, ca: ca ?? null };
}

/** Throws what keeps a file that is there from being read: without credentials nothing is asked then. */
function absent(error: unknown): null {
  if ((error as { readonly code?: unknown }).code === 'ENOENT') return null;
  throw error;
}

type Field = string | null | undefined;

function authorizationOf(token: Field, username: Field, password: Field): string | null {
  if (typeof token === 'string') return `Bearer ${token.trim()}`;
  if (typeof username !== 'string') return null;
  const both = `${username.trim()}:${(password ?? '').trim()}`;
  return `Basic ${Buffer.from(both).toString('base64')}`;
}
