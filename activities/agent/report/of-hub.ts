// Which Capps of a site are of the agent's own hub: a site may have several hubs, each with its agent.
import type { Capp } from '../../../crds/capp/capp.ts';
import { CONFIG_MAP, type ConfigMap } from '../../../crds/kubernetes/core.ts';
import { HUB } from '../../../crds/labels.ts';
import { FIRST_HUB, HUBS_OF_SITE } from '../../../crds/site-hubs.ts';
import type { Kube } from '../../../kube/client.ts';
import { isForbidden } from '../../../kube/failure.ts';
import { AGENT_TIMES } from '../times.ts';

/**
 * By the label of the hub. Capps without it are of the site's first hub, which may have brought them before
 * there was a label. All, for a hub without an id. Throws ApiError while the site's API server does not
 * answer.
 */
export async function cappsOf(kube: Pick<Kube, 'get'>, hub: string): Promise<(capp: Capp) => boolean> {
  if (hub === '') return () => true;
  const first = await firstHub(kube);
  return ({ metadata }) => (metadata.labels?.[HUB] ?? first ?? hub) === hub;
}

/** Null: the site has no such record, or does not let the agent read it. */
async function firstHub(kube: Pick<Kube, 'get'>): Promise<string | null> {
  try {
    const record = await kube.get<ConfigMap>(CONFIG_MAP, HUBS_OF_SITE, { deadlineMs: AGENT_TIMES.read.ms });
    return record?.data?.[FIRST_HUB] ?? null;
  } catch (error) {
    if (isForbidden(error)) return null;
    throw error;
  }
}
