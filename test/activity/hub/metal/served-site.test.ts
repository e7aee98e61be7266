// The whole chain with what is in front of it: free hosts become a site, with load balancers and a jump host,
// and free hosts again. The API server of the hub, the tenant's API servers, HAProxy, sshd and kubectl are
// real; Metal³'s operator, who joins, the drain and the controllers of Deployments are played.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CONFIG_MAP,
  DEPLOYMENT,
  SECRET,
  type ConfigMap,
  type Secret,
} from '../../../../crds/kubernetes/core.ts';
import { BARE_METAL_HOST, type BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import { SIP_CLUSTER } from '../../../../crds/metal/sip-cluster.ts';
import { debianProgram, type Runnable } from '../../../../deploy/local/programs/debian.ts';
import { noProgress } from '../../../../deploy/local/terminal.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';
import type { Metal } from '../../../../workflows/metal/port.ts';
import { MetalOperator } from '../../../support/builders/metal/metal-operator.ts';
import { siteAsked } from '../../../support/builders/metal/sip-site.ts';
import { startApiServer, type ApiServerForTests } from '../../../support/servers/api/api-server.ts';
import { askOften, startBalancer, type Balancer } from '../../../support/testbeds/metal/balancer.ts';
import { startJumpPod, type JumpPod } from '../../../support/testbeds/metal/jump-pod.ts';
import { comeBySsh, freePort, keyPair, run } from '../../../support/testbeds/metal/jump-visit.ts';
import {
  holders,
  hubWithHosts,
  live,
  metalOn,
  role,
  roomFor,
  said,
} from '../../../support/testbeds/metal/metal.ts';
import { addOnComes, drainEnds, serveSites, siteJoins } from '../../../support/testbeds/metal/played-site.ts';
import { CONTROL_PLANE, JUMP, some } from '../../../support/testbeds/metal/served-room.ts';
import {
  bringUp,
  madeIn,
  makeSecret,
  makeServedHost,
  podsEnd,
  secretText,
} from '../../../support/testbeds/metal/sip-services.ts';

const SITE = 'edge-7';
const NAME = 'shop';
/** Of hosts, which cannot have these addresses on this machine. */
const ADDRESSES = { cp1: '192.0.2.1', cp2: '192.0.2.2', w1: '192.0.2.11' } as const;

const dir = mkdtempSync(join(tmpdir(), 'cappstan-served-site-'));
let kube: Kube;
let namespace: string;
let metal: Metal;
let operator: MetalOperator;
let programs: { readonly haproxy: Runnable; readonly sshd: Runnable };
let person: { readonly file: string; readonly line: string };
let balancer: Balancer | null = null;
let jump: JumpPod | null = null;
/** The API servers of machines that are on, by host. */
const machines = new Map<string, Promise<ApiServerForTests>>();
/** What the hub still had beside the hosts when a machine was wiped. */
const atWiping: (readonly string[])[] = [];

hubWithHosts((given) => (kube = given));
beforeAll(async () => {
  const [haproxy, sshd] = [
    await debianProgram('haproxy', noProgress),
    await debianProgram('sshd', noProgress),
  ];
  programs = { haproxy, sshd };
  person = await keyPair(dir, 'person', 'ed25519');
  await serveSites(kube);
  namespace = await roomFor(kube);
  metal = metalOn(kube, { services: [namespace], provisions: [namespace] });
  operator = new MetalOperator(kube, {
    boots: (host) => void (host.includes('cp') && machines.set(host, startApiServer())),
    wiped: (host) => void machines.get(host)?.then((server) => server.stop()),
  });
}, 300_000);
afterAll(async () => {
  jump?.stop();
  balancer?.stop();
  for (const machine of machines.values())
    await machine.then((server) => server.stop()).catch(() => undefined);
  rmSync(dir, { recursive: true, force: true });
}, 60_000);

const ref = () => ({ namespace, name: NAME });
const conditions = () =>
  Promise.all(['Joined', 'ServicesReady', 'Ready'].map((type) => said(kube, ref(), type)));

/** Hub, Metal³ and the controllers of Deployments, each once. */
async function pass(): Promise<void> {
  await live(metal, ref());
  await operator.pass();
  await bringUp(kube, namespace);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let passes = 0; passes < 40; passes += 1) {
    await pass();
    if (await holds()) return;
  }
  throw new Error(`It does not come to that: ${(await conditions()).join(', ')}`);
}

async function portOf(host: string): Promise<number> {
  const server = await machines.get(`${namespace}/${host}`);
  if (server === undefined) throw new Error(`${host} is off`);
  return Number(/server: https:\/\/127\.0\.0\.1:(\d+)/.exec(readFileSync(server.kubeconfig, 'utf8'))?.[1]);
}

/** The configuration that was made, with the addresses that the hosts have here. */
async function asHere(config: string, port: number): Promise<string> {
  let text = config.replace('bind *:6443', `bind 127.0.0.1:${port}`);
  for (const host of ['cp1', 'cp2'] as const)
    text = text.replace(
      `server ${host} ${ADDRESSES[host]}:6443`,
      `server ${host} 127.0.0.1:${await portOf(host)}`,
    );
  return text;
}

test('hosts become a site that is Ready when its load balancers and its jump host serve', async () => {
  await makeSecret(kube, namespace, 'keys', { id: readFileSync(person.file, 'utf8') });
  await makeSecret(kube, namespace, 'template', { userData: '#cloud-config' });
  for (const [name, address] of Object.entries(ADDRESSES)) {
    await makeServedHost(kube, namespace, name, { role: name.startsWith('cp') ? 'cp' : 'w', address });
    await kube.patch(BARE_METAL_HOST, { namespace, name }, { spec: { online: false } });
  }
  const start = some(2);
  await kube.create(SIP_CLUSTER, {
    metadata: ref(),
    spec: {
      nodes: {
        ControlPlane: role(namespace, 2, { flavor: 'cp' }),
        Worker: role(namespace, 1, { flavor: 'w' }),
      },
      services: {
        loadBalancerControlPlane: [{ ...CONTROL_PLANE, nodePort: some(1) }],
        loadBalancerWorker: [{ ...CONTROL_PLANE, nodePortRange: { start, end: start + 1 } }],
        jumpHost: [{ ...JUMP, nodePort: some(1), sshAuthorizedKeys: [person.line.trim()] }],
      },
      site: siteAsked(SITE, { ControlPlane: 'template', Worker: 'template' }),
    },
  } as KubeObject);
  await until(async () => (await said(kube, ref(), 'Provisioned')) === 'True Provisioned');
  expect([...machines.keys()].toSorted()).toEqual([`${namespace}/cp1`, `${namespace}/cp2`]);
  await siteJoins(kube, SITE);
  await addOnComes(kube, SITE);
  await until(async () => (await said(kube, ref())) === 'True ReconciliationSucceeded');
  expect(await conditions()).toEqual(['True Joined', 'True Serving', 'True ReconciliationSucceeded']);
}, 300_000);

test('by the load balancer both control planes are asked, and after fall no request goes to one that is gone', async () => {
  const port = await freePort();
  const made = await secretText(kube, namespace, `loadbalancer-controlplane-${NAME}`, 'haproxy.cfg');
  balancer = await startBalancer(programs.haproxy, { dir, port, config: await asHere(made, port) });
  const asked = async (times: number): Promise<[number, number[]]> => {
    const answers = await askOften(port, '/readyz', times);
    const statuses = new Set(answers.map(({ status }) => status));
    return [new Set(answers.map(({ by }) => by)).size, [...statuses]];
  };
  expect(await asked(10)).toEqual([2, [200]]);
  await (await machines.get(`${namespace}/cp2`))?.stop();
  await balancer.logs('cp2 is DOWN');
  expect(await asked(50)).toEqual([1, [200]]);
}, 200_000);

test('on the jump host kubectl speaks to the tenant’s cluster, and the hosts have their names', async () => {
  const tenant = await machines.get(`${namespace}/cp1`);
  const flags = ['config', 'view', '--raw', '--flatten', `--kubeconfig=${tenant?.kubeconfig ?? ''}`];
  const { stdout: kubeconfig } = await run('kubectl', flags);
  // As Cluster API makes it.
  await makeSecret(kube, namespace, `${NAME}-kubeconfig`, { value: kubeconfig });
  const [sshPort, key] = [await freePort(), { namespace, name: `jumphost-${NAME}` }];
  const made = await Promise.all(
    [DEPLOYMENT, CONFIG_MAP, SECRET].map(async (resource: Resource) => ({
      resource,
      object: (await kube.get<KubeObject>(resource, key)) ?? { metadata: key },
    })),
  );
  const more = {
    'Secret/keys': { id: readFileSync(person.file, 'utf8') },
    [`Secret/${NAME}-kubeconfig`]: { value: kubeconfig },
  };
  jump = await startJumpPod(made, more, programs.sshd, sshPort);
  const { data = {} } = (await kube.get<ConfigMap>(CONFIG_MAP, key)) ?? {};
  const known = join(dir, 'known_hosts');
  writeFileSync(
    known,
    `[127.0.0.1]:${sshPort} ${Object.entries(data).find(([name]) => name.endsWith('.pub'))?.[1]}\n`,
  );
  const ssh = (...command: string[]) => comeBySsh({ port: sshPort, known }, person.file, command, {});
  expect(await ssh('kubectl', 'get', 'namespace', 'kube-system', '-o', 'name')).toMatchObject({
    stdout: 'namespace/kube-system\n',
  });
  expect(await ssh('host', 'list')).toMatchObject({ stdout: 'cp1\ncp2\nw1\n' });
  expect(await ssh('getent', 'hosts', 'w1')).toMatchObject({
    stdout: expect.stringContaining(ADDRESSES.w1) as string,
  });
}, 200_000);

test('what serves stays until the machines are wiped; then nothing leads to a host that is free', async () => {
  const all = await madeIn(kube, namespace);
  expect(all).toHaveLength(10);
  await kube.remove(SIP_CLUSTER, ref());
  await until(async () => (await said(kube, ref(), 'Joined')) === 'False Draining');
  expect(await madeIn(kube, namespace)).toEqual(all);
  await drainEnds(kube, SITE);
  for (let passes = 0; (await kube.get(SIP_CLUSTER, ref())) !== null; passes += 1) {
    if (passes > 40) throw new Error(`It does not go: ${(await conditions()).join(', ')}`);
    await pass();
    const { items } = await kube.list<BareMetalHost>(BARE_METAL_HOST, { namespace });
    if (items.some(({ status }) => status?.provisioning?.state === 'deprovisioning'))
      atWiping.push(await madeIn(kube, namespace));
    // A host that nobody has any more is led to by nothing.
    if ((await holders(kube, namespace)).length < 3) expect(await madeIn(kube, namespace)).toEqual([]);
    await podsEnd(kube, namespace);
  }
  expect(new Set(atWiping.map(String))).toEqual(new Set([String(all)]));
  expect([await holders(kube, namespace), await madeIn(kube, namespace)]).toEqual([[], []]);
  const { items } = await kube.list<BareMetalHost>(BARE_METAL_HOST, { namespace });
  expect(items.map(({ status }) => status?.provisioning?.state)).toEqual(Array(3).fill('available'));
  const secrets = (await kube.list<Secret>(SECRET, { namespace })).items.map(({ metadata }) => metadata.name);
  expect(secrets.filter((name) => name.includes('userdata'))).toEqual([]);
}, 300_000);
