// Where a Capp must be when a storm is long over: Ready on a site where it may be, with one work and every
// ring answered; or gone.
import type { Capp } from '../../../../crds/capp/capp.ts';
import { CAPP_NAME, FORCE, MIGRATE } from '../../../../crds/labels.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import { isReady } from '../../../../bridge/changes/causes.ts';
import { nextStep } from '../../../../workflows/capp/next/next-step.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import { clusterOf, decidedBy, factsOf } from '../world/ocm.ts';
import { fail } from './breach.ts';
import { isHeldByOtherHub } from './other-hubs.ts';
import { ingressOf, recordOf } from '../world/dns.ts';
import { NAMESPACE, keyOfName } from '../world/names.ts';
import { keyIn } from '../site/brought.ts';
import type { World } from '../world/world.ts';

/** Whether it is at rest for good; not while it waits for a person's word. */
export function settled(world: World, name: string): boolean {
  const capp = world.read(name);
  const state = world.stateOf(name);
  if (capp === null || capp.metadata.deletionTimestamp !== undefined) {
    gone(world, name, { capp, state });
    return true;
  }
  if (state === null) {
    fail(world, '3: a Capp has no workflow', capp);
    return false;
  }
  // A person must say that the copy on a site that is gone is stopped: all that can be done is to say so.
  if (capp.spec.migration?.strategy === 'Recreate' && waitsForWord(capp)) return false;
  // So does one that a person has to let in, to name another site for, or to give another name.
  if (isHeldByOtherHub(world, capp, state)) return false;
  resting(world, state);
  serving(world, capp, state);
  legitimate(world, capp, state);
  return true;
}

function waitsForWord({ status }: Capp): boolean {
  return (
    status?.conditions?.some(({ reason }) => reason === 'AwaitsConfirmation' || reason === 'StillLeaving') ===
    true
  );
}

function gone(world: World, name: string, { capp, state }: { capp: Capp | null; state: State | null }): void {
  const works = worksOf(world, name)
    .filter((work) => !isMisnamed(world, name, work))
    .map(({ metadata }) => metadata.namespace);
  if (works.length > 0 || capp !== null)
    fail(world, '3: a deleted Capp leaves something', { works, capp, state });
  if (state !== null) fail(world, '3: the workflow of a deleted Capp lives on', state);
  const left = world.sites.filter((site) => site.standing.has(keyOfName(name)));
  if (left.length > 0)
    fail(world, `3: ${name} is deleted and still runs on ${left.map((site) => site.name).join()}`, null);
}

/** A site that lies has written another Capp's name into its own work, where nobody looks for this one. */
function isMisnamed({ lies }: World, name: string, { metadata }: ManifestWork): boolean {
  return lies?.site === metadata.namespace && metadata.annotations?.[CAPP_NAME] !== name;
}

function worksOf(world: World, name: string): ManifestWork[] {
  return (world.server.all(MANIFEST_WORK) as ManifestWork[]).filter(
    (work) => keyIn(work) === keyOfName(name),
  );
}

function resting(world: World, state: State): void {
  const step = nextStep(state, Math.floor(world.clock.now));
  if (step.do !== 'rest' || step.until !== null) fail(world, '3: it does not come to rest', { step, state });
  if (state.due.length > 0 || state.ringsAnswered !== state.ringsHeard)
    fail(world, '3: a ring has not been answered', state);
  if (state.move !== null || state.leave !== null || state.request !== null)
    fail(world, '3: it should be on its way', state);
}

function hasLied(world: World, { serving: site, copies }: State): boolean {
  const { stamp = null, finding = null } = copies[site ?? ''] ?? {};
  return stamp !== null && world.lies?.hasSaid(stamp, JSON.stringify(finding)) === true;
}

function serving(world: World, capp: Capp, state: State): void {
  const { name } = state.capp;
  const works = worksOf(world, name);
  if (works.length !== 1 || works[0]?.metadata.namespace !== state.serving)
    fail(world, `3: ${name} has works on ${works.map(({ metadata }) => metadata.namespace).join()}`, state);
  // What a site that lies has said last of its own copy stands until something changes there.
  const isSaidOtherwise = world.lies?.site === state.serving && hasLied(world, state);
  if (!isReady(capp) && !isSaidOtherwise) fail(world, `3: ${name} is not Ready`, state);
  const site = world.site(state.serving ?? '');
  if (site?.isServing(keyOfName(name)) !== true) fail(world, `3: nothing serves ${name}`, state);
  const secret = world.server.read(SECRET, { namespace: NAMESPACE, name: `secret-${name}` }) as Secret | null;
  if (site?.standing.get(keyOfName(name))?.secret !== JSON.stringify(secret?.data))
    fail(world, `3: ${name} runs with an old Secret`, state);
  led(world, name, state);
  const elsewhere = world.sites.filter((one) => one !== site && one.standing.has(keyOfName(name)));
  if (elsewhere.length > 0)
    fail(world, `2: ${name} also runs on ${elsewhere.map((one) => one.name).join()}`, state);
}

function led(world: World, name: string, state: State): void {
  if (!world.knows('records')) return;
  const answer = world.dns.answers.get(recordOf(name));
  if (answer?.target !== ingressOf(state.serving ?? ''))
    fail(world, `8: DNS does not lead ${name} to ${state.serving}`, { answer, state });
}

/** Nothing speaks against the site, or the Capp's policy or a person keeps it there. */
function legitimate(world: World, capp: Capp, state: State): void {
  const { site = '', migration } = capp.spec;
  const isNamed = world.names.includes(site);
  if (isNamed && site !== state.serving) fail(world, `3: spec.site names ${site}`, state);
  if (isNamed || migration?.policy === 'Manual' || state.pin === state.serving) return;
  const names = site === '' ? ['all', 'edge'] : [site];
  if (names.some((placement) => decidedBy(world, placement).includes(state.serving ?? ''))) return;
  const cluster = clusterOf(world, state.serving ?? '');
  if (cluster !== null && factsOf(cluster).tainted) fail(world, '3: it stays on a tainted site', state);
  if (migration?.policy === 'Follow' && !isAskedByAnnotation(capp))
    fail(world, '3: it stays where no decision is', state);
}

function isAskedByAnnotation({ metadata }: Capp): boolean {
  return [MIGRATE, FORCE].some((name) => metadata.annotations?.[name] !== undefined);
}
