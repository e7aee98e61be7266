// Where a Capp must be when a storm is long over: Ready on a site where it may be, with one work and every ring answered; or gone.
import type { Capp } from '../../../crds/capp.ts';
import { FORCE, MIGRATE } from '../../../crds/labels.ts';
import { isReady } from '../../../bridge/causes.ts';
import { nextStep } from '../../../workflows/decide/next-step.ts';
import type { State } from '../../../workflows/state.ts';
import type { Body } from './body.ts';
import { fail } from './rules.ts';
import { SITES, type World } from './world.ts';

/** Whether it is at rest for good; not while it waits for a person's word. */
export function settled(world: World): boolean {
  const capp = world.hub.get('Capp');
  const { body } = world;
  if (capp === null || capp.metadata.deletionTimestamp !== undefined) {
    gone(world, capp, body);
    return true;
  }
  if (body === null || body.ended) return fail('3: a Capp has no workflow', capp);
  // A person must say that the copy on a site that is gone is stopped: all that can be done is to say so.
  if (capp.spec.migration?.strategy === 'Recreate' && waitsForWord(capp)) return false;
  resting(world, body.state);
  serving(world, capp, body.state);
  legitimate(world, capp, body.state);
  return true;
}

function waitsForWord({ status }: Capp): boolean {
  return status?.conditions?.some(({ reason }) => reason === 'AwaitsWord' || reason === 'StillLeaving') === true;
}

function gone(world: World, capp: Capp | null, body: Body | null): void {
  const works = Object.keys(world.hub.get('ManifestWork'));
  if (works.length > 0 || capp !== null) fail('3: a deleted Capp leaves something', { works, capp, state: body?.state });
  if (body !== null && !body.ended) fail('3: the workflow of a deleted Capp lives on', body.state);
}

function resting(world: World, state: State): void {
  const step = nextStep(state, world.clock.now);
  if (step.do !== 'rest' || step.until !== null) fail('3: it does not come to rest', { step, state });
  if (state.due.length > 0 || state.seen !== state.rung) fail('3: a ring has not been answered', state);
  if (state.move !== null || state.leave !== null || state.request !== null) fail('3: it should be on its way', state);
}

function serving(world: World, capp: Capp, state: State): void {
  const works = Object.keys(world.hub.get('ManifestWork'));
  if (works.length !== 1 || works[0] !== state.serving) fail(`3: works on ${works.join()}`, state);
  if (!isReady(capp)) fail('3: the Capp is not Ready', state);
  if (world.site(state.serving ?? '')?.isServing() !== true) fail('3: nothing serves', state);
}

/** Nothing speaks against the site, or the Capp's policy or a person keeps it there. */
function legitimate(world: World, capp: Capp, state: State): void {
  const { site = '', migration } = capp.spec;
  const isNamed = SITES.some((name) => name === site);
  if (isNamed && site !== state.serving) fail(`3: spec.site names ${site}`, state);
  if (isNamed || migration?.policy === 'Manual' || state.pin === state.serving) return;
  const names = site === '' ? ['all', 'edge'] : [site];
  if (names.some((name) => isDecided(world, name, state.serving))) return;
  if (world.hub.get('ManagedCluster')[state.serving ?? '']?.tainted === true) fail('3: it stays on a tainted site', state);
  if (migration?.policy === 'Follow' && !isAskedByAnnotation(capp)) fail('3: it stays where no decision is', state);
}

function isDecided(world: World, placement: string, cluster: string | null): boolean {
  return world.hub.get('PlacementDecision')[placement]?.clusters.includes(cluster ?? '') === true;
}

function isAskedByAnnotation({ metadata }: Capp): boolean {
  return [MIGRATE, FORCE].some((name) => metadata.annotations?.[name] !== undefined);
}
