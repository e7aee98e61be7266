// A site that is lost with its apps, for so long that a move is due: the hub does not hear of it, and users
// do not reach it. The site itself goes on.
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../../../testbed/eventually.ts';
import { setTaints } from '../../../../testbed/sites.ts';
import { away, WHILE_AWAY, type Storm } from '../world.ts';
import { stopFor } from './processes.ts';

/** Until it is healed: longer than what may move needs to leave. */
const LOST_FOR_MS = 210_000;

/**
 * OCM calls a site lost after 50 s. The rest is for a move while all else breaks: whatever a storm kills,
 * stops or cuts meanwhile is back within 15 s.
 */
const LEAVES_WITHIN_MS = 140_000;

const AGAIN_MS = 200;

/** No other site is tainted or cut off from the hub while one is lost: there has to be a place to go. */
export const LOST = 'a lost site';

/** Waits until every site is there. Resolves when one is lost, and says so; it comes back by itself. */
export async function loseSite(storm: Storm): Promise<string> {
  const { stack, dice } = storm;
  const site = dice.pick(stack.sites);
  const taken = [site, `${site}-ocm-agent`, `${site}-agent`, `${site}-agent → gateway`];
  storm.away.add(LOST);
  const isBusy = (): boolean => [...stack.sites, ...taken].some((one) => storm.away.has(one));
  await eventually(() => Promise.resolve(isBusy() ? undefined : true), WHILE_AWAY);
  for (const one of taken) storm.away.add(one);
  for (const other of stack.sites)
    await eventually(() => setTaints(stack, other, []).then(() => true), WHILE_AWAY);
  away(storm, [LOST, ...taken], lost(storm, site));
  return `${site} is lost, with its apps, for ${LOST_FOR_MS} ms`;
}

async function lost(storm: Storm, site: string): Promise<void> {
  const way = storm.ways.get(site);
  if (way === undefined) throw new Error(`${site} cannot be cut off from users.`);
  const links = storm.rewired.links.filter(({ from }) => from === `${site}-agent`);
  const from = Date.now();
  for (const one of [way, ...links]) one.stall();
  try {
    // One that has ended by itself is stopped once it is back.
    for (let left = LOST_FOR_MS; left > 0; left = from + LOST_FOR_MS - Date.now()) {
      await stopFor(storm, `${site}-ocm-agent`, left);
      await pause(AGAIN_MS);
    }
  } finally {
    for (const one of [way, ...links]) one.heal();
    storm.cutOffs.push({ site, from, to: Date.now(), leaveBy: from + LEAVES_WITHIN_MS });
  }
}
