// Whether a site's Capp serves users: what "the last healthy copy" means, read from its status.
import type { CappStatus } from './capp-status.ts';

/** Some revision answers requests, whatever its generation. A disabled Capp serves nobody. */
export function isHealthy(status: CappStatus | undefined): boolean {
  return status?.conditions?.some((condition) => condition.type === 'Serving' && condition.status === 'True') ?? false;
}
