// What people ask of a CappSet with `kubectl capp rollout`, with the rights of a tenant on a real API server.
// The test answers in place of the set's workflow.
import { BUNDLE } from '../../../crds/bundle/bundle.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { ABORT, APPROVE, APPROVE_REMOVAL, LAST_UPDATED_BY, PAUSED, RETRY } from '../../../crds/labels.ts';
import { CAPP_SET, type CappSet } from '../../../crds/set/cappset.ts';
import type { CappSetStatus } from '../../../crds/set/status.ts';
import { keepRevision } from '../../../activities/hub/set/revisions.ts';
import { run } from '../../../cli/program.ts';
import { applyStatus } from '../../../kube/apply-status.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import { capp as aCapp } from '../../../testbed/capps.ts';
import { JUST_BEGUN } from '../../support/builders/fleet/rollouts.ts';
import { aTemplate } from '../../support/builders/fleet/sets.ts';
import { aTerminal } from '../../support/builders/process/terminals.ts';
import { cliTestbed, type CliTestbed } from '../../support/testbeds/command/cli.ts';

let bed: CliTestbed;
beforeAll(async () => {
  bed = await cliTestbed();
}, 300_000);
afterAll(() => bed?.stop());

const rollout = (...args: string[]) => capp('rollout', ...args);

async function capp(...args: string[]) {
  const { terminal, out, notes } = aTerminal(false);
  const all = [...args, '--kubeconfig', bed.tenant, '-n', 'apps', '--request-timeout', '60'];
  const code = await run({ args: all, name: 'capp', version: '0' }, terminal);
  return { code, out: out.join('\n'), err: notes.join('\n') };
}

const ROLLOUT = {
  ...JUST_BEGUN,
  revision: 'new',
  settled: 'old',
} as const;
const COUNTS = { sites: 2, ready: 1, underWay: 0, failed: 0, offline: 0 };

async function aSet(name: string, at: object = {}, reason = 'AwaitsApproval', between: string[] = []) {
  const made = await bed.hub.kube.create(CAPP_SET, {
    metadata: { name, namespace: 'apps' },
    spec: {
      sites: { clusters: ['site-1', 'site-2'] },
      template: aTemplate('shop:v2'),
      strategy: {
        stages: [
          { name: 'canary', sites: { count: 1 } },
          ...between.map((stage) => ({ name: stage, sites: { count: 1 }, approval: 'Required' })),
          { name: 'rest', approval: 'Required' },
        ],
      },
    },
  } as unknown as CappSet);
  const status: CappSetStatus = {
    readySites: '1/2',
    rollout: { ...ROLLOUT, halfway: [], approved: [], closed: ['canary'], ...at },
    stages: [
      { ...COUNTS, name: 'canary', state: 'Passed', sites: 1 },
      ...between.map((stage) => ({ ...COUNTS, name: stage, state: 'Waiting' as const })),
      { ...COUNTS, name: 'rest', state: 'Waiting', sites: 1, ready: 0 },
    ],
    failing: [{ site: 'site-2', capp: `${name}-site-2`, reason: 'RolloutFailed', message: 'It crashes.' }],
    conditions: [
      {
        type: 'Progressing',
        status: 'False',
        reason,
        message: 'Stage rest waits for approval.',
        lastTransitionTime: '2026-03-01T12:00:00Z',
      },
    ],
  };
  await applyStatus(bed.hub.kube, CAPP_SET, made, { status, fieldManager: 'test' });
  return made;
}

async function annotation(set: CappSet, name: string): Promise<string | undefined> {
  const { namespace = '', name: of } = set.metadata;
  return (await bed.hub.kube.get<CappSet>(CAPP_SET, { namespace, name: of }))?.metadata.annotations?.[name];
}

test('status shows each stage, the reason for which the rollout waits, and the sites that fail', async () => {
  await aSet('shown');
  const { code, out } = await rollout('status', 'shown');
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringMatching(
      /^Revision new, from old: 1\/2 sites Ready\. AwaitsApproval: Stage rest waits for approval\.\n\nSTAGE +STATE.*\ncanary +Passed +1 +1 .*\nrest +Waiting +1 +0 .*\n\nSITE.*\nsite-2 +shown-site-2 +RolloutFailed +It crashes\./,
    ),
  });
  expect(JSON.parse((await rollout('status', 'shown', '-o', 'json')).out)).toMatchObject({
    reason: 'AwaitsApproval',
    settled: 'old',
  });
});

test('approve is for the stage that waits and for the revision that is under way; other stages are refused', async () => {
  const set = await aSet('approved');
  expect((await rollout('approve', 'approved')).code).toBe(0);
  expect(await annotation(set, APPROVE)).toBe('rest#new');
  const refused = await rollout('approve', 'approved', 'canary');
  expect(refused.err).toContain('Stage canary needs no approval. These stages need approval: rest.');
  expect(refused.code).not.toBe(0);
});

test('a stage that is approved once more, as after a retry, gets another word each time', async () => {
  const set = await aSet('again');
  await rollout('approve', 'again');
  expect((await rollout('approve', 'again', 'rest')).code).toBe(0);
  const second = await annotation(set, APPROVE);
  expect(second).toMatch(/^rest#new\/\w{8}$/);
  await rollout('approve', 'again');
  expect(await annotation(set, APPROVE)).toMatch(/^rest#new\/\w{8}$/);
  expect(await annotation(set, APPROVE)).not.toBe(second);
});

test('pause and resume, abort, and a retry of one site or of all are written as annotations', async () => {
  const set = await aSet('steered');
  await rollout('pause', 'apps/steered');
  expect(await annotation(set, PAUSED)).toBe('true');
  await rollout('resume', 'cappset/steered');
  expect(await annotation(set, PAUSED)).toBeUndefined();
  await rollout('abort', 'steered');
  expect(await annotation(set, ABORT)).toMatch(/^new#\w{8}$/);
  await rollout('retry', 'steered', 'site-2');
  expect(await annotation(set, RETRY)).toMatch(/^site-2#\w{8}$/);
  await rollout('retry', 'steered');
  expect(await annotation(set, RETRY)).toMatch(/^#\w{8}$/);
});

test('undo gives the set the whole template of the settled revision, or of the one that is named', async () => {
  const set = await aSet('undone');
  const old = { ...set, spec: { ...set.spec, template: aTemplate('shop:v1') } } as unknown as CappSet;
  await keepRevision(bed.hub.kube, old, 'old', []);
  await keepRevision(bed.hub.kube, set, 'new', []);
  const imageNow = async () => {
    const now = await bed.hub.kube.get<CappSet>(CAPP_SET, { namespace: 'apps', name: 'undone' });
    return now?.spec.template.spec.configurationSpec.template.spec.containers[0]?.image;
  };
  expect((await rollout('undo', 'undone')).code).toBe(0);
  expect(await imageNow()).toBe('shop:v1');
  expect((await rollout('undo', 'undone', '--to', 'new')).code).toBe(0);
  expect(await imageNow()).toBe('shop:v2');
  const missing = await rollout('undo', 'undone', '--to', 'lost');
  expect(missing.err).toContain('There is no revision lost. Name one with --to; the hub keeps:');
});

test('undo without a name passes over a revision that never settled', async () => {
  const set = await aSet('failed-once', { settled: 'new', before: 'good' });
  const imageOf = (image: string) =>
    ({ ...set, spec: { ...set.spec, template: aTemplate(image) } }) as unknown as CappSet;
  await keepRevision(bed.hub.kube, imageOf('shop:good'), 'good', []);
  await keepRevision(bed.hub.kube, imageOf('shop:bad'), 'bad', []);
  await keepRevision(bed.hub.kube, set, 'new', []);
  expect(await rollout('undo', 'failed-once')).toMatchObject({ code: 0 });
  const now = await bed.hub.kube.get<CappSet>(CAPP_SET, { namespace: 'apps', name: 'failed-once' });
  expect(now?.spec.template.spec.configurationSpec.template.spec.containers[0]?.image).toBe('shop:good');
});

test('why and history find a set by its name alone, and a tenant may read both', async () => {
  const set = await aSet('asked');
  const annotations = { [LAST_UPDATED_BY]: 'alice' };
  await keepRevision(bed.hub.kube, { ...set, metadata: { ...set.metadata, annotations } }, 'new', []);
  const why = await capp('why', 'asked');
  expect([why.code, why.err]).toEqual([0, '']);
  expect(why.out).toMatch(/^CappSet apps\/asked is Ready on 1\/2 sites/);
  expect(why.out).toContain('run    kubectl capp rollout approve asked -n apps');
  expect(why.out).toContain('run    kubectl capp why asked-site-2 -n apps');
  expect((await capp('history', 'cappset/asked')).out).toMatch(
    /revision +new +Revision new was begun, written by alice\. It is under way\./,
  );
  expect((await capp('why', 'capp/asked')).err).toContain(
    'There is no Capp asked in namespace apps, but a CappSet',
  );
  // A tenant without rights on Bundles is not told of them.
  expect((await capp('why', 'nobody')).err).toContain('There is no Capp nobody in namespace apps.');
  expect((await capp('why', 'bundle/nobody')).code).toBe(4);
});

test('held removals are allowed by a number of Capps, and by nothing else', async () => {
  const set = await aSet('held');
  expect((await rollout('approve-removal', 'held', 'all')).code).toBe(2);
  expect(await annotation(set, APPROVE_REMOVAL)).toBeUndefined();
  const nothing = await rollout('approve-removal', 'held', '60');
  expect([nothing.code, nothing.err]).toEqual([1, expect.stringContaining('No removal waits for a person.')]);
  const heldRemoval = { count: 61, set: 'abc1234567' };
  const { status } = (await bed.hub.kube.get<CappSet>(CAPP_SET, { namespace: 'apps', name: 'held' })) ?? set;
  await applyStatus(bed.hub.kube, CAPP_SET, set, {
    status: { ...status, heldRemoval },
    fieldManager: 'test',
  });
  expect((await rollout('approve-removal', 'held', '60')).code).toBe(0);
  expect(await annotation(set, APPROVE_REMOVAL)).toMatch(/^60#abc1234567\/\w{8}$/);
});

test('a set that is not there is named, and a Capp of that name is said to have no stages', async () => {
  const lost = await rollout('pause', 'lost');
  expect([lost.code, lost.err]).toEqual([
    5,
    expect.stringContaining('There is no CappSet lost in namespace apps, and no Bundle that you may read.'),
  ]);
  expect(lost.err).toContain('kubectl get cappsets,bundles -n apps');
  await bed.hub.kube.create(CAPP, aCapp({ namespace: 'apps', name: 'single' }));
  expect((await rollout('status', 'single')).err).toContain(
    'single is a Capp, which has no stages: kubectl capp why single -n apps says how it is.',
  );
});

test('a command for a Capp says what has the name instead, and where there is such a Capp', async () => {
  await aSet('spread');
  expect((await capp('pause', 'spread')).err).toContain(
    'There is no Capp spread in namespace apps, but a CappSet: kubectl capp rollout --help says',
  );
  const elsewhere = await bed.run(['why', 'single', '-n', 'default'], { kubeconfig: bed.administrator });
  expect(elsewhere.err).toContain(
    'There is no Capp single in namespace default, but one in apps: write apps/single.',
  );
});

test('a stage is approved ahead of its turn, and it is said that it begins unasked then', async () => {
  await aSet('early', {}, 'SitesUnderWay');
  expect((await rollout('approve', 'early')).out).toContain('It does not wait for that yet');
  await aSet('due', {}, 'AwaitsApproval', ['more']);
  expect((await rollout('approve', 'due', 'rest')).out).toContain('It does not wait for that yet');
  expect((await rollout('approve', 'due')).out).not.toContain('It does not wait for that yet');
});

test('a Bundle is found by its name alone, and a CappSet of that name before it', async () => {
  const operator = (...words: string[]) => bed.run(words, { kubeconfig: bed.administrator });
  await aSet('both');
  for (const name of ['alone', 'both'])
    await bed.hub.kube.create(BUNDLE, {
      metadata: { namespace: 'apps', name },
      spec: {
        sites: { clusters: ['site-1'] },
        manifests: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }],
      },
    } as never);
  const alone = await operator('rollout', 'pause', 'alone', '-n', 'apps');
  expect([alone.code, alone.out]).toEqual([0, expect.stringContaining('rollout status bundle/alone')]);
  const pausedIs = async (resource: Resource, name: string) =>
    (await bed.hub.kube.get<KubeObject>(resource, { namespace: 'apps', name }))?.metadata.annotations?.[
      PAUSED
    ];
  expect(await pausedIs(BUNDLE, 'alone')).toBe('true');
  await operator('rollout', 'pause', 'both', '-n', 'apps');
  expect([await pausedIs(CAPP_SET, 'both'), await pausedIs(BUNDLE, 'both')]).toEqual(['true', undefined]);
});
