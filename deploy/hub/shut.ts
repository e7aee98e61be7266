// A hub whose doors are shut, because it was restored from a backup: it can be looked at and written to from
// this machine, nobody finds it from another, and nothing in it acts on what is older than the sites.
import type { HubConfig } from './config/config.ts';
import { externalHostOf } from './doors.ts';

/**
 * What stores and checks. Neither a controller nor a worker of ours runs, so nothing is decided by leases and
 * statuses of the day of the backup, and no agent can come in: the gateway does not run.
 */
export const BEHIND_SHUT_DOORS: ReadonlySet<string> = new Set([
  'etcd',
  'hub-api-server',
  'ocm-webhook',
  'webhook',
]);

/** The API server listens there, at a port that nobody has been told of. */
export function atLoopback(config: HubConfig): HubConfig {
  const apiServer = { ...config.apiServer, externalHostname: externalHostOf(config) };
  return { ...config, apiServer, bindAddress: '127.0.0.1' };
}
