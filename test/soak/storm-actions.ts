// The actions of a storm. The seed selects each action; an action returns one line about what it did.
import { CAPP } from '../../crds/capp/capp.ts';
import { createCapp, untilGone, untilReady } from '../../testbed/capps.ts';
import { eventually } from '../../testbed/eventually.ts';
import type { Random } from '../support/builders/random.ts';
import { setTaints } from '../../testbed/sites.ts';
import type { TestbedStack } from '../../testbed/stack.ts';

const TIMEOUT = { withinMs: 120_000, everyMs: 250 };

/** The state of a storm. */
export interface Storm {
  readonly stack: TestbedStack;
  readonly namespace: string;
  readonly dice: Random;
  /** Names of Capps that have been Ready and that the storm does not delete now. */
  readonly kept: Set<string>;
  /** Processes that are killed or stopped now. */
  readonly away: Set<string>;
  /** Actions that continue in the background. */
  readonly pending: Set<Promise<void>>;
}

type Action = (storm: Storm) => Promise<string>;

export function processesOf({ sites }: TestbedStack): string[] {
  return [
    'bridge',
    'hub-worker',
    'webhook',
    'temporal',
    ...sites.flatMap((site) => [`${site}-agent`, `${site}-operator`]),
  ];
}

const kill: Action = async (storm) => {
  const name = storm.dice.pick(processesOf(storm.stack));
  if (storm.away.has(name)) return `${name} is restarting already`;
  storm.away.add(name);
  const back = await storm.stack.killNow(name);
  inBackground(
    storm,
    back().then(() => void storm.away.delete(name)),
  );
  return `killed ${name}`;
};

const freeze: Action = async (storm) => {
  const name = `${storm.dice.pick(storm.stack.sites)}-agent`;
  const milliseconds = Math.round(1_000 + storm.dice.next() * 5_000);
  if (storm.away.has(name)) return `${name} is stopped already`;
  storm.away.add(name);
  const frozen = storm.stack.freeze(
    name,
    () => new Promise((resolve) => void setTimeout(resolve, milliseconds)),
  );
  inBackground(
    storm,
    frozen.then(() => void storm.away.delete(name)),
  );
  return `stopped ${name} for ${milliseconds} ms`;
};

const taint: Action = async ({ dice, stack }) => {
  const site = dice.pick(stack.sites);
  const isTainted = dice.chance(0.5);
  await setTaint(stack, site, isTainted);
  return `${isTainted ? 'tainted' : 'cleared'} ${site}`;
};

/** Repeated, because OCM refuses the list when it has changed the taints since they were read. */
export async function setTaint(stack: TestbedStack, site: string, isTainted: boolean): Promise<void> {
  await eventually(
    () => setTaints(stack, site, isTainted ? [{ key: 'storm', effect: 'NoSelect' }] : []).then(() => true),
    TIMEOUT,
  );
}

const edit: Action = async ({ dice, kept, namespace, stack }) => {
  const name = dice.pick([...kept]);
  const value = String(Math.floor(dice.next() * 1e6));
  const containers = [{ name: 'app', image: 'ghcr.io/me/app:v1', env: [{ name: 'STORM', value }] }];
  const spec = { configurationSpec: { template: { spec: { containers } } } };
  await eventually(() => stack.hub.patch(CAPP, { namespace, name }, { spec }), TIMEOUT);
  return `edited ${name}`;
};

/** Deletes a Capp and creates another one with its name, as a redeployment does. */
const replace: Action = async (storm) => {
  const { dice, kept, namespace, stack } = storm;
  if (kept.size < 3) return 'replaced none, because only two Capps are left';
  const name = dice.pick([...kept]);
  kept.delete(name);
  await stack.hub.remove(CAPP, { namespace, name });
  inBackground(storm, createAgain(storm, name));
  return `deleted ${name}, and will create it createAgain`;
};

async function createAgain({ kept, namespace, stack }: Storm, name: string): Promise<void> {
  await untilGone(stack.hub, { namespace, name });
  await eventually(() => createCapp(stack.hub, { namespace, name }), TIMEOUT);
  await eventually(() => untilReady(stack.hub, { namespace, name }), TIMEOUT);
  kept.add(name);
}

const ACTIONS: readonly (readonly [Action, number])[] = [
  [kill, 5],
  [taint, 4],
  [edit, 4],
  [freeze, 2],
  [replace, 1],
];

export function nextAction({ dice }: Storm): Action {
  return dice.pick(ACTIONS.flatMap(([action, weight]) => Array.from({ length: weight }, () => action)));
}

function inBackground({ pending }: Storm, action: Promise<void>): void {
  const done = action.finally(() => void pending.delete(done));
  pending.add(done);
}
