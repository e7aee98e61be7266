// Reads where a Notification sends: live, by the one Secret that its namespace lets the notifier read.
import { SECRET, type Secret } from '../crds/kubernetes/core.ts';
import {
  MOST_IN_NAMESPACE,
  NOTIFICATIONS_SECRET,
  NOTIFIER_ACCOUNT,
  type Notification,
} from '../crds/notify/notification.ts';
import type { Kube } from '../kube/client.ts';
import { isForbidden } from '../kube/failure.ts';
import type { NotifierCaches } from './seen.ts';
import { forbidden, missing, targetOf, type FoundTarget } from './target/target.ts';

export interface NotifierPlace {
  /** The namespace of the release: a Notification there is of the whole hub. */
  readonly namespace: string;
  readonly configKey: { readonly namespace: string; readonly name: string };
}

type Caches = Pick<NotifierCaches, 'notifications' | 'configs'>;

/** Throws ApiError when the API server does not answer. Keeps nothing of the Secret. */
export async function look(
  kube: Pick<Kube, 'get'>,
  { notifications, configs }: Caches,
  { metadata: { namespace = '', name }, spec }: Notification,
  { namespace: home, configKey }: NotifierPlace,
): Promise<FoundTarget> {
  if (!isCounted(notifications, namespace, name)) return { fault: TOO_MANY };
  const hosts = configs.get(configKey)?.spec.notifications?.hosts ?? [];
  const config = `${configKey.namespace}/${configKey.name}`;
  let secret: Secret | null;
  try {
    secret = await kube.get<Secret>(SECRET, { namespace, name: NOTIFICATIONS_SECRET });
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return { fault: forbidden(namespace, { namespace: home, name: NOTIFIER_ACCOUNT }) };
  }
  if (secret === null) return { fault: missing({ namespace, name }) };
  return targetOf(secret, { namespace, name, format: spec.format, hosts, config });
}

const TOO_MANY = {
  reason: 'TooManyInNamespace',
  message: `a namespace has at most ${MOST_IN_NAMESPACE} Notifications, and older ones come first: delete one of them`,
} as const;

function isCounted(notifications: Caches['notifications'], namespace: string, name: string): boolean {
  const age = ({ metadata }: Notification): string => `${metadata.creationTimestamp ?? ''}/${metadata.name}`;
  const names = notifications
    .list(namespace)
    .toSorted((a, b) => (age(a) < age(b) ? -1 : 1))
    .slice(0, MOST_IN_NAMESPACE)
    .map(({ metadata }) => metadata.name);
  return names.includes(name);
}
