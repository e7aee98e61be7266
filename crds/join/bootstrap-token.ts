// The token with which a cluster first comes to the hub: one of Kubernetes' bootstrap tokens, whose Secret
// says for which cluster it is.
//
// https://kubernetes.io/docs/reference/access-authn-authz/bootstrap-tokens/
import { FOR_CLUSTER, FOR_UID, TOKEN_ENDS_AT } from './labels.ts';
import type { Secret } from '../kubernetes/core.ts';

export const TOKEN_NAMESPACE = 'kube-system';
export const TOKEN_TYPE = 'bootstrap.kubernetes.io/token';
/** Whoever is in it may ask to register a cluster, and nothing more. */
export const BOOTSTRAP_GROUP = 'system:bootstrappers:managedcluster';

const PREFIX = 'bootstrap-token-';
const USER = 'system:bootstrap:';
const ID = /^[a-z0-9]{6}$/;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

export interface TokenText {
  readonly id: string;
  readonly secret: string;
}

/** `random` gives so many bytes that nobody can guess. */
export function freshToken(random: (bytes: number) => Uint8Array): TokenText {
  return { id: lettersFrom(random, 6), secret: lettersFrom(random, 16) };
}

/** Bytes that would make some letters more frequent are left out. */
function lettersFrom(random: (bytes: number) => Uint8Array, count: number): string {
  let text = '';
  while (text.length < count)
    for (const byte of random(count)) if (byte < 252 && text.length < count) text += LETTERS[byte % 36];
  return text;
}

/** The cluster that a token is for, and the very ManagedCluster of that name. */
export interface BoundCluster {
  readonly cluster: string;
  readonly uid: string;
}

/** `bound` null: for whichever cluster, which a person accepts. `endsAt` in milliseconds since the epoch. */
export function tokenSecret({ id, secret }: TokenText, endsAt: number, bound: BoundCluster | null): Secret {
  const ends = new Date(endsAt).toISOString().replace(/\.\d+Z$/, 'Z');
  const whose = bound === null ? {} : { [FOR_CLUSTER]: bound.cluster, [FOR_UID]: bound.uid };
  return {
    metadata: {
      namespace: TOKEN_NAMESPACE,
      name: `${PREFIX}${id}`,
      annotations: { [TOKEN_ENDS_AT]: ends, ...whose },
      // `clusteradm get token --use-bootstrap-token` reads tokens by this label, and must not give away a
      // bound one.
      ...(bound === null ? { labels: { app: 'cluster-manager' } } : {}),
    },
    type: TOKEN_TYPE,
    data: base64({
      'token-id': id,
      'token-secret': secret,
      expiration: ends,
      'usage-bootstrap-authentication': 'true',
      'auth-extra-groups': BOOTSTRAP_GROUP,
      description: bound === null ? 'For a cluster that a person accepts' : `For ${bound.cluster} alone`,
    }),
  };
}

function base64(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  );
}

export function tokenKey(id: string): { readonly namespace: string; readonly name: string } {
  return { namespace: TOKEN_NAMESPACE, name: `${PREFIX}${id}` };
}

/** The user as which the API server knows who shows the token. */
export function userOfToken(id: string): string {
  return `${USER}${id}`;
}

/** The id of the token that a user has shown; null for every other user. The API server sets user names. */
export function tokenOfUser(username: string): string | null {
  const id = username.startsWith(USER) ? username.slice(USER.length) : '';
  return ID.test(id) ? id : null;
}

/** Null: the Secret is bound to no cluster. Metadata is enough. */
export function boundOf({ metadata }: Pick<Secret, 'metadata'>): BoundCluster | null {
  const { namespace, name, annotations = {} } = metadata;
  const { [FOR_CLUSTER]: cluster, [FOR_UID]: uid = '' } = annotations;
  const isToken = namespace === TOKEN_NAMESPACE && name.startsWith(PREFIX);
  return isToken && cluster !== undefined ? { cluster, uid } : null;
}

/**
 * Milliseconds since the epoch, by what the API server itself goes by; null if it has none or one that cannot
 * be read.
 */
export function endOfToken({ data = {} }: Secret): number | null {
  const at = Date.parse(Buffer.from(data['expiration'] ?? '', 'base64').toString('utf8'));
  return Number.isNaN(at) ? null : at;
}
