// Checks that have failed, on a real API server: a workflow that was started over finds them in the status,
// for exactly the content that is there.
import { CAPP } from '../../../../crds/capp/capp.ts';
import { CONFIG_MAP } from '../../../../crds/kubernetes/core.ts';
import { PAUSED, SET_REVISION, VERIFY } from '../../../../crds/labels.ts';
import { VerifyCheck } from '../../../../crds/verification/check.ts';
import { keyOf, orderText } from '../../../../crds/verification/order.ts';
import { writtenAs } from '../../../../crds/written.ts';
import { startHub, APPS, type HubForTests } from '../../../support/testbeds/hub/hub.ts';

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
}, 300_000);
afterAll(() => stage?.stop());

const ORDER = {
  revision: 'f'.repeat(32),
  round: '1/0',
  generation: 1,
  at: 1,
  checks: [VerifyCheck.parse({ name: 'answers', http: { path: '/' } })],
};

const annotations = {
  [VERIFY]: orderText(ORDER),
  [SET_REVISION]: writtenAs({ revision: ORDER.revision, content: '0123456789', at: 1 }),
};
const failedOn = (stamp: string): object => ({
  key: keyOf(ORDER),
  generation: 1,
  site: 'site-1',
  stamp,
  verdict: 'Failed',
  at: '2026-03-01T12:00:00Z',
  checks: [],
});

test('a failure is kept when a workflow is started over, and forgotten with other content', async () => {
  const metadata = { namespace: APPS, name: 'of-failed' };
  await stage.kube.create(CONFIG_MAP, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata,
    data: { a: '1' },
  } as never);
  const ref = await stage.make({
    name: 'failed',
    container: { envFrom: [{ configMapRef: { name: 'of-failed' } }] },
  });
  await stage.kube.patch(CAPP, ref, { metadata: { annotations } });
  const { applied: first } = await stage.ship(ref);
  expect(first).toMatchObject({ outcome: 'Applied', order: { key: keyOf(ORDER) } });
  expect(first).not.toHaveProperty('failed');
  const verification = failedOn((first as { stamp: string }).stamp);
  await stage.kube.patch(CAPP, ref, { status: { verification } }, { subresource: 'status' });
  const { applied, state } = await stage.ship(ref);
  expect(applied).toMatchObject({ failed: { verdict: 'Failed', key: keyOf(ORDER) } });
  expect(state.copies['site-1']?.verification?.verdict).toBe('Failed');
  expect((await stage.read(ref)).status?.verification).toEqual(verification);
  await stage.kube.patch(CONFIG_MAP, metadata, { data: { a: '2' } });
  const renewed = await stage.ship(ref);
  expect(renewed.applied).not.toHaveProperty('failed');
  expect(renewed.state.copies['site-1']?.verification).toBeUndefined();
});

test('a failure is kept when a workflow is started over while the Capp is paused', async () => {
  const ref = await stage.make({ name: 'failed-and-paused' });
  await stage.kube.patch(CAPP, ref, { metadata: { annotations } });
  const { applied } = await stage.ship(ref);
  const verification = failedOn((applied as { stamp: string }).stamp);
  await stage.kube.patch(CAPP, ref, { status: { verification } }, { subresource: 'status' });
  const pause = (value: string | null) =>
    stage.kube.patch(CAPP, ref, { metadata: { annotations: { [PAUSED]: value } } });
  await pause('true');
  const paused = await stage.ship(ref);
  expect(paused.applied.outcome).toBe('Paused');
  expect((await stage.read(ref)).status?.verification).toEqual(verification);
  await pause(null);
  const { state } = await stage.ship(ref, { ...paused.state, serving: 'site-1', published: 'something' });
  expect(state.copies['site-1']?.verification?.verdict).toBe('Failed');
});
