// A state of somebody else's that says that a Capp comes to a site, or leaves one: the status takes that only
// with a copy there, or if the Capp must leave the other site first, and what it says is no reason to ship by
// itself. Caches still name a decision that is gone. On a real API server with the hub's own rights.
import { hubApply } from '../../../activities/hub/ship/apply.ts';
import { hubPublish } from '../../../activities/hub/status/publish.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { SECRET } from '../../../crds/kubernetes/core.ts';
import { MIGRATE, PAUSED } from '../../../crds/labels.ts';
import { RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import type { HubCaches } from '../../../activities/hub/caches.ts';
import { eventually } from '../../../testbed/eventually.ts';
import type { CappRef, State } from '../../../workflows/capp/state.ts';
import { aCopy, aPlacing } from '../../support/builders/states.ts';
import { decide } from '../../support/testbeds/fleet/decide.ts';
import { forged, MOVE, startForgersHub, type ForgersHub } from '../../support/testbeds/hub/forgers-hub.ts';

const RECREATE = { migration: { strategy: 'Recreate' } };
const BOTH = { 'site-1': aCopy(), 'site-2': aCopy() };

let forgers: ForgersHub;
/** Activities whose cache says that both sites are decided, while only site-1 is. */
let lagging: ReturnType<typeof activitiesWith>;
beforeAll(async () => {
  forgers = await startForgersHub();
  const { stage } = forgers;
  await decide(stage, 'ours', ['site-1', 'site-2']);
  const pages = [...stage.caches.decisions.by('placement', 'apps/ours')];
  lagging = activitiesWith({ ...stage.caches, decisions: { ...stage.caches.decisions, by: () => pages } });
  await decide(stage, 'ours', ['site-1']);
}, 300_000);
afterAll(() => forgers?.stage.stop());

function activitiesWith(caches: HubCaches) {
  const parts = { ...forgers.stage, caches, hubUid: 'hub-uid', config: RCS_CONFIG_KEY };
  return { ...hubApply(parts), ...hubPublish(parts) };
}

async function shipped(name: string, spec?: object): Promise<CappRef> {
  const ref = await forgers.victim(name, spec);
  expect(await forgers.hub.apply(ref, 'site-1', aPlacing(ref), null)).toMatchObject({ outcome: 'Applied' });
  await eventually(() => forgers.stage.caches.works.by('name', `mw-create-apps-${name}`).at(0));
  await cached(ref);
  return ref;
}

/** The cache has the Capp as it is. */
async function cached(ref: CappRef): Promise<void> {
  const { resourceVersion } = (await forgers.stage.read(ref)).metadata;
  await eventually(() => {
    const seen = forgers.stage.caches.capps.get(ref)?.metadata.resourceVersion;
    return seen === resourceVersion ? true : undefined;
  });
}

const served = (ref: CappRef, more: Partial<State> = {}): State => ({
  ...forged(ref, 'site-1'),
  serving: 'site-1',
  statusDecidedAt: Date.now(),
  ...more,
});

/** By the lagging hub worker. Whether it writes the rest or asks to be tried again is its own affair. */
async function publishLate(ref: CappRef, state: State): Promise<void> {
  await lagging
    .publish(ref, state, { record: null, mirror: null, at: Date.now() })
    .catch((error: unknown) => {
      expect(error).toMatchObject({ type: 'Conflict' });
    });
}

async function expectNothingOf(site: string, ref: CappRef): Promise<void> {
  const { metadata, status } = await forgers.stage.read(ref);
  const { migration, sites, applicationLinks } = status ?? {};
  expect(JSON.stringify([metadata.annotations, migration, sites, applicationLinks])).not.toContain(site);
  const applied = await forgers.hub.apply(ref, site, forged(ref, site), null);
  expect(applied).toMatchObject({ outcome: 'Unwarranted' });
  expect(await forgers.worksOf(ref)).not.toContain(site);
}

describe('by a cache that names a decision which is gone', () => {
  test.each<[string, (ref: CappRef) => State]>([
    ['comes to a site', (ref) => served(ref, { move: MOVE, pin: 'site-2' })],
    [
      'leaves a site where it never was',
      (ref) => served(ref, { move: { ...MOVE, from: 'site-2', to: 'site-1' }, copies: BOTH }),
    ],
    ['serves there', (ref) => served(ref, { serving: 'site-2', pin: 'site-2' })],
  ])('nothing says that the Capp %s, and nothing is shipped there later', async (how, state) => {
    const ref = await shipped(`late-${how.split(' ')[0]}`);
    await publishLate(ref, state(ref));
    await expectNothingOf('site-2', ref);
  });

  test('nothing says it of a Capp that must leave its site first', async () => {
    const ref = await shipped('late-once', RECREATE);
    await publishLate(ref, served(ref, { move: { ...MOVE, strategy: 'Recreate' }, pin: 'site-2' }));
    await expectNothingOf('site-2', ref);
  });

  test('what is shipped to an allowed site does not say so of another', async () => {
    const ref = await shipped('late-beside');
    await lagging
      .apply(ref, 'site-1', served(ref, { move: MOVE, pin: 'site-2' }), null)
      .catch((error: unknown) => expect(error).toMatchObject({ type: 'Conflict' }));
    await expectNothingOf('site-2', ref);
  });
});

test('an apply to a Capp that is paused does not say that it may be there', async () => {
  const ref = await shipped('paused');
  await forgers.stage.kube.patch(CAPP, ref, { metadata: { annotations: { [PAUSED]: 'true' } } });
  for (const state of [served(ref, { move: MOVE }), served(ref, { serving: 'site-2' })])
    expect(await forgers.hub.apply(ref, 'site-2', state, null)).toMatchObject({ outcome: 'Paused' });
  await forgers.stage.kube.patch(CAPP, ref, { metadata: { annotations: { [PAUSED]: null } } });
  await expectNothingOf('site-2', ref);
});

test('an apply that is refused leads no users away from the copy that is there', async () => {
  await decide(forgers.stage, 'ours', ['site-1', 'site-2']);
  try {
    const ref = await shipped('refused');
    await forgers.stage.kube.remove(SECRET, { namespace: 'apps', name: 'refused-secret' });
    const applied = await forgers.hub.apply(ref, 'site-2', served(ref, { serving: 'site-2' }), null);
    expect(applied).toMatchObject({ outcome: 'Refused', reason: 'MissingReference' });
    const { migration, applicationLinks } = (await forgers.stage.read(ref)).status ?? {};
    expect([migration?.serving, applicationLinks?.site]).toEqual(['site-1', 'site-1']);
  } finally {
    await decide(forgers.stage, 'ours', ['site-1']);
  }
});

test('a Capp that is refused on one site, and then on the next, is said to be on that', async () => {
  await decide(forgers.stage, 'ours', ['site-1', 'site-2']);
  try {
    const ref = await forgers.victim('refused-twice');
    await forgers.stage.kube.remove(SECRET, { namespace: 'apps', name: 'refused-twice-secret' });
    for (const site of ['site-1', 'site-2']) {
      const placing = { ...aPlacing(ref, site), placedFor: '' };
      expect(await forgers.hub.apply(ref, site, placing, null)).toMatchObject({ outcome: 'Refused' });
      expect((await forgers.stage.read(ref)).status?.migration?.serving).toBe(site);
    }
  } finally {
    await decide(forgers.stage, 'ours', ['site-1']);
  }
});

test('why a site was chosen that is not allowed is not said of a Capp that is on none', async () => {
  const ref = await forgers.victim('nowhere');
  const placing = { reason: 'Chosen' as const, message: 'site-2 is the best.' };
  await forgers.publish(ref, served(ref, { serving: 'site-2', placing }));
  const { conditions = [], migration } = (await forgers.stage.read(ref)).status ?? {};
  expect(migration?.serving).toBeUndefined();
  expect(conditions.find(({ type }) => type === 'Placed')).toMatchObject({
    status: 'Unknown',
    reason: 'Progressing',
  });
  expect(JSON.stringify(conditions)).not.toContain('Chosen');
});

describe('a status that says that the Capp comes to a site', () => {
  const coming = async (ref: CappRef): Promise<void> => {
    const sites = [
      { clusterName: 'site-1', role: 'Serving' },
      { clusterName: 'site-2', role: 'Coming' },
    ];
    await forgers.stage.kube.patch(CAPP, ref, { status: { sites } }, { subresource: 'status' });
  };

  test('is no reason to ship it there without a copy, and is one with the copy that a lost try has made', async () => {
    const ref = await shipped('coming');
    await coming(ref);
    const first = aPlacing(ref, 'site-2');
    expect(await forgers.hub.apply(ref, 'site-2', first, null)).toMatchObject({ outcome: 'Unwarranted' });
    await decide(forgers.stage, 'ours', ['site-1', 'site-2']);
    try {
      const moving = { ...first, serving: 'site-1', move: MOVE };
      expect(await forgers.hub.apply(ref, 'site-2', moving, null)).toMatchObject({ outcome: 'Applied' });
    } finally {
      await decide(forgers.stage, 'ours', ['site-1']);
    }
    const again = { ...first, serving: 'site-1', move: MOVE };
    expect(await forgers.hub.apply(ref, 'site-2', again, null)).toMatchObject({ outcome: 'Applied' });
  });

  test('goes on saying so between the two copies of a Capp that must not run twice', async () => {
    const ref = await shipped('between', RECREATE);
    await forgers.stage.kube.patch(CAPP, ref, { metadata: { annotations: { [MIGRATE]: 'site-2#1' } } });
    await cached(ref);
    const move = { ...MOVE, strategy: 'Recreate' as const };
    const annotated = { migrate: '1', force: null };
    const begun = served(ref, { move, annotated, pin: 'site-2' });
    await forgers.publish(ref, begun);
    const { status } = await forgers.stage.read(ref);
    expect(status?.migration).toMatchObject({ serving: 'site-1', pin: 'site-2', handledRequest: '1' });
    const removed = await forgers.hub.remove(ref, ['site-1'], {
      staying: null,
      to: 'site-2',
      until: Date.now() + 60_000,
    });
    expect(removed.objection).toBeUndefined();
    const switched = { ...begun, serving: 'site-2', copies: aPlacing(ref, 'site-2').copies };
    await forgers.publish(ref, switched);
    expect((await forgers.stage.read(ref)).status?.sites).toEqual([
      { clusterName: 'site-1', role: 'Serving' },
      { clusterName: 'site-2', role: 'Coming' },
    ]);
    const shipping = { ...switched, statusDecidedAt: Date.now() };
    expect(await forgers.hub.apply(ref, 'site-2', shipping, null)).toMatchObject({ outcome: 'Applied' });
    expect((await forgers.stage.read(ref)).status?.migration).toMatchObject({
      serving: 'site-2',
      pin: 'site-2',
    });
  });
});
