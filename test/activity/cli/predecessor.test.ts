// What the Go operators leave on a hub: `kubectl capp doctor` names it, and the commands of docs/install.md,
// as they stand there, take all of it and nothing else; on a real API server.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { run } from '../../../cli/program.ts';
import { CLUSTER_ROLE, CLUSTER_ROLE_BINDING, NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER_ADD_ON } from '../../../crds/ocm/ocm.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import { API_TIMEOUT_MS } from '../../../testbed/eventually.ts';
import { aTerminal } from '../../support/builders/process/terminals.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api/api-server.ts';
import { serveBare, serveOurs } from '../../support/servers/api/definitions.ts';

const CLUSTER_ADD_ON: Resource = {
  apiVersion: MANAGED_CLUSTER_ADD_ON.apiVersion,
  kind: 'ClusterManagementAddOn',
  plural: 'clustermanagementaddons',
  namespaced: false,
};
const SITES = ['site-1', 'site-2'];
const ADD_ONS = ['capp-status-addon', 'rcs-score'];
const OF_AGENTS = SITES.map((site) => `open-cluster-management:capp-status-addon:${site}:agent`);
const OF_OPERATORS = ['rcs-ocm-deployer-manager-role', 'prod-rcs-ocm-addons-rcs-score', 'rcs-score-agent'];
/** Names that look alike, and are somebody else's. */
const OTHERS = ['my-rcs-score', 'open-cluster-management:other-addon:site-1:agent', 'cappstan-capp-edit'];

let server: ApiServerForTests;
let kube: Kube;
beforeAll(async () => {
  server = await startApiServer();
  kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await serveOurs(kube);
  for (const kind of [MANAGED_CLUSTER_ADD_ON, CLUSTER_ADD_ON]) await serveBare(kube, kind);
  for (const name of SITES) await kube.create(NAMESPACE, { metadata: { name } });
  for (const name of [...ADD_ONS, 'cappstan']) {
    await kube.create(CLUSTER_ADD_ON, { metadata: { name } });
    for (const namespace of SITES)
      await kube.create(MANAGED_CLUSTER_ADD_ON, { metadata: { namespace, name } });
  }
  for (const name of [...OF_AGENTS, ...OF_OPERATORS, ...OTHERS]) {
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
    await kube.create(CLUSTER_ROLE, { metadata: { name }, rules: [] } as never);
    await kube.create(CLUSTER_ROLE_BINDING, { metadata: { name }, roleRef, subjects: [] } as never);
  }
}, 300_000);
afterAll(async () => {
  await kube?.close();
  await server?.stop();
});

/** What the doctor says of the Go operators. */
async function said(): Promise<string[]> {
  const { terminal, out } = aTerminal();
  const args = ['doctor', '--kubeconfig', server.kubeconfig, '-n', 'default', '--request-timeout', '60'];
  await run({ args, name: 'capp', version: '0' }, terminal);
  return out.flatMap((text) => text.split('\n')).filter((line) => line.includes('#remove-the-go-operators'));
}

async function runPage(): Promise<void> {
  const page = readFileSync(new URL('../../../docs/install.md', import.meta.url), 'utf8');
  const [, part = ''] = page.split('### Remove the Go operators');
  const [, commands = ''] = /```sh\n([^]+?)```/.exec(part) ?? [];
  expect(commands).toContain('kubectl delete');
  const env = { ...process.env, KUBECONFIG: server.kubeconfig };
  await promisify(execFile)('bash', ['-eu', '-c', commands], { env });
}

async function names(resource: Resource): Promise<string[]> {
  const { items } = await kube.list<KubeObject>(resource, {});
  const ours = new Set([...ADD_ONS, 'cappstan', ...OF_AGENTS, ...OF_OPERATORS, ...OTHERS]);
  return [...new Set(items.map(({ metadata }) => metadata.name).filter((name) => ours.has(name)))].toSorted();
}

test('the doctor names all that the Go operators left, and is quiet once the page’s commands have run', async () => {
  expect((await said()).join('\n')).toMatch(
    /make their rights again: capp-status-addon, rcs-score[^]+lets site-1, site-2 change[^]+left ClusterRoles/,
  );
  await runPage();
  expect(await said()).toEqual([]);
  for (const kind of [CLUSTER_ADD_ON, MANAGED_CLUSTER_ADD_ON])
    expect(await names(kind)).toEqual(['cappstan']);
  for (const kind of [CLUSTER_ROLE, CLUSTER_ROLE_BINDING])
    expect(await names(kind)).toEqual(OTHERS.toSorted());
  // A second run finds nothing to do.
  await runPage();
});
