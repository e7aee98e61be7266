// `kubectl capp doctor` on a real API server with the chart's objects and the real webhook: silent when all
// is well, a line for what is broken.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CAPP_DEFINITION } from '../../../crds/definitions/definitions.ts';
import { HUB_STATUS, HUB_STATUS_NAME } from '../../../crds/hub/hub-status.ts';
import { applyObjects } from '../../../deploy/local/kubernetes/apply.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { forHub } from '../../support/servers/chart/chart.ts';
import type { WebhookForTests } from '../../support/servers/chart/webhook.ts';
import { CANARIES, plantCanaries, removeCanaries } from '../../support/testbeds/hub/canaries.ts';
import { cappOf, sayTemporal, startWellHub } from '../../support/testbeds/command/well-hub.ts';

let hub: WebhookForTests;
beforeAll(async () => {
  hub = await startWellHub();
}, 300_000);
afterAll(() => hub?.stop());

const capp = (...args: string[]) => cappOf(hub, ...args);
const doctor = (...flags: string[]) => capp('doctor', '-n', 'default', ...flags);

const WELL = { code: 0, out: '', err: '' };

test('it is silent when all is well, and says with --verbose where it read what only Temporal knows', async () => {
  // The webhook's caches and its certificate reach the API server within moments.
  await eventually(async () => ((await doctor()).code === 0 ? true : undefined));
  expect(await doctor()).toEqual(WELL);
  const { out, err } = await doctor('--verbose');
  expect(out).toBe('No faults were found.');
  expect(err).toContain('HubStatus hub');
});

test('it finds that the webhook does not answer, in the words of the API server', async () => {
  await hub.without(async () => {
    const { code, out } = await doctor();
    expect(code).toBe(6);
    expect(out).toMatch(
      /^✗ webhook: It does not answer, so Capps cannot be created or changed: .+refused\. .+Pods/,
    );
    expect(out).not.toContain('\n');
  });
});

test('it finds that Temporal does not answer, as the bridge has published it', async () => {
  await sayTemporal(hub.kube, false);
  const { code, out } = await doctor();
  expect({ code, out }).toEqual({
    code: 6,
    out: '✗ Temporal: It does not answer since 2026-03-01T12:00:00Z. Check that Temporal runs, and that the hub reaches temporal.address.',
  });
  await sayTemporal(hub.kube, true);
});

test('it finds that a policy of authors is gone', async () => {
  const base = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/cappstan-capp-authors';
  const policy = (await hub.kube.raw('GET', base)) as KubeObject;
  await hub.kube.raw('DELETE', base);
  const { code, out } = await doctor();
  expect(code).toBe(6);
  expect(out).toMatch(
    /^✗ policies: There is no ValidatingAdmissionPolicy cappstan-capp-authors, so .+ chart/,
  );
  const { resourceVersion: _old, uid: _gone, ...metadata } = policy.metadata;
  await applyObjects(hub.kube, [
    { ...policy, metadata: { name: metadata.name, labels: metadata.labels ?? {} } },
  ]);
  expect(await doctor()).toEqual(WELL);
});

test('it finds that the hub worker has lost a right', async () => {
  const role = (await forHub({})).find(
    ({ kind, metadata }) => kind === 'ClusterRoleBinding' && metadata.name === 'cappstan-hub',
  );
  if (role === undefined) throw new Error('There is no ClusterRoleBinding cappstan-hub in the chart');
  const path = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/cappstan-hub';
  await hub.kube.raw('DELETE', path);
  const found = await eventually(async () => {
    const { code, out } = await doctor();
    return code === 6 ? out : undefined;
  });
  expect(found).toContain('ServiceAccount cappstan-system/cappstan-hub may not patch capps/status.');
  await applyObjects(hub.kube, [role]);
  await eventually(async () => ((await doctor()).code === 0 ? true : undefined));
});

test('what a person may not read is named, and is no fault', async () => {
  const { code, out, err } = await doctor('--as', 'stranger');
  expect({ code, out }).toEqual({ code: 0, out: '' });
  expect(err).toContain('You may not read, so this was not looked at: ');
  for (const what of ['deployments', 'managedclusters', 'the webhook', 'capps']) expect(err).toContain(what);
});

test('with --verbose it says when certificates end, and with --pre that this hub could be installed on', async () => {
  const { err } = await doctor('--verbose');
  expect(err).toMatch(/Certificate of your client certificate: ends \d{4}-.+Z, in \d+[dh]\./);
  expect(err).toMatch(/Certificate of the authority of the webhook, which the API server trusts: ends /);
  const before = await capp('doctor', '--pre', '-v', '-n', 'cappstan-system');
  expect({ ...before, err: '' }).toEqual({
    code: 0,
    err: '',
    out: 'Nothing keeps Cappstan from being installed on this hub.',
  });
  expect(before.err).toMatch(/^This hub runs Kubernetes v1\.\d+/);
  const stranger = await capp('doctor', '--pre', '-n', 'cappstan-system', '--as', 'stranger');
  expect(stranger.code).toBe(6);
  expect(stranger.out).toMatch(
    /^✗ rights: You may not create customresourcedefinitions, .*create deployments in namespace cappstan-system/,
  );
  expect(await doctor('--temporal', 'temporal:7233')).toMatchObject({
    code: 2,
    err: '--temporal is for a look before an installation: give --pre as well, or leave it out.',
  });
});

test('the version is told of the program, the hub and its sites, and of what a person may read', async () => {
  const key = { namespace: null, name: HUB_STATUS_NAME };
  const status = { bridge: '0.2.0', hubWorkers: { polling: true, current: '0.2.0-3' } };
  await hub.kube.patch(HUB_STATUS, key, { status }, { subresource: 'status' });
  const { code, out } = await capp('version');
  expect(code).toBe(0);
  expect(out).toMatch(
    /\nclient +0\.1\.0 +-\nhub +0\.2\.0 +hub workers: 0\.2\.0-3\nagents +unknown +on site-1\n/,
  );
  expect(out).toContain('This program is 0.1.0, and the hub 0.2.0');
  const stranger = await capp('version', '--as', 'stranger');
  expect(stranger.err).toBe(
    'You may not read hubstatuses, which say the version of the hub, nor managedclusters, which say those of the agents.',
  );
  const gone = { bridge: null, hubWorkers: null };
  await hub.kube.patch(HUB_STATUS, key, { status: gone }, { subresource: 'status' });
});

describe('a report', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cappstan-report-'));
    await plantCanaries(hub.kube);
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await removeCanaries(hub.kube);
  });

  async function contentOf(file: string): Promise<Record<string, string>> {
    const unpacked = join(folder, 'unpacked');
    await mkdir(unpacked, { recursive: true });
    await promisify(execFile)('tar', ['-xzf', file, '-C', unpacked]);
    const inside = join(unpacked, 'cappstan-report');
    const names = await readdir(inside);
    return Object.fromEntries(
      await Promise.all(
        names.map(async (name) => [name, await readFile(join(inside, name), 'utf8')] as const),
      ),
    );
  }

  it('has what helps, and nothing of the canaries that stand wherever a secret may', async () => {
    const file = join(folder, 'report.tar.gz');
    const { code, out, err } = await capp('report', '--file', file);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`Wrote ${file}.`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const files = await contentOf(file);
    const all = JSON.stringify(files);
    for (const form of CANARIES) expect(all).not.toContain(form);
    // It would be no report if nothing of these stood in it.
    for (const [name, what] of [
      ['capps.json', '"TOKEN"'],
      ['capps.json', 'app:v1'],
      ['cappsets.json', '"placement": "all"'],
      ['bundles.json', '"door"'],
      ['manifestworks.json', 'must be base64'],
      ['events.json', '"Said"'],
      ['deployments.json', 'cappstan-hub'],
      ['managedclusters.json', 'site-1'],
      ['doctor.json', 'faults'],
      ['versions.json', 'gitVersion'],
    ] as const)
      expect({ name, found: files[name]?.includes(what) }).toEqual({ name, found: true });
    expect(await capp('report', '--file', file)).toMatchObject({
      code: 2,
      err: `There is a file ${file} already: name another file with --file.`,
    });
  });

  it('of a person with few rights has what they may read, and names the rest', async () => {
    const file = join(folder, 'few.tar.gz');
    const { code, err } = await capp('report', '-n', 'default', '--file', file, '--as', 'stranger');
    expect(code).toBe(0);
    expect(err).toContain('You may not read, so this is missing: capps, ');
    expect(JSON.parse((await contentOf(file))['unread.json'] ?? '')).toContain('managedclusters');
  });
});

test('it finds that Capps are not served any more, as JSON too', async () => {
  await hub.kube.raw(
    'DELETE',
    `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${CAPP_DEFINITION.metadata.name}`,
  );
  const found = await eventually(async () => {
    const { out } = await doctor('-o', 'json');
    const { faults } = JSON.parse(out) as { faults: { about: string; problem: string }[] };
    return faults.find(({ about }) => about === 'definitions');
  });
  expect(found.problem).toBe('The API server does not serve capps.rcs.dana.io.');
});
