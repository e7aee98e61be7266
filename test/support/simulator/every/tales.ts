// The stories in which every write goes wrong once. In each of them nothing is left to chance, and nobody
// does anything but what it says.
import { MIGRATE } from '../../../../crds/labels.ts';
import { CAPP } from '../../../../crds/capp/capp.ts';
import type { FleetKind } from '../../../../workflows/fleet/port.ts';
import { KEY, type Fields, type Fleet } from '../fleet/lived.ts';
import { LIVED } from '../fleet/kinds.ts';
import { changeCapp, changeSpec, createCapp, writeSecret } from '../world/capps.ts';
import { order } from '../world/drains.ts';
import { NAMESPACE, RING, SITES } from '../world/names.ts';
import { changeCluster, place } from '../world/ocm.ts';
import type { World } from '../world/world.ts';

type Deed = (world: World) => void;

export interface Tale {
  readonly capps?: readonly string[];
  readonly fleetOf?: FleetKind;
  /** Done one after the other, with time to come to rest after each. */
  readonly before?: readonly Deed[];
  /** What is told: the writes that follow from it go wrong, one in each life. */
  readonly deed: Deed;
}

const make =
  (name: string): Deed =>
  (world) =>
    createCapp(world, name);

const move =
  (name: string, to: string): Deed =>
  (world) => {
    world.rules.named(name, to);
    changeCapp(world, name, (capp) => ({
      ...capp,
      metadata: { ...capp.metadata, annotations: { ...capp.metadata.annotations, [MIGRATE]: `${to}#1` } },
    }));
  };

const migrate =
  (name: string, strategy: 'Recreate'): Deed =>
  (world) =>
    changeSpec(world, name, {
      migration: { policy: 'Evacuate', strategy, failback: 'Never' },
    });

/** All sites are decided for, so that a Capp may go to each. */
const decideForAll: Deed = (world) => {
  world.placing.ask('all', 4);
  place(world);
};

const OF_CAPPS = {
  rollout: { capps: ['a'], deed: make('a') },
  edit: {
    capps: ['a'],
    before: [make('a')],
    deed: (world) => changeSpec(world, 'a', { scaleSpec: { minReplicas: 2 } }),
  },
  secret: { capps: ['a'], before: [make('a')], deed: (world) => writeSecret(world, 'a', () => 2) },
  evacuation: {
    capps: ['a'],
    before: [make('a')],
    deed: (world) => changeCluster(world, 'site-1', { tainted: true }),
  },
  move: { capps: ['a'], before: [make('a')], deed: move('a', 'site-3') },
  recreation: {
    capps: ['b'],
    before: [make('b'), migrate('b', 'Recreate')],
    deed: move('b', 'site-3'),
  },
  deletion: {
    capps: ['a'],
    before: [make('a')],
    deed: ({ server }) => server.remove(CAPP, { namespace: NAMESPACE, name: 'a' }),
  },
  drain: {
    capps: ['b', 'd'],
    before: [make('b'), make('d'), decideForAll],
    deed: (world) => order(world, 'site-1'),
  },
} as const satisfies Readonly<Record<string, Tale>>;

const STRATEGY = {
  stages: [
    { name: 'canary', sites: { matchLabels: { [RING]: 'canary' } }, soakSeconds: 60 },
    { name: 'rest' },
  ],
  maxConcurrent: 1,
  deadlineSeconds: 300,
  onFailure: 'RollBack',
} as const;

/** The canary answers its checks before the rest begins. */
const CHECKED = {
  ...STRATEGY,
  stages: [{ ...STRATEGY.stages[0], verify: [{ name: 'answers', http: { path: '/' } }] }, { name: 'rest' }],
} as const;

function changeFleet(kind: FleetKind, change: (world: World, before: Fleet | null) => Fleet | null): Deed {
  return (world) => world.server.put<Fleet>(LIVED[kind].resource, KEY, (before) => change(world, before));
}

function ofFleet(kind: FleetKind): Readonly<Record<string, Tale>> {
  const lived = LIVED[kind];
  const { apiVersion, kind: kindName } = lived.resource;
  const spec = (more: Fields): Fleet['spec'] =>
    lived.parse({ sites: { clusters: [...SITES] }, strategy: STRATEGY, ...lived.content(1, false), ...more });
  const begin = changeFleet(kind, () => ({ apiVersion, kind: kindName, metadata: KEY, spec: spec({}) }));
  const edit = (more: Fields): Deed =>
    changeFleet(kind, (_world, before) => (before === null ? null : { ...before, spec: spec(more) }));
  const leave = kind === 'CappSet' ? { whenUnselected: 'Remove' } : { onRemoval: 'Delete' };
  const kept = (world: World): void => world.server.remove(lived.resource, KEY);
  const name = kind === 'CappSet' ? 'set' : 'bundle';
  return {
    [`${name}-first`]: { fleetOf: kind, deed: begin },
    [`${name}-stages`]: { fleetOf: kind, before: [begin], deed: edit(lived.content(2, false)) },
    [`${name}-undone`]: { fleetOf: kind, before: [begin], deed: edit(lived.content(3, true)) },
    [`${name}-fewer`]: {
      fleetOf: kind,
      before: [begin, edit(leave)],
      deed: edit({ ...leave, sites: { clusters: SITES.slice(0, 2) } }),
    },
    [`${name}-removal`]: { fleetOf: kind, before: [begin, edit(leave)], deed: kept },
  };
}

/** A set that begins with checks, and whose edit goes through them. */
function checkedSet(): Tale {
  const { resource, parse, content } = LIVED.CappSet;
  const spec = (n: number): Fleet['spec'] =>
    parse({ sites: { clusters: [...SITES] }, strategy: CHECKED, ...content(n, false) });
  const { apiVersion, kind } = resource;
  const begin = changeFleet('CappSet', () => ({ apiVersion, kind, metadata: KEY, spec: spec(1) }));
  const edit = changeFleet('CappSet', (_world, before) =>
    before === null ? null : { ...before, spec: spec(2) },
  );
  return { fleetOf: 'CappSet', before: [begin], deed: edit };
}

export const TALES: Readonly<Record<string, Tale>> = {
  ...OF_CAPPS,
  ...ofFleet('CappSet'),
  'set-checked': checkedSet(),
  ...ofFleet('Bundle'),
};
