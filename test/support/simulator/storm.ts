// What goes wrong and what people do, at random: each a small change of the world.
import type { Capp } from '../../../crds/capp.ts';
import { ABANDON, FORCE, MIGRATE } from '../../../crds/labels.ts';
import { afterResync } from '../../../workflows/decide/learn.ts';
import { newCapp } from './capp.ts';
import { attach, changeCluster, detach, place, reach } from './ocm.ts';
import { SITES, type World } from './world.ts';

type Gust = (world: World) => string;

const POLICIES = ['Evacuate', 'Follow', 'Manual'] as const;
const PLACES = ['', 'all', 'edge', ...SITES, 'nowhere'] as const;

/** More often the more often it stands here. */
const GUSTS: readonly Gust[] = [
  taint,
  taint,
  taint,
  reachOrLose,
  reachOrLose,
  reachOrLose,
  (world) => {
    const name = world.random.pick(SITES);
    const on = world.site(name)?.agentUp !== true;
    world.site(name)?.turn('agentUp', on);
    return `the agent of ${name} is ${on ? 'back' : 'away'}`;
  },
  (world) => {
    const name = world.random.pick(SITES);
    const on = world.site(name)?.pulls !== true;
    world.site(name)?.turn('pulls', on);
    return `the work agent of ${name} is ${on ? 'back' : 'away'}`;
  },
  feel,
  feel,
  (world) => {
    world.changeSpec({});
    return 'an edit';
  },
  (world) => {
    const site = world.random.pick(PLACES);
    world.changeSpec({ site });
    return `spec.site: ${site}`;
  },
  (world) => {
    const policy = world.random.pick(POLICIES);
    const { migration } = world.hub.get('Capp')?.spec ?? {};
    world.changeSpec({ migration: { ...migration, policy } as Capp['spec']['migration'] });
    return `policy: ${policy}`;
  },
  (world) => {
    const secret = world.hub.get('Secret');
    world.hub.write('Secret', world.random.chance(0.3) ? -Math.abs(secret) : Math.abs(secret) + 1);
    return 'a Secret changes';
  },
  (world) => {
    const { 'rcs.dana.io/paused': paused, ...others } = world.hub.get('Capp')?.metadata.annotations ?? {};
    annotate(world, paused === undefined ? { ...others, 'rcs.dana.io/paused': 'yes' } : others);
    return paused === undefined ? 'paused' : 'no longer paused';
  },
  (world) => asksByAnnotation(world, MIGRATE),
  (world) => asksByAnnotation(world, FORCE),
  (world) => {
    const name = world.random.pick(SITES);
    annotate(world, { ...world.hub.get('Capp')?.metadata.annotations, [ABANDON]: name });
    return `the copy on ${name} is given up`;
  },
  (world) => {
    const to = world.random.pick([null, ...SITES]);
    world.request(to, world.random.pick(['signal', 'update']));
    return `somebody asks for ${to}`;
  },
  (world) => {
    world.request(null, 'drain');
    return 'a drain tells it to leave';
  },
  (world) => {
    const [name] = Object.keys(world.hub.get('ManifestWork'));
    const works = world.hub.get('ManifestWork');
    const work = name === undefined ? undefined : works[name];
    if (name === undefined || work === undefined || work.leaving || !world.random.chance(0.3)) return 'nobody deletes a work';
    world.hub.write('ManifestWork', { ...works, [name]: { ...work, leaving: true } });
    world.site(name)?.nudge();
    return `somebody deletes the work on ${name}`;
  },
  (world) => {
    const name = world.random.pick(SITES);
    const facts = world.hub.get('ManagedCluster')[name];
    if (facts === undefined) attach(world, name);
    else if (world.random.chance(0.3)) detach(world, name);
    else changeCluster(world, name, { accepted: !facts.accepted });
    return `${name} is ${facts === undefined ? 'attached' : 'detached or not accepted'}`;
  },
  (world) => {
    const before = world.hub.get('PlacementDecision');
    const emptied = { clusters: [], complete: world.random.chance(0.5) };
    world.hub.write('PlacementDecision', { ...before, [world.random.pick(['all', 'edge'])]: emptied });
    world.clock.after(world.between(100, 30_000), () => place(world));
    return 'a decision is emptied';
  },
  (world) => {
    if (!world.random.chance(0.3)) return 'no new configuration';
    world.hub.write('RCSConfig', world.random.pick([null, ['all', 'edge'], ['edge', 'all'], ['edge']]));
    return 'another configuration';
  },
  (world) => {
    if (!world.random.chance(0.3)) return 'Temporal is well';
    world.wipe();
    return 'Temporal is wiped';
  },
  (world) => {
    world.isLong = true;
    return 'continue as new';
  },
  (world) => {
    world.change(afterResync);
    return 'the daily look';
  },
  (world) => {
    if (!world.random.chance(0.15)) return 'nobody deletes the Capp';
    world.changeCapp((capp) => ({ ...capp, metadata: { ...capp.metadata, deletionTimestamp: 'now' } }));
    return 'the Capp is deleted';
  },
  (world) => {
    if (!world.random.chance(0.1)) return 'no namesake';
    world.hub.write('Capp', newCapp(world.random, `uid-${world.clock.now}`));
    return 'a namesake takes the place of the Capp';
  },
];

/** A few dozen gusts, in seconds or in hours. `run` lets the world live until a time. */
export function storm(world: World, run: (until: number) => void): void {
  run(world.clock.now + world.between(0, 120_000));
  const pace = world.random.pick([300, 5_000, 60_000, 300_000]);
  const gusts = Math.floor(world.between(5, 50));
  for (let count = 0; count < gusts; count += 1) {
    const told = world.random.pick(GUSTS)(world);
    world.tell(told);
    run(world.clock.now + world.between(0, pace));
  }
}

function taint(world: World): string {
  const name = world.random.pick(SITES);
  const times = world.random.chance(0.1) ? 100 : 1;
  const flip = (): void => {
    if (!world.calm) changeCluster(world, name, { tainted: world.hub.get('ManagedCluster')[name]?.tainted !== true });
  };
  for (let count = 0; count < times; count += 1) world.clock.after((count * 60_000) / times, flip);
  return `the taint of ${name} flips ${times} times`;
}

function reachOrLose(world: World): string {
  const name = world.random.pick(SITES);
  const up = world.site(name)?.up !== true;
  reach(world, name, up);
  return `${name} is ${up ? 'back' : 'lost'}`;
}

function feel(world: World): string {
  const name = world.random.pick(SITES);
  const mood = world.random.pick(['good', 'good', 'slow', 'failing'] as const);
  world.site(name)?.feel(mood);
  return `${name} is ${mood}`;
}

function annotate(world: World, annotations: Readonly<Record<string, string>>): void {
  world.changeCapp((capp) => ({ ...capp, metadata: { ...capp.metadata, annotations } }));
}

function asksByAnnotation(world: World, name: string): string {
  const before = world.hub.get('Capp')?.metadata.annotations ?? {};
  const value = `${world.random.pick(['', ...SITES])}#${world.clock.now}`;
  annotate(world, { ...before, [name]: value });
  return `${name}: ${value}`;
}
