// Reads what the site's admins have set for checks, in the site's CappConfig.
import { CAPP_CONFIG, CAPP_CONFIG_KEYS } from '../../../crds/capp-config.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { AGENT_TIMES } from '../times.ts';

const LIMIT = { deadlineMs: AGENT_TIMES.read.ms } as const;

/**
 * The spec of the CappConfig that counts, unvalidated; null without one. Throws ApiError while the site's API
 * server does not answer.
 */
export async function siteConfig(kube: Pick<Kube, 'get'>): Promise<unknown> {
  for (const key of CAPP_CONFIG_KEYS) {
    const found = await kube.get<KubeObject & { readonly spec?: unknown }>(CAPP_CONFIG, key, LIMIT);
    if (found !== null) return found.spec ?? {};
  }
  return null;
}
