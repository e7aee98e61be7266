// `cappstan base` with charts, by a real helm on a real API server. The chart is packed here, under the name
// and version of the real one, which is in a registry.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import {
  CONFIG_MAP,
  CUSTOM_RESOURCE_DEFINITION,
  SECRET,
  type ConfigMap,
  type Secret,
} from '../../../crds/kubernetes/core.ts';
import { toolPath } from '../../../deploy/local/programs/tools.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { API_TIMEOUT_MS, eventually } from '../../../testbed/eventually.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api/api-server.ts';
import { everythingOn, versionsOn } from '../../support/servers/api/everything.ts';
import { processLines } from '../../support/servers/hub-command/processes-seen.ts';
import { baseCommand } from '../../support/servers/joining/join-command.ts';

const PASSWORD = 'a-password-of-nfs';
const AT = 'nfspvc-operator-system';
const SERVICE = { apiVersion: 'v1', kind: 'Service', plural: 'services', namespaced: true };

let folder: string;
let server: ApiServerForTests;
let site: Kube;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'base-charts-'));
  server = await startApiServer();
  site = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await packed();
  // The API server makes it itself, a moment after it is ready.
  await eventually(
    async () => (await site.get(SERVICE, { namespace: 'default', name: 'kubernetes' })) ?? undefined,
  );
}, 120_000);
afterAll(async () => {
  await site?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

function definition(group: string, kind: string): KubeObject {
  const [singular, plural] = [kind.toLowerCase(), `${kind.toLowerCase()}s`];
  const schema = { openAPIV3Schema: { type: 'object' } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  } as KubeObject;
}

/** A chart that takes a password and a size, and refuses passwords that are short. */
async function packed(): Promise<void> {
  const chart = join(folder, 'chart');
  const files: Readonly<Record<string, string>> = {
    'Chart.yaml': stringify({ apiVersion: 'v2', name: 'nfspvc-operator', version: 'v0.5.2' }),
    'values.yaml': stringify({ password: 'unset-password', size: '1Gi' }),
    'values.schema.json': JSON.stringify({ properties: { password: { pattern: '^[a-z-]{10,}$' } } }),
    'crds/nfspvcs.yaml': stringify(definition('nfspvc.dana.io', 'NfsPvc')),
    'templates/secret.yaml':
      'apiVersion: v1\nkind: Secret\nmetadata: { name: nfs }\nstringData: { password: "{{ .Values.password }}", size: "{{ .Values.size }}" }\n',
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(chart, name, '..'), { recursive: true });
    await writeFile(join(chart, name), text);
  }
  await promisify(execFile)(toolPath('helm'), ['package', chart, '--destination', folder]);
}

async function valuesIn(name: string, values: object): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, stringify(values));
  return `nfs=${file}`;
}

/** What the command says, and every command line that anybody on the machine sees meanwhile. */
async function base(...flags: string[]): Promise<{ code: number | null; output: string; lines: string }> {
  const all = ['--kubeconfig', server.kubeconfig, '--manifests', folder, '--parts', 'nfs', ...flags];
  const { ended } = baseCommand(all);
  const seen = new Set<string>();
  const stop = new AbortController();
  const watching = (async () => {
    while (!stop.signal.aborted) {
      for (const line of processLines()) seen.add(line);
      await new Promise((resume) => void setTimeout(resume, 5));
    }
  })();
  const { code, output } = await ended;
  stop.abort();
  await watching;
  return { code, output, lines: [...seen].join('\n') };
}

async function kept(): Promise<Readonly<Record<string, string>>> {
  const { data = {} } = (await site.get<Secret>(SECRET, { namespace: AT, name: 'nfs' })) ?? {};
  return Object.fromEntries(Object.entries(data).map(([name, text]) => [name, atob(text)]));
}

test('nfs wants cert-manager, and is not brought without', async () => {
  const before = await everythingOn(site);
  const { code, output } = await base();
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringMatching(/because cert-manager is not there, which it wants\. Run: helm/) as string,
  });
  expect(await everythingOn(site)).toEqual(before);
});

test('a dry run has helm try the chart with the values, and nothing is written', async () => {
  await site.create(CUSTOM_RESOURCE_DEFINITION, definition('cert-manager.io', 'Certificate'));
  const before = await everythingOn(site);
  const { code, output } = await base(
    '--dry-run',
    '--values',
    await valuesIn('good', { password: PASSWORD }),
  );
  expect(code).toBe(0);
  expect(output).toContain('nfs 0.5.2 comes: ');
  expect(output).toContain('Nothing was written.');
  const short = await base('--dry-run', '--values', await valuesIn('short', { password: 'SHORT1' }));
  expect(short.code).toBe(1);
  // helm quotes what it refuses.
  expect(short.output).toContain('password');
  expect(short.output).not.toContain('SHORT1');
  expect(await everythingOn(site)).toEqual(before);
});

test('it is brought with what the file says, and the password is in no command line and no output', async () => {
  const { code, output, lines } = await base('--values', await valuesIn('good', { password: PASSWORD }));
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringContaining('Bringing nfs: done') as string,
  });
  expect(await kept()).toEqual({ password: PASSWORD, size: '1Gi' });
  expect(lines).toContain('--reset-then-reuse-values');
  expect(lines + output).not.toContain(PASSWORD);
  const note = await site.get<ConfigMap>(CONFIG_MAP, { namespace: 'kube-system', name: 'cappstan-base' });
  expect(note?.data).toEqual({ nfs: '0.5.2' });
});

test('a second run writes nothing, and one with other values keeps those of the first', async () => {
  const before = await versionsOn(site);
  expect((await base()).output).toContain('nfs 0.5.2 is there by this command');
  expect(await versionsOn(site)).toEqual(before);
  expect((await base('--values', await valuesIn('more', { size: '9Gi' }))).code).toBe(0);
  expect(await kept()).toEqual({ password: PASSWORD, size: '9Gi' });
});

test('a run that ended before helm did is gone on with', async () => {
  const key = { namespace: 'kube-system', name: 'cappstan-base' };
  await site.patch(CONFIG_MAP, key, { data: { nfs: 'begun' } });
  await site.remove(SECRET, { namespace: AT, name: 'nfs' });
  expect((await base()).output).toContain('Bringing nfs: done');
  expect(await kept()).toEqual({ password: PASSWORD, size: '9Gi' });
});
