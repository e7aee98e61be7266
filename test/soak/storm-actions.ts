// What a storm does to a stack: each deed is drawn from the seed, and what it did is told in one line.
import { CAPP } from '../../crds/capp/capp.ts';
import { createCapp, untilGone, untilReady } from '../../testbed/apps.ts';
import { eventually } from '../../testbed/eventually.ts';
import type { Random } from '../support/builders/random.ts';
import { setTaints } from '../../testbed/sites.ts';
import type { Stack } from '../../testbed/stack.ts';

const PATIENCE = { withinMs: 120_000, everyMs: 250 };

/** The Capps that are there and left alone, and what is still under way. */
export interface Storm {
  readonly stack: Stack;
  readonly namespace: string;
  readonly dice: Random;
  /** Names of Capps that have been Ready and that nobody deletes. */
  readonly kept: Set<string>;
  /** Processes that are on their way back. */
  readonly away: Set<string>;
  /** Deeds that go on in the background. */
  readonly pending: Set<Promise<void>>;
}

type Deed = (storm: Storm) => Promise<string>;

export function processesOf({ sites }: Stack): string[] {
  return ['bridge', 'hub-worker', 'webhook', 'temporal', ...sites.flatMap((site) => [`${site}-agent`, `${site}-operator`])];
}

const kill: Deed = async (storm) => {
  const name = storm.dice.pick(processesOf(storm.stack));
  if (storm.away.has(name)) return `${name} is on its way back already`;
  storm.away.add(name);
  const back = await storm.stack.killNow(name);
  goOn(
    storm,
    back().then(() => void storm.away.delete(name)),
  );
  return `killed ${name}`;
};

const freeze: Deed = async (storm) => {
  const name = `${storm.dice.pick(storm.stack.sites)}-agent`;
  const milliseconds = Math.round(1_000 + storm.dice.next() * 5_000);
  if (storm.away.has(name)) return `${name} is away already`;
  storm.away.add(name);
  const frozen = storm.stack.freeze(name, () => new Promise((resolve) => void setTimeout(resolve, milliseconds)));
  goOn(
    storm,
    frozen.then(() => void storm.away.delete(name)),
  );
  return `froze ${name} for ${milliseconds} ms`;
};

const taint: Deed = async ({ dice, stack }) => {
  const site = dice.pick(stack.sites);
  const isTainted = dice.chance(0.5);
  await setTaint(stack, site, isTainted);
  return `${isTainted ? 'tainted' : 'cleared'} ${site}`;
};

/** OCM refuses a list of taints that it has changed itself since it was read. */
export async function setTaint(stack: Stack, site: string, isTainted: boolean): Promise<void> {
  await eventually(() => setTaints(stack, site, isTainted ? [{ key: 'storm', effect: 'NoSelect' }] : []).then(() => true), PATIENCE);
}

const edit: Deed = async ({ dice, kept, namespace, stack }) => {
  const name = dice.pick([...kept]);
  const value = String(Math.floor(dice.next() * 1e6));
  const containers = [{ name: 'app', image: 'ghcr.io/me/app:v1', env: [{ name: 'STORM', value }] }];
  const spec = { configurationSpec: { template: { spec: { containers } } } };
  await eventually(() => stack.hub.patch(CAPP, { namespace, name }, { spec }), PATIENCE);
  return `edited ${name}`;
};

/** A namesake follows at once, as when somebody deploys anew. */
const replace: Deed = async (storm) => {
  const { dice, kept, namespace, stack } = storm;
  if (kept.size < 3) return 'left the last Capps alone';
  const name = dice.pick([...kept]);
  kept.delete(name);
  await stack.hub.remove(CAPP, { namespace, name });
  goOn(storm, again(storm, name));
  return `deleted ${name}, to make it anew`;
};

async function again({ kept, namespace, stack }: Storm, name: string): Promise<void> {
  await untilGone(stack.hub, { namespace, name });
  await eventually(() => createCapp(stack.hub, { namespace, name }), PATIENCE);
  await eventually(() => untilReady(stack.hub, { namespace, name }), PATIENCE);
  kept.add(name);
}

const DEEDS: readonly (readonly [Deed, number])[] = [
  [kill, 5],
  [taint, 4],
  [edit, 4],
  [freeze, 2],
  [replace, 1],
];

export function nextDeed({ dice }: Storm): Deed {
  return dice.pick(DEEDS.flatMap(([deed, weight]) => Array.from({ length: weight }, () => deed)));
}

function goOn({ pending }: Storm, deed: Promise<void>): void {
  const done = deed.finally(() => void pending.delete(done));
  pending.add(done);
}
