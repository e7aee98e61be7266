// Serves the dashboard of one hub to the person at this machine, until they end it.
import type { OpenedHub } from '../hub/connection/hub.ts';
import { openDoor, type DashboardDoor } from './door/door.ts';
import { insideOf } from './feed/inside.ts';
import { pulseOf } from './feed/pulse.ts';
import { rightsOf } from './feed/rights.ts';
import { watchHub } from './feed/watches.ts';
import { whoIs } from './feed/who.ts';
import { pageFiles } from './page-files.ts';

/** Without a page, in milliseconds. */
const IDLE_MS = 30 * 60_000;

/**
 * Listens when this resolves; when it has ended, nothing is left. Throws ApiError when the hub does not
 * answer, and what Node throws when the port is taken.
 */
export async function serveDashboard(
  hub: OpenedHub,
  port: number,
  idleMs = IDLE_MS,
): Promise<Pick<DashboardDoor, 'address' | 'origin' | 'ended' | 'close'>> {
  const [page, user] = await Promise.all([pageFiles(), whoIs(hub.kube)]);
  const rights = rightsOf(hub.kube);
  const watches = await watchHub(hub, rights);
  const pulse = pulseOf(hub.kube);
  const ending = new AbortController();
  const inside = insideOf({ hub, user, watches, pulse, ending: ending.signal });
  const stop = async (): Promise<void> => {
    ending.abort();
    pulse.stop();
    rights.stop();
    await Promise.all([inside.settled(), watches.stop()]);
  };
  try {
    const door = await openDoor({ page, inside, idleMs, port });
    return { ...door, ended: door.ended.then(async (how) => (await stop(), how)) };
  } catch (error) {
    await stop();
    throw error;
  }
}
