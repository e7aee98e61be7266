// The simulator's bridge: changes that it sees become rings, late, twice, out of order or lost. Its census makes good what was lost.
import type { Capp } from '../../../crds/capp.ts';
import { causesOfCapp, isReady, siteOf } from '../../../bridge/causes.ts';
import { isAsked } from '../../../bridge/misplaced.ts';
import { isSaidSilent } from '../../../crds/health.ts';
import { CAUSES, type Cause } from '../../../workflows/ring.ts';
import type { Kind } from './hub.ts';
import type { World } from './world.ts';

const CENSUS_MS = 60_000;
/** How often it asks whether agents poll. */
const POLLS_MS = 30_000;
/** In calm it finds nothing, and is taken less often, which costs less. */
const SELDOM_MS = 600_000;
/** After this long the census has found what a lost ring was about. */
const LOST_MS = 600_000;

export function watchHub(world: World): void {
  world.hub.onBridge = (kind, { before, after, version }) => {
    const causes = causesOf(kind, before, after);
    if (causes.length > 0) ring(world, causes, { [kind]: String(version) });
  };
  const take = (): void => {
    census(world);
    world.clock.after(world.calm ? SELDOM_MS : CENSUS_MS, take);
  };
  world.clock.after(world.between(0, CENSUS_MS), take);
  watchAgents(world);
}

/** Once for each time that a Capp calls its agent silent: when the agent is back. */
function watchAgents(world: World): void {
  let isRung = false;
  const look = (): void => {
    const status = world.hub.seenByBridge('Capp')?.status;
    const isSaid = isSaidSilent(status);
    const isBack = isSaid && world.site(status?.applicationLinks?.site ?? '')?.isAnswering() === true;
    if (isBack && !isRung) ring(world, ['site'], {});
    isRung = isBack || (isSaid && isRung);
    world.clock.after(world.calm ? SELDOM_MS : POLLS_MS, look);
  };
  world.clock.after(world.between(0, POLLS_MS), look);
}

/** Rings in a while, if there is a Capp or a work to ring for; a lost ring comes with the census. */
export function ring(world: World, causes: readonly Cause[], marks: Readonly<Record<string, string>>): void {
  const send = (after: number): void =>
    world.clock.after(after, () => {
      const capp = world.hub.seenByBridge('Capp');
      const [work] = Object.values(world.hub.seenByBridge('ManifestWork'));
      const uid = capp?.metadata.uid ?? work?.owner;
      if (uid !== undefined) world.hear({ causes: CAUSES.filter((cause) => causes.includes(cause)), marks }, uid);
      else if (world.body?.ended === false) world.hear({ causes: [...causes], marks }, world.body.state.capp.uid);
    });
  send(world.slips(0.05) ? world.between(0, LOST_MS) : world.between(2, world.slips(0.2) ? 3_000 : 100));
  if (world.slips(0.05)) send(world.between(2, 10_000));
}

function causesOf(kind: Kind, before: unknown, after: unknown): readonly Cause[] {
  switch (kind) {
    case 'Capp':
      return causesOfChange(before as Capp | null, after as Capp | null);
    case 'ManifestWork':
      return ['work'];
    case 'Secret':
      return ['dependency'];
    default:
      return ['decision'];
  }
}

function causesOfChange(before: Capp | null, after: Capp | null): readonly Cause[] {
  if (after === null) return before?.metadata.deletionTimestamp === undefined ? ['meta'] : [];
  return causesOfCapp(before?.metadata.uid === after.metadata.uid ? before : null, after);
}

function census(world: World): void {
  const capp = world.hub.seenByBridge('Capp');
  const works = world.hub.seenByBridge('ManifestWork');
  if (capp === null) {
    if (Object.keys(works).length > 0 || world.body?.ended === false) ring(world, ['work'], {});
    return;
  }
  if (world.body === null || world.body.ended || isStale(capp, Object.keys(works))) ring(world, ['spec'], {});
  if (isAsked(capp)) ring(world, ['request'], {});
  const site = capp.status?.migration?.site;
  if (site !== undefined && site !== (capp.spec.site ?? '')) ring(world, ['decision'], {});
}

function isStale(capp: Capp, [place, ...others]: readonly string[]): boolean {
  const { metadata, status } = capp;
  if (metadata.deletionTimestamp !== undefined || status?.observedGeneration !== metadata.generation) return true;
  return isReady(capp) && (others.length > 0 || place !== siteOf(capp));
}
