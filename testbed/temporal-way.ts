// Where a process of the stack is told that Temporal is, or the gateway in front of it.
import type { ProcessSpec } from '../deploy/local/supervise/process-spec.ts';

/** In the order in which they count (workers/process/config.ts). */
const VARIABLES = ['TEMPORAL_ADDRESS', 'DEFAULT_TEMPORAL_ADDRESS'] as const;

export interface TemporalWay {
  /** The variable that counts. */
  readonly variable: (typeof VARIABLES)[number];
  /** host:port */
  readonly address: string;
}

/** Null for a process that speaks to neither. */
export function temporalWay({ env = {} }: Pick<ProcessSpec, 'env'>): TemporalWay | null {
  for (const variable of VARIABLES) {
    const address = env[variable] ?? '';
    if (address !== '') return { variable, address };
  }
  return null;
}

/** The gateway to which the agent of this site speaks: host:port. Throws if the stack has no such agent. */
export function gatewayOf(specs: readonly ProcessSpec[], site: string): string {
  const agent = specs.find(({ name }) => name === `${site}-agent`);
  const way = agent === undefined ? null : temporalWay(agent);
  if (way === null)
    throw new Error(`The stack has no agent of ${site} that knows a gateway. Repair it with "make up".`);
  return way.address;
}
