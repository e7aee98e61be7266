// A rollback on a real API server with the chart's webhook and policies, asked for with kubectl's means and
// with `kubectl capp`, by a tenant who has the chart's role in one namespace.
import { keepRevision } from '../../../activities/hub/ship/revision.ts';
import { run } from '../../../cli/program.ts';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { CAPP_REVISION } from '../../../crds/capp-revision.ts';
import { RBAC_GROUP, ROLE_BINDING } from '../../../crds/kubernetes/core.ts';
import { LAST_UPDATED_BY, requestedBy, ROLLBACK } from '../../../crds/labels.ts';
import { applyObjects } from '../../../deploy/local/kubernetes/apply.ts';
import type { Kube } from '../../../kube/client.ts';
import { capp } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { aTerminal } from '../../support/builders/process/terminals.ts';
import { forHub } from '../../support/servers/chart/chart.ts';
import { HUB_USER, startWebhook, type WebhookForTests } from '../../support/servers/chart/webhook.ts';

const NS = 'apps';
const BY = requestedBy(ROLLBACK);

let stage: WebhookForTests;
let hub: Kube;
let carol: Kube;
beforeAll(async () => {
  stage = await startWebhook([NS], Date.now());
  [hub, carol] = [await stage.as(HUB_USER), await stage.as('carol')];
  const roles = (await forHub({})).filter(
    ({ kind, metadata }) => kind === 'ClusterRole' && metadata.name.startsWith('cappstan-capp-'),
  );
  await applyObjects(stage.kube, roles);
  for (const { metadata } of roles)
    await stage.kube.create(ROLE_BINDING, {
      metadata: { name: metadata.name, namespace: NS },
      roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: metadata.name },
      subjects: [{ kind: 'User', apiGroup: RBAC_GROUP, name: 'alice' }],
    } as never);
  // The API server may not trust the webhook's certificate yet.
  await eventually(() =>
    stage.kube.create<Capp>(CAPP, capp({ namespace: NS, name: 'warm-up' })).catch(() => undefined),
  );
}, 300_000);
afterAll(() => stage?.stop());
afterEach(() => expect(stage.faults).toEqual([]));

const keyOf = (name: string) => ({ namespace: NS, name });
const read = async (name: string): Promise<Capp> => (await stage.kube.get<Capp>(CAPP, keyOf(name))) as Capp;
const annotate = (user: Kube, name: string, value: string, more: object = {}): Promise<Capp> =>
  user.patch<Capp>(CAPP, keyOf(name), { metadata: { annotations: { [ROLLBACK]: value } }, ...more });
const edit = (name: string, minReplicas: number): Promise<Capp> =>
  stage.kube.patch<Capp>(CAPP, keyOf(name), { spec: { scaleSpec: { minReplicas } } });

/** Generations 1 to 3, kept by the hub as it ships them. */
async function aHistory(name: string): Promise<void> {
  await stage.kube.create(CAPP, capp({ namespace: NS, name }));
  await keepRevision(hub, await read(name));
  for (const replicas of [1, 2]) await keepRevision(hub, await edit(name, replicas));
}

const alice = (...args: string[]) => as('alice', args);

async function as(user: string, args: readonly string[]) {
  const { terminal, out, notes } = aTerminal();
  const flags = ['--kubeconfig', stage.kubeconfig, '-n', NS, '--as', user, '--request-timeout', '60'];
  const code = await run({ args: [...args, ...flags], name: 'capp', version: '0' }, terminal);
  return { code, out: out.join('\n'), err: notes.join('\n') };
}

test('an annotation brings the old spec back as a new generation, in one write of the user who asked', async () => {
  await aHistory('annotated');
  const old = (await stage.kube.get(CAPP_REVISION, keyOf('annotated-00002'))) as never as {
    spec: { cappTemplate: { cappSpec: unknown } };
  };
  const { metadata, spec } = await annotate(carol, 'annotated', '2#one the new one leaks');
  expect(spec).toEqual(old.spec.cappTemplate.cappSpec);
  expect(metadata.generation).toBe(4);
  expect(metadata.annotations).toMatchObject({ [BY]: 'carol', [LAST_UPDATED_BY]: 'carol' });
});

test('what the API server would refuse as an edit it refuses as a rollback: the old spec names a site that is gone', async () => {
  await aHistory('checked');
  const rest = { apiVersion: 'rcs.dana.io/v1alpha1', kind: 'CappRevision' };
  const { metadata, spec } = await read('checked');
  const cappTemplate = { cappSpec: { ...spec, site: 'site-that-went' }, labels: {}, annotations: {} };
  const owner = { apiVersion: CAPP.apiVersion, kind: CAPP.kind, name: 'checked', uid: metadata.uid ?? '' };
  await hub.create(CAPP_REVISION, {
    ...rest,
    metadata: { ...keyOf('checked-00099'), ownerReferences: [owner] },
    spec: { revisionNumber: 99, cappTemplate },
  } as never);
  await expect(annotate(carol, 'checked', '99#one')).rejects.toMatchObject({
    code: 422,
    reason: 'Invalid',
  });
  expect((await read('checked')).metadata.generation).toBe(3);
});

test('two edits at once: one follows the other, and both are whole', async () => {
  await aHistory('raced');
  const other = carol.patch<Capp>(CAPP, keyOf('raced'), { spec: { scaleMetric: 'rps' } });
  const [after] = await Promise.all([annotate(carol, 'raced', '1#one'), other]);
  expect(after.metadata.generation).toBeGreaterThanOrEqual(4);
  const { metadata, spec } = await read('raced');
  expect(metadata.generation).toBe(5);
  expect([spec.scaleSpec?.minReplicas, spec.scaleMetric]).not.toContain(2);
});

test('nobody else can be named, also while no webhook answers, and then nothing is rolled back', async () => {
  await aHistory('named');
  await annotate(carol, 'named', '2#one');
  const forged = { metadata: { annotations: { [BY]: 'mallory' } } };
  const { metadata } = await carol.patch<Capp>(CAPP, keyOf('named'), forged);
  expect(metadata.annotations?.[BY]).toBe('carol');
  await stage.without(async () => {
    await expect(carol.patch(CAPP, keyOf('named'), forged)).rejects.toMatchObject({ code: 500 });
    await expect(annotate(carol, 'named', '1#two')).rejects.toMatchObject({ code: 500 });
  });
  expect((await read('named')).metadata.generation).toBe(4);
});

describe('kubectl capp rollback', () => {
  it('takes the last revision with another spec, says what changes, and history says who and what', async () => {
    await aHistory('told');
    expect(await alice('rollback', 'told', '--reason', 'it leaks')).toEqual({
      code: 0,
      out: `${NS}/told has the spec of revision 2 again, as generation 4: spec.scaleSpec.minReplicas. Follow it: kubectl capp watch told -n ${NS}`,
      err: '',
    });
    const after = await read('told');
    expect(after.metadata.annotations?.[ROLLBACK]).toMatch(/^2#\w{8} it leaks$/);
    expect(after.metadata.annotations?.[BY]).toBe('alice');
    await keepRevision(hub, after);
    const { out } = await alice('history', 'told');
    expect(out).toMatch(
      /revision +4 +Generation 4 was shipped, written by alice: spec\.scaleSpec\.minReplicas/,
    );
    expect(out).toMatch(/revision +1 +Generation 1 was shipped/);
  });

  it('goes to the revision that is named, and writes nothing when the Capp is so already', async () => {
    await aHistory('chosen');
    expect((await alice('rollback', 'chosen', '--to', '1')).out).toContain(
      'the spec of revision 1 again, as generation 4',
    );
    expect((await alice('rollback', 'chosen', '--to', '1')).out).toBe(
      `${NS}/chosen has the spec of revision 1 already.`,
    );
    expect((await read('chosen')).metadata.generation).toBe(4);
  });

  it('says which revisions there are, and what a person may not do', async () => {
    await aHistory('few');
    const { code, err } = await alice('rollback', 'few', '--to', '9');
    expect({ code, err }).toEqual({
      code: 5,
      err: `There is no revision 9 of ${NS}/few. The hub keeps revisions 3, 2, 1: kubectl capp history few -n ${NS}.`,
    });
    await stage.kube.create(CAPP, capp({ namespace: NS, name: 'young' }));
    expect((await alice('rollback', 'young')).err).toContain('no earlier revision with another spec');
    expect((await alice('rollback', 'few', '--reason', 'a\nb')).code).toBe(2);
    expect((await as('stranger', ['rollback', 'few'])).code).toBe(4);
  });

  it('says so while the webhook does not answer', async () => {
    await aHistory('unheard');
    await stage.without(async () => {
      const { code, err } = await alice('rollback', 'unheard');
      expect({ code, err }).toEqual({
        code: 1,
        err: expect.stringContaining("The hub's webhook does not answer"),
      });
    });
  });
});
