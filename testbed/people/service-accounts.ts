// Users for end-to-end tests: ServiceAccounts with limited rights.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { connect, type Kube } from '../../kube/client.ts';
import { pathOf, type KubeObject, type Resource } from '../../kube/resource.ts';
import type { TestbedStack } from '../stack.ts';
import { API_TIMEOUT_MS } from '../eventually.ts';

const SERVICE_ACCOUNT: Resource = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  namespaced: true,
};
export const ROLE_BINDING: Resource = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  plural: 'rolebindings',
  namespaced: true,
};

export interface TestUser {
  /** The username in the API server. */
  readonly username: string;
  readonly kube: Kube;
  /** Deletes the ServiceAccount. */
  remove(): Promise<void>;
}

/**
 * Creates a ServiceAccount on the hub that may edit the Capps of the namespace `editsIn`, by the chart's
 * roles.
 */
export async function createUser(
  stack: TestbedStack,
  account: { namespace: string; name: string },
  editsIn: string,
): Promise<TestUser> {
  const { hub } = stack;
  await hub.create(SERVICE_ACCOUNT, { metadata: account });
  const subjects = [{ kind: 'ServiceAccount', ...account }];
  for (const role of ['cappstan-capp-edit', 'cappstan-capp-view']) {
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role };
    await hub.create(ROLE_BINDING, {
      metadata: { namespace: editsIn, name: `${account.name}-${role}` },
      roleRef,
      subjects,
    } as KubeObject);
  }
  const request = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 3600 },
  };
  const { status } = (await hub.raw('POST', pathOf(SERVICE_ACCOUNT, account, 'token'), {
    body: request,
  })) as { status: { token: string } };
  const kube = await withToken(stack.layout.kubeconfig('hub'), status.token);
  return {
    username: `system:serviceaccount:${account.namespace}:${account.name}`,
    kube,
    remove: async () => {
      await kube.close();
      await hub.remove(SERVICE_ACCOUNT, account);
    },
  };
}

async function withToken(kubeconfig: string, token: string): Promise<Kube> {
  const config = parse(await readFile(kubeconfig, 'utf8')) as { users: { name: string; user: object }[] };
  const users = config.users.map(({ name }) => ({ name, user: { token } }));
  const dir = await mkdtemp(join(tmpdir(), 'cappstan-token-'));
  try {
    await writeFile(join(dir, 'kubeconfig'), stringify({ ...config, users }), { mode: 0o600 });
    return connect({ kubeconfig: join(dir, 'kubeconfig'), deadlineMs: API_TIMEOUT_MS });
  } finally {
    await rm(dir, { recursive: true });
  }
}
