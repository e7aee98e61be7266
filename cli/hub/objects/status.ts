// Reads what the bridge has published of Temporal.
import {
  HUB_STATUS,
  HUB_STATUS_NAME,
  type HubStatus,
  type HubStatusReport,
} from '../../../crds/hub/hub-status.ts';
import { isForbidden } from '../../../kube/failure.ts';
import type { ConnectedHub } from '../connection/hub.ts';

/** Empty if nothing has been published; null if the person may not read it. Throws ApiError. */
export async function readHubStatus({ kube }: ConnectedHub): Promise<HubStatusReport | null> {
  try {
    const found = await kube.get<HubStatus>(HUB_STATUS, { namespace: null, name: HUB_STATUS_NAME });
    return found?.status ?? {};
  } catch (error) {
    if (isForbidden(error)) return null;
    throw error;
  }
}
