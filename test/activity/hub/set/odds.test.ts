// Looks at a set when something is amiss: nobody knows which sites are selected, one site's Capp is refused,
// and an earlier set of the same name has left a revision behind.
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { RETRY } from '../../../../crds/labels.ts';
import { CAPP_SET } from '../../../../crds/set/cappset.ts';
import { SET_REVISION_KIND, type SetRevision } from '../../../../crds/set/set-revision.ts';
import { capp } from '../../../../testbed/capps.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { aTemplate, imageOf, says } from '../../../support/builders/fleet/sets.ts';
import { startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { decide } from '../../../support/testbeds/fleet/decide.ts';
import {
  acceptSites,
  beginSet,
  childrenOn,
  lookerAt,
  setOn,
} from '../../../support/testbeds/fleet/looker.ts';

let stage: HubForTests;
const CLUSTERS = ['site-1', 'site-2', 'site-3'];
beforeAll(async () => {
  stage = await startHub();
  await acceptSites(stage, CLUSTERS);
}, 300_000);
afterAll(() => stage?.stop());

const namespace = 'apps';
const POLICIES = { apiVersion: 'admissionregistration.k8s.io/v1', namespaced: false } as const;
const imagesOf = async (set: string) =>
  Object.fromEntries((await childrenOn(stage, set)).map((one) => [one.spec.site, imageOf(one)]));

test('while the pages of a decision do not add up, no stage passes with the sites that are there, and no site is changed', async () => {
  const stages = [
    { name: 'canary', maxConcurrent: 1, sites: { matchExpressions: [{ key: 'tier', operator: 'Exists' }] } },
  ];
  await decide(stage, 'flapping', ['site-1', 'site-2']);
  const set = await beginSet(stage, 'flapping', {
    placement: 'flapping',
    template: aTemplate('app:1'),
    strategy: { stages },
  });
  await set.look();
  await says(stage.kube, 'flapping-site-1', 'Serving');
  await decide(stage, 'flapping', ['site-1'], 2);
  await set.look();
  const { status } = await setOn(stage, 'flapping');
  expect(status?.rollout).toMatchObject({ closed: [] });
  expect(status?.rollout?.settled).toBeUndefined();
  expect(status?.conditions).toContainEqual(
    expect.objectContaining({ type: 'Stalled', status: 'True', reason: 'DecisionIncomplete' }),
  );
  expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'False' }));
  await stage.kube.patch(
    CAPP_SET,
    { namespace, name: 'flapping' },
    { spec: { template: aTemplate('app:2') } },
  );
  await set.look();
  expect(await imagesOf('flapping')).toEqual({ 'site-1': 'app:1' });
  await decide(stage, 'flapping', ['site-1', 'site-2']);
  await set.look();
  expect(await imagesOf('flapping')).toEqual({ 'site-1': 'app:2' });
});

test('a kept Capp is not changed either while nobody knows which sites are selected', async () => {
  const strategy = { maxConcurrent: '100%' };
  await decide(stage, 'keeping', CLUSTERS);
  const set = await beginSet(stage, 'keeping', {
    placement: 'keeping',
    whenUnselected: 'Keep',
    template: aTemplate('app:1'),
    strategy,
  });
  await set.look();
  for (const site of CLUSTERS) await says(stage.kube, `keeping-${site}`, 'Serving');
  await decide(stage, 'keeping', ['site-1', 'site-2']);
  await set.look();
  await stage.kube.patch(
    CAPP_SET,
    { namespace, name: 'keeping' },
    { spec: { template: aTemplate('app:2') } },
  );
  await decide(stage, 'keeping', ['site-1'], 2);
  await set.look();
  await decide(stage, 'keeping', ['site-1', 'site-2']);
  await set.look();
  expect(await imagesOf('keeping')).toEqual({ 'site-1': 'app:2', 'site-2': 'app:2', 'site-3': 'app:1' });
});

test('a revision that an earlier set of the name has left behind does not stand in for that of the new one', async () => {
  const first = await beginSet(stage, 'again', { sites: { clusters: ['site-1'] } });
  await first.look();
  const { items } = await stage.kube.list<SetRevision>(SET_REVISION_KIND, { namespace });
  const left = items.find(({ metadata }) => metadata.name.startsWith('again-'));
  await stage.kube.remove(CAPP_SET, { namespace, name: 'again' });
  await first.look().catch(() => undefined);
  await expect(first.look()).rejects.toThrow('the set is Gone');

  const second = await beginSet(stage, 'again', { sites: { clusters: ['site-1'] } });
  await second.look();
  const { metadata } = await setOn(stage, 'again');
  const key = { namespace, name: left?.metadata.name ?? '' };
  const kept = await stage.kube.get<SetRevision>(SET_REVISION_KIND, key);
  expect(kept?.metadata.ownerReferences?.map(({ uid }) => uid)).toEqual([metadata.uid]);
  await lookerAt(stage, 'again').look();
  expect((await stage.kube.get<SetRevision>(SET_REVISION_KIND, key))?.metadata.uid).toBe(kept?.metadata.uid);
});

test('a template that admission refuses on one site only is said of that site, and the others get it', async () => {
  const cluster = (kind: string, spec: object) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name: 'not-on-site-2' },
    spec,
  });
  const policies = { ...POLICIES, kind: 'ValidatingAdmissionPolicy', plural: 'validatingadmissionpolicies' };
  const bindings = {
    ...POLICIES,
    kind: 'ValidatingAdmissionPolicyBinding',
    plural: 'validatingadmissionpolicybindings',
  };
  const rules = {
    apiGroups: ['rcs.dana.io'],
    apiVersions: ['*'],
    operations: ['CREATE'],
    resources: ['capps'],
  };
  const expression = "object.spec.site != 'site-2' || !object.metadata.name.startsWith('picky-')";
  await stage.kube.create(
    policies,
    cluster('ValidatingAdmissionPolicy', {
      matchConstraints: { resourceRules: [rules] },
      validations: [{ expression, reason: 'RequestEntityTooLarge' }],
    }) as never,
  );
  await stage.kube.create(
    bindings,
    cluster('ValidatingAdmissionPolicyBinding', {
      policyName: 'not-on-site-2',
      validationActions: ['Deny'],
    }) as never,
  );
  await eventually(async () => {
    const probe = capp({ namespace, name: 'picky-probe', spec: { site: 'site-2' } });
    await expect(stage.kube.create(CAPP, probe)).rejects.toThrow('413');
    return true;
  });
  const strategy = { maxConcurrent: '100%', maxFailures: 1 };
  const picky = await beginSet(stage, 'picky', { sites: { clusters: CLUSTERS }, strategy });
  await picky.look();
  await picky.look();
  expect(Object.keys(await imagesOf('picky')).toSorted()).toEqual(['site-1', 'site-3']);
  expect((await setOn(stage, 'picky')).status?.failing).toContainEqual(
    expect.objectContaining({ site: 'site-2', reason: 'Rejected' }),
  );

  await stage.kube.remove(bindings, { namespace: null, name: 'not-on-site-2' });
  await eventually(async () => {
    await stage.kube.create(CAPP, capp({ namespace, name: 'picky-proof', spec: { site: 'site-2' } }));
    return true;
  });
  await picky.look();
  expect(Object.keys(await imagesOf('picky'))).toHaveLength(2);
  const annotations = { [RETRY]: 'site-2#again' };
  await stage.kube.patch(CAPP_SET, { namespace, name: 'picky' }, { metadata: { annotations } });
  await picky.look();
  expect(Object.keys(await imagesOf('picky')).toSorted()).toEqual(CLUSTERS);
});

test('an edit of labels alone goes on only when the first site had time to ship it', async () => {
  const strategy = { maxConcurrent: 1 };
  const clusters = ['site-1', 'site-2'];
  const marks = await beginSet(stage, 'marks', {
    sites: { clusters },
    template: aTemplate('app:1'),
    strategy,
  });
  const names = clusters.map((cluster) => `marks-${cluster}`);
  for (const name of names) {
    await marks.look();
    await says(stage.kube, name, 'Serving');
  }
  await marks.look();
  for (const name of names) await backdate(name);
  await stage.kube.patch(
    CAPP_SET,
    { namespace, name: 'marks' },
    { spec: { template: { metadata: { labels: { team: 'sea' } } } } },
  );
  const labelled = async () =>
    (await childrenOn(stage, 'marks')).flatMap(({ metadata }) =>
      metadata.labels?.['team'] === 'sea' ? [metadata.name] : [],
    );
  await marks.look();
  const { wakeAt } = await marks.look();
  expect(await labelled()).toEqual(['marks-site-1']);
  expect((wakeAt ?? 0) - Date.now()).toBeLessThanOrEqual(10_000);
  // Its workflow has shipped the edit.
  await says(stage.kube, 'marks-site-1', 'Serving');
  await marks.look();
  expect(await labelled()).toEqual(names);
});

/** It says what it says since an hour. */
async function backdate(name: string): Promise<void> {
  const { status } = (await stage.kube.get<Capp>(CAPP, { namespace, name })) as Capp;
  const lastTransitionTime = new Date(Date.now() - 3_600_000).toISOString();
  const conditions = status?.conditions?.map((one) => ({ ...one, lastTransitionTime }));
  await stage.kube.patch(CAPP, { namespace, name }, { status: { conditions } }, { subresource: 'status' });
}
