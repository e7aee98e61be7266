// `cappstan leave`: takes away what `cappstan join` has written, when the hub has nothing on the site any
// more, or when the hub is no more.
import type { Kube } from '../../../kube/client.ts';
import { deleteStackData, stopStack } from '../../local/down.ts';
import type { Progress as Screen } from '../../local/terminal.ts';
import { clearSite } from './clear.ts';
import type { JoinCommand } from '../command-line.ts';
import { JoinRefused } from '../refused.ts';
import { membershipOf, openSite, refuseInUse, refuseUnreachable, type Membership } from '../site.ts';
import { lossesOf, refuseReachable, refuseUnseenLosses, removeLosses, type LostWithHub } from './gone.ts';

/**
 * `alone` throws while an agent runs there. Throws JoinRefused, before anything is written. Safe to repeat.
 */
export async function leaveHub(
  { kubeconfig, dir, isHubGone, lose }: Extract<JoinCommand, { what: 'leave' }>,
  screen: Screen,
  alone: () => Promise<void>,
): Promise<void> {
  const site = openSite(kubeconfig);
  try {
    await refuseUnreachable(site, kubeconfig);
    const known = await membershipOf(site);
    if (known === null) throw new JoinRefused(['The site has not joined any hub by cappstan join.']);
    const losses = isHubGone ? await seenLosses(site, known, lose) : null;
    if (losses === null) await refuseInUse(site, known);
    await alone();
    await screen.step('Stopping the agent', (note) => stopStack(dir, note));
    if (losses !== null)
      await screen.step('Removing what the hub has brought', () => removeLosses(site, losses));
    const cleared = await screen.step('Clearing the site', () => clearSite(site, known));
    await deleteStackData(dir);
    for (const name of cleared.definitions)
      screen.say(
        `The CRD ${name} stays, since somebody’s objects are in it. If nobody needs them: kubectl delete crd ${name}.`,
      );
    const left = cleared.isUnknown
      ? 'ConfigMap cappstan-hub names other hubs and not this one, so what its add-on has brought stays: delete it as docs/hubs.md says (A hub leaves).'
      : 'Nothing of it is left there.';
    const onHub = isHubGone
      ? ''
      : ` If the hub still has it: kubectl delete managedcluster ${known.cluster} there.`;
    screen.say(`The site has left ${known.hub}. ${left}${onHub}`);
  } finally {
    await site.close();
  }
}

/** Throws JoinRefused while the hub answers, or while nobody has seen what goes. */
async function seenLosses(site: Kube, known: Membership, lose: string | null): Promise<LostWithHub> {
  await refuseReachable(site, known);
  const losses = await lossesOf(site, known);
  refuseUnseenLosses(losses, lose);
  return losses;
}
