// The process itself, started while the hub's API server cannot be reached.
import { spawn, type ChildProcess } from 'node:child_process';
import { dirname, join } from 'node:path';
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import { openPorts } from '../../../deploy/local/supervise/ports.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import { API_TIMEOUT_MS, eventually } from '../../../testbed/eventually.ts';
import { startTemporal, type TemporalForTests } from '../../support/flow/temporal.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api/api-server.ts';
import { serveBare } from '../../support/servers/api/definitions.ts';
import { startFaultProxy, type FaultProxy } from '../../support/servers/network/fault-proxy.ts';

const RELEASE = 'cappstan-system';
const MAIN = join(import.meta.dirname, '../../../workers/gateway/main.ts');

let api: ApiServerForTests;
let temporal: TemporalForTests;
let proxy: FaultProxy;
let kube: Kube;
let gateway: ChildProcess;
beforeAll(async () => {
  [api, temporal] = await Promise.all([startApiServer(), startTemporal()]);
  proxy = await startFaultProxy(api.kubeconfig);
  kube = connect({ kubeconfig: api.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await serveBare(kube, MANAGED_CLUSTER);
  await kube.create(NAMESPACE, { metadata: { name: RELEASE } });
}, 300_000);
afterAll(async () => {
  gateway?.kill('SIGKILL');
  await kube?.close();
  await proxy?.stop();
  await Promise.all([api?.stop(), temporal?.stop()]);
});

test('a gateway that starts before its API server waits for it, and lets agents in then', async () => {
  const ports = await openPorts(join(dirname(api.kubeconfig), 'ports.json'));
  const at = async (name: string): Promise<string> => `127.0.0.1:${await ports.of(name)}`;
  const health = await at('health');
  proxy.fault(() => ({ sever: 'before' }));
  gateway = spawn(process.execPath, [MAIN], {
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      KUBECONFIG: proxy.kubeconfig,
      NAMESPACE: RELEASE,
      TEMPORAL_ADDRESS: temporal.address,
      GATEWAY_ADDRESS: await at('gateway'),
      GATEWAY_HOSTS: '127.0.0.1',
      HEALTH_ADDRESS: health,
    },
    stdio: 'ignore',
  });
  let code: number | null = null;
  gateway.once('exit', (ended) => void (code = ended ?? -1));
  const healthz = async (): Promise<number> => (await fetch(`http://${health}/healthz`)).status;
  // It asks a third time once what was asked first has failed twice.
  await eventually(() => {
    const asked = proxy.seen.filter(({ path }) => path.includes('/managedclusters'));
    return asked.length >= 3 || code !== null ? true : undefined;
  });
  expect(code).toBeNull();
  expect(await healthz()).toBe(503);
  proxy.heal();
  await eventually(async () => ((await healthz()) === 200 ? true : undefined));
});
