// The end of a storm: what was broken is whole again.
import { attach, changeCluster, place, reach } from './ocm.ts';
import { SITES, type World } from './world.ts';

/** Nobody does anything any more. A taint may stay, a site that is not needed may stay away, and so does what a person has asked for. */
export function calm(world: World): void {
  world.calm = true;
  world.tell('calm');
  const clean = world.random.pick(['site-2', 'site-3'] as const);
  for (const name of SITES) heal(world, name, name === clean);
  if (world.hub.get('RCSConfig')?.includes('all') !== true) world.hub.write('RCSConfig', ['all', 'edge']);
  world.hub.write('Secret', Math.abs(world.hub.get('Secret')));
  unfreeze(world);
  if (world.hub.get('Capp')?.spec.site === 'nowhere') world.changeSpec({ site: '' });
  world.clock.after(10_000, () => place(world));
  world.clock.after(120_000, () => place(world));
}

function heal(world: World, name: string, isClean: boolean): void {
  const { site, migration } = world.hub.get('Capp')?.spec ?? {};
  const isGone = world.hub.get('ManagedCluster')[name]?.deleting !== false;
  const isNeeded = isClean || name === site || migration?.policy === 'Manual';
  if (isGone && (isNeeded || world.random.chance(0.5))) attach(world, name);
  world.site(name)?.turn('agentUp', true);
  world.site(name)?.turn('pulls', true);
  world.site(name)?.feel('good');
  reach(world, name, true);
  changeCluster(world, name, { accepted: true, ...(isClean ? { tainted: false } : {}) });
}

function unfreeze(world: World): void {
  world.changeCapp((capp) => {
    const { 'rcs.dana.io/paused': _paused, ...annotations } = capp.metadata.annotations ?? {};
    return { ...capp, metadata: { ...capp.metadata, annotations } };
  });
}
