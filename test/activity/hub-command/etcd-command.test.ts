// `cappstan etcd`, three real members of it, with a hub on them.
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { cp, rename, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { stackProcesses } from '../../../deploy/local/supervise/stack-processes.ts';
import { openPorts } from '../../../deploy/local/supervise/ports.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import { API_TIMEOUT_MS, eventually } from '../../../testbed/eventually.ts';
import { longestGap, writesTo } from '../../support/servers/hub-command/asked.ts';
import {
  etcdCommand,
  runEtcdCommand,
  type EtcdCommandStarted,
} from '../../support/servers/hub-command/etcd-command.ts';
import { hubCommand, type HubCommand } from '../../support/servers/hub-command/hub-command.ts';
import { filesIn } from '../../support/servers/joining/files-seen.ts';

const LONG_MS = 240_000;
const KEPT = { namespace: null, name: 'kept' };

let folder: string;
let etcd: EtcdCommandStarted;
let hub: HubCommand;
let kube: Kube;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'etcd-command-test-'));
  etcd = await etcdCommand();
  await etcd.start();
  const ports = await openPorts(join(folder, 'ports.json'));
  hub = hubCommand({ api: await ports.of('api'), gateway: await ports.of('gateway') }).with(etcd.flags);
  await hub.start();
  kube = connect({ kubeconfig: hub.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await kube.create(NAMESPACE, { metadata: { name: KEPT.name } });
}, 600_000);
afterAll(async () => {
  await kube?.close();
  await hub?.remove();
  await etcd?.remove();
  await rm(folder, { recursive: true, force: true });
}, 120_000);

/** Kills a member and deletes its data; resolves when it is back with all that the others have. */
async function losesItsData(name: string): Promise<void> {
  const before = await etcd.members();
  const idOf = (members: typeof before): string | undefined => members.find((one) => one.name === name)?.ID;
  process.kill(await etcd.pidOf(name), 'SIGKILL');
  // All at once: the process is started again within a moment.
  const gone = join(folder, 'gone');
  await rename(join(etcd.dir, 'data', name), gone);
  await rm(gone, { recursive: true });
  await isBack(name, idOf(before) ?? '');
}

async function idsOf(name: string): Promise<readonly string[]> {
  return (await etcd.members()).filter((one) => one.name === name).map(({ ID }) => ID);
}

async function isBack(name: string, formerId: string): Promise<void> {
  await eventually(
    async () => {
      const members = await etcd.members();
      // It is a new one: the former has forgotten what it promised.
      const isNew = members.some((one) => one.name === name && one.ID !== formerId);
      return members.length === 3 && isNew && (await etcd.keysOf(name)) > 100 ? true : undefined;
    },
    { withinMs: LONG_MS },
  );
}

test('the certificates are where multicluster-controlplane has them, and their owner alone reads them', () => {
  const files = filesIn(join(etcd.dir, 'cert-etcd'));
  const names = files.map((file) => basename(file));
  expect(names).toEqual(expect.arrayContaining(['ca.pem', 'client.pem', 'client-key.pem']));
  expect(new Set(files.map((file) => statSync(file).mode & 0o777))).toEqual(new Set([0o600]));
});

test('nobody gets in without its certificate, and a hub’s certificate makes no peer', async () => {
  const at = (file: string): Buffer => readFileSync(join(etcd.dir, 'cert-etcd', file));
  const says = (port: number, pair: object): Promise<string> =>
    new Promise((resolve) => {
      const options = { host: '127.0.0.1', port, path: '/version', ca: at('ca.pem'), agent: false, ...pair };
      request(options, (answer) => resolve(String(answer.resume().statusCode)))
        .once('error', ({ message }) => resolve(message))
        .end();
    });
  const client = { cert: at('client.pem'), key: at('client-key.pem') };
  expect(await says(etcd.port, client)).toBe('200');
  expect(await says(etcd.port, {})).not.toBe('200');
  const member = { cert: at('member.pem'), key: at('member-key.pem') };
  expect(await says(etcd.port + 1, member)).toBe('200');
  expect(await says(etcd.port + 1, client)).not.toBe('200');
});

test('a second command in the same directory, at another port, or in a folder of others is refused', async () => {
  const running = await runEtcdCommand(etcd.args);
  expect(running).toMatchObject({ code: 1 });
  expect(running.output).toContain(`An etcd runs in ${etcd.dir} already.`);
  const moved = await runEtcdCommand(['--data-dir', etcd.dir, '--port', '1', '--dry-run']);
  expect(moved).toMatchObject({ code: 1 });
  expect(moved.output).toContain(`was made with --port ${etcd.port}, and this is 1`);
  writeFileSync(join(folder, 'something'), '');
  const others = await runEtcdCommand(['--data-dir', folder, '--port', String(etcd.port)]);
  expect(others.output).toMatch(/is no etcd's, and holds/);
  const taken = await runEtcdCommand(['--data-dir', join(folder, 'new'), '--port', String(etcd.port)]);
  expect(taken.output).toContain(`Port ${etcd.port + 5} on 127.0.0.1 is taken by another program.`);
  expect(filesIn(folder).filter((file) => file.includes('/new/'))).toEqual([]);
});

test(
  'the hub stores on, never silent for five seconds, while the member that leads is killed and its data is deleted',
  async () => {
    const stop = new AbortController();
    const silent = longestGap(stop.signal, () => writesTo(hub));
    await losesItsData(await etcd.leader());
    stop.abort();
    expect(await silent).toBeLessThan(5_000);
  },
  LONG_MS,
);

test(
  'the same member may lose its data again, and another one after it',
  async () => {
    for (const name of ['etcd-1', 'etcd-1', 'etcd-2']) await losesItsData(name);
    await writesTo(hub);
  },
  3 * LONG_MS,
);

test('a supervisor that is killed comes back, and takes over what runs', async () => {
  const before = await etcd.pidOf('etcd-0');
  const supervisor = await etcd.pidOf('supervisor');
  process.kill(supervisor, 'SIGKILL');
  await eventually(async () => {
    const now = (await stackProcesses(etcd.dir)).find(({ name }) => name === 'supervisor');
    return now === undefined || now.pid === supervisor ? undefined : true;
  });
  expect(await etcd.pidOf('etcd-0')).toBe(before);
});

test(
  'started again it goes on where it was, also with a member whose data was deleted meanwhile',
  async () => {
    const [former = ''] = await idsOf('etcd-0');
    await hub.stop();
    expect(await etcd.stop()).toMatchObject({ code: 0 });
    await rm(join(etcd.dir, 'data', 'etcd-0'), { recursive: true });
    await etcd.start();
    await isBack('etcd-0', former);
    await hub.start();
    expect(await kube.get(NAMESPACE, KEPT)).not.toBeNull();
  },
  3 * LONG_MS,
);

test(
  'with a member that is damaged it starts again, says so, and has it back when its data is deleted',
  async () => {
    const [former = ''] = await idsOf('etcd-1');
    expect(await etcd.stop()).toMatchObject({ code: 0 });
    const place = join(etcd.dir, 'data', 'etcd-1');
    for (const file of filesIn(place).filter((name) => name.endsWith('.wal'))) writeFileSync(file, 'damaged');
    const said = await etcd.start();
    expect(said).toContain('Warning: etcd-1 is not ready. The other two go on');
    expect(said).toContain(`delete ${place}: it comes back as a new one.`);
    await writesTo(hub);
    await rename(place, join(folder, 'damaged'));
    await isBack('etcd-1', former);
  },
  3 * LONG_MS,
);

test(
  'a member whose disk is not mounted is not replaced, and goes on with what it has once it is',
  async () => {
    const disk = mkdtempSync('/dev/shm/etcd-command-test-');
    const place = join(etcd.dir, 'data', 'etcd-2');
    try {
      const former = await idsOf('etcd-2');
      await etcd.stop();
      await cp(place, disk, { recursive: true });
      await rm(place, { recursive: true });
      symlinkSync(disk, place);
      expect(await etcd.start()).not.toContain('Warning: etcd-2');
      await etcd.stop();
      await rm(place);
      mkdirSync(place);
      expect(await etcd.start()).toContain('Warning: etcd-2 is not ready. The other two go on');
      expect(await idsOf('etcd-2')).toEqual(former);
      rmdirSync(place);
      symlinkSync(disk, place);
      await eventually(async () => ((await etcd.keysOf('etcd-2')) > 100 ? true : undefined), {
        withinMs: LONG_MS,
      });
      expect(await idsOf('etcd-2')).toEqual(former);
      await etcd.stop();
    } finally {
      await rm(disk, { recursive: true });
    }
  },
  3 * LONG_MS,
);
