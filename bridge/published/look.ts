// Asks Temporal what people cannot see on the hub: whether it answers, its search attributes, and who polls.
import type { TemporalProblem } from '../../crds/hub/hub-status.ts';
import { CAPP_NAMESPACE, CAPP_PHASE, CAPP_SITE, HUB_QUEUE } from '../../workflows/names.ts';
import { pollersOf, type Service } from '../../temporal/task-queues.ts';
import { BRIDGE_TIMES } from '../times.ts';

/** What Temporal says at one moment. */
export type PublishedLook =
  | { readonly reachable: false; readonly problem: TemporalProblem }
  | {
      readonly reachable: true;
      /** Null if Temporal does not say. */
      readonly missingSearchAttributes: readonly string[] | null;
      /**
       * Build → when it last began to poll, in milliseconds since the epoch; an empty name for one without a
       * build.
       */
      readonly polled: Readonly<Record<string, number>>;
      readonly currentBuild: string | null;
    };

export interface LookOptions {
  readonly client: Service;
  readonly currentBuild: () => Promise<string | null>;
}

const WANTED = [CAPP_NAMESPACE, CAPP_SITE, CAPP_PHASE] as const;
/** INDEXED_VALUE_TYPE_KEYWORD (temporal: api/enums/v1/common.proto). */
const KEYWORD = 2;

/** Writes nothing. Never throws: what Temporal does not answer is in the result. */
export async function lookAtTemporal({ client, currentBuild }: LookOptions): Promise<PublishedLook> {
  const { connection } = client;
  const until = Date.now() + BRIDGE_TIMES.published.ms / 2;
  try {
    return await connection.withDeadline(until, async () => {
      const [missing, polled, current] = await Promise.all([
        missingIn(client).catch(() => null),
        buildsThatPoll(client),
        currentBuild(),
      ]);
      return { reachable: true, missingSearchAttributes: missing, polled, currentBuild: current };
    });
  } catch (error) {
    return { reachable: false, problem: problemOf(error) };
  }
}

/** Codes of gRPC: https://grpc.io/docs/guides/status-codes/ */
const PROBLEMS: Readonly<Record<number, TemporalProblem>> = { 5: 'NoNamespace', 7: 'Refused', 16: 'Refused' };

export function problemOf(error: unknown): TemporalProblem {
  const code = error instanceof Error && 'code' in error ? Number(error.code) : NaN;
  return PROBLEMS[code] ?? 'Unreachable';
}

async function missingIn({ connection, options: { namespace } }: Service): Promise<string[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return WANTED.filter((name) => Number(customAttributes?.[name]) !== KEYWORD);
}

/** When each build last polled. */
async function buildsThatPoll(service: Service): Promise<Record<string, number>> {
  const pollers = await pollersOf(service, { name: HUB_QUEUE, tasks: 'Workflow' });
  const byAge = pollers.toSorted((one, other) => one.polledAt - other.polledAt);
  return Object.fromEntries(byAge.map(({ build, polledAt }) => [build, polledAt]));
}
