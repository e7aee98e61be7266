// Asks the site of a Capp whose agent is silent what it shows, with the person's own rights (docs/logs.md).
import type { Capp } from '../../../crds/capp/capp.ts';
import { keyOf, keyText } from '../../../kube/resource.ts';
import { sitesOf } from '../../../reach/pods.ts';
import { isUnseen } from '../../explain/capp/phase.ts';
import { shownBy, type ShownSite } from '../../explain/capp/shown.ts';
import type { OpenedHub } from '../connection/hub.ts';
import { podsIfTold } from './pods.ts';

/**
 * Null for a Capp whose agent tells of it, and where no reader answers, or the person may not. Never throws.
 */
export async function shownIfUnseen(
  hub: OpenedHub,
  capp: Capp,
  signal: AbortSignal,
): Promise<readonly ShownSite[] | null> {
  if (!isUnseen(capp)) return null;
  const key = keyOf(capp);
  const told = (await podsIfTold(hub, [key], signal)).get(keyText(key));
  return told === undefined ? null : shownBy(sitesOf(capp.status), told);
}
