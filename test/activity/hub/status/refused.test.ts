// What a site refused of a work reaches the Capp's status, even if its agent reports Ready and no ring comes
// for the work.
import { SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import { MANIFEST_WORK } from '../../../../crds/ocm/ocm.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import { APPS, startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { conditionOf } from '../../../../testbed/capps.ts';
import { aFinding } from '../../../support/builders/states.ts';

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
  await stage.kube.create<Secret & KubeObject>(SECRET, {
    metadata: { namespace: APPS, name: 'db' },
    data: {},
  });
}, 300_000);
afterAll(() => stage.stop());

const REFUSED =
  "secrets is forbidden: ValidatingAdmissionPolicy 'cappstan-not-ours-v1' with binding 'cappstan-not-ours-v1' denied request: x";

/** The state after the agent reported Ready for the applied stamp. */
function ready(state: State): State {
  const copy = state.copies['site-1'];
  if (copy === undefined) throw new Error('nothing was shipped');
  return { ...state, copies: { 'site-1': { ...copy, finding: aFinding(), heard: true } } };
}

test('a Capp whose Secret belongs to another owner on its site is not Ready although the app serves, and becomes Ready once that is fixed', async () => {
  const ref = await stage.make({ name: 'app', container: { envFrom: [{ secretRef: { name: 'db' } }] } });
  const { state } = await stage.ship(ref);
  const work = await stage.work(ref);
  const generation = work?.metadata.generation ?? 0;
  const key = { namespace: 'site-1', name: work?.metadata.name ?? '' };
  const say = (applied: 'True' | 'False', message: string): Promise<unknown> => {
    const said = { type: 'Applied', status: applied, message, observedGeneration: generation };
    const manifests = [{ resourceMeta: { ordinal: 1 }, conditions: [said] }];
    const status = { conditions: [said], resourceStatus: { manifests } };
    return stage.kube.patch(MANIFEST_WORK, key, { status }, { subresource: 'status' });
  };
  await say('False', REFUSED);
  await stage.hub.publish(
    ref,
    { ...ready(state), statusDecidedAt: 1_000 },
    { record: null, mirror: null, at: Date.now() },
  );
  const refused = await stage.read(ref);
  expect(conditionOf(refused, 'Ready')).toMatchObject({ status: 'False', reason: 'NotOurs' });
  expect(conditionOf(refused, 'Applied')?.message).toContain(
    'Secret db already exists on site-1 and does not belong to Cappstan',
  );

  await say('True', 'Apply manifest work complete');
  await stage.hub.publish(
    ref,
    { ...ready(state), statusDecidedAt: 2_000 },
    { record: null, mirror: null, at: Date.now() },
  );
  expect(conditionOf(await stage.read(ref), 'Ready')).toMatchObject({ status: 'True' });
});
