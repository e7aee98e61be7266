// What a Capp's status says of how it is: on its site whether it serves users, on the hub whether anybody answers for it.
import type { CappStatus } from './status.ts';

/** Some revision answers requests, whatever its generation. A disabled Capp serves nobody. */
export function isHealthy(status: CappStatus | undefined): boolean {
  return status?.conditions?.some((condition) => condition.type === 'Serving' && condition.status === 'True') ?? false;
}

/** The hub has said that no agent answers for the Capp. */
export function isSaidSilent(status: CappStatus | undefined): boolean {
  return status?.conditions?.some(({ type, reason }) => type === 'Available' && reason === 'AgentSilent') ?? false;
}

/** The hub has said that the Capp's site does not have it. */
export function isSaidMissing(status: CappStatus | undefined): boolean {
  return status?.conditions?.some(({ type, reason }) => type === 'Available' && reason === 'Missing') ?? false;
}
