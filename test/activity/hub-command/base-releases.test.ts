// `cappstan base` beside what people do to the releases of its charts, by a real helm on a real API server
// without controllers: where a Deployment is to run, the test says so itself.
import { execFile, spawn } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CONFIG_MAP, DEPLOYMENT, SECRET, type ConfigMap } from '../../../crds/kubernetes/core.ts';
import { bringBase, checkBase, type CheckedBase } from '../../../deploy/join/base/base.ts';
import { wishesOf } from '../../../deploy/join/base/command-line.ts';
import { releaseOn } from '../../../deploy/join/base/release.ts';
import { partOf, type Chart } from '../../../deploy/join/base/parts.ts';
import { bringChart } from '../../../deploy/join/base/site.ts';
import { toolPath } from '../../../deploy/local/programs/tools.ts';
import { PUBLISHED } from '../../../deploy/local/published/pins.ts';
import { builtPath } from '../../../deploy/local/published/read.ts';
import type { Progress } from '../../../deploy/local/terminal.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import { API_TIMEOUT_MS, eventually } from '../../../testbed/eventually.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api/api-server.ts';
import { versionsOn } from '../../support/servers/api/everything.ts';
import { CHART_AT, packChart } from '../../support/servers/joining/packed-chart.ts';

const NOTE = { namespace: 'kube-system', name: 'cappstan-base' };
const RELEASE = ['nfspvc-operator', '--namespace', CHART_AT] as const;
const NFS = partOf('nfs').chart as Chart;
const webhooks = (kind: string) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced: false,
});

let folder: string;
let server: ApiServerForTests;
let site: Kube;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'base-releases-'));
  server = await startApiServer();
  site = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await packChart(folder);
  await copyFile(builtPath(PUBLISHED.certManager), join(folder, PUBLISHED.certManager.file));
}, 120_000);
afterAll(async () => {
  await site?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const check = (parts: string, values?: string): Promise<CheckedBase> =>
  checkBase(
    { site, kubeconfig: server.kubeconfig },
    wishesOf(parts, { manifests: folder, ...(values === undefined ? {} : { values }) }),
    false,
  );
const nothing: Progress = { say: () => undefined, step: (_text, work) => work(() => undefined) };
const noted = async () => (await site.get<ConfigMap>(CONFIG_MAP, NOTE))?.data;
const released = () => releaseOn(server.kubeconfig, NFS);

async function helm(...args: string[]): Promise<void> {
  await promisify(execFile)(toolPath('helm'), [...args, '--kubeconfig', server.kubeconfig]);
}

/** As a terminal that goes away ends it, while it waits for Pods. */
async function interrupted(revision: number): Promise<void> {
  const chart = join(folder, 'nfspvc-operator-v0.5.2.tgz');
  const args = ['upgrade', '--install', ...RELEASE, chart, '--create-namespace', '--set', 'slow=true'];
  const child = spawn(toolPath('helm'), [...args, '--wait', '--kubeconfig', server.kubeconfig]);
  const ended = new Promise((done) => void child.once('exit', done));
  await eventually(
    async () => (await site.get(DEPLOYMENT, { namespace: CHART_AT, name: 'slow' })) ?? undefined,
  );
  expect(
    await site.getMetadata(SECRET, {
      namespace: CHART_AT,
      name: `sh.helm.release.v1.nfspvc-operator.v${revision}`,
    }),
  ).not.toBeNull();
  child.kill('SIGHUP');
  await ended;
}

/** What the command refuses, and the line that it gives, run. */
async function undone(says: RegExp): Promise<void> {
  const error = (await check('nfs').catch((refused: unknown) => refused)) as Error;
  expect(error.message).toMatch(says);
  const [, line = ''] = /has begun: (.+)$/m.exec(error.message) ?? [];
  await promisify(execFile)('sh', ['-c', line]);
}

/** As the controller would, which does not run here. */
async function deploymentsSay(counts: object): Promise<void> {
  const namespace = 'cert-manager';
  for (const { metadata } of (await site.list(DEPLOYMENT, { namespace })).items) {
    const status = { observedGeneration: metadata.generation, ...counts };
    const key = { namespace, name: metadata.name };
    await site.patch(DEPLOYMENT, key, { status }, { subresource: 'status' });
  }
}

test('nfs comes in one run with the cert-manager that it wants, and not before that runs', async () => {
  const notes: string[] = [];
  const screen: Progress = { say: () => undefined, step: (_text, work) => work((note) => notes.push(note)) };
  const done = bringBase(site, await check('cert-manager,nfs'), screen).then(
    () => null,
    (error: unknown) => error,
  );
  const last = (text: string) => eventually(() => (notes.at(-1)?.includes(text) === true ? true : undefined));
  await last('Deployment cert-manager');
  await deploymentsSay({});
  const seen = notes.length;
  // The look after next began when all of them said so.
  await eventually(() => (notes.length >= seen + 2 ? true : undefined));
  expect(notes.at(-1)).toContain('Deployment cert-manager');
  await deploymentsSay({ replicas: 1, readyReplicas: 1, availableReplicas: 1 });
  await last('WebhookConfiguration cert-manager-webhook');
  expect(await released()).toBeNull();
  const [, value = ''] =
    /certificate-authority-data: (\S+)/.exec(await readFile(server.kubeconfig, 'utf8')) ?? [];
  const patch = [{ op: 'add', path: '/webhooks/0/clientConfig/caBundle', value }];
  for (const kind of ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration']) {
    await site.patch(webhooks(kind), { namespace: null, name: 'cert-manager-webhook' }, patch, {
      type: 'json',
    });
  }
  expect(await done).toBeNull();
  expect(await released()).toEqual({ version: '0.5.2', status: 'deployed' });
  expect(await noted()).toEqual({ 'cert-manager': '1.18.0', nfs: '0.5.2' });
});

test('where cert-manager is there already, helm tries nfs before anything is written', async () => {
  await site.patch(CONFIG_MAP, NOTE, { data: { nfs: 'begun' } });
  const file = join(folder, 'short.yaml');
  await writeFile(file, 'password: short\n');
  const before = await versionsOn(site);
  await expect(check('cert-manager,nfs', `nfs=${file}`)).rejects.toThrow('helm does not bring nfs');
  expect(await versionsOn(site)).toEqual(before);
});

test('helm is asked about the cluster of the kubeconfig, whatever the environment says', async () => {
  process.env['HELM_KUBEAPISERVER'] = 'https://127.0.0.1:1';
  const found = await released().finally(() => delete process.env['HELM_KUBEAPISERVER']);
  expect(found?.status).toBe('deployed');
});

test('an upgrade that was interrupted is refused with the line that undoes it, and gone on with then', async () => {
  await interrupted(2);
  await undone(/^nfs: a helm was interrupted there, .* \(pending-upgrade\).*helm rollback nfspvc-operator /);
  await bringBase(site, await check('nfs'), nothing);
  expect(await noted()).toMatchObject({ nfs: '0.5.2' });
});

test('a release that a person has taken away comes again, though its kinds were left', async () => {
  await helm('uninstall', ...RELEASE);
  const [step] = await check('nfs');
  expect(step?.act).toBe('helm');
});

test('a first installation that was interrupted is refused with the line that undoes it, and gone on with then', async () => {
  await site.patch(CONFIG_MAP, NOTE, { data: { nfs: null } });
  const run = bringChart(site, { part: 'nfs', version: '0.5.2' }, async () => {
    await interrupted(1);
    throw new Error('the terminal is gone');
  });
  await expect(run).rejects.toThrow('the terminal is gone');
  await undone(/\(pending-install\).*helm uninstall nfspvc-operator [^]*with the --values that it had/);
  await bringBase(site, await check('nfs'), nothing);
  expect(await released()).toEqual({ version: '0.5.2', status: 'deployed' });
  expect(await noted()).toMatchObject({ nfs: '0.5.2' });
});

test('what a person has upgraded by hand stays, also where there are new values', async () => {
  await helm('upgrade', ...RELEASE, await packChart(folder, { version: 'v0.9.0' }));
  const file = join(folder, 'values.yaml');
  await writeFile(file, 'size: 3Gi\n');
  const [step] = await check('nfs', `nfs=${file}`);
  expect(step).toMatchObject({ act: 'keep', chart: null });
  expect(step?.says.join('\n')).toMatch(
    /nfs is there \(0\.9\.0\), which somebody has changed .*\n.*not used/,
  );
});
