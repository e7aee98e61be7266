// `cappstan base` with charts, by a real helm on a real API server. The chart is packed here, under the name
// and version of the real one, which is in a registry.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { CERTIFICATE } from '../../../crds/kubernetes/certificate.ts';
import {
  CONFIG_MAP,
  CUSTOM_RESOURCE_DEFINITION,
  SECRET,
  type ConfigMap,
  type Secret,
} from '../../../crds/kubernetes/core.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import { API_TIMEOUT_MS, eventually } from '../../../testbed/eventually.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api/api-server.ts';
import { bareDefinition } from '../../support/servers/api/definitions.ts';
import { everythingOn, versionsOn } from '../../support/servers/api/everything.ts';
import { processLines } from '../../support/servers/hub-command/processes-seen.ts';
import { baseCommand } from '../../support/servers/joining/join-command.ts';
import { CHART_AT, packChart } from '../../support/servers/joining/packed-chart.ts';

const PASSWORD = 'a-password-of-nfs';
const SERVICE = { apiVersion: 'v1', kind: 'Service', plural: 'services', namespaced: true };

let folder: string;
let server: ApiServerForTests;
let site: Kube;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'base-charts-'));
  server = await startApiServer();
  site = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await packChart(folder);
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
  const { data = {} } = (await site.get<Secret>(SECRET, { namespace: CHART_AT, name: 'nfs' })) ?? {};
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
  await site.create(CUSTOM_RESOURCE_DEFINITION, bareDefinition(CERTIFICATE));
  const before = await everythingOn(site);
  const { code, output } = await base(
    '--dry-run',
    '--values',
    await valuesIn('good', { password: PASSWORD }),
  );
  expect(code).toBe(0);
  expect(output).toContain('nfs 0.5.2 comes: ');
  expect(output).toContain('Nothing was written.');
  expect(await everythingOn(site)).toEqual(before);
});

test.each<[string, object, readonly string[]]>([
  ['a word of it is another value', { username: 'admin', password: 'admin-Sup3r' }, ['Sup3r']],
  ['it has several lines', { password: '-----BEGIN KEY-----\nMIIab"quoted\n' }, ['MIIab', 'BEGIN']],
  ['it is a number', { pin: 123_456_789 }, ['1.2345', '123456789']],
  ['it is short', { password: 'x7Q' }, ['x7Q']],
])('what helm refuses is not shown, also where %s', async (_case, values, secrets) => {
  const before = await everythingOn(site);
  const { code, output } = await base('--dry-run', '--values', await valuesIn('odd', values));
  expect(code).toBe(1);
  expect(output).toMatch(/helm does not bring nfs: it ended with 1\. .*run: .*--dry-run=server/);
  for (const secret of secrets) expect(output).not.toContain(secret);
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

test('what helm refuses of the values of an earlier run is not shown either', async () => {
  const key = { namespace: 'kube-system', name: 'cappstan-base' };
  await site.patch(CONFIG_MAP, key, { data: { nfs: 'begun' } });
  await packChart(folder, { password: '^[A-Z]+$' });
  const { code, output } = await base();
  expect({ code, output }).toEqual({
    code: 1,
    output: expect.stringContaining('may quote the values') as string,
  });
  expect(output).not.toContain(PASSWORD);
  await packChart(folder);
});

test('a run that ended before helm did is gone on with', async () => {
  const key = { namespace: 'kube-system', name: 'cappstan-base' };
  await site.patch(CONFIG_MAP, key, { data: { nfs: 'begun' } });
  await site.remove(SECRET, { namespace: CHART_AT, name: 'nfs' });
  expect((await base()).output).toContain('Bringing nfs: done');
  expect(await kept()).toEqual({ password: PASSWORD, size: '9Gi' });
});
