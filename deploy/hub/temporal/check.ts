// Whether somebody else's Temporal can serve this hub, before anything is written: it answers, lets us in,
// has the namespace with our search attributes, and serves no other hub there.
import { Client, Connection } from '@temporalio/client';
import { pollersOf } from '../../../temporal/task-queues.ts';
import { tlsOf, type TlsFiles } from '../../../tls/temporal.ts';
import { HUB_QUEUE } from '../../../workflows/names.ts';
import { KEYWORDS } from '../../local/temporal/engine.ts';
import { named } from '../config/fields.ts';
import { ConfigRefused } from '../config/refused.ts';
import type { ExternalTemporal } from '../config/temporal.ts';
import { checkTlsFiles } from '../tls-files.ts';
import { HUB_COMMAND_TIMES } from '../times.ts';
import { whyNoConnection, whyNoTls } from './reach.ts';
import type { TemporalPlace } from './worked.ts';

const [ADDRESS, NAMESPACE] = [named('temporal.address'), named('temporal.namespace')];
/** Codes of gRPC: https://grpc.io/docs/guides/status-codes/ */
const CODE = { notFound: 5, refused: [7, 16] } as const;
/** INDEXED_VALUE_TYPE_KEYWORD (temporal: api/enums/v1/common.proto). */
const KEYWORD = 2;

/**
 * Writes nothing. `before` is where this hub has worked last; null: nowhere. Returns warnings. Throws
 * ConfigRefused.
 */
export async function checkTemporal(
  temporal: ExternalTemporal,
  before: TemporalPlace | null,
): Promise<readonly string[]> {
  const files = await filesOf(temporal);
  const why = (await whyNoConnection(temporal.address)) ?? (await whyNoTls(temporal));
  if (why !== null) throw new ConfigRefused([why]);
  const connection = await connectTo(temporal, files);
  try {
    const client = new Client({ connection, namespace: temporal.namespace });
    const until = Date.now() + HUB_COMMAND_TIMES.temporalAnswers.ms;
    return await connection.withDeadline(until, () => asked(client, temporal, before));
  } finally {
    await connection.close();
  }
}

async function asked(
  client: Client,
  { address, namespace }: ExternalTemporal,
  before: TemporalPlace | null,
): Promise<readonly string[]> {
  const at = `${ADDRESS}: ${address}`;
  try {
    await client.workflowService.describeNamespace({ namespace });
    const missing = await missingIn(client);
    if (missing !== null && missing.length > 0)
      throw new ConfigRefused([
        `${NAMESPACE}: ${namespace} lacks ${missing.length === 1 ? 'the search attribute' : 'the search attributes'} ${missing.join(', ')} of type Keyword. Create each: temporal operator search-attribute create --namespace ${namespace}${missing.map((name) => ` --name ${name} --type Keyword`).join('')}`,
      ]);
    if (address !== before?.address || namespace !== before.namespace) await refuseShared(client, namespace);
    return missing === null
      ? [
          `${at} does not say which search attributes ${namespace} has. It needs ${KEYWORDS.join(', ')} of type Keyword.`,
        ]
      : [];
  } catch (error) {
    if (error instanceof ConfigRefused) throw error;
    const code = error instanceof Error && 'code' in error ? Number(error.code) : NaN;
    if (code === CODE.notFound)
      throw new ConfigRefused([
        `${NAMESPACE}: ${address} has no namespace ${namespace}. Create it: temporal operator namespace create --retention 24h ${namespace}`,
      ]);
    if (CODE.refused.some((one) => one === code))
      throw new ConfigRefused([
        `${at} does not let us into ${namespace}. Let in who has the certificate of ${named('temporal.certFile')}, or give another.`,
      ]);
    throw new ConfigRefused([
      `${at} does not answer: ${messageOf(error)} Look whether it runs, and start the hub again when it answers.`,
    ]);
  }
}

/** Null when it does not say. */
async function missingIn({ connection, options: { namespace } }: Client): Promise<readonly string[] | null> {
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    return KEYWORDS.filter((name) => Number(customAttributes?.[name]) !== KEYWORD);
  } catch {
    return null;
  }
}

/** Two hubs in one namespace would take each other's tasks, and name their workflows alike. */
async function refuseShared(client: Client, namespace: string): Promise<void> {
  const query = `ExecutionStatus = "Running" AND TaskQueue = "${HUB_QUEUE}"`;
  const { count } = await client.workflowService.countWorkflowExecutions({ namespace, query });
  const pollers = await pollersOf(client, { name: HUB_QUEUE, tasks: 'Workflow' });
  const has = [
    ...(Number(count ?? 0) > 0 ? [`has ${Number(count)} workflows of a hub that run`] : []),
    ...(pollers.length > 0 ? ['was asked for work by a hub in the last five minutes'] : []),
  ];
  if (has.length > 0)
    throw new ConfigRefused([
      `${NAMESPACE}: ${namespace} ${has.join(', and ')}, and it was not this one, as far as it knows. Give a namespace that no other hub has; an empty one is filled again from what the hub has stored.`,
    ]);
}

async function connectTo({ address, tls }: ExternalTemporal, files: TlsFiles): Promise<Connection> {
  try {
    const connectTimeout = HUB_COMMAND_TIMES.temporalAnswers.ms;
    return await Connection.connect({ address, tls: tlsOf(files), connectTimeout });
  } catch (error) {
    const remedy =
      tls === null
        ? `If it speaks TLS, give ${named('temporal.caFile')}.`
        : `Look whether it is Temporal's front door, and lets in who has the certificate of ${named('temporal.certFile')}.`;
    throw new ConfigRefused([`${ADDRESS}: ${address} does not answer: ${messageOf(error)} ${remedy}`]);
  }
}

/** As our processes get them. Throws ConfigRefused for what cannot be read, or does not belong together. */
async function filesOf({ tls }: ExternalTemporal): Promise<TlsFiles> {
  if (tls === null) return {};
  await checkTlsFiles('temporal', tls);
  const { ca, pair, serverName } = tls;
  return {
    TEMPORAL_TLS_CA: ca,
    TEMPORAL_TLS_CERT: pair?.cert,
    TEMPORAL_TLS_KEY: pair?.key,
    TEMPORAL_SERVER_NAME: serverName ?? undefined,
  };
}

function messageOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  return said.endsWith('.') ? said : `${said}.`;
}
