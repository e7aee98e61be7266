// Capps and their Secrets, as people make and change them.
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import { capp } from '../../../../testbed/capps.ts';
import { recordOf } from './dns.ts';
import { CANARY, NAMESPACE } from './names.ts';
import type { World } from './world.ts';

/** One that is there already stays as it is. */
export function createCapp(world: World, name: string): void {
  const { random: dice } = world;
  const migration = {
    policy: dice.pick(['Evacuate', 'Evacuate', 'Follow', 'Manual']),
    strategy: dice.pick(['MakeBeforeBreak', 'MakeBeforeBreak', 'Recreate']),
    failback: dice.pick(['Never', 'Manual', 'Automatic']),
  };
  const site = dice.pick(['', '', 'all', 'edge', 'site-1']);
  const isChecked = migration.strategy !== 'Recreate' && /[aceg]$/.test(name);
  const verify = isChecked ? { verify: [{ name: 'answers', http: { path: '/' } }] } : {};
  const isBearing = migration.strategy !== 'Recreate' && /[abfh]$/.test(name);
  const unhealthy = isBearing ? { unhealthy: { afterSeconds: 60 } } : {};
  const routeSpec = world.knows('records') ? { routeSpec: { hostname: recordOf(name) } } : {};
  const container = { envFrom: [{ secretRef: { name: `secret-${name}` } }] };
  const made = capp({
    namespace: NAMESPACE,
    name,
    container,
    spec: {
      site,
      state: 'enabled',
      scaleMetric: 'concurrency',
      migration: { ...migration, ...verify, ...unhealthy },
      ...routeSpec,
    },
  });
  writeSecret(world, name, (before) => before ?? 1);
  world.server.put<Capp>(CAPP, { namespace: NAMESPACE, name }, (before) => before ?? made);
  world.tell(`${name} is made`, { site, migration });
}

export function changeCapp({ server }: World, name: string, change: (capp: Capp) => Capp): void {
  server.put<Capp>(CAPP, { namespace: NAMESPACE, name }, (before) =>
    before === null ? null : change(before),
  );
}

export function changeSpec(
  world: World,
  name: string,
  change: { readonly [K in keyof Capp['spec']]?: Capp['spec'][K] | undefined },
): void {
  changeCapp(world, name, (before) => ({ ...before, spec: { ...before.spec, ...change } as Capp['spec'] }));
}

/** Null: there is none. */
export function writeSecret(
  { server }: World,
  name: string,
  change: (before: number | null) => number | null,
): void {
  const key = { namespace: NAMESPACE, name: `secret-${name}` };
  server.put<Secret & { metadata: { name: string } }>(SECRET, key, (before) => {
    const next = change(before === null ? null : Number(before.data?.['count']?.slice(CANARY.length)));
    return next === null
      ? null
      : { metadata: { ...before?.metadata, ...key }, data: { count: `${CANARY}${next}` } };
  });
}
