// What people do with Drains: they create them, edit them, delete them, and create them again.
import { DRAIN, DrainSpec, type Drain } from '../../../../crds/drain/drain.ts';
import { turnsWorkflowId } from '../../../../workflows/names.ts';
import type { World } from './world.ts';

type Kept = Drain & { readonly metadata: { readonly name: string } };

const EDITS = [
  { paused: true },
  { paused: false },
  { dryRun: true },
  { dryRun: false },
  { width: 1, perTarget: 1 },
  { width: 50, perTarget: 25 },
] as const satisfies readonly Partial<DrainSpec>[];

/** A person orders a drain, changes what it asks for, takes it back, or tells the lanes through Temporal. */
export function drain(world: World): string {
  const site = world.random.pick(world.names);
  const what = world.random.pick([
    'order',
    'order',
    'edit',
    'edit',
    'take back',
    'order again',
    'say',
  ] as const);
  switch (what) {
    case 'say':
      return say(world, site);
    case 'edit':
      return edit(world, site);
    case 'take back':
      openAgain(world, site);
      return `a person deletes Drain ${site}`;
    case 'order again':
      openAgain(world, site);
      order(world, site);
      return `a person deletes Drain ${site} and creates it again`;
    default:
      order(world, site);
      return `a person drains ${site}`;
  }
}

/** Everybody may go there again. */
export function openAgain({ server }: World, site: string): void {
  if (server.read(DRAIN, keyOf(site)) !== null) server.put<Kept>(DRAIN, keyOf(site), () => null);
}

/** One that is there already stays as it is. */
export function order({ server }: World, site: string): void {
  server.put<Kept>(DRAIN, keyOf(site), (before) => {
    if (before !== null) return before;
    const { apiVersion, kind } = DRAIN;
    return { apiVersion, kind, metadata: { name: site }, spec: DrainSpec.parse({}) };
  });
}

function edit({ random, server }: World, site: string): string {
  const change = random.pick(EDITS);
  server.put<Kept>(DRAIN, keyOf(site), (before) =>
    before === null ? before : { ...before, spec: { ...before.spec, ...change } },
  );
  return `a person edits Drain ${site}: ${JSON.stringify(change)}`;
}

function say({ random, temporal }: World, site: string): string {
  const word = random.pick(['pause', 'resume', 'stop'] as const);
  temporal.send(turnsWorkflowId(site), word, []);
  return `a person says ${word} to ${turnsWorkflowId(site)}`;
}

function keyOf(name: string): { readonly namespace: null; readonly name: string } {
  return { namespace: null, name };
}
