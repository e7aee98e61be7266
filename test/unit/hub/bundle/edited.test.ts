// A work of a Bundle in which somebody has changed how it is applied, though not what: it is written again,
// and a work that says it otherwise because an earlier version wrote it is not.
import { memberOn } from '../../../../activities/hub/bundle/members.ts';
import { render } from '../../../../activities/hub/bundle/manifests/render.ts';
import { shipAll } from '../../../../activities/hub/bundle/ship.ts';
import { seenWork } from '../../../../activities/hub/bundle/status/seen.ts';
import { BUNDLE_REVISION } from '../../../../crds/labels.ts';
import type { ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { merged } from '../../../support/simulator/api/merge.ts';
import type { Kube } from '../../../../kube/client.ts';
import {
  aBundle,
  aConfigMap,
  aDeployment,
  carriedBy,
  EXECUTORS_AT,
  rendered,
  WRITTEN_AT,
} from '../../../support/builders/fleet/bundles.ts';

const bundle = aBundle({ manifests: [aDeployment(), aConfigMap()] });
const wanted = rendered(bundle);
const SITE = { cluster: 'site-1', labels: {}, refusal: null, isReachable: true, lostSince: null };
const NOW = WRITTEN_AT + 60_000;

type Spec = NonNullable<ManifestWork['spec']>;
const written = (): ManifestWork => {
  const work = wanted.workOn('site-1', WRITTEN_AT);
  return { ...work, metadata: { ...work.metadata, uid: 'u', resourceVersion: '1' } };
};
const edited = (change: (spec: Spec) => object): ManifestWork => {
  const work = written();
  const spec = work.spec as Spec;
  return { ...work, spec: { ...spec, ...change(spec) } };
};
/** As a version wrote it that noted no more than revision, content and time. */
const former = (work: ManifestWork): ManifestWork => {
  const { annotations = {} } = work.metadata;
  const noted = annotations[BUNDLE_REVISION]?.split('/').slice(0, 3).join('/') ?? '';
  return {
    ...work,
    metadata: { ...work.metadata, annotations: { ...annotations, [BUNDLE_REVISION]: noted } },
  };
};

const isStale = (live: ManifestWork, now = wanted): boolean =>
  memberOn({ rendered: now, refused: {}, now: NOW }, SITE, seenWork(live as Parameters<typeof seenWork>[0]))
    .target.isStale === true;

/** What the hub's API server has after another turn, and how often it was written. */
async function shipped(
  live: ManifestWork,
  now = wanted,
  served: (work: ManifestWork) => ManifestWork = (work) => work,
  hasHeir = false,
): Promise<{ readonly live: ManifestWork; readonly writes: number }> {
  let [held, writes] = [live, 0];
  const kube = {
    get: async () => held,
    patch: async (_resource: object, _key: object, patch: object) => {
      writes += 1;
      held = served(merged(held as never, patch as never) as never);
      return held;
    },
  } as unknown as Kube;
  const errand = { kube, bundle, hasHeir: () => hasHeir, isStill: async () => true };
  const result = await shipAll(errand, [now.workOn('site-1', NOW)]);
  expect(result.get('site-1')?.is).toBe('there');
  return { live: held, writes };
}

const eachConfig = (spec: Spec, change: object): object => ({
  manifestConfigs: spec.manifestConfigs?.map((one) => ({ ...one, ...change })),
});
const READY_RULES = [{ condition: 'Ready', type: 'CEL', celExpressions: ['true'] }];
const KEEPING = {
  propagationPolicy: 'SelectivelyOrphan',
  selectivelyOrphans: {
    orphaningRules: [{ group: 'apps', resource: 'deployments', namespace: '', name: '' }],
  },
};
const IGNORING = {
  ...wanted.workOn('site-1', WRITTEN_AT).spec?.manifestConfigs?.[0]?.updateStrategy,
  serverSideApply: {
    ...wanted.workOn('site-1', WRITTEN_AT).spec?.manifestConfigs?.[0]?.updateStrategy?.serverSideApply,
    ignoreFields: [{ condition: 'OnSpokeChange', jsonPaths: ['.spec.replicas'] }],
  },
};
const account = { namespace: EXECUTORS_AT, name: 'stronger' };
const EDITS: [string, (spec: Spec) => object][] = [
  ['its rules are taken away', (spec) => eachConfig(spec, { conditionRules: [] })],
  [
    'another rule says when it is ready',
    (spec) =>
      eachConfig(spec, { conditionRules: [{ condition: 'Ready', type: 'CEL', celExpressions: ['true'] }] }),
  ],
  ['it is applied in another way', (spec) => eachConfig(spec, { updateStrategy: { type: 'CreateOnly' } })],
  [
    'somebody else applies it',
    () => ({ executor: { subject: { type: 'ServiceAccount', serviceAccount: account } } }),
  ],
  ['the work agent applies it with all its rights', () => ({ executor: undefined })],
  ['it leaves what it has made', () => ({ deleteOption: { propagationPolicy: 'Orphan' } })],
  ['it keeps some of what it has made', () => ({ deleteOption: KEEPING })],
  [
    'it goes by itself after a while',
    ({ deleteOption }) => ({ deleteOption: { ...deleteOption, ttlSecondsAfterFinished: 60 } }),
  ],
  [
    'a rule is added to those that an object has',
    ({ manifestConfigs = [] }) => ({
      manifestConfigs: manifestConfigs.map(({ conditionRules = [], ...one }) => ({
        ...one,
        conditionRules: [...conditionRules, ...READY_RULES],
      })),
    }),
  ],
  ['what others have changed is left', (spec) => eachConfig(spec, { updateStrategy: IGNORING })],
  [
    'its executor is said to be of another kind, too',
    ({ executor }) => ({ executor: { ...executor, subject: { ...executor?.subject, group: 'admins' } } }),
  ],
];

test.each(EDITS)('a work in which %s is written again', async (_what, change) => {
  const live = edited(change);
  expect(isStale(live)).toBe(true);
  const after = await shipped(live);
  expect(after.writes).toBe(1);
  expect(isStale(after.live)).toBe(false);
  expect(JSON.parse(JSON.stringify(after.live.spec))).toEqual(JSON.parse(JSON.stringify(written().spec)));
  expect(await shipped(after.live)).toMatchObject({ writes: 0 });
});

/** What a work of a site counts as, in which somebody has changed what the hub wrote with `text`. */
function countsAs(text: string | undefined, isReachable: boolean): string | null {
  const work = edited((spec) => ({ workload: { manifests: spec.workload.manifests?.slice(1) ?? [] } }));
  const annotations = text === undefined ? {} : { [BUNDLE_REVISION]: text };
  const seen = seenWork({ ...work, metadata: { ...work.metadata, annotations } } as Parameters<
    typeof seenWork
  >[0]);
  const { target } = memberOn({ rendered: wanted, refused: {}, now: NOW }, { ...SITE, isReachable }, seen);
  expect(target.isStale).toBe(true);
  return target.revision;
}

test.each([
  ['was given another one on a lost site', 'earlier/c/2026-03-01T11:00:00.000Z', false, 'earlier'],
  [
    'was given this one on a lost site',
    `${wanted.revision}/c/2026-03-01T11:00:00.000Z`,
    false,
    wanted.revision,
  ],
  ['says on a lost site no more which it was given', undefined, false, wanted.revision],
  ['can be written again where it is', 'earlier/c/2026-03-01T11:00:00.000Z', true, wanted.revision],
])('of an edited work that %s the right revision counts', (_what, text, isReachable, revision) => {
  expect(countsAs(text, isReachable)).toBe(revision);
});

test('what a server adds or drops is no edit, also where it drops more than is known', async () => {
  expect(isStale(written())).toBe(false);
  const plainly = rendered(aBundle());
  const byDefault = plainly.workOn('site-1', WRITTEN_AT);
  const spec = {
    ...(byDefault.spec as Spec),
    ...eachConfig(byDefault.spec as Spec, { feedbackScrapeType: 'Poll' }),
  };
  expect(isStale({ ...byDefault, spec }, plainly)).toBe(false);
  const drop = (work: ManifestWork): ManifestWork => ({
    ...work,
    spec: { ...(work.spec as Spec), ...eachConfig(work.spec as Spec, { conditionRules: [] }) },
  });
  const first = await shipped(
    edited(() => ({ executor: undefined })),
    wanted,
    drop,
  );
  expect(first.writes).toBe(2);
  expect(isStale(first.live)).toBe(false);
  const add = (work: ManifestWork): ManifestWork => ({
    ...work,
    spec: { ...(work.spec as Spec), ...eachConfig(work.spec as Spec, { retries: 'Few' }) },
  });
  const second = await shipped(
    edited(({ deleteOption }) => ({ deleteOption: { ...deleteOption, ttlSecondsAfterFinished: 60 } })),
    wanted,
    add,
  );
  expect(second.writes).toBe(2);
  expect(isStale(second.live)).toBe(false);
  expect(second.live.spec?.deleteOption).toEqual(written().spec?.deleteOption);
});

test.each(EDITS)('a work of an earlier version in which %s is not written by an upgrade', (_what, change) => {
  expect(isStale(former(edited(change)))).toBe(false);
});

test('a work of an earlier version is not written for what it does not note', async () => {
  expect(await shipped(former(written()))).toMatchObject({ writes: 0 });
});

test('another name of the executor changes no work, and one that is written anyway notes it', async () => {
  const ofHub = render(bundle, carriedBy(bundle), { executorNamespace: EXECUTORS_AT, executorHub: 'hub-1' });
  expect(isStale(written(), ofHub)).toBe(false);
  const after = await shipped(written(), ofHub);
  expect(after.writes).toBe(1);
  expect(isStale(after.live, ofHub)).toBe(false);
  expect(await shipped(after.live, ofHub)).toMatchObject({ writes: 0 });
  expect(after.live.metadata.annotations?.[BUNDLE_REVISION]).toContain(new Date(WRITTEN_AT).toISOString());
});

test('a work that parts with an object which another Bundle has is written once, until its site has answered', async () => {
  const fewer = rendered(aBundle({ manifests: [aDeployment()] }));
  const { metadata, ...rest } = written();
  const unread = { ...rest, metadata: { ...metadata, generation: 1 } };
  const first = await shipped(unread, fewer, undefined, true);
  expect(first.live.spec?.workload.manifests).toHaveLength(2);
  const second = await shipped(first.live, fewer, undefined, true);
  expect([first.writes, second.writes]).toEqual([1, 0]);
});
