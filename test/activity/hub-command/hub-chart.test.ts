// deploy/helm-hub: two releases in two namespaces of one real API server, and the hub of one of them as the
// process that its StatefulSet names, with the files that the server has for its volume. There is no kubelet:
// the programs are those of the checkout, and the ports are free ones of this machine.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SECRET, type Secret } from '../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import { applyObjects } from '../../../deploy/local/kubernetes/apply.ts';
import { writeKubeconfig } from '../../../deploy/local/kubernetes/kubeconfig.ts';
import { cacheRoot } from '../../../deploy/local/programs/tools.ts';
import { connect } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { API_TIMEOUT_MS, eventually } from '../../../testbed/eventually.ts';
import { everythingOn } from '../../support/servers/api/everything.ts';
import { known, twoReleases, type TwoReleases } from '../../support/servers/chart/two-releases.ts';
import { tryAll } from '../../support/servers/chart/chart.ts';
import { hubCommandWith, type HubCommand } from '../../support/servers/hub-command/hub-command.ts';
import { statusAt } from '../../support/servers/hub-command/hub-doors.ts';
import { configIn, layOut, releaseIn, renderHub, ROUTES } from '../../support/servers/chart/hub-chart.ts';

const CLAIM = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  namespaced: true,
} as const;
const POD = { apiVersion: 'v1', kind: 'Pod', plural: 'pods', namespaced: true } as const;
const KUBECONFIG = 'multicluster-controlplane-kubeconfig';
let both: TwoReleases;
let hub: HubCommand | null = null;

beforeAll(async () => {
  both = await twoReleases();
}, 180_000);
afterAll(async () => {
  await hub?.remove();
  await both?.close();
}, 120_000);

test('a release has nothing outside its namespace, so that two of them share nothing', () => {
  for (const [namespace, objects] of both.releases)
    expect(objects.filter(({ metadata }) => metadata.namespace !== namespace)).toEqual([]);
  const kinds = (both.releases.get('hubs-b') ?? []).map(({ kind = '' }) => kind);
  expect(new Set(kinds)).toEqual(
    new Set(['ConfigMap', 'Role', 'RoleBinding', 'Secret', 'Service', 'ServiceAccount', 'StatefulSet']),
  );
});

test('through routes both doors are exposed, and the API server takes all of it', async () => {
  const objects = await renderHub({
    name: 'hub',
    namespace: 'hubs-c',
    values: {
      'route.enabled': 'true',
      'apiserver.externalHostname': 'https://hub.example/',
      'gateway.externalHostname': 'agents.example',
      'etcd.mode': 'external',
      'etcd.servers': '{https://etcd-1:2379,https://etcd-2:2379}',
    },
  });
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'hubs-c' } };
  await eventually(async () => {
    await tryAll(both.kube, [ROUTES, namespace, ...objects]);
    return true;
  });
  const routes = objects.filter(({ kind }) => kind === 'Route') as (KubeObject & { spec: object })[];
  expect(routes.map(({ spec }) => spec)).toEqual([
    expect.objectContaining({
      host: 'hub.example',
      port: { targetPort: 'api' },
      tls: { termination: 'passthrough' },
    }),
    expect.objectContaining({ host: 'agents.example', port: { targetPort: 'gateway' } }),
  ]);
  expect(configIn(objects)).toMatchObject({
    apiserver: { externalPort: 443, port: 9443 },
    gateway: { externalPort: 443, externalHostname: 'agents.example' },
    etcd: { mode: 'external', servers: ['https://etcd-1:2379', 'https://etcd-2:2379'] },
  });
});

test.each([
  ['hubs-a', 'LoadBalancer', () => [both.doors.api, both.doors.gateway], [undefined, undefined]],
  ['hubs-b', 'NodePort', () => [9443, 7443], [31_443, 30_743]],
] as const)(
  'the Service of %s is a %s with the API server and the gateway',
  (namespace, type, ports, nodePorts) => {
    const service = both.releases.get(namespace)?.find(({ kind }) => kind === 'Service') as KubeObject & {
      spec: object;
    };
    expect(service.spec).toMatchObject({
      type,
      ports: ['api', 'gateway'].map((name, index) => ({ name, port: ports()[index], targetPort: name })),
    });
    const { ports: found } = service.spec as { ports: { nodePort?: number }[] };
    expect(found.map(({ nodePort }) => nodePort)).toEqual(nodePorts);
  },
);

/** What the image's start script and its base say. */
function ofTheImage(): Record<string, string> {
  const { PATH = '' } = process.env;
  return { PATH, CAPPSTAN_CACHE: cacheRoot() };
}

test('the hub starts from the release’s command and files, and fills the Secret with a kubeconfig that works', async () => {
  const { folder, kube, server, pod, doors, authority } = both;
  const etc = join(folder, 'etc');
  const data = join(folder, 'data');
  mkdirSync(data);
  const here = (text: string): string =>
    text
      .replaceAll('/etc/cappstan', etc)
      .replaceAll('/var/lib/cappstan', data)
      .replaceAll('https://kubernetes.default.svc', server);
  await layOut(kube, pod, { namespace: 'hubs-a', folder: etc, becomes: here });
  const [{ command, args, env, volumeMounts }] = pod.containers;
  expect(command).toEqual(['/opt/cappstan/cappstan', 'hub']);
  expect(volumeMounts.map(({ mountPath }) => mountPath)).toEqual([
    '/var/lib/cappstan',
    '/etc/cappstan',
    '/tmp',
  ]);
  const own = [
    '--bind-address',
    '127.0.0.1',
    '--port',
    String(doors.api),
    '--gateway-port',
    String(doors.gateway),
  ];
  const given = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  hub = hubCommandWith(join(data, 'hub'), [...args.map(here), ...own], {
    env: { ...ofTheImage(), ...given },
  });
  await hub.start();
  // As the probe asks: by no certificate.
  const { httpGet } = pod.containers[0].readinessProbe;
  expect(httpGet).toMatchObject({ port: 'api', scheme: 'HTTPS' });
  expect(await statusAt(doors.api, httpGet.path)).toBe(200);
  const key = { namespace: 'hubs-a', name: KUBECONFIG };
  const text = await eventually(async () => {
    const { data: filled } = (await kube.get<Secret>(SECRET, key)) ?? {};
    return filled?.['kubeconfig'];
  });
  const file = join(folder, 'published.kubeconfig');
  writeFileSync(file, Buffer.from(text, 'base64'));
  expect(known(file)).toEqual({ server: `https://127.0.0.1:${doors.api}`, ca: authority });
  const onHub = connect({ kubeconfig: file, deadlineMs: API_TIMEOUT_MS });
  try {
    expect((await onHub.list(MANAGED_CLUSTER)).items).toEqual([]);
  } finally {
    await onHub.close();
  }
});

test('the Secret that somebody deletes is filled again when the release makes it again, empty', async () => {
  const { kube } = both;
  const key = { namespace: 'hubs-a', name: KUBECONFIG };
  const before = await kube.get<Secret>(SECRET, key);
  await kube.remove(SECRET, key);
  const all = both.releases.get('hubs-a') ?? [];
  await applyObjects(
    kube,
    all.filter(({ kind, metadata }) => kind === 'Secret' && metadata.name === KUBECONFIG),
  );
  const again = await eventually(async () => {
    const now = await kube.get<Secret>(SECRET, key);
    return now?.data === undefined ? undefined : now;
  });
  expect(again.metadata.uid).not.toBe(before?.metadata.uid);
  expect(again.data).toEqual(before?.data);
});

test('its account may read and fill that one Secret, and nothing of the other release', async () => {
  const { folder, server } = both;
  const file = join(folder, 'account.kubeconfig');
  const ca = join(folder, 'etc', 'host-ca.crt');
  const token = readFileSync(join(folder, 'etc', 'host-token'), 'utf8');
  await writeKubeconfig(file, { cluster: 'host', server, ca, credential: { token } });
  const account = connect({ kubeconfig: file, deadlineMs: API_TIMEOUT_MS });
  try {
    expect(await account.get(SECRET, { namespace: 'hubs-a', name: KUBECONFIG })).not.toBeNull();
    for (const key of [
      { namespace: 'hubs-a', name: 'hub-given' },
      { namespace: 'hubs-b', name: KUBECONFIG },
    ])
      await expect(account.get(SECRET, key)).rejects.toThrow(/403|Forbidden/);
    await expect(account.list(SECRET, { namespace: 'hubs-a' })).rejects.toThrow(/403|Forbidden/);
  } finally {
    await account.close();
  }
});

test('helm uninstall takes all of a release but its volume, with which one of the same name goes on', async () => {
  const { kube, kubeconfig } = both;
  const namespace = 'hubs-e';
  const release = releaseIn(kubeconfig, { name: 'hub', namespace });
  const before = await everythingOn(kube);
  await release.install();
  const claimOf = (): Promise<KubeObject | null> => kube.get(CLAIM, { namespace, name: 'data-hub-0' });
  const podOf = (): Promise<KubeObject | null> => kube.get(POD, { namespace, name: 'hub-0' });
  const volume = await eventually(async () => (await claimOf()) ?? undefined);
  await eventually(async () => (await podOf()) ?? undefined);
  // As the hub does: what it has written goes with the release.
  await kube.patch(SECRET, { namespace, name: KUBECONFIG }, { stringData: { kubeconfig: 'filled' } });
  await release.uninstall();
  const left = [
    ...before,
    `Namespace ${namespace}`,
    `PersistentVolumeClaim ${namespace}/data-hub-0`,
  ].toSorted();
  const now = await eventually(async () => {
    const found = await everythingOn(kube);
    return found.length > left.length ? undefined : found;
  });
  expect(now).toEqual(left);
  await release.install();
  await eventually(async () => (await podOf()) ?? undefined);
  expect((await claimOf())?.metadata.uid).toBe(volume.metadata.uid);
});
