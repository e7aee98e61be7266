// The actions of a storm. The seed selects each action; an action returns one line about what it did.
import { CAPP } from '../../../crds/capp/capp.ts';
import { untilGone, untilReady } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { setTaints } from '../../../testbed/sites.ts';
import type { TestbedStack } from '../../../testbed/stack.ts';
import { fillDisk } from './faults/disk.ts';
import { LOST } from './faults/loss.ts';
import { cut, cutSite, cutUsers, slow, stall } from './faults/network.ts';
import { freeze, jump, kill } from './faults/processes.ts';
import { approve, create, editBundle, editCapp, editSet } from './loads/loads.ts';
import { editSecret } from './loads/secret.ts';
import { inBackground, WHILE_AWAY, type Action, type Storm } from './world.ts';

const taint: Action = async ({ dice, stack, away }) => {
  if (away.has(LOST)) return 'tainted no site, because one is lost';
  const site = dice.pick(stack.sites);
  const isTainted = dice.chance(0.5);
  await setTaint(stack, site, isTainted);
  return `${isTainted ? 'tainted' : 'cleared'} ${site}`;
};

/** Repeated, because OCM refuses the list when it has changed the taints since they were read. */
export async function setTaint(stack: TestbedStack, site: string, isTainted: boolean): Promise<void> {
  await eventually(
    () => setTaints(stack, site, isTainted ? [{ key: 'storm', effect: 'NoSelect' }] : []).then(() => true),
    WHILE_AWAY,
  );
}

const edit: Action = async (storm) => {
  const name = storm.dice.pick([...storm.kept]);
  await editCapp(storm, name);
  return `edited ${name}`;
};

const editFleet: Action = async (storm) => {
  const isSet = storm.dice.chance(0.5);
  await (isSet ? editSet(storm) : editBundle(storm));
  return `edited the ${isSet ? 'set' : 'Bundle'}`;
};

const renew: Action = async (storm) => {
  await editSecret(storm);
  return 'edited the Secret of all Capps';
};

const letBegin: Action = async (storm) => {
  const revision = await approve(storm);
  return revision === null
    ? 'found nothing to approve'
    : `approved revision ${revision.slice(0, 10)} of the set`;
};

/** Deletes a Capp and creates another one with its name, as a redeployment does. */
const replace: Action = async (storm) => {
  const { dice, kept, namespace, stack } = storm;
  if (kept.size < 3) return 'replaced none, because only two Capps are left';
  const name = dice.pick([...kept]);
  kept.delete(name);
  await eventually(async () => {
    await stack.hub.remove(CAPP, { namespace, name });
    return true;
  }, WHILE_AWAY);
  inBackground(storm, createAgain(storm, name));
  return `deleted ${name}, and will create it again`;
};

/** Sites may be cut off, and everything else away, again and again. */
const IN_A_STORM = { withinMs: 900_000, everyMs: 250 };

async function createAgain(storm: Storm, name: string): Promise<void> {
  const { kept, namespace, stack } = storm;
  const key = { namespace, name };
  await eventually(() => untilGone(stack.hub, key).then(() => true), IN_A_STORM);
  await eventually(async () => {
    if ((await stack.hub.get(CAPP, key)) === null) await create(storm, name);
    return true;
  }, WHILE_AWAY);
  await eventually(() => untilReady(stack.hub, key), IN_A_STORM);
  kept.add(name);
}

const ACTIONS: readonly (readonly [Action, number])[] = [
  [kill, 6],
  [freeze, 4],
  [cut, 2],
  [stall, 2],
  [slow, 2],
  [jump, 2],
  [fillDisk, 1],
  [cutSite, 1],
  [cutUsers, 1],
  [taint, 4],
  [edit, 4],
  [editFleet, 2],
  [renew, 1],
  [letBegin, 3],
  [replace, 1],
];

export function nextAction({ dice }: Storm): Action {
  return dice.pick(ACTIONS.flatMap(([action, weight]) => Array.from({ length: weight }, () => action)));
}
