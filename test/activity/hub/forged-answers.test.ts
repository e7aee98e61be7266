// A request by annotation lingers on its Capp. Once it was answered it leads nowhere, whatever a state of
// somebody else's says; until its move is shown it is what allows that move. Caches that are older than the
// ring lead nowhere either. On a real API server with the hub's own rights.
import { hubApply } from '../../../activities/hub/ship/apply.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { FORCE, MIGRATE } from '../../../crds/labels.ts';
import { MANIFEST_WORK } from '../../../crds/ocm/ocm.ts';
import { RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import type { CappRef, State } from '../../../workflows/capp/state.ts';
import type { Request } from '../../../workflows/types/moves.ts';
import { aLeave, aPlacing } from '../../support/builders/states.ts';
import { forged, MOVE, startForgersHub, type ForgersHub } from '../../support/testbeds/hub/forgers-hub.ts';

const ASKED = [
  ['migrate', MIGRATE, 'handledRequest'],
  ['force', FORCE, 'handledForce'],
] as const;

let forgers: ForgersHub;
beforeAll(async () => {
  forgers = await startForgersHub();
}, 300_000);
afterAll(() => forgers?.stage.stop());

async function shipped(name: string, annotations: Record<string, string>): Promise<CappRef> {
  const ref = await forgers.victim(name);
  expect(await forgers.hub.apply(ref, 'site-1', aPlacing(ref), null)).toMatchObject({ outcome: 'Applied' });
  await forgers.stage.kube.patch(CAPP, ref, { metadata: { annotations } });
  return ref;
}

const served = (ref: CappRef, more: Partial<State> = {}): State => ({
  ...forged(ref, 'site-1'),
  serving: 'site-1',
  ...more,
});

const aRequest = (source: 'migrate' | 'force'): Request => ({
  source,
  id: '1',
  to: 'site-2',
  by: 'ada',
  why: '',
  force: source === 'force',
});

const migrationOf = async (ref: CappRef) => (await forgers.stage.read(ref)).status?.migration;

test.each(ASKED)(
  'a request by %s that was answered long ago ships nothing and pins nothing, and no state makes it new again',
  async (source, annotation, field) => {
    const ref = await shipped(`answered-by-${source}`, { [annotation]: 'site-2#1' });
    const annotated = { migrate: null, force: null };
    await forgers.publish(ref, served(ref, { annotated: { ...annotated, [source]: '1' } }));
    expect(await migrationOf(ref)).toMatchObject({ [field]: '1' });
    for (const id of [null, 'another', '1']) {
      const state = served(ref, { annotated: { ...annotated, [source]: id }, pin: 'site-2', move: MOVE });
      await forgers.publish(ref, state);
      expect(await forgers.hub.apply(ref, 'site-2', forged(ref, 'site-2'), null)).toMatchObject({
        outcome: 'Unwarranted',
      });
      const told = await migrationOf(ref);
      expect([told?.[field], told?.pin]).toEqual(['1', undefined]);
    }
    expect(await forgers.worksOf(ref)).not.toContain('site-2');
  },
);

test.each(ASKED)(
  'a request by %s that was accepted, and waits, allows its move until that is shown',
  async (source, annotation, field) => {
    const ref = await shipped(`waits-by-${source}`, { [annotation]: 'site-2#1' });
    const annotated = { migrate: null, force: null, [source]: '1' };
    const request = aRequest(source);
    const leave = aLeave({ reason: 'Asked', to: 'site-2', request });
    await forgers.publish(ref, served(ref, { annotated, leave }));
    expect((await migrationOf(ref))?.[field]).toBeUndefined();
    const move = { ...MOVE, request };
    // It has begun, and nothing is shipped yet.
    await forgers.publish(ref, served(ref, { annotated, move, pin: 'site-2' }));
    expect((await migrationOf(ref))?.[field]).toBeUndefined();
    const moving = { ...aPlacing(ref, 'site-2'), serving: 'site-1', annotated, move, pin: 'site-2' };
    expect(await forgers.hub.apply(ref, 'site-2', moving, null)).toMatchObject({ outcome: 'Applied' });
    expect(await migrationOf(ref)).toMatchObject({ [field]: '1', pin: 'site-2', serving: 'site-1' });
    // The work is gone while the move is under way: it is shipped again.
    const work = { namespace: 'site-2', name: `mw-create-apps-${ref.name}` };
    await forgers.stage.kube.patch(MANIFEST_WORK, work, { metadata: { finalizers: null } });
    await forgers.stage.kube.remove(MANIFEST_WORK, work);
    expect(await forgers.hub.apply(ref, 'site-2', moving, null)).toMatchObject({ outcome: 'Applied' });
  },
);

test.each<[string, object, Record<string, string>]>([
  ['spec.site', { site: 'site-2' }, {}],
  ['a request', {}, { [MIGRATE]: 'site-2#1' }],
])('caches that are behind the ring do not let %s name a site', async (how, spec, annotations) => {
  const { stage } = forgers;
  const ref = await forgers.victim(`behind-${how.replaceAll(/\W/g, '-')}`.replace(/-+/g, '-'), spec);
  await stage.kube.patch(CAPP, ref, { metadata: { annotations } });
  const never = { caughtUpWith: () => false };
  const caches = {
    ...stage.caches,
    clusters: { ...stage.caches.clusters, ...never },
    configs: { ...stage.caches.configs, ...never },
  };
  const lagging = hubApply({ ...stage, caches, hubUid: 'hub-uid', config: RCS_CONFIG_KEY });
  const placing = aPlacing(ref, 'site-2');
  for (const minimumVersions of [{ ManagedCluster: '999' }, { RCSConfig: '999' }]) {
    const rung = { ...placing, minimumVersions };
    await expect(lagging.apply(ref, 'site-2', rung, null)).rejects.toMatchObject({ type: 'Conflict' });
  }
  expect(await forgers.worksOf(ref)).toEqual([]);
  expect(await lagging.apply(ref, 'site-2', placing, null)).toMatchObject({ outcome: 'Applied' });
});
