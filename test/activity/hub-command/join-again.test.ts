// A site that joins from the unpacked archive, though the command is killed, and joins again: after its token
// of the site was deleted, by a hub that was restored from before it joined, and through a proxy. At last it
// leaves a hub that is no more.
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { stringify, parse } from 'yaml';
import { CAPP } from '../../../crds/capp/capp.ts';
import { joinLine, parseJoinLine } from '../../../crds/join/join-line.ts';
import { CONFIG_MAP, NAMESPACE, SECRET } from '../../../crds/kubernetes/core.ts';
import { APPLIED_MANIFEST_WORK, MANIFEST_WORK, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import { AGENT_TOKEN } from '../../../deploy/join/account.ts';
import { applySample } from '../../../deploy/local/cappstan/sample.ts';
import { stackProcesses } from '../../../deploy/local/supervise/stack-processes.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { everythingOn } from '../../support/servers/api/everything.ts';
import { begin, type Begun, type Ended } from '../../support/servers/hub-command/begun.ts';
import { runHubCommand } from '../../support/servers/hub-command/hub-command.ts';
import { unpackedHub, type UnpackedHub } from '../../support/servers/hub-command/unpacked-hub.ts';
import { peersOf } from '../../support/servers/hub-command/processes-seen.ts';
import { startProxy, type ProxyForTests } from '../../support/servers/network/proxy.ts';
import { joinStage, type JoinStage } from '../../support/servers/joining/join-stage.ts';
import { killedAtEachStep } from '../../support/servers/joining/killed-hub.ts';

const LONG = { withinMs: 240_000 };
const SAMPLE = resolve(import.meta.dirname, '../../../deploy/samples/capp.yaml');
const CAPP_KEY = { namespace: 'hello', name: 'hello' };
const AGENT = 'shop-7-ocm-agent';

let stage: JoinStage;
let archive: UnpackedHub;
let line: string;
let siteBefore: readonly string[];
let plain: ProxyForTests | null = null;

const { dirOf, people, onSite, clusterOf, through } = joinStage((given) => {
  stage = given;
});
beforeAll(async () => {
  archive = await unpackedHub();
  siteBefore = await everythingOn(stage.site);
}, 600_000);
afterAll(async () => {
  await plain?.stop();
  await archive?.remove();
});

/** By the program of the archive. */
const by = (name: 'join' | 'leave', ...args: string[]): Begun =>
  begin(name, [...args, ...onSite('a')], archive.program);
const joined = async (...args: string[]): Promise<string> => {
  const { code, output } = await by('join', ...args).ended;
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringContaining('shop-7 has joined') as string,
  });
  return output;
};
const refusing = async (run: Begun): Promise<string> => {
  const { code, output } = await run.ended;
  expect({ code, output }).toMatchObject({ code: 1 });
  return output;
};
const onHubAct = (name: string, ...more: string[]): Promise<Ended> =>
  runHubCommand([name, ...more, '--data-dir', stage.hub.dir]);
const agentPid = async (): Promise<number | undefined> =>
  (await stackProcesses(dirOf('a'))).find(({ name }) => name === AGENT)?.pid;
/** A work of a ConfigMap has come to the site by OCM's agent. */
async function brings(name: string): Promise<void> {
  const made = { namespace: 'default', name };
  const manifests = [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: made, data: { a: 'b' } }];
  const work = { metadata: { namespace: 'shop-7', name }, spec: { workload: { manifests } } };
  await eventually(() => stage.onHub.create<ManifestWork>(MANIFEST_WORK, work), LONG);
  await eventually(async () => (await stage.site.get(CONFIG_MAP, made)) ?? undefined, LONG);
}

test('a directory that cannot be written, and a kubeconfig without an authority, are refused before anything is written', async () => {
  expect(await onHubAct('backup', dirOf('hub.tar.gz'))).toMatchObject({ code: 0 });
  ({ out: line } = await people('token', '--cluster', 'shop-7'));
  line = line.trim();
  const file = join(dirOf('cluster'), 'site-1.kubeconfig');
  for (const more of [[], ['--dry-run']]) {
    const within = begin(
      'join',
      [line, ...more, '--kubeconfig', file, '--data-dir', join(file, 'a')],
      archive.program,
    );
    expect(await refusing(within)).toMatch(/^--data-dir: .*site-1\.kubeconfig is a file\. Give a directory/m);
    const config = parse(readFileSync(file, 'utf8')) as { clusters: [{ cluster: Record<string, unknown> }] };
    delete config.clusters[0].cluster['certificate-authority-data'];
    config.clusters[0].cluster['insecure-skip-tls-verify'] = true;
    writeFileSync(dirOf('unknown.kubeconfig'), stringify(config));
    const unknown = ['--kubeconfig', dirOf('unknown.kubeconfig'), '--data-dir', dirOf('a')];
    expect(await refusing(begin('join', [line, ...more, ...unknown], archive.program))).toMatch(
      /^--kubeconfig: .* names no authority/m,
    );
  }
  expect(await everythingOn(stage.site)).toEqual(siteBefore);
});

test('a join that is killed while it prepares the site is done again', async () => {
  const killed = by('join', line);
  await Promise.race([
    eventually(
      async () =>
        (await stage.site.get(NAMESPACE, { namespace: null, name: AGENT_TOKEN.namespace })) ?? undefined,
      {
        everyMs: 20,
        ...LONG,
      },
    ),
    killed.ended.then(({ output }) => Promise.reject(new Error(output))),
  ]);
  killed.signal('SIGKILL');
  await killed.ended;
  expect(await stage.site.getMetadata(SECRET, AGENT_TOKEN)).toBeNull();
  expect(await agentPid()).toBeUndefined();
  await joined(line);
  await applySample(stage.onHub, SAMPLE);
  await eventually(async () => (await stage.site.get(CAPP, CAPP_KEY)) ?? undefined, LONG);
});

test('the token of its agent for the site does not end, and after it was deleted the same agent goes on with another one', async () => {
  const token = (): string => readFileSync(join(dirOf('a'), 'data', 'site-token'), 'utf8');
  const before = { token: token(), pid: await agentPid() };
  const claims = JSON.parse(Buffer.from(before.token.split('.')[1] ?? '', 'base64url').toString()) as object;
  expect(claims).toMatchObject({
    sub: 'system:serviceaccount:open-cluster-management-agent:klusterlet-work-sa',
  });
  expect(claims).not.toHaveProperty('exp');
  await stage.site.remove(SECRET, AGENT_TOKEN);
  await joined(line);
  expect(token()).not.toBe(before.token);
  expect(await agentPid()).toBe(before.pid);
  await brings('by-the-new-token');
});

test('a hub is restored from before it joined: its credential and its former line let it in no more', async () => {
  const { hub } = stage;
  await hub.stop('SIGKILL');
  await rm(hub.dir, { recursive: true });
  expect(await onHubAct('restore', dirOf('hub.tar.gz'))).toMatchObject({ code: 0 });
  await hub.start('nobody can come in');
  expect(await onHubAct('admit')).toMatchObject({ code: 0 });
  await hub.says('The hub is running');
  const said = await refusing(by('join', line));
  expect(said).toContain('The hub does not let the agent of shop-7 in any more.');
  expect(said).toContain('cappstan token --cluster shop-7');
});

test('by a new line, whose secret a dry run tries as well, it joins again and keeps what it has, though the hub is killed at each step', async () => {
  const next = (await people('token', '--cluster', 'shop-7')).out.trim();
  const known = parseJoinLine(next);
  if (known === null) throw new Error(`no line: ${next}`);
  const forged = joinLine({ ...known, token: { ...known.token, secret: 'a'.repeat(16) } });
  for (const more of [[], ['--dry-run']])
    expect(await refusing(by('join', forged, ...more))).toContain('does not know the token');
  const dry = await by('join', next, '--dry-run').ended;
  expect(dry).toMatchObject({ code: 0, output: expect.stringContaining('the agent comes again') as string });
  expect(await clusterOf('shop-7')).toMatchObject({ spec: { hubAcceptsClient: false } });
  const joining = by('join', next);
  const killedAt = await killedAtEachStep(joining, stage.hub);
  const { code, output } = await joining.ended;
  expect({ code, output }).toMatchObject({ code: 0 });
  expect(output).toContain('shop-7 has joined');
  // Of the steps that are over in a moment not each is seen.
  expect(killedAt.length).toBeGreaterThan(1);
  expect(await clusterOf('shop-7')).toMatchObject({ spec: { hubAcceptsClient: true } });
  expect(await stage.site.get(CAPP, CAPP_KEY)).not.toBeNull();
  const agent = await agentPid();
  await joined(next);
  expect(await agentPid()).toBe(agent);
  line = next;
});

test.each(['with TLS and credentials', 'plain'])(
  'it comes by another way without a token: the same command with a proxy, %s',
  async (kind) => {
    const proxy = kind === 'plain' ? (plain = await startProxy()) : stage.proxy;
    expect(proxy.tunnels).toEqual([]);
    await joined(line, ...(kind === 'plain' ? ['--proxy', proxy.url] : through()));
    await brings(`by-the-proxy-${kind.split(' ')[0]}`);
    expect(proxy.tunnels).toContain(`127.0.0.1:${stage.doors.api}`);
    const agent = await agentPid();
    expect(peersOf(agent ?? 0)).toContain(Number(new URL(proxy.url).port));
    expect(peersOf(agent ?? 0)).not.toContain(stage.doors.api);
  },
);

test('it leaves a hub that is no more when a person has seen what goes, and nothing stays', async () => {
  const { hub, site } = stage;
  expect(await refusing(by('leave', '--hub-is-gone'))).toContain('so it is not gone');
  await hub.stop('SIGKILL');
  expect(await refusing(by('leave'))).toContain('--hub-is-gone');
  const list = await refusing(by('leave', '--hub-is-gone'));
  expect(list).toContain('Capp hello/hello, with all that it runs.');
  expect(list).toContain('Work by-the-proxy-plain: configmaps default/by-the-proxy-plain.');
  expect(await refusing(by('leave', '--hub-is-gone', '--lose', '0123456789'))).toContain(
    'This is not the list',
  );
  expect((await site.list(APPLIED_MANIFEST_WORK)).items.length).toBeGreaterThan(2);
  const [, digest = ''] = /go on with --lose ([\da-f]{10})\.$/m.exec(list) ?? [];
  const left = await by('leave', '--hub-is-gone', '--lose', digest).ended;
  expect(left).toMatchObject({ code: 0 });
  await eventually(async () => {
    const more = (await everythingOn(site)).filter((one) => !siteBefore.includes(one));
    if (more.length > 0) throw new Error(more.join('\n'));
    return true;
  }, LONG);
});
