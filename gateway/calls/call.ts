// What every rule of the gateway gets.
import type { Connection } from '@temporalio/client';
import type { SealKeys } from '../seal.ts';
import type { CallingSite } from '../site.ts';

/** Temporal, as the gateway's own certificate opens it. */
export type Temporal = Pick<Connection, 'workflowService' | 'withAbortSignal' | 'withDeadline'>;

export interface CallContext {
  readonly temporal: Temporal;
  /** Temporal's namespace: the one of the gateway, whatever an agent asks for. */
  readonly namespace: string;
  readonly keys: SealKeys;
  /** Whether the hub has a work for this Capp on the site, by the work's exact name. */
  readonly hasWork: (
    cluster: string,
    capp: { readonly namespace: string; readonly name: string },
  ) => Promise<boolean>;
  readonly onProblem: (what: string, site: CallingSite) => void;
}

export interface AgentCall {
  readonly site: CallingSite;
  readonly request: Uint8Array;
  /** Aborted when the agent has gone, or its site is no longer admitted. */
  readonly signal: AbortSignal;
}

/** Returns the encoded answer. Throws a GatewayRefusal, or what Temporal answers. */
export type CallRule = (context: CallContext, call: AgentCall) => Promise<Uint8Array> | Uint8Array;

/** How Temporal's own records name the site's agent. */
export function pollerNameOf({ cluster }: CallingSite): string {
  return `agent@${cluster}`;
}
