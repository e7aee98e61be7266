// A site with the real data plane, on a stack of its own: Knative's activator, autoscaler, queue-proxy and
// webhook, and Kourier with Envoy, in network namespaces. Requests come from outside, as those of users do.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONFIG_MAP, SECRET } from '../../../crds/kubernetes/core.ts';
import { KNATIVE_SERVICE } from '../../../crds/kubernetes/knative.ts';
import { askApp } from '../../../deploy/local/cappstan/ask.ts';
import { deleteStackData, stopStack } from '../../../deploy/local/down.ts';
import { openPki } from '../../../deploy/local/kubernetes/pki.ts';
import { layoutOf } from '../../../deploy/local/layout.ts';
import { startStack } from '../../../deploy/local/stack.ts';
import { ingressHost } from '../../../deploy/local/standins/ingress/address.ts';
import { observedProcesses } from '../../../deploy/local/supervise/desired.ts';
import type { Address } from '../../../deploy/local/supervise/process-spec.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { killProcess } from '../../../testbed/stack.ts';
import { serviceOf } from '../../support/corpus/as-service.ts';
import { appOnSite, KEY, WITHIN, type AppOnSite } from '../../support/testbeds/site/app-on-site.ts';
import { askSecurely, knowing, writeTlsSecret } from '../../support/testbeds/site/data-plane.ts';
import { answered, nameApp } from '../../support/testbeds/site/mapped.ts';
import { classNotServed, differences, notDeployed } from '../../support/testbeds/site/knative-says.ts';
import { random } from '../../support/builders/random.ts';
import { aScaledService, valueIn } from '../../support/walks/scaled.ts';

const SITE = 'site-1';
const services = `/apis/${KNATIVE_SERVICE.apiVersion}/namespaces/default/services`;

let dir: string;
let kube: Kube;
let address: Address;
let ask: AppOnSite['ask'];
let write: AppOnSite['write'];
let untilAnswered: AppOnSite['untilAnswered'];
let readyPods: AppOnSite['readyPods'];
let untilPods: AppOnSite['untilPods'];
let whileAsking: AppOnSite['whileAsking'];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cappstan-data-plane-'));
  const options = { sites: 1, ocm: false, ours: false, dataPlane: 'real', owner: process.pid } as const;
  const stack = await startStack({ dir, ...options });
  kube = connect({ kubeconfig: layoutOf(dir).kubeconfig(SITE) });
  address = { host: ingressHost(SITE), port: stack.ingressPort };
  ({ ask, write, untilAnswered, readyPods, untilPods, whileAsking } = appOnSite(SITE, kube, address));
}, 600_000);

afterAll(async () => {
  await kube?.close();
  await stopStack(dir);
  await deleteStackData(dir);
  await rm(dir, { recursive: true, force: true });
}, 480_000);

test('a request reaches the program of a Pod through Envoy and queue-proxy', async () => {
  await write('app:v1');
  const { status, headers, body } = await untilAnswered('app:v1');
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    server: 'envoy',
    'stand-in-site': SITE,
    'stand-in-revision': 'hello-00001',
  });
  expect(body).toContain(`Hello from ${SITE}!`);
  expect((await askApp(address, 'nobody.example.com')).status).toBe(404);
});

test('Knative’s webhook refuses percentages whose sum is not 100', async () => {
  const refused = write('app:v1', { traffic: [{ latestRevision: true, percent: 7 }] });
  // The API server itself would say 422.
  await expect(refused).rejects.toMatchObject({ code: 400, reason: 'BadRequest' });
});

test('Knative’s webhook takes whatever a hub takes about scaling, in every spelling and within any limits of a site', async () => {
  const dice = random(29);
  for (let count = 0; count < 60; count += 1) {
    const { service, limits, written } = aScaledService(dice);
    const refusal = await kube
      .raw('POST', `${services}?dryRun=All`, { body: service })
      .then(() => null)
      .catch((error: unknown) => `${String(error)}: ${JSON.stringify([written.spec, limits])}`);
    expect(refusal).toBeNull();
    for (const [name, most] of [
      ['min-scale', limits.minReplicas],
      ['max-scale', limits.maxReplicas],
      ['initial-scale', limits.maxReplicas],
      // Where nobody names a maximum, a minimum may be above the most.
      [
        'activation-scale',
        limits.maxReplicas && Math.max(limits.maxReplicas, Number(valueIn(service, 'min-scale') ?? 0)),
      ],
    ] as const)
      expect(Number(valueIn(service, name) ?? 0)).toBeLessThanOrEqual(most ?? Infinity);
  }
});

test('Knative’s webhook refuses the content of a Pod that a hub refuses, and takes what a hub takes', async () => {
  expect(await differences(kube)).toEqual({ taken: [], refused: [] });
});

test.each(['networking.knative.dev/ingress-class', 'networking.knative.dev/ingress.class'])(
  'a Service whose %s nobody serves waits as a Capp is told',
  async (annotation) => {
    expect(await classNotServed(kube, annotation, 'own.example.com')).toBe('own.example.com');
  },
);

test('what Knative’s webhook refuses is refused with the field', async () => {
  const metadata = { annotations: { 'autoscaling.knative.dev/initial-scale': '0' } };
  const template = { metadata, spec: { containers: [{ image: 'app:v1' }], timeoutSeconds: 100_000 } };
  const refused = write('app:v1', { template });
  await expect(refused).rejects.toMatchObject({
    fields: expect.arrayContaining([
      'spec.template.metadata.annotations.autoscaling.knative.dev/initial-scale: FieldValueInvalid',
      'spec.template.spec.timeoutSeconds: FieldValueInvalid',
    ]),
  });
});

test('Knative’s webhook refuses annotations of a Capp itself that a hub refuses', async () => {
  const template = { spec: { containers: [{ image: 'app:v1' }] } };
  for (const [name, value] of [
    ['serving.knative.dev/rollout-duration', '5 minutes'],
    ['serving.knative.dev/rolloutDuration', '1500ms'],
  ] as const) {
    const body = serviceOf({ template, annotations: { [name]: value } });
    await expect(kube.raw('POST', `${services}?dryRun=All`, { body })).rejects.toMatchObject({ code: 400 });
  }
});

test.each<Record<string, string>>([
  { 'serving.knative.dev/progress-deadline': '0s' },
  { 'serving.knative.dev/progress-deadline': '' },
  { 'queue.sidecar.serving.knative.dev/cpu-resource-limit': '10m' },
])(
  'a revision with %j, which the webhook takes, gets no Deployment, as a Capp is told',
  async (annotations) => {
    expect(await notDeployed(kube, annotations)).toMatch(/^unmade-/);
  },
);

test('a hostname answers with TLS, by the certificate in the Secret that its DomainMapping names', async () => {
  const host = 'shop.example.com';
  const pki = await openPki(layoutOf(dir).dataOf('pki'));
  await writeTlsSecret(kube, 'shop-tls', await pki.issue('shop', { name: host, hosts: [host] }));
  await nameApp(kube, { host, secretName: 'shop-tls' });
  const ca = await readFile(pki.authority.cert);
  const answer = await eventually(() => askSecurely(address, host, ca).catch(() => undefined), WITHIN);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
  expect(answer).toContain('stand-in-revision: hello-00001');
});

test('a hostname of a Capp that is redirected leads to HTTPS once it has a certificate, and answers until then', async () => {
  const host = 'safe.example.com';
  const plain = await answered(kube, address, { host, secretName: null });
  expect(plain).toEqual([200, undefined]);
  const pki = await openPki(layoutOf(dir).dataOf('pki'));
  await writeTlsSecret(kube, 'safe-tls', await pki.issue('safe', { name: host, hosts: [host] }));
  const led = await eventually(async () => {
    const answer = await answered(kube, address, { host, secretName: 'safe-tls' });
    return answer[0] === 200 ? undefined : answer;
  }, WITHIN);
  expect(led).toEqual([301, `https://${host}/`]);
});

test('no request fails while a second revision takes over, and percentages are followed', async () => {
  const answers = await whileAsking(async () => {
    await write('app:v2');
    await untilAnswered('app:v2');
    await eventually(async () => ((await readyPods()).length > 0 ? true : undefined), WITHIN);
  });
  expect([...answers].toSorted()).toEqual(['200 app:v1', '200 app:v2']);
  const traffic = [
    { revisionName: 'hello-00001', percent: 80 },
    { latestRevision: true, percent: 20 },
  ];
  await write('app:v2', { traffic });
  await untilAnswered('app:v1');
  const images: unknown[] = [];
  for (let count = 0; count < 400; count += 1) images.push((await ask()).headers['stand-in-image']);
  const share = images.filter((image) => image === 'app:v2').length / images.length;
  // Five standard deviations are 0.1.
  expect(Math.abs(share - 0.2)).toBeLessThan(0.1);
  await write('app:v2', { traffic: [{ latestRevision: true, percent: 100 }] });
});

test('without requests no Pod is left, and the next request waits for one', async () => {
  await untilPods(0);
  const { status } = await ask();
  expect(status).toBe(200);
  // The activator asks the Pod itself, so it knows sooner than the API server that it is ready. It is asked
  // again and again meanwhile: without requests it would go.
  await eventually(async () => {
    const again = await ask();
    expect(await readyPods()).toEqual([again.headers['stand-in-pod']]);
    return true;
  }, WITHIN);
});

test('Knative’s autoscaler keeps as many Pods as an older spelling asks for', async () => {
  const metadata = { annotations: { 'autoscaling.knative.dev/minScale': '2' } };
  await write('app:v2', { template: { metadata, spec: { containers: [{ image: 'app:v2' }] } } });
  await untilPods(2);
});

test('requests that overlap get more Pods, and none of them fails', async () => {
  const template = { spec: { containerConcurrency: 2, containers: [{ image: 'app:v3' }] } };
  await write('app:v3', { template });
  await untilAnswered('app:v3');
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask('/?wait=4000')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ headers }) => headers['stand-in-pod'])).size).toBeGreaterThan(1);
});

test('a data plane that was killed comes back, and answers from the same Pods or new ones', async () => {
  const restarted = await killProcess(layoutOf(dir), `${SITE}-data-plane`);
  await restarted();
  expect((await untilAnswered('app:v3')).status).toBe(200);
});

test('a program has in its environment what its container takes from a Secret and a ConfigMap', async () => {
  const namespace = KEY.namespace;
  const by = { fieldManager: 'test', force: true };
  const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'settings' } };
  await kube.apply(CONFIG_MAP, { ...settings, data: { TARGET: 'sailor' } } as KubeObject, by);
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name: 'token' } };
  await kube.apply(SECRET, { ...secret, data: { key: btoa('hush') } } as KubeObject, by);
  const env = [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'token', key: 'key' } } }];
  const container = { image: 'app:v4', env, envFrom: [{ configMapRef: { name: 'settings' } }] };
  await write('app:v4', { template: { spec: { containers: [container] } } });
  for (const [variable, value] of [
    ['TARGET', 'sailor'],
    ['TOKEN', 'hush'],
  ])
    await eventually(async () => {
      const { body } = await ask(`/?env=${variable}`);
      return body.endsWith(`${variable}=${value}\n`) ? true : undefined;
    }, WITHIN);
});

test('after make down no process is left that knows the stack, in its namespaces either', async () => {
  expect((await observedProcesses(layoutOf(dir))).map(({ name }) => name)).toContain(`${SITE}-data-plane`);
  expect(await knowing('envoy.yaml')).not.toEqual([]);
  await stopStack(dir);
  expect(await knowing(dir)).toEqual([]);
});
