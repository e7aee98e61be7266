// What goes wrong and what people do, at random: each a small change of the world.
import { ABANDON, FORCE, MIGRATE } from '../../../../crds/labels.ts';
import { cappWorkflowId } from '../../../../workflows/names.ts';
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { drain } from './drains.ts';
import { foreignHands, oddMessages } from './mischief.ts';
import {
  announce,
  attach,
  changeCluster,
  clusterOf,
  configure,
  detach,
  factsOf,
  place,
  reach,
} from './ocm.ts';
import { sicken } from './sickness.ts';
import { NAMESPACE, SITES } from './names.ts';
import { changeCapp, changeSpec, createCapp, writeSecret } from './capps.ts';
import type { World } from './world.ts';

type Gust = (world: World, name: string) => string;

const POLICIES = ['Evacuate', 'Follow', 'Manual'] as const;
const PLACES = ['', 'all', 'edge', ...SITES, 'nowhere'] as const;
/** A wiped Temporal is back after this long. */
const AWAY_MS = 10_000;

const ofSites: readonly Gust[] = [
  taint,
  taint,
  taint,
  reachOrLose,
  reachOrLose,
  reachOrLose,
  (world) => {
    if (!world.random.chance(0.2)) return 'no site is lost beside another';
    for (const name of world.names.slice(0, 2)) reach(world, name, false);
    return 'site-1 and site-2 are lost at once';
  },
  (world) => turn(world, 'agentUp', 'agent'),
  (world) => turn(world, 'pulls', 'work agent'),
  feel,
  feel,
  certify,
  (world) => {
    const name = world.random.pick(world.names);
    const cluster = clusterOf(world, name);
    if (cluster === null) attach(world, name);
    else if (world.random.chance(0.3)) detach(world, name);
    else changeCluster(world, name, { accepted: !factsOf(cluster).accepted });
    return `${name} is ${cluster === null ? 'attached' : 'detached, or accepted or not'}`;
  },
  (world) => {
    const placement = world.random.pick(['all', 'edge']);
    announce(world, placement, [], world.random.chance(0.5) ? 0 : 1);
    world.clock.after(world.between(100, 30_000), () => place(world));
    return `the decision of ${placement} is emptied`;
  },
  (world) => {
    if (!world.random.chance(0.3)) return 'no new configuration';
    configure(world, world.random.pick([null, ['all', 'edge'], ['edge', 'all'], ['edge']]));
    return 'another configuration';
  },
];

const ofCapps: readonly Gust[] = [
  (world, name) => {
    changeSpec(world, name, { scaleSpec: { minReplicas: 1 + Math.floor(world.between(0, 1_000)) } });
    return `${name} is edited`;
  },
  (world, name) => {
    const site = world.random.pick(PLACES);
    changeSpec(world, name, { site });
    return `${name}: spec.site ${site}`;
  },
  (world, name) => {
    const policy = world.random.pick(POLICIES);
    const { migration } = world.read(name)?.spec ?? {};
    changeSpec(world, name, { migration: { ...migration, policy } as Capp['spec']['migration'] });
    return `${name}: policy ${policy}`;
  },
  (world, name) => {
    const isGone = world.random.chance(0.3);
    writeSecret(world, name, (before) => (isGone ? null : (before ?? 0) + Math.floor(world.clock.now)));
    return `the Secret of ${name} ${isGone ? 'is gone' : 'changes'}`;
  },
  (world, name) => {
    const { 'rcs.dana.io/paused': paused, ...others } = world.read(name)?.metadata.annotations ?? {};
    annotate(world, name, paused === undefined ? { ...others, 'rcs.dana.io/paused': 'yes' } : others);
    return `${name} is ${paused === undefined ? 'paused' : 'no longer paused'}`;
  },
  (world, name) => asksByAnnotation(world, name, MIGRATE),
  (world, name) => asksByAnnotation(world, name, FORCE),
  (world, name) => {
    const site = world.random.pick(world.names);
    annotate(world, name, { ...world.read(name)?.metadata.annotations, [ABANDON]: site });
    return `the copy of ${name} on ${site} is given up`;
  },
  (world, name) => {
    const to = world.random.pick([null, ...world.names]);
    const wish = { by: 'you', ...(to === null ? {} : { to }) };
    const id = cappWorkflowId(NAMESPACE, name);
    if (to !== null) world.rules.named(name, to);
    if (world.random.chance(0.5)) world.temporal.send(id, 'migrate', [wish]);
    else
      world.temporal.update(id, 'move', [wish], (outcome) =>
        world.tell(`${name} was asked for ${to}:`, 'error' in outcome ? outcome.error.message : outcome),
      );
    return `somebody asks for ${name} on ${to}`;
  },
  (world, name) => {
    if (!world.random.chance(0.15)) return `nobody deletes ${name}`;
    world.server.remove(CAPP, { namespace: NAMESPACE, name });
    if (world.random.chance(0.5))
      world.clock.after(world.between(100, 200_000), () => createCapp(world, name));
    return `${name} is deleted`;
  },
  (world, name) => {
    if (!world.random.chance(0.1)) return 'no namesake';
    world.server.put(CAPP, { namespace: NAMESPACE, name }, () => null);
    createCapp(world, name);
    return `a namesake takes the place of ${name}`;
  },
  (world, name) => {
    const run = world.temporal.runs.get(cappWorkflowId(NAMESPACE, name));
    if (run !== undefined) run.isLong = true;
    return `${name} is to continue as new`;
  },
  sicken,
  sicken,
];

const ofParts: readonly Gust[] = [
  drain,
  drain,
  (world) => {
    if (!world.random.chance(0.3)) return 'Temporal is well';
    world.tally.note('Temporal is wiped');
    world.temporal.wipe(AWAY_MS);
    world.rules.forget();
    return 'Temporal is wiped';
  },
  (world) => {
    for (const run of world.temporal.runs.values()) run.isLong ||= world.random.chance(0.5);
    return 'workflows are to continue as new';
  },
  (world) => {
    if (world.random.chance(0.5)) world.restartBridge();
    else world.restartHubWorker();
    world.tally.note('a process starts anew');
    return 'a process starts anew';
  },
  (world) => {
    if (!world.knows('lost turns')) return 'no turn is lost';
    for (let count = 0; count < 5; count += 1)
      world.clock.after(world.between(0, 10_000), () => void (!world.calm && world.temporal.loseTurn()));
    return 'turns are lost';
  },
  oddMessages,
  foreignHands,
];

/** A few dozen gusts, in seconds or in hours. `run` lets the world live until a time; false: it has ended. */
export async function storm(world: World, run: (until: number) => Promise<boolean>): Promise<boolean> {
  // Only then has an unhealthy Capp another site to go to.
  if (!world.placing.isWide && world.random.chance(0.5)) world.placing.ask('all', 4);
  if (!(await run(world.clock.now + world.between(0, 120_000)))) return false;
  const pace = world.random.pick([300, 5_000, 60_000, 300_000]);
  const gusts = Math.floor(world.between(5, 50));
  for (let count = 0; count < gusts; count += 1) {
    const room = world.random.next();
    const ofOne = world.capps.length === 0 ? ofSites : ofCapps;
    const gust = world.random.pick(room < 0.5 ? ofSites : room < 0.85 ? ofOne : ofParts);
    world.tell(gust(world, world.random.pick(world.capps.length === 0 ? ['nobody'] : world.capps)));
    if (!(await run(world.clock.now + world.between(0, pace)))) return false;
  }
  return true;
}

function taint(world: World): string {
  const name = world.random.pick(world.names);
  const times = world.random.chance(0.1) ? 30 : 1;
  const flip = (): void => {
    const cluster = clusterOf(world, name);
    if (!world.calm && cluster !== null) changeCluster(world, name, { tainted: !factsOf(cluster).tainted });
  };
  for (let count = 0; count < times; count += 1) world.clock.after((count * 60_000) / times, flip);
  return `the taint of ${name} flips ${times} times`;
}

function reachOrLose(world: World): string {
  const name = world.random.pick(world.names);
  const up = world.site(name)?.up !== true;
  reach(world, name, up);
  return `${name} is ${up ? 'back' : 'lost'}`;
}

function turn(world: World, part: 'agentUp' | 'pulls', what: string): string {
  const name = world.random.pick(world.names);
  const on = world.site(name)?.[part] !== true;
  world.site(name)?.turn(part, on);
  return `the ${what} of ${name} is ${on ? 'back' : 'away'}`;
}

function feel(world: World): string {
  const name = world.random.pick(world.names);
  const mood = world.random.pick(['good', 'good', 'slow', 'failing'] as const);
  world.site(name)?.feel(mood);
  return `${name} is ${mood}`;
}

function certify(world: World): string {
  if (!world.knows('certificates')) return 'certificates come as always';
  const name = world.random.pick(world.names);
  const issuer = world.random.pick(['prompt', 'late', 'never'] as const);
  world.site(name)?.certificates.come(issuer);
  return `certificates of ${name} come ${issuer}`;
}

function annotate(world: World, name: string, annotations: Readonly<Record<string, string>>): void {
  changeCapp(world, name, (capp) => ({ ...capp, metadata: { ...capp.metadata, annotations } }));
}

function asksByAnnotation(world: World, name: string, annotation: string): string {
  const before = world.read(name)?.metadata.annotations ?? {};
  const to = world.random.pick(['', ...world.names]);
  if (to !== '') world.rules.named(name, to);
  const value = `${to}#${Math.floor(world.clock.now)}`;
  annotate(world, name, { ...before, [annotation]: value });
  return `${name} ${annotation}: ${value}`;
}
