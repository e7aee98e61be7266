// Apps that were Ready turn unhealthy by themselves: one, or all that share something.
import { findingOf } from '../site/findings.ts';
import { keyOfName } from './names.ts';
import type { World } from './world.ts';

/** Until its site makes something else of it: a new revision, or a better mood. */
export function sicken(world: World, name: string): string {
  const isShared = world.random.chance(0.5);
  const apps = isShared ? world.capps : [name];
  const reason = isShared ? 'RolloutFailed' : world.random.pick(['RolloutFailed', 'Deploying'] as const);
  for (const app of apps) turnIll(world, app, reason);
  // Some turn so again, wherever they have gone and whatever became of them.
  const times = world.random.chance(0.4) ? 6 : 0;
  for (let count = 1; count <= times; count += 1)
    world.clock.after(world.between(count * 300_000, count * 900_000), () => {
      if (!world.calm) for (const app of apps) turnIll(world, app, reason);
    });
  return `${apps.join()} ${apps.length === 1 ? 'turns' : 'turn'} unhealthy (${reason})`;
}

/** Wherever it is. */
function turnIll(world: World, name: string, reason: 'RolloutFailed' | 'Deploying'): void {
  const verdict = reason === 'RolloutFailed' ? 'Failed' : 'Progressing';
  for (const site of world.sites)
    if (site.up && site.standing.get(keyOfName(name))?.finding.verdict === 'Ready')
      site.shows(keyOfName(name), findingOf(verdict, reason, world.random.chance(0.2)));
}
