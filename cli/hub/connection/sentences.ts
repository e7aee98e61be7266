// Turns what went wrong into one sentence with a remedy, and an exit code.
import { ApiError } from '../../../kube/failure.ts';
import { CommandFailure } from '../../exit.ts';
import { printable } from '../../show/printable.ts';
import type { ConnectedHub } from './hub.ts';

type Where = Pick<ConnectedHub, 'context' | 'server' | 'namespace' | 'as'>;

/** Null for a fault of the program itself. */
export function failureFrom(error: unknown, where: Where): CommandFailure | null {
  if (error instanceof CommandFailure) return error;
  if (!(error instanceof ApiError)) return null;
  if (error.code === 0) return noAnswer(error, where);
  if (error.code === 401)
    return new CommandFailure(
      'unreachable',
      `The hub at ${where.server} does not accept the credentials of context ${where.context}. Log in again, or choose another context with --context.`,
    );
  if (/failed calling webhook/.test(error.said ?? ''))
    return new CommandFailure(
      'failed',
      "The hub's webhook does not answer, and without it such requests are refused. Whoever runs the hub should look at the cappstan-webhook Pods: kubectl capp doctor.",
    );
  const denied = /^admission webhook "[^"]*" denied the request: ([\s\S]*)/.exec(error.said ?? '');
  if (denied !== null) return refusal(denied[1] ?? '');
  if (error.code === 403) return forbidden(error, where);
  if (error.code === 404) return missing(error, where);
  return refusal(error.said ?? error.message);
}

/** The namespace of a write, the kind, or the object. */
function missing({ said, path }: ApiError, where: Where): CommandFailure {
  const [, namespace] = /^namespaces "([^"]+)" not found$/.exec(said ?? '') ?? [];
  if (namespace !== undefined)
    return new CommandFailure(
      'notFound',
      `There is no namespace ${namespace} on the hub at ${where.server}. Name another with -n, or create it: kubectl create namespace ${namespace}.`,
    );
  if (path.startsWith('/apis/rcs.dana.io/')) return notServed(where);
  return new CommandFailure(
    'notFound',
    `The hub at ${where.server} has nothing at ${path}: somebody may have deleted it just now, or the hub lacks that kind. Look with kubectl capp doctor.`,
  );
}

function refusal(said: string): CommandFailure {
  return new CommandFailure('failed', `The hub refused: ${printable(said).replace(/\.?$/, '.')}`);
}

function noAnswer(error: ApiError, { server, context }: Where): CommandFailure {
  if (error.reason === 'NoCredentials')
    return new CommandFailure(
      'unreachable',
      `Context ${context} gives no credentials: its token file or login command failed. Log in again, and try: kubectl --context ${context} auth whoami.`,
    );
  const how = isCertificate(error) ? 'has a certificate that is not trusted' : 'does not answer';
  return new CommandFailure(
    'unreachable',
    `The hub at ${server} (context ${context}) ${how}. Check the network and the context: kubectl config get-contexts.`,
  );
}

function isCertificate({ cause }: ApiError): boolean {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return /CERT|SELF_SIGNED|ERR_TLS|UNABLE_TO_VERIFY/.test(code);
}

const VERBS: Readonly<Record<string, string>> = {
  GET: 'read',
  PATCH: 'change',
  PUT: 'change',
  POST: 'create',
  DELETE: 'delete',
};

/** Kinds without a namespace. */
const ON_HUB: ReadonlySet<string> = new Set(['drains', 'managedclusters']);

function forbidden({ method, path }: ApiError, { as, context }: Where): CommandFailure {
  const [, namespace, plural] =
    /^\/apis?\/(?:[^/]+\/)?[^/]+(?:\/namespaces\/([^/]+))?\/([^/]+)/.exec(path) ?? [];
  const whole = ON_HUB.has(plural ?? '') ? 'on this hub' : 'in all namespaces';
  const place = namespace === undefined ? whole : `in namespace ${namespace}`;
  const who = as === null ? `You (context ${context})` : as;
  const right = rightFor(plural ?? '', namespace, method === 'GET' ? '"view" or "edit"' : '"edit"');
  return new CommandFailure(
    'forbidden',
    `${who} may not ${VERBS[method] ?? method} ${plural ?? 'this'} ${place}. ${right}.`,
  );
}

/** What the roles "edit" and "view" of a namespace have. */
const OF_NAMESPACE: ReadonlySet<string> = new Set(['capps', 'cappsets', 'capprevisions', 'setrevisions']);
const OF_BUNDLES: ReadonlySet<string> = new Set(['bundles', 'bundlerevisions']);

function rightFor(plural: string, namespace: string | undefined, roles: string): string {
  if (plural === 'drains') return 'That takes the ClusterRole cappstan-drain: ask whoever runs the hub';
  if (OF_BUNDLES.has(plural))
    return `That takes the ClusterRole cappstan-bundle${namespace === undefined ? '' : ` in ${namespace}`}: ask whoever runs the hub`;
  if (!OF_NAMESPACE.has(plural)) return 'That takes the rights of an operator of the hub';
  const own = 'Name a namespace of yours with -n, or ask whoever runs the hub';
  return namespace === undefined ? own : `${own} for the role ${roles} in ${namespace}`;
}

/** The API server has no such kind. */
export function notServed({ server, context }: Pick<ConnectedHub, 'server' | 'context'>): CommandFailure {
  return new CommandFailure(
    'notFound',
    `The cluster at ${server} (context ${context}) does not know Capps. Choose the hub with --context, or install Cappstan there.`,
  );
}
