// The end of a storm: what was broken is whole again.
import { attach, changeCluster, clusterOf, configure, isGoing, place, reach } from './ocm.ts';
import { changeCapp, changeSpec, writeSecret } from './capps.ts';
import type { World } from './world.ts';
import { openAgain } from './drains.ts';
import { turnsWorkflowId } from '../../../../workflows/names.ts';

/**
 * Nobody does anything any more. A taint may stay, a site that is not needed may stay away, and so does what
 * a person has asked for. Returns the site against which nothing speaks.
 */
export function calm(world: World): string {
  world.calm = true;
  world.tell('calm');
  const clean = world.random.pick(['site-2', 'site-3'] as const);
  world.placing.reset();
  for (const name of world.names) heal(world, name, name === clean);
  configure(world, ['all', 'edge']);
  for (const name of world.capps) {
    writeSecret(world, name, (before) => before ?? 1);
    unfreeze(world, name);
    if (world.read(name)?.spec.site === 'nowhere') changeSpec(world, name, { site: '' });
  }
  for (const site of world.names) {
    openAgain(world, site);
    for (const word of ['resume', 'stop']) world.temporal.send(turnsWorkflowId(site), word, []);
  }
  world.clock.after(10_000, () => place(world));
  world.clock.after(120_000, () => place(world));
  return clean;
}

/** What was broken on a site is whole again; a taint goes only if it is to be clean. */
export function heal(world: World, name: string, isClean: boolean): void {
  const specs = world.capps.map((capp) => world.read(capp)?.spec);
  const mayCome = world.capps.some(
    (capp) => world.read(capp)?.metadata.deletionTimestamp !== undefined || world.read(capp) === null,
  );
  const isNeeded =
    isClean ||
    world.fleet !== null ||
    mayCome ||
    specs.some((spec) => spec?.site === name || spec?.migration?.policy === 'Manual');
  const isGone = clusterOf(world, name) === null || isGoing(world, name);
  if (isGone && (isNeeded || world.random.chance(0.5))) attach(world, name);
  world.site(name)?.turn('agentUp', true);
  world.site(name)?.turn('pulls', true);
  world.site(name)?.feel('good');
  world.site(name)?.certificates.come('prompt');
  reach(world, name, true);
  changeCluster(world, name, {
    accepted: true,
    ...(isClean || world.placing.isWide ? { tainted: false } : {}),
  });
}

function unfreeze(world: World, name: string): void {
  changeCapp(world, name, (capp) => {
    const { 'rcs.dana.io/paused': _paused, ...annotations } = capp.metadata.annotations ?? {};
    return { ...capp, metadata: { ...capp.metadata, annotations } };
  });
}
