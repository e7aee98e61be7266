// `cappstan leave`: takes away what `cappstan join` has written, when the hub has nothing on the site any
// more.
import { deleteStackData, stopStack } from '../local/down.ts';
import type { Progress as Screen } from '../local/terminal.ts';
import type { JoinCommand } from './command-line.ts';
import { JoinRefused } from './refused.ts';
import { clearSite, membershipOf, openSite, refuseInUse } from './site.ts';

/**
 * `alone` throws while an agent runs there. Throws JoinRefused, before anything is written. Safe to repeat.
 */
export async function leaveHub(
  { kubeconfig, dir }: Extract<JoinCommand, { what: 'leave' }>,
  screen: Screen,
  alone: () => Promise<void>,
): Promise<void> {
  const site = openSite(kubeconfig);
  try {
    const known = await membershipOf(site);
    if (known === null) throw new JoinRefused(['The site has not joined any hub by cappstan join.']);
    await refuseInUse(site, known);
    await alone();
    await screen.step('Stopping the agent', (note) => stopStack(dir, note));
    await screen.step('Clearing the site', () => clearSite(site));
    await deleteStackData(dir);
    screen.say(
      `The site has left ${known.hub}. If the hub still has it: kubectl delete managedcluster ${known.cluster} there. OCM’s CRDs stay on the site.`,
    );
  } finally {
    await site.close();
  }
}
