// The hub that a person's kubeconfig names, reached with that person's own credentials.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { endpointOf, type Endpoint, type Tls } from '../../../kube/http/credentials.ts';
import { UnreadableKubeconfig } from '../../../kube/http/kubeconfig-files.ts';
import { transportTo, type Transport } from '../../../kube/http/transport.ts';
import { connectedBy, type Kube } from '../../../kube/client.ts';
import { CommandFailure } from '../../exit.ts';
import { proxyFor } from './proxy.ts';

/** The flags of every command that speaks to the hub. */
export interface HubFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly as?: string;
  readonly asGroup?: readonly string[];
  /** Seconds. */
  readonly requestTimeout?: number;
}

export interface ConnectedHub {
  readonly kube: Kube;
  readonly context: string;
  /** Its address, for messages. */
  readonly server: string;
  /** Where a Capp is looked for that names no namespace itself. */
  readonly namespace: string;
  /** The API server knows the person by this name; null: by that of the credentials. */
  readonly as: string | null;
}

/** A hub with which a command speaks. */
export interface OpenedHub extends ConnectedHub {
  /** For answers that are no JSON, as they come. `kube` closes it. */
  readonly transport: Transport;
}

const DEFAULT_TIMEOUT_SECONDS = 10;
/** Some 24 days: a longer timer of Node's would end at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** Speaks to nobody yet. Throws CommandFailure when there is no usable kubeconfig. */
export function openHub(flags: HubFlags, env: NodeJS.ProcessEnv): OpenedHub {
  const endpoint = endpointFrom(flags, env);
  const { context, origin, namespace } = endpoint;
  const proxyUrl = endpoint.proxyUrl ?? proxyFor(new URL(origin), env);
  const deadlineMs = Math.min((flags.requestTimeout ?? DEFAULT_TIMEOUT_SECONDS) * 1000, LONGEST_TIMEOUT_MS);
  const transport = transportTo(
    { ...endpoint, proxyUrl },
    { deadlineMs, userAgent: 'kubectl-capp', quotesRefusals: true },
  );
  return {
    kube: connectedBy(transport),
    transport,
    context,
    server: origin,
    namespace: [flags.namespace, namespace].find(Boolean) ?? 'default',
    as: flags.as ?? null,
  };
}

/**
 * What a person's kubeconfig trusts and shows, without its key. Throws as `openHub`, and what a login does.
 */
export async function ownCertificates(
  flags: HubFlags,
  env: NodeJS.ProcessEnv,
): Promise<Pick<Tls, 'ca' | 'cert'>> {
  const { ca, cert } = (await endpointFrom(flags, env).credentials()).tls;
  return { ca, cert };
}

function endpointFrom({ kubeconfig, context, as, asGroup }: HubFlags, env: NodeJS.ProcessEnv): Endpoint {
  if (kubeconfig === undefined && !hasKubeconfig(env))
    throw new CommandFailure(
      'unreachable',
      'There is no kubeconfig: set KUBECONFIG, or name a file with --kubeconfig.',
    );
  try {
    return endpointOf({ kubeconfig, context, as, asGroups: asGroup });
  } catch (error) {
    const why = isMissingFile(error) ? `There is no kubeconfig ${error.path}` : messageOf(error);
    const isOfFile = isMissingFile(error) || error instanceof UnreadableKubeconfig;
    const remedy = isOfFile
      ? 'set KUBECONFIG, or name another file with --kubeconfig'
      : 'kubectl config get-contexts lists the contexts';
    throw new CommandFailure(
      context === undefined ? 'unreachable' : 'notFound',
      `${why.replace(/\.$/, '').replace(/: it has (.+)$/, ' (it has $1)')}: ${remedy}.`,
    );
  }
}

function isMissingFile(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT' && 'path' in error;
}

/** Its first line: behind it a parser quotes the lines around the fault, which may hold a token. */
function messageOf(error: unknown): string {
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return first.replace(/:$/, '');
}

function hasKubeconfig(env: NodeJS.ProcessEnv): boolean {
  if ((env['KUBECONFIG'] ?? '') !== '' || (env['KUBERNETES_SERVICE_HOST'] ?? '') !== '') return true;
  return existsSync(join(homedir(), '.kube', 'config'));
}
