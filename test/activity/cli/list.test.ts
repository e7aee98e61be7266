// `kubectl capp list` and how the program fails, on a real API server with the rights of a tenant.
import { readFile, writeFile } from 'node:fs/promises';
import { aPlacedState, aState } from '../../support/builders/states.ts';
import { bareWork } from '../../support/testbeds/hub/bare-work.ts';
import { cliTestbed, type CliTestbed } from '../../support/testbeds/command/cli.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { PAUSED } from '../../../crds/labels.ts';
import { pathOf } from '../../../kube/resource.ts';
import { serves } from '../../../kube/discovery.ts';
import { eventually } from '../../../testbed/eventually.ts';
import type { State } from '../../../workflows/capp/state.ts';

let bed: CliTestbed;
beforeAll(async () => {
  bed = await cliTestbed();
  await placed('hello', aPlacedState());
  await placed('lost', aPlacedState({}, { finding: null, silentSince: Date.now() - 300_000 }));
  await placed(
    'homeless',
    aState({ placing: { reason: 'NoDecision', message: 'Placement all has decided for no cluster yet.' } }),
  );
}, 300_000);
afterAll(() => bed?.stop());

/** Makes a Capp whose status the hub has published from this state. */
async function placed(name: string, state: State): Promise<void> {
  const ref = await bed.hub.make({ name });
  if (state.serving !== null) await bareWork(bed.hub.kube, ref, state.serving);
  await bed.hub.hub.publish(ref, { ...state, capp: ref }, { record: null, mirror: null, at: Date.now() });
}

const lines = (text: string): string[] => text.trimEnd().split('\n');

describe('list', () => {
  it('shows each Capp of the namespace with site, phase and reason, without colours in a pipe', async () => {
    const { code, out, err } = await bed.run(['list', '-n', 'apps'], {
      env: { FORCE_COLOR: '1', CI: 'true' },
    });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(lines(out)[0]).toMatch(/^NAME +PHASE +SITE +REASON +SEEN +AGE$/);
    expect(lines(out)[1]).toMatch(/^hello +Ready +site-1 +Ready +now +\d+[sm]$/);
    expect(lines(out)[2]).toMatch(/^homeless +Placing +- +NoDecision +now +\d+[sm]$/);
    expect(lines(out)[3]).toMatch(/^lost +Degraded +site-1 +AgentSilent +5m ago +\d+[sm]$/);
    expect(out).not.toContain('\u001b');
  });

  it('gives programs the same facts as JSON and as YAML', async () => {
    const json = await bed.run(['list', '-n', 'apps', '-o', 'json']);
    const found = JSON.parse(json.out) as { name: string; phase: string; site: string | null }[];
    expect(found.map(({ name, phase, site }) => [name, phase, site])).toEqual([
      ['hello', 'Ready', 'site-1'],
      ['homeless', 'Placing', null],
      ['lost', 'Degraded', 'site-1'],
    ]);
    const yaml = await bed.run(['ls', '-n', 'apps', '--output=yaml']);
    expect(yaml.out).toContain('name: hello\n');
    const wide = await bed.run(['list', '-n', 'apps', '-o', 'wide']);
    expect(lines(wide.out)[0]).toContain('MESSAGE');
  });

  it('shows all namespaces to who may read them', async () => {
    const { code, out } = await bed.run(['list', '-A'], { kubeconfig: bed.administrator });
    expect(code).toBe(0);
    expect(lines(out)[1]).toMatch(/^apps +hello /);
  });

  it('is the same program as cappstan', async () => {
    const { out } = await bed.run(['list', '-n', 'apps'], { program: 'cappstan' });
    expect(out).toContain('hello');
  });

  it('acts as another user if the hub allows that', async () => {
    const asTenant = ['list', '-n', 'apps', '--as', 'tenant'];
    expect((await bed.run(asTenant, { kubeconfig: bed.administrator })).code).toBe(0);
    const asStranger = ['list', '-n', 'apps', '--as', 'stranger', '--as-group', 'a', '--as-group', 'b'];
    const refused = await bed.run(asStranger, { kubeconfig: bed.administrator });
    expect(refused).toMatchObject({ code: 4, out: '' });
    expect(refused.err).toContain('stranger may not read capps in namespace apps');
    expect((await bed.run(['list', '-n', 'apps', '--as', 'root'])).code).toBe(4);
  });
});

describe('list -w', () => {
  it('shows all Capps, then a line for each that has changed, until Ctrl-C', async () => {
    await placed('moves', aState());
    const run = bed.start(['list', '-n', 'apps', '-w']);
    const rows = (): string[] => lines(run.written()).filter((line) => line.startsWith('moves '));
    const until = (row: RegExp) =>
      eventually(async () => (row.test(rows().at(-1) ?? '') ? true : undefined), { withinMs: 30_000 });
    await until(/ Placing /);
    expect(lines(run.written())[0]).toMatch(/^NAME +SET +PHASE +SITE +REASON +SEEN +AGE$/);
    const key = { namespace: 'apps', name: 'moves' };
    await bed.hub.kube.patch(CAPP, key, {
      metadata: { annotations: { 'example.com/note': 'says nothing' } },
    });
    await bed.hub.kube.patch(CAPP, key, { metadata: { annotations: { [PAUSED]: 'true' } } });
    await until(/ Paused /);
    await bed.hub.kube.patch(CAPP, key, { metadata: { finalizers: null } });
    await bed.hub.kube.raw('DELETE', pathOf(CAPP, key));
    await until(/ Deleted /);
    run.interrupt();
    expect(await run.ended).toMatchObject({ code: 0, err: '' });
    // The note changed no line.
    expect(rows().map((row) => row.split(/ +/)[2])).toEqual(['Placing', 'Paused', 'Deleted']);
  });

  it('gives programs a line of JSON for each, and refuses who may not watch', async () => {
    const run = bed.start(['list', '-n', 'apps', '-w', '-o', 'json']);
    await eventually(async () => (lines(run.written()).length === 3 ? true : undefined));
    run.interrupt();
    const { out } = await run.ended;
    expect(lines(out).map((line) => (JSON.parse(line) as { name: string }).name)).toEqual([
      'hello',
      'homeless',
      'lost',
    ]);
    expect((await bed.run(['list', '-A', '-w'])).code).toBe(4);
  });
});

describe('tree', () => {
  it('leads from the Capp on the hub to what is on its site', async () => {
    const { code, out, err } = await bed.run(['tree', 'hello', '-n', 'apps']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(lines(out)).toEqual([
      expect.stringMatching(/^Capp apps\/hello +hub +generation 1, Ready$/),
      expect.stringMatching(/^└─ ManifestWork mw-create-apps-hello +hub +Applied$/),
      expect.stringMatching(/^ {3}└─ Capp apps\/hello +site-1 +Serving$/),
    ]);
    const json = await bed.run(['tree', 'hello', '-n', 'apps', '-o', 'json']);
    expect(JSON.parse(json.out)).toMatchObject({ kind: 'Capp', branches: [{ kind: 'ManifestWork' }] });
  });

  it('says what to do where there is none of that name', async () => {
    expect(await bed.run(['tree', 'nobody', '-n', 'apps'])).toMatchObject({
      code: 5,
      out: '',
      err: expect.stringContaining('kubectl capp list -n apps'),
    });
  });
});

describe('a failure is one sentence with a remedy and an exit code', () => {
  const change = async (to: (text: string) => string, from = bed.tenant): Promise<string> => {
    const file = `${from}.${Math.random().toString(36).slice(2)}`;
    await writeFile(file, to(await readFile(from, 'utf8')));
    return file;
  };
  const failed = async (
    args: readonly string[],
    code: number,
    kubeconfig: string,
    env = {},
  ): Promise<string> => {
    const ended = await bed.run(args, { kubeconfig, env });
    expect({ ...ended, err: lines(ended.err).length }).toEqual({ code, out: '', err: 1 });
    return ended.err;
  };

  it('for rights that are missing', async () => {
    expect(await failed(['list', '-A'], 4, bed.tenant)).toContain(
      'may not read capps in all namespaces. Name a namespace of yours with -n',
    );
    expect(await failed(['list', '-n', 'default'], 4, bed.tenant)).toContain(
      'role "view" or "edit" in default',
    );
  });

  it('for a context that does not exist, with those that do', async () => {
    expect(await failed(['list', '--context', 'nowhere'], 5, bed.tenant)).toMatch(
      /There is no context nowhere in .* \(it has test\): kubectl config get-contexts/,
    );
  });

  it('for a kubeconfig that does not exist, and for none', async () => {
    expect(await failed(['list'], 3, '/nowhere/config')).toBe(
      'There is no kubeconfig /nowhere/config: set KUBECONFIG, or name another file with --kubeconfig.\n',
    );
    expect(await failed(['list'], 3, '')).toContain('There is no kubeconfig: set KUBECONFIG');
  });

  it('for a hub that does not answer', async () => {
    const nowhere = await change((text) => text.replace(/server: .*/, 'server: https://127.0.0.1:1'));
    expect(await failed(['list'], 3, nowhere)).toContain(
      'The hub at https://127.0.0.1:1 (context test) does not answer. Check the network',
    );
  });

  it('for a hub whose certificate is not trusted', async () => {
    const strange = await change((text) => text.replace(/ +certificate-authority-data: .*\n/, ''));
    expect(await failed(['list'], 3, strange)).toContain('has a certificate that is not trusted');
  });

  it('for credentials that the hub does not accept or that cannot be had, which it never prints', async () => {
    const canary = 'c4n4ry-token';
    const user = (fields: string): ((text: string) => string) => {
      return (text) => text.replace(/client-certificate-data: .*\n( +)client-key-data: .*\n/, `${fields}\n`);
    };
    const token = await failed(['list'], 3, await change(user(`token: ${canary}`)));
    expect(token).toContain('does not accept the credentials of context test. Log in again');
    const plugin = `exec: { apiVersion: client.authentication.k8s.io/v1, command: sh, args: [-c, "echo ${canary} >&2; exit 1"], interactiveMode: Never }`;
    const login = await failed(['list'], 3, await change(user(plugin)));
    expect(login).toContain('Context test gives no credentials');
    expect(token + login).not.toContain(canary);
  });

  it('for a wrong command line', async () => {
    expect(await failed(['list', '-o', 'xml'], 2, bed.tenant)).toBe(
      'There is no output format "xml": use json, yaml, wide.\n',
    );
    const { code, err } = await bed.run(['lsit']);
    expect({ code, err: err.includes("unknown command 'lsit'") }).toEqual({ code: 2, err: true });
  });

  it('for a cluster without Capps, whatever the rights', async () => {
    const name = 'capps.rcs.dana.io';
    await bed.hub.kube.raw('DELETE', `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`);
    await eventually(async () => ((await serves(bed.hub.kube, CAPP)) ? undefined : true));
    for (const as of ['tenant', 'stranger'])
      expect(await failed(['list', '-n', 'apps', '--as', as], 5, bed.administrator)).toContain(
        'does not know Capps. Choose the hub with --context',
      );
  });
});
