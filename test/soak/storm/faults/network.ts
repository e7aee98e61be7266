// Faults of networks: a way between two processes is broken, silent or slow, and a site cannot reach its hub.
import { setTimeout as pause } from 'node:timers/promises';
import { away, between, type Action, type Storm } from '../world.ts';
import { LOST } from './loss.ts';
import { stopFor } from './processes.ts';
import type { Link } from './rewired.ts';

function pickLink({ dice, rewired, away: taken }: Storm): Link | null {
  const link = dice.pick(rewired.links);
  return taken.has(link.name) ? null : link;
}

const broken =
  (what: string, breakIt: (link: Link, storm: Storm) => void): Action =>
  async (storm) => {
    const link = pickLink(storm);
    if (link === null) return 'that way is broken already';
    const milliseconds = between(storm, 1_000, 15_000);
    breakIt(link, storm);
    away(storm, [link.name], healedAfter(link, milliseconds));
    return `${link.name} is ${what} for ${milliseconds} ms`;
  };

export const cut = broken('cut', (link) => link.cut());
export const stall = broken('silent', (link) => link.stall());
export const slow = broken('slow', (link, storm) => link.slow(between(storm, 20, 400)));

async function healedAfter(link: Link, milliseconds: number): Promise<void> {
  await pause(milliseconds);
  link.heal();
}

/** Longer than OCM waits before it calls a site unavailable, in some storms. */
const LONGEST_MS = 90_000;

/** OCM's agent is stopped, and ours has no way to the gateway. Users still reach the site. */
export const cutSite: Action = async (storm) => {
  const { stack, dice, rewired } = storm;
  if (storm.away.has(LOST) || stack.sites.some((site) => storm.away.has(site)))
    return 'a site is cut off already';
  const site = dice.pick(stack.sites);
  const [theirs, ours] = [`${site}-ocm-agent`, `${site}-agent → gateway`];
  const link = rewired.links.find(({ name }) => name === ours);
  if (link === undefined || storm.away.has(theirs) || storm.away.has(ours))
    return `${site} has another fault already`;
  const milliseconds = between(storm, 10_000, LONGEST_MS);
  link.stall();
  const healed = stopFor(storm, theirs, milliseconds).finally(() => link.heal());
  away(storm, [site, theirs, ours], healed);
  return `${site} is cut off from the hub for ${milliseconds} ms`;
};

/** Shorter than Kubernetes waits before it calls a node lost: no Pod is to change. */
const LONGEST_FOR_USERS_MS = 15_000;

/** The ingress of a site is stopped, and its node with it: users cannot reach the site, and the hub can. */
export const cutUsers: Action = async (storm) => {
  const site = storm.dice.pick(storm.stack.sites);
  const name = `${site}-stand-ins`;
  if (storm.away.has(name)) return `${site} is cut off from users already`;
  const milliseconds = between(storm, 2_000, LONGEST_FOR_USERS_MS);
  const from = Date.now();
  const back = stopFor(storm, name, milliseconds).finally(
    () => void storm.cutOffs.push({ site, from, to: Date.now() }),
  );
  away(storm, [name], back);
  return `${site} is cut off from users for ${milliseconds} ms`;
};
