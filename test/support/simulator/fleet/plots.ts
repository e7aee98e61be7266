// What must coincide for a guard to matter, and what random storms bring together too seldom: each plot is
// played when the storm of a life is over and before its calm, while requests, turns and caches go wrong as
// before.
import { ABORT, PAUSED, RETRY } from '../../../../crds/labels.ts';
import { heal } from '../world/calm.ts';
import { openAgain } from '../world/drains.ts';
import { RING, ringOf } from '../world/names.ts';
import { place, reach } from '../world/ocm.ts';
import type { World } from '../world/world.ts';
import { copiesOf, readFleet, type Lived } from './lived.ts';
import type { People } from './people.ts';

const MINUTE_MS = 60_000;

/** Until when it is played, in milliseconds of the world's time; null: this world is too small for it. */
export type Plot = (world: World, people: People, lived: Lived) => number | null;

/**
 * Of two canaries one is lost, and the hub knows it; then somebody brings a new revision, which becomes Ready
 * on the other. With `offline: Wait` the next stage must wait for the lost one.
 */
const lostCanary: Plot = (world, people, lived) => {
  const { clock, names } = world;
  const canaries = names.filter((name) => ringOf(name) === 'canary');
  const [lost] = canaries;
  if (lost === undefined || canaries.length < 2) return null;
  const stages = [{ name: 'canary', sites: { matchLabels: { [RING]: 'canary' } } }, { name: 'rest' }];
  settle(world, people);
  people.change({
    sites: { clusters: [...names] },
    paused: false,
    strategy: { stages, offline: 'Wait', maxConcurrent: '100%', deadlineSeconds: 300 },
    ...lived.content((people.images += 1), false),
  });
  clock.after(10 * MINUTE_MS, () => reach(world, lost, false));
  // It takes five minutes until the hub knows.
  clock.after(17 * MINUTE_MS, () => people.change(lived.content((people.images += 1), false)));
  return clock.now + 25 * MINUTE_MS;
};

/**
 * Canaries of a Placement get a new revision, and one of them is lost with it: OCM selects it no more.
 * Nothing of the rest may be changed before it is back.
 */
function cutOff(first: object): Plot {
  return (world, people, lived) => {
    const { clock, names, placing } = world;
    if (!placing.isWide) return null;
    const stages = [{ name: 'canary', ...first }, { name: 'rest' }];
    settle(world, people);
    place(world);
    people.change({
      placement: 'all',
      paused: false,
      strategy: { stages, maxConcurrent: '100%', soakSeconds: 600, deadlineSeconds: 600 },
      ...lived.content((people.images += 1), false),
    });
    clock.after(45 * MINUTE_MS, () => people.change(lived.content((people.images += 1), false)));
    clock.after(49 * MINUTE_MS, () => {
      const { revision = '' } = readFleet(world, lived)?.status ?? {};
      const has = copiesOf(world, lived).find(({ written }) => written?.revision === revision)?.site;
      if (has !== undefined && names.includes(has)) reach(world, has, false);
    });
    return clock.now + 80 * MINUTE_MS;
  };
}

export const PLOTS: Readonly<Record<string, Plot>> = {
  'a lost canary': lostCanary,
  'a canary that is cut off': cutOff({ sites: { matchLabels: { [RING]: 'canary' } } }),
  'a drawn canary that is cut off': cutOff({ sites: { count: 2 } }),
};

/** Nothing of the storm keeps the fleet from coming to rest. */
function settle(world: World, people: People): void {
  people.annotate({ [PAUSED]: null, [ABORT]: null, [RETRY]: null });
  people.make();
  world.placing.reset();
  for (const name of world.names) {
    heal(world, name, true);
    openAgain(world, name);
  }
}
