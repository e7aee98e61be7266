// Who asks: the user whom the hub's API server names, on a connection that only it can make.
import type { IncomingMessage } from 'node:http';
import { Refused } from '../refusal.ts';

/** As a SubjectAccessReview takes it. */
export interface Caller {
  readonly user: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/**
 * What the hub's API server says of front proxies: ConfigMap kube-system/extension-apiserver-authentication.
 */
export interface FrontProxy {
  /** PEM of the authorities that sign their client certificates. */
  readonly ca: string;
  /** The common names of those certificates; empty for any. */
  readonly names: readonly string[];
  /** Names of headers, in lower case; the first that is there counts. */
  readonly userHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly extraPrefixes: readonly string[];
}

type Headers = Pick<IncomingMessage, 'headersDistinct'>['headersDistinct'];

/**
 * TLS has proved that the certificate is of one of those authorities; `name` is the common name in it. Throws
 * Refused: a header counts for nothing on any other connection.
 */
export function callerOf(
  { names, ...known }: FrontProxy,
  { name, headers }: { readonly name: string; readonly headers: Headers },
): Caller {
  if (names.length > 0 && !names.includes(name))
    throw new Refused(401, "This client certificate is not that of the hub's API server.");
  const [user] = first(known.userHeaders, headers);
  if (user === undefined || user === '') throw new Refused(401, "The hub's API server names no user.");
  const [uid] = first(known.uidHeaders, headers);
  return {
    user,
    groups: first(known.groupHeaders, headers),
    ...(uid === undefined ? {} : { uid }),
    extra: extraIn(known.extraPrefixes, headers),
  };
}

function first(names: readonly string[], headers: Headers): string[] {
  for (const name of names) {
    const values = headers[name];
    if (values !== undefined && values.length > 0) return values.map(asText);
  }
  return [];
}

function extraIn(prefixes: readonly string[], headers: Headers): Record<string, string[]> {
  const found = Object.entries(headers).flatMap(([name, values]): [string, string[]][] => {
    const prefix = prefixes.find((one) => name.startsWith(one));
    if (prefix === undefined || values === undefined) return [];
    return [[keyIn(name.slice(prefix.length)), values.map(asText)]];
  });
  return Object.fromEntries(found);
}

/** The API server escapes what no header's name may have. */
function keyIn(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Go writes headers in UTF-8; Node reads them byte by byte. */
function asText(value: string): string {
  return Buffer.from(value, 'latin1').toString('utf8');
}
