// One seed: a random storm, and then calm, in which the Capp must come to rest where it may be, with one work, and nothing may happen any more.
import { FORCE, MIGRATE } from '../../../crds/labels.ts';
import { nextStep } from '../../../workflows/decide/next-step.ts';
import { storm } from './storm.ts';
import { fail } from './rules.ts';
import { SITES, World } from './world.ts';

/** In calm, all waits, back-offs, cool-downs and deadlines are over after this long. */
const SETTLE_MS = 4 * 3_600_000;
const QUIET_MS = 30 * 3_600_000;
/** Steps that settling may take. */
const STEPS = 400;

export interface Outcome {
  /** Null: every rule held. */
  readonly breach: string | null;
  readonly steps: number;
}

/** Lives through one seed. `story` is told each step. */
export function simulate(seed: number, story: ((line: string) => void) | null = null): Outcome {
  const world = new World(seed, story);
  try {
    storm(world, (until) => run(world, until));
    calm(world);
    const { steps } = world.rules;
    run(world, world.clock.now + SETTLE_MS);
    if (world.rules.steps - steps > STEPS) fail(`3: it took ${world.rules.steps - steps} steps to settle`, world.body?.state);
    settled(world);
    const { writes } = world;
    const quiet = world.rules.steps;
    run(world, world.clock.now + QUIET_MS);
    if (world.writes !== writes || world.rules.steps !== quiet)
      fail(`6: at rest there were ${world.writes - writes} writes and ${world.rules.steps - quiet} steps`, world.body?.state);
    return { breach: null, steps: world.rules.steps };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    world.tell(`BREACH ${error.message}`);
    return { breach: error.message === '' ? String(error) : (error.stack ?? error.message), steps: world.rules.steps };
  }
}

function run(world: World, until: number): void {
  while (world.clock.step(until)) {
    for (const site of world.sites) if (site.isServing()) site.healthyAt = world.clock.now;
    if (world.body !== null) world.rules.afterEvent(world.body.state);
  }
}

/** Nobody does anything any more, and what was broken is whole; a taint may stay, and so does what a person has asked for. */
function calm(world: World): void {
  world.calm = true;
  world.tell('calm');
  const clean = world.random.pick(['site-2', 'site-3'] as const);
  for (const name of SITES) {
    if (world.hub.get('ManagedCluster')[name]?.deleting !== false) world.attach(name);
    world.site(name)?.turn('agentUp', true);
    world.site(name)?.turn('pulls', true);
    world.site(name)?.feel('good');
    world.reach(name, true);
    world.changeCluster(name, { accepted: true, ...(name === clean ? { tainted: false } : {}) });
  }
  if (world.hub.get('RCSConfig')?.includes('all') !== true) world.hub.write('RCSConfig', ['all', 'edge']);
  if (world.hub.get('Secret') < 0) world.hub.write('Secret', -world.hub.get('Secret'));
  const capp = world.hub.get('Capp');
  const { 'rcs.dana.io/paused': paused, ...annotations } = capp?.metadata.annotations ?? {};
  if (paused !== undefined) world.changeCapp((one) => ({ ...one, metadata: { ...one.metadata, annotations } }));
  const { site } = capp?.spec ?? {};
  if (site === 'nowhere') world.changeSpec({ site: '' });
  world.clock.after(10_000, () => world.place());
  world.clock.after(120_000, () => world.place());
}

function settled(world: World): void {
  const capp = world.hub.get('Capp');
  const works = Object.keys(world.hub.get('ManifestWork'));
  const { body } = world;
  if (capp === null || capp.metadata.deletionTimestamp !== undefined) {
    if (works.length > 0 || capp !== null) fail('3: a deleted Capp leaves something', { works, capp, state: body?.state });
    if (body !== null && !body.ended) fail('3: the workflow of a deleted Capp lives on', body.state);
    return;
  }
  if (body === null || body.ended) return fail('3: a Capp has no workflow', capp);
  const { state } = body;
  const step = nextStep(state, world.clock.now);
  if (step.do !== 'rest' || step.until !== null) fail('3: it does not come to rest', { step, state });
  if (state.due.length > 0 || state.seen !== state.rung) fail('3: a ring has not been answered', state);
  if (works.length !== 1 || works[0] !== state.serving) fail(`3: works on ${works.join()}`, state);
  const ready = capp.status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status !== 'True' || ready.observedGeneration !== capp.metadata.generation) fail('3: the Capp is not Ready', { ready, state });
  if (world.site(state.serving ?? '')?.isServing() !== true) fail('3: nothing serves', state);
  if (state.move !== null || state.leave !== null || state.request !== null) fail('3: it should be on its way', state);
  legitimate(world, state.serving ?? '');
}

/** A site that the Capp may be on: nothing speaks against it, or its policy or a person keeps it there. */
function legitimate(world: World, serving: string): void {
  const capp = world.hub.get('Capp');
  const { site = '', migration } = capp?.spec ?? {};
  const isNamed = SITES.some((name) => name === site);
  if (isNamed && site !== serving) fail(`3: spec.site names ${site}`, world.body?.state);
  if (isNamed || migration?.policy === 'Manual') return;
  const decided = world.hub.get('PlacementDecision');
  const names = site === '' ? ['all', 'edge'] : [site];
  const isDecided = names.some((name) => decided[name]?.clusters.includes(serving));
  if (isDecided || world.body?.state.pin === serving) return;
  if (world.hub.get('ManagedCluster')[serving]?.tainted === true) fail('3: it stays on a tainted site', world.body?.state);
  const asked = [MIGRATE, FORCE].some((name) => capp?.metadata.annotations?.[name] !== undefined);
  if (migration?.policy === 'Follow' && !asked) fail('3: it stays where no decision is', world.body?.state);
}
