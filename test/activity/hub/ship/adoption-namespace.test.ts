// A work of the Go operator carries the Namespace as its own until the site's work agent has released it;
// only then may the work be deleted. On a real API server; the test plays the work agent.
import { CAPP } from '../../../../crds/capp/capp.ts';
import { NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import { ADOPTED } from '../../../../crds/labels.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { hashedWorkName, workName } from '../../../../crds/ocm/work-identity.ts';
import type { CappRef, State } from '../../../../workflows/capp/state.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { goCapp, goWork, leaveWork } from '../../../support/builders/manifests/go-operator.ts';
import { startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { aPlacing } from '../../../support/builders/states.ts';

const TEAM = 'team-a';
const CONFLICT =
  'Failed to apply manifest: Operation cannot be fulfilled on namespaces "team-a": the object has been modified';
const GUARD = `Failed to apply manifest: ValidatingAdmissionPolicy 'cappstan-not-ours-core' denied request`;

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
  await stage.kube.create(NAMESPACE, { metadata: { name: TEAM } });
}, 300_000);
afterAll(() => stage?.stop());

interface Key {
  readonly namespace: string;
  readonly name: string;
}

const plain = (name: string): Key => ({ namespace: 'site-1', name: workName(TEAM, name) });
const hashed = (name: string): Key => ({ namespace: 'site-1', name: hashedWorkName(TEAM, name) });
const workAt = (key: Key) => stage.kube.get<ManifestWork>(MANIFEST_WORK, key);

/** A Capp that the Go operator has shipped and that we have adopted. */
async function inherited(name: string): Promise<{ ref: CappRef; state: State }> {
  const work = await leaveWork(stage.kube, await goWork({ namespace: TEAM, name }, 'site-1'));
  const { metadata } = await goCapp(stage.kube, work);
  await eventually(() => (stage.caches.works.get(plain(name)) === undefined ? undefined : true));
  const ref = { namespace: TEAM, name, uid: metadata.uid ?? '' };
  const { state } = await stage.ship(ref);
  return { ref, state };
}

/**
 * The work agent reports on the present generation of the work; `failures` has the message for each kind that
 * it could not apply.
 */
async function agentSays(key: Key, failures: Readonly<Record<string, string>> = {}): Promise<void> {
  const work = await workAt(key);
  const observedGeneration = work?.metadata.generation ?? 0;
  const lastTransitionTime = new Date().toISOString();
  const applied = (message?: string) => ({
    type: 'Applied',
    status: message === undefined ? 'True' : 'False',
    reason: message === undefined ? 'Done' : 'Failed',
    message: message ?? '',
    observedGeneration,
    lastTransitionTime,
  });
  const manifests = (work?.spec?.workload.manifests ?? []).map(({ kind, metadata: { name } }, ordinal) => ({
    resourceMeta: { ordinal, kind, name },
    conditions: [applied(failures[kind])],
  }));
  const conditions = [
    applied(Object.keys(failures).length === 0 ? undefined : 'Failed to apply manifest work'),
  ];
  await stage.kube.patch(
    MANIFEST_WORK,
    key,
    { status: { conditions, resourceStatus: { manifests } } },
    { subresource: 'status' },
  );
}

test('a deleted Capp keeps its work until the work agent has released the Namespace, and a failed attempt is not enough', async () => {
  const { ref } = await inherited('contended');
  await stage.kube.remove(CAPP, ref);
  await stage.hub.retire(ref);
  await agentSays(plain('contended'), { Namespace: CONFLICT });
  expect(await stage.hub.retire(ref)).toMatchObject({ outcome: 'Leaving', isPending: true });
  expect((await workAt(plain('contended')))?.metadata.deletionTimestamp).toBeUndefined();
  await agentSays(plain('contended'), { Secret: CONFLICT });
  await stage.hub.retire(ref);
  expect(await stage.hub.retire(ref)).toEqual({ outcome: 'Retired' });
});

test('a Capp that is edited and then deleted keeps its work until the work agent has applied the edit', async () => {
  const { ref, state } = await inherited('changed');
  await agentSays(plain('changed'));
  await stage.kube.patch(CAPP, ref, { spec: { scaleMetric: 'rps' } });
  await stage.ship(ref, state);
  expect((await workAt(plain('changed')))?.metadata.annotations?.[ADOPTED]).toBeUndefined();
  await stage.kube.remove(CAPP, ref);
  expect(await stage.hub.retire(ref)).toMatchObject({ outcome: 'Leaving', isPending: true });
  expect((await workAt(plain('changed')))?.metadata.deletionTimestamp).toBeUndefined();
  await agentSays(plain('changed'));
  await stage.hub.retire(ref);
  expect((await workAt(plain('changed')))?.metadata.deletionTimestamp).toBeDefined();
});

test('of two works of a Capp on one site neither is deleted while the work agent could not apply the other', async () => {
  const { ref } = await inherited('twice');
  const { labels, annotations } = (await workAt(plain('twice')))?.metadata ?? {};
  const spec = (await goWork({ namespace: TEAM, name: 'twice' }, 'site-1')).spec;
  await leaveWork(stage.kube, {
    metadata: { ...hashed('twice'), labels, annotations },
    spec,
  } as ManifestWork);
  await eventually(() => (stage.caches.works.get(hashed('twice')) === undefined ? undefined : true));
  await stage.ship(ref, aPlacing(ref));
  for (const [staying, second] of [
    [{ Capp: CONFLICT }, {}],
    [{}, { Capp: CONFLICT }],
  ]) {
    await agentSays(plain('twice'), staying);
    await agentSays(hashed('twice'), second);
    await stage.ship(ref, aPlacing(ref));
    expect(await workAt(hashed('twice'))).not.toBeNull();
  }
  // An object that the site refuses in both works does not delay the deletion.
  await agentSays(plain('twice'), { Secret: GUARD });
  await agentSays(hashed('twice'), { Secret: GUARD });
  await stage.ship(ref, aPlacing(ref));
  expect(await workAt(hashed('twice'))).toBeNull();
  expect((await workAt(plain('twice')))?.metadata.deletionTimestamp).toBeUndefined();
});
