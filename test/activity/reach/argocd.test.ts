// The registrar as the chart starts it, with OCM's real tunnel and managed-serviceaccount: what Argo CD is
// given leads to the site, and its log has no token.
import { spawn, type ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Agent, request } from 'undici';
import { NAMESPACE, SECRET, type Secret } from '../../../crds/kubernetes/core.ts';
import { ARGO_CLUSTER } from '../../../crds/labels.ts';
import { MANAGED_SERVICE_ACCOUNT } from '../../../crds/ocm/managed-service-account.ts';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import { RELEASE_NAMESPACE } from '../../../deploy/local/cappstan/chart.ts';
import { openPorts } from '../../../deploy/local/supervise/ports.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { textIn } from '../../../registrar/cluster.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { forHub, installAll } from '../../support/servers/chart/chart.ts';
import { startReachBed, type ReachBed } from '../../support/testbeds/reach/bed.ts';

const VALUES = {
  'argocd.install': 'true',
  'argocd.namespace': 'argocd',
  'argocd.userServer.caSecretName': 'x',
};
let bed: ReachBed;
let child: ChildProcess | undefined;
let log = '';
beforeAll(async () => {
  bed = await startReachBed(['site-1']);
}, 900_000);
afterAll(async () => {
  child?.kill('SIGKILL');
  await bed?.stop();
}, 100_000);

async function startRegistrar(): Promise<ChildProcess> {
  const { hub, tunnel } = bed;
  const dir = dirname(hub.kubeconfig);
  const [authority, ports] = [join(dir, 'argocd.crt'), await openPorts(join(dir, 'ports.json'))];
  await writeFile(authority, tunnel.ca);
  const env = {
    PATH: process.env['PATH'] ?? '',
    KUBECONFIG: await hub.kubeconfigAs(`system:serviceaccount:${RELEASE_NAMESPACE}:cappstan-registrar`, []),
    LOG_LEVEL: 'debug',
    ARGOCD_NAMESPACE: 'argocd',
    ARGOCD_ACCOUNT: 'argocd',
    USER_SERVER_URL: tunnel.url,
    USER_SERVER_CA_FILE: authority,
    HEALTH_ADDRESS: `127.0.0.1:${await ports.of('registrar')}`,
    METRICS_ADDRESS: `127.0.0.1:${await ports.of('registrar-metrics')}`,
  };
  const main = join(import.meta.dirname, '../../../workers/registrar/main.ts');
  const started = spawn(process.execPath, [main], { env });
  for (const stream of [started.stdout, started.stderr])
    stream.on('data', (text: Buffer) => void (log += text.toString()));
  return started;
}

test('Argo CD reaches a labelled site by the Secret that it is given, as the account of its own', async () => {
  const { kube } = bed.hub;
  await kube.create(NAMESPACE, { metadata: { name: 'argocd' } });
  const chart = await forHub(VALUES);
  await installAll(
    kube,
    chart.filter(({ kind, metadata }) => kind !== 'Deployment' && metadata.name === 'cappstan-registrar'),
  );
  const place = { namespace: 'site-1', name: 'argocd' };
  await kube.create(MANAGED_SERVICE_ACCOUNT, { metadata: place, spec: { rotation: {} } } as KubeObject);
  await kube.apply(
    MANAGED_CLUSTER,
    {
      metadata: { name: 'site-1', labels: { [ARGO_CLUSTER]: 'true' } },
      spec: { hubAcceptsClient: true },
    } as KubeObject,
    { fieldManager: 'test', force: true },
  );
  await eventually(() => kube.get(SECRET, place).then((one) => one ?? undefined));
  child = await startRegistrar();
  const key = { namespace: 'argocd', name: 'cappstan-site-site-1' };
  const secret = await eventually(() => kube.get<Secret>(SECRET, key).then((one) => one ?? undefined));
  const { bearerToken, tlsClientConfig } = JSON.parse(textIn(secret, 'config')) as {
    bearerToken: string;
    tlsClientConfig: { caData: string };
  };
  const dispatcher = new Agent({ connect: { ca: Buffer.from(tlsClientConfig.caData, 'base64').toString() } });
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const who = await eventually(async () => {
    const { statusCode, body } = await request(
      `${textIn(secret, 'server')}/apis/authentication.k8s.io/v1/selfsubjectreviews`,
      {
        method: 'POST',
        dispatcher,
        headers: { authorization: `Bearer ${bearerToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(review),
      },
    );
    const text = await body.text();
    return statusCode === 201 ? text : undefined;
  });
  await dispatcher.close();
  expect(who).toMatch(/"username":"system:serviceaccount:[-a-z]+:argocd"/);
  const gone = new Promise((resolve) => child?.once('exit', resolve));
  child.kill('SIGTERM');
  expect(await gone).toBe(0);
  expect(log).toContain('a site is a cluster of Argo CD now');
  expect(log).not.toContain(bearerToken.slice(0, 40));
  expect(bearerToken.length).toBeGreaterThan(100);
});
