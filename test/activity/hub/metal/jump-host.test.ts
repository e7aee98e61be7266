// A jump host with a real sshd: who may log in and who may not, what can be done there, and what cannot.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostKeyOf, publicLineOf } from '../../../../activities/hub/metal/services/host-key.ts';
import type { ServedHost } from '../../../../activities/hub/metal/services/hosts.ts';
import { instancesOf } from '../../../../activities/hub/metal/services/instances.ts';
import { jumpHost, type JumpInstance } from '../../../../activities/hub/metal/services/jump-host.ts';
import type { SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import { debianProgram } from '../../../../deploy/local/programs/debian.ts';
import { noProgress } from '../../../../deploy/local/terminal.ts';
import { startApiServer, type ApiServerForTests } from '../../../support/servers/api/api-server.ts';
import { startJumpPod, type JumpPod } from '../../../support/testbeds/metal/jump-pod.ts';
import {
  comeBySsh,
  freePort,
  keyPair,
  run,
  startBmc,
  type Reset,
} from '../../../support/testbeds/metal/jump-visit.ts';

const dir = mkdtempSync(join(tmpdir(), 'cappstan-jump-host-'));
const PASSWORD = 'c4n4ry "S3cret"\\';

let tenant: ApiServerForTests;
let bmc: Server;
let pod: JumpPod;
let keys: Readonly<Record<'one' | 'two' | 'stranger', string>>;
let known: string;
const resets: Reset[] = [];

beforeAll(async () => {
  const sshd = await debianProgram('sshd', noProgress);
  tenant = await startApiServer();
  const [one, two, stranger] = await Promise.all([
    keyPair(dir, 'one', 'rsa'),
    keyPair(dir, 'two', 'ed25519'),
    keyPair(dir, 'stranger', 'ed25519'),
  ]);
  keys = { one: one.file, two: two.file, stranger: stranger.file };
  bmc = await startBmc(dir, resets);
  const { port: bmcPort } = bmc.address() as AddressInfo;
  const cluster: SipCluster = {
    metadata: { namespace: 'metal', name: 'edge', uid: 'u' },
    spec: {
      services: {
        jumpHost: [
          {
            image: 'jump:1',
            nodePort: 0,
            nodeInterfaceId: 'oam',
            sshAuthorizedKeys: [one.line, two.line],
            nodeSSHPrivateKeys: 'node-keys',
          },
        ],
      },
    },
  };
  const [instance] = instancesOf(cluster) as JumpInstance[];
  if (instance === undefined) throw new Error('no jump host');
  const host = (name: string, system: string | null): ServedHost => ({
    name,
    role: 'Worker',
    addresses: new Map([['oam', '127.0.0.1']]),
    bmc: {
      authority: `127.0.0.1:${bmcPort}`,
      system,
      isInsecure: true,
      username: 'root',
      password: PASSWORD,
    },
  });
  const hosts = [host('w1', `https://127.0.0.1:${bmcPort}/redfish/v1/Systems/1`), host('w2', null)];
  const hostKey = hostKeyOf(undefined);
  const made = jumpHost(cluster, instance, { hosts, hostKey, privateKeys: ['id'] });
  const { stdout: kubeconfig } = await run('kubectl', [
    'config',
    'view',
    '--raw',
    '--flatten',
    `--kubeconfig=${tenant.kubeconfig}`,
  ]);
  const stored = {
    'Secret/node-keys': { id: readFileSync(two.file, 'utf8') },
    'Secret/edge-kubeconfig': { value: kubeconfig },
  };
  const port = await freePort();
  pod = await startJumpPod(made, stored, sshd, port);
  known = join(dir, 'known_hosts');
  writeFileSync(known, `[127.0.0.1]:${port} ${publicLineOf(hostKey)}\n`);
}, 300_000);
afterAll(async () => {
  pod?.stop();
  bmc?.closeAllConnections();
  bmc?.close();
  await tenant?.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** As a person would, with the key of the host that the ConfigMap says. */
const ssh = (key: string, command: readonly string[], options: readonly string[] = [], user = 'ubuntu') =>
  comeBySsh({ port: pod.port, known }, key, command, { options, user });

test('each of the given keys may log in as ubuntu, and the key of the host is the one that is published', async () => {
  for (const key of [keys.one, keys.two])
    expect(await ssh(key, ['id', '-un'])).toEqual({ ok: true, stdout: 'ubuntu\n', stderr: '' });
});

test('nobody else may: another key, another user, no password', async () => {
  expect(await ssh(keys.stranger, ['true'])).toMatchObject({
    ok: false,
    stderr: expect.stringContaining('Permission denied (publickey)') as string,
  });
  expect(await ssh(keys.one, ['true'], [], 'root')).toMatchObject({
    ok: false,
    stderr: expect.stringContaining('Permission denied (publickey)') as string,
  });
  const passwords = [
    '-o',
    'PreferredAuthentications=password,keyboard-interactive',
    '-o',
    'PubkeyAuthentication=no',
  ];
  expect(await ssh(keys.one, ['true'], passwords)).toMatchObject({
    ok: false,
    stderr: expect.stringContaining('Permission denied (publickey)') as string,
  });
});

test('nothing is forwarded: no port, no agent', async () => {
  expect(await ssh(keys.one, [], ['-W', `127.0.0.1:${pod.port}`])).toMatchObject({ ok: false });
  const remote = ['-o', 'ExitOnForwardFailure=yes', '-R', '0:127.0.0.1:1'];
  expect(await ssh(keys.one, ['true'], remote)).toMatchObject({ ok: false });
  expect(await ssh(keys.one, ['echo', '"agent:$SSH_AUTH_SOCK"'], ['-A'])).toMatchObject({
    stdout: 'agent:\n',
  });
});

test('kubectl speaks to the tenant’s cluster, by its kubeconfig', async () => {
  expect(await ssh(keys.one, ['kubectl', 'get', '--raw', '/readyz'])).toMatchObject({
    ok: true,
    stdout: 'ok',
  });
  expect(await ssh(keys.one, ['kubectl', 'get', 'namespace', 'kube-system', '-o', 'name'])).toMatchObject({
    stdout: 'namespace/kube-system\n',
  });
});

test('hosts are reached by their names with the keys of the Secret', async () => {
  const onward = [
    'ssh',
    '-o',
    'StrictHostKeyChecking=accept-new',
    '-o',
    'BatchMode=yes',
    '-p',
    String(pod.port),
  ];
  for (const name of ['w1', 'w2'])
    expect(await ssh(keys.one, [...onward, name, 'id', '-un'])).toMatchObject({
      ok: true,
      stdout: 'ubuntu\n',
    });
});

describe('the command host', () => {
  test('names the hosts, and says how it is used', async () => {
    expect(await ssh(keys.one, ['host', 'list'])).toMatchObject({ ok: true, stdout: 'w1\nw2\n' });
    expect(await ssh(keys.one, ['host'])).toMatchObject({
      ok: true,
      stdout: expect.stringContaining('host reboot NAME') as string,
    });
  });

  test('restarts one by Redfish, and has no password in its words or arguments', async () => {
    const { ok, stdout, stderr } = await ssh(keys.one, ['sh', '-x', '/opt/sip/bin/host', 'reboot', 'w1']);
    expect({ ok, stderr }).toMatchObject({ ok: true });
    expect(`${stdout}${stderr}`).not.toContain('c4n4ry');
    expect(resets).toEqual([
      {
        url: '/redfish/v1/Systems/1/Actions/ComputerSystem.Reset',
        user: `root:${PASSWORD}`,
        body: '{"ResetType":"GracefulRestart"}',
      },
    ]);
  });

  test('says what it cannot do', async () => {
    expect(await ssh(keys.one, ['host', 'reboot', 'w9'])).toMatchObject({
      ok: false,
      stderr: expect.stringContaining("there is no host 'w9'") as string,
    });
    expect(await ssh(keys.one, ['host', 'reboot'])).toMatchObject({ ok: false });
    expect(await ssh(keys.one, ['host', 'reboot', 'w2'])).toMatchObject({
      ok: false,
      stderr: expect.stringContaining('no BMC with a Redfish system') as string,
    });
    expect(resets).toHaveLength(1);
  });
});
