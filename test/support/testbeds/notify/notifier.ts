// The notifier with a real API server, the rights of its ServiceAccount, and a receiver over HTTPS on
// loopback.
import { CAPP } from '../../../../crds/capp/capp.ts';
import { NAMESPACE, SECRET } from '../../../../crds/kubernetes/core.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import {
  NOTIFICATION,
  type Notification,
  type NotificationConditionType,
  type NotificationSpec,
} from '../../../../crds/notify/notification.ts';
import { RELEASE_NAMESPACE } from '../../../../deploy/local/cappstan/chart.ts';
import { applyObjects } from '../../../../deploy/local/kubernetes/apply.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { Key, KubeObject, Resource } from '../../../../kube/resource.ts';
import { startNotifier, type Notifier, type NotifierOptions } from '../../../../notify/notifier.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { forHub, startCluster, type Cluster } from '../../servers/chart/chart.ts';
import { RECEIVER, startReceiver, type Received, type Receiver } from '../../servers/network/receiver.ts';

export const NOTIFIER_USER = `system:serviceaccount:${RELEASE_NAMESPACE}:cappstan-notifier`;
/** In every Secret of the tests: it must be found nowhere else. */
export const CANARY = 's3cret-canary';
export const KEY = Buffer.alloc(32, 7);

const ROLE_BINDING: Resource = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  plural: 'rolebindings',
  namespaced: true,
};

export interface NotifierTestbed {
  readonly cluster: Cluster;
  /** The administrator's. */
  readonly kube: Kube;
  readonly receiver: Receiver;
  /** What the notifier reported of its turns and watches. */
  readonly faults: unknown[];
  /** Starts the notifier, in the test's process. */
  start(over?: Partial<NotifierOptions>): Promise<Notifier>;
  /** A namespace with all that a Notification needs. */
  ready(namespace: string, names?: readonly string[]): Promise<void>;
  namespace(name: string): Promise<void>;
  bind(namespace: string): Promise<void>;
  secret(namespace: string, values: Readonly<Record<string, string>>): Promise<void>;
  list(hosts: readonly object[]): Promise<void>;
  notify(namespace: string, name: string, spec?: Partial<NotificationSpec>): Promise<void>;
  read(namespace: string, name: string): Promise<Notification>;
  /** Waits until the condition has that reason, and gives its message. */
  reason(of: Key, type: NotificationConditionType, reason: string): Promise<string>;
  /** A Capp, or its status if it is there. */
  capp(namespace: string, name: string, status: object): Promise<void>;
  status(resource: Resource, key: Key, status: object): Promise<void>;
  /** Requests that have come to that path. */
  at(path: string): readonly Received[];
  stop(): Promise<void>;
}

/** So that tests need not wait. */
export const QUICK = {
  gather: 50,
  spacing: 10,
  retryFirst: 50,
  retryLongest: 200,
  unready: 100,
  behind: 20,
  send: 1_000,
};

export async function startNotifierTestbed(): Promise<NotifierTestbed> {
  const cluster = await startCluster('hub');
  const { kube } = cluster;
  const receiver = await startReceiver([RECEIVER, 'localhost']);
  const objects = await forHub({ 'notifications.install': 'true' });
  const isOurs = ({ kind, metadata }: KubeObject): boolean =>
    kind === 'CustomResourceDefinition' ||
    kind === 'Namespace' ||
    (kind !== 'Deployment' && metadata.name.startsWith('cappstan-notif'));
  await applyObjects(kube, objects.filter(isOurs));
  await eventually(() => kube.list(NOTIFICATION));
  const running: { stop(): Promise<void> }[] = [];
  const faults: unknown[] = [];
  const bed: NotifierTestbed = {
    cluster,
    kube,
    receiver,
    faults,
    start: async (over = {}) => {
      const own = await cluster.client(NOTIFIER_USER);
      const notifier = await startNotifier(own, {
        place: { namespace: RELEASE_NAMESPACE, configKey: RCS_CONFIG_KEY },
        source: 'test',
        withBundles: true,
        authorities: () => Promise.resolve(receiver.authority),
        post: { resolve: (_host, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]) },
        times: QUICK,
        onProblem: (_kind, error) => void faults.push(error),
        onError: (_key, error) => void faults.push(error),
        onEnded: () => undefined,
        ...over,
      });
      let isStopped = false;
      const stop = async (): Promise<void> => {
        if (isStopped) return;
        isStopped = true;
        await notifier.stop();
        await own.close();
      };
      running.push({ stop });
      return { ...notifier, stop };
    },
    ready: async (namespace, names = ['chat']) => {
      await bed.namespace(namespace);
      await bed.bind(namespace);
      const values = names.flatMap((name) => [
        [`${name}.url`, `https://${RECEIVER}:${receiver.port}/${namespace}/${name}?${CANARY}`],
        [`${name}.key`, `whsec_${KEY.toString('base64')}`],
      ]);
      await bed.secret(namespace, Object.fromEntries(values) as Record<string, string>);
      for (const name of names) await bed.notify(namespace, name);
    },
    namespace: async (name) =>
      void (await kube.apply(NAMESPACE, { metadata: { name } }, { fieldManager: 'test', force: true })),
    bind: async (namespace) => {
      const [account, role] = ['cappstan-notifier', 'cappstan-notifier-secret'];
      await kube.create<KubeObject & { roleRef: object; subjects: object[] }>(ROLE_BINDING, {
        metadata: { namespace, name: account },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
        subjects: [{ kind: 'ServiceAccount', name: account, namespace: RELEASE_NAMESPACE }],
      });
    },
    secret: async (namespace, values) => {
      const data = Object.fromEntries(
        Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
      );
      const secret: KubeObject & { data: object } = {
        metadata: { namespace, name: 'cappstan-notifications' },
        data,
      };
      await kube.apply(SECRET, secret, { fieldManager: 'test', force: true });
    },
    list: async (hosts) => {
      await bed.namespace(RCS_CONFIG_KEY.namespace);
      const spec = { placements: ['default'], notifications: { hosts } };
      const config: KubeObject & { spec: object } = { metadata: RCS_CONFIG_KEY, spec };
      await kube.apply(RCS_CONFIG, config, { fieldManager: 'test', force: true });
    },
    notify: async (namespace, name, spec = {}) => {
      const object: KubeObject & { spec: object } = {
        metadata: { namespace, name },
        spec: { format: 'CloudEvents', ...spec },
      };
      await kube.apply(NOTIFICATION, object, { fieldManager: 'test', force: true });
    },
    read: async (namespace, name) => {
      const found = await kube.get<Notification>(NOTIFICATION, { namespace, name });
      if (found === null) throw new Error(`There is no Notification ${namespace}/${name}`);
      return found;
    },
    reason: (key, type, reason) =>
      eventually(async () => {
        const { status } = await bed.read(key.namespace ?? '', key.name);
        const said = status?.conditions?.find((one) => one.type === type);
        if (said?.reason !== reason)
          throw new Error(`${type} is ${said?.status}/${said?.reason}: ${said?.message}`);
        return said.message;
      }),
    capp: async (namespace, name, status) => {
      const template = { spec: { containers: [{ name: 'app', image: 'registry.example/app:1' }] } };
      const object: KubeObject & { spec: object } = {
        metadata: { namespace, name },
        spec: { configurationSpec: { template } },
      };
      await kube.apply(CAPP, object, { fieldManager: 'test', force: true });
      await bed.status(CAPP, { namespace, name }, status);
    },
    status: async (resource, key, status) =>
      void (await kube.patch(resource, key, { status }, { subresource: 'status' })),
    at: (path) => receiver.received.filter((one) => one.path.startsWith(`${path}?`)),
    stop: async () => {
      for (const one of running) await one.stop();
      await receiver.stop();
      await cluster.stop();
    },
  };
  return bed;
}

export function condition(type: string, status: string, reason: string, at = new Date()): object {
  return { type, status, reason, message: `because of ${reason}.`, lastTransitionTime: at.toISOString() };
}
