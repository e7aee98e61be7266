// `kubectl capp plan -f` with an administrator's rights on a real API server. The test decides in place of
// OCM's scheduler; with OCM's own, test/e2e/people/hands.test.ts asks.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { CAPP } from '../../../crds/capp/capp.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { PLAN } from '../../../crds/labels.ts';
import { AVAILABLE, MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import {
  PLACEMENT,
  PLACEMENT_DECISION,
  PLACEMENT_LABEL,
  type Placement,
} from '../../../crds/ocm/placements.ts';
import { isAlreadyExists } from '../../../kube/failure.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { cliTestbed, type CliTestbed } from '../../support/testbeds/command/cli.ts';

let bed: CliTestbed;
let folder: string;
const NOW = new Date().toISOString();
const KEY = { namespace: 'apps', name: 'edited' };
const SPEC = { placements: ['edited'], placementsNamespace: KEY.namespace };

beforeAll(async () => {
  bed = await cliTestbed();
  folder = await mkdtemp(join(tmpdir(), 'cappstan-plan-'));
  const { kube } = bed.hub;
  const namespace = { metadata: { name: RCS_CONFIG_KEY.namespace } };
  await kube.create(NAMESPACE, namespace).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
  await kube.create(RCS_CONFIG, { metadata: RCS_CONFIG_KEY, spec: SPEC } as KubeObject);
  for (const name of ['site-8', 'site-9']) await available(name);
  await kube.create(PLACEMENT, { metadata: KEY, spec: { numberOfClusters: 2 } } as KubeObject);
  await decide(KEY.name, ['site-8', 'site-9']);
  const ref = await bed.hub.make({ name: 'there' });
  const status = { applicationLinks: { site: 'site-8' } };
  await kube.patch(CAPP, ref, { status }, { subresource: 'status' });
}, 300_000);
afterAll(async () => {
  await bed?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A cluster that the hub has accepted and that answers. */
async function available(name: string): Promise<void> {
  const { kube } = bed.hub;
  await kube.create(MANAGED_CLUSTER, { metadata: { name }, spec: { hubAcceptsClient: true } } as KubeObject);
  const conditions = [
    { type: AVAILABLE, status: 'True', reason: 'Up', message: '', lastTransitionTime: NOW },
  ];
  const key = { namespace: null, name };
  await kube.patch(MANAGED_CLUSTER, key, { status: { conditions } }, { subresource: 'status' });
}

/** As OCM's scheduler would. */
async function decide(name: string, sites: readonly string[]): Promise<void> {
  const { kube } = bed.hub;
  const page = { ...KEY, name: `${name}-decision-1` };
  await kube.create(PLACEMENT_DECISION, { metadata: { ...page, labels: { [PLACEMENT_LABEL]: name } } });
  const decisions = sites.map((clusterName) => ({ clusterName, reason: '' }));
  await kube.patch(PLACEMENT_DECISION, page, { status: { decisions } }, { subresource: 'status' });
  await say(name, 'PlacementSatisfied', 'AllDecisionsScheduled', sites.length);
}

async function say(name: string, type: string, reason: string, count = 0): Promise<void> {
  const conditions = [
    {
      type,
      status: 'True',
      reason,
      message: `as ${name} asks`,
      lastTransitionTime: NOW,
    },
  ];
  const status = { numberOfSelectedClusters: count, conditions };
  await bed.hub.kube.patch(PLACEMENT, { ...KEY, name }, { status }, { subresource: 'status' });
}

const trials = async (): Promise<KubeObject[]> =>
  (await bed.hub.kube.list<KubeObject>(PLACEMENT, { labelSelector: `${PLAN}=trial` })).items;
const trial = (): Promise<KubeObject> => eventually(async () => (await trials())[0]);

async function file(object: object): Promise<string> {
  const path = join(folder, 'edit.yaml');
  await writeFile(path, stringify(object));
  return path;
}
const placement = (spec: object) => ({
  apiVersion: PLACEMENT.apiVersion,
  kind: PLACEMENT.kind,
  metadata: KEY,
  spec,
});
const start = async (object: object, ...more: string[]) =>
  bed.start(['plan', '-f', await file(object), ...more], { kubeconfig: bed.administrator });
const ask = async (object: object, ...more: string[]) => (await start(object, ...more)).ended;

test('what OCM selects by a trial is what the plan rests on, and the trial is gone afterwards', async () => {
  const before = await bed.hub.kube.get<Placement & KubeObject>(PLACEMENT, KEY);
  const asked = await start(placement({ clusterSets: ['edge'] }), '-o', 'json');
  const { metadata, ...made } = await trial();
  expect(made).toMatchObject({ spec: { clusterSets: ['edge'] } });
  await decide(metadata.name, ['site-9']);
  const { code, out } = await asked.ended;
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    selected: ['site-9'],
    outlooks: [{ name: 'apps/there', does: 'Stays', to: 'site-8', reason: 'NotSelected', isEstimate: false }],
  });
  expect(await trials()).toEqual([]);
  expect(await bed.hub.kube.get(PLACEMENT, KEY)).toEqual(before);
});

test('a Placement that OCM cannot read is told of in OCM’s words', async () => {
  const asked = await start(placement({ clusterSets: ['edge'] }));
  const { metadata } = await trial();
  await say(metadata.name, 'PlacementMisconfigured', 'Misconfigured');
  expect(await asked.ended).toMatchObject({
    code: 2,
    err: expect.stringContaining(`OCM cannot select by this Placement: as ${metadata.name} asks.`),
  });
  expect(await trials()).toEqual([]);
});

test('an interrupted plan leaves no trial', async () => {
  const asked = await start(placement({ clusterSets: ['edge'] }));
  await trial();
  asked.interrupt();
  expect(await asked.ended).toMatchObject({ err: expect.stringContaining('Interrupted.') });
  expect(await trials()).toEqual([]);
});

test('an RCSConfig is planned without a trial and without a write', async () => {
  const spec = { ...SPEC, placements: ['another'] };
  const { apiVersion, kind } = RCS_CONFIG;
  const edit = { apiVersion, kind, metadata: RCS_CONFIG_KEY, spec };
  const before = await bed.hub.kube.get<KubeObject>(RCS_CONFIG, RCS_CONFIG_KEY);
  const { code, out } = await ask(edit);
  expect({ code, head: out.split('\n')[0] }).toEqual({
    code: 0,
    head: expect.stringMatching(
      /^With RCSConfig .+ as in .+edit\.yaml, 1 would stay\. Nothing has been changed\.$/,
    ),
  });
  expect(await bed.hub.kube.get(RCS_CONFIG, RCS_CONFIG_KEY)).toEqual(before);
  expect((await ask({ ...edit, spec: SPEC })).out).toMatch(/^Nothing would change: /);
});

test('what is no edit of what selects sites is refused in one sentence', async () => {
  const { apiVersion, kind } = RCS_CONFIG;
  const refused: readonly [object, number, RegExp][] = [
    [{ kind: 'ConfigMap', metadata: { name: 'x' } }, 2, /must have one Placement or one RCSConfig/],
    [{ ...placement({}), metadata: { ...KEY, name: 'unknown' } }, 5, /There is no Placement .+\/unknown yet/],
    [
      { apiVersion, kind, metadata: { namespace: 'other', name: 'rcs-config' } },
      2,
      /which the hub does not read/,
    ],
  ];
  for (const [object, code, said] of refused) {
    const ended = await ask(object);
    expect({ object, code: ended.code, err: ended.err }).toEqual({
      object,
      code,
      err: expect.stringMatching(said),
    });
  }
  expect(await trials()).toEqual([]);
});
