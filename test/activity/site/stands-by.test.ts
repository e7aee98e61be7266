// Where container-app-operator runs the Capps of a site, our site operator is installed but idle, until a
// chart value activates it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { CAPP_DEFINITION } from '../../../crds/definitions/definitions.ts';
import { KNATIVE_SERVICE } from '../../../crds/kubernetes/knative.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api/api-server.ts';
import { capp } from '../../../testbed/capps.ts';
import { forHub, forSite, type Values } from '../../support/servers/chart/chart.ts';
import { serve, serveBare } from '../../support/servers/api/definitions.ts';
import { eventually, API_TIMEOUT_MS } from '../../../testbed/eventually.ts';

const KEY = { namespace: 'apps', name: 'app' };

let server: ApiServerForTests;
let kube: Kube;
beforeAll(async () => {
  server = await startApiServer();
  kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await serve(kube, CAPP_DEFINITION, CAPP);
  await serveBare(kube, KNATIVE_SERVICE);
  for (const name of [KEY.namespace, 'open-cluster-management-agent-addon'])
    await kube.create(NAMESPACE, { metadata: { name } });
  await kube.create<Capp>(CAPP, capp(KEY));
}, 300_000);
afterAll(async () => {
  await kube?.close();
  await server?.stop();
});

interface Process {
  /** The log of the process so far. */
  readonly said: () => string;
  /** Stops the process. Resolves with its exit code. */
  readonly stop: () => Promise<unknown>;
}

/** The process of the site operator as the add-on starts it with these chart values. */
async function site(values: Values): Promise<Process> {
  const deployments = forSite(await forHub(values)).filter(
    ({ kind }) => kind === 'Deployment',
  ) as Deployment[];
  const asked =
    deployments.find(({ metadata }) => metadata.name === 'cappstan-site')?.spec.template.spec.containers[0]
      ?.env ?? [];
  const env = Object.fromEntries(asked.map(({ name, value = '' }) => [name, value]));
  const main = new URL('../../../workers/site/main.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [main], {
    env: { ...env, KUBECONFIG: server.kubeconfig },
    timeout: 120_000,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = once(child, 'close');
  return {
    said: () => said,
    stop: async () => {
      child.kill('SIGTERM');
      return ((await ended) as unknown[])[0];
    },
  };
}

interface Deployment extends KubeObject {
  readonly spec: {
    readonly template: {
      readonly spec: { readonly containers: readonly { readonly env?: readonly Variable[] }[] };
    };
  };
}

interface Variable {
  readonly name: string;
  readonly value?: string;
}

const serviceOf = () => kube.get(KNATIVE_SERVICE, KEY);

test('a site operator that the chart disables changes no Capp, and exits with code 0', async () => {
  const process = await site({ 'addon.site.runsCapps': 'false' });
  await eventually(() => (process.said().includes('idle: SITE_OPERATOR is off') ? true : undefined));
  expect(await process.stop()).toBe(0);
  expect(await serviceOf()).toBeNull();
  expect(await kube.get(CAPP, KEY)).not.toHaveProperty('status');
});

test('with default chart values the site operator runs the Capps of its site', async () => {
  const process = await site({});
  await eventually(async () => ((await serviceOf()) === null ? undefined : true));
  expect(await process.stop()).toBe(0);
  expect(process.said()).not.toContain('idle: SITE_OPERATOR is off');
});
