// What Knative and Kourier need on a site's API server before their parts run: settings, and the webhook's
// registration.
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { applyObjects, createMissing } from '../../kubernetes/apply.ts';
import { SYSTEM_NAMESPACE, type Settings } from '../../kubernetes/knative.ts';
import { PUBLISHED } from '../../published/pins.ts';
import { builtObjects } from '../../published/read.ts';
import { KOURIER_NAMESPACE } from './settings.ts';

/** Our settings by ConfigMap of Knative, beside those of every site. */
export const REAL_SETTINGS: Settings = {
  'config-network': { 'ingress-class': 'kourier.ingress.networking.knative.dev' },
  // The shortest window that Knative allows is 6 s. Nobody at a terminal waits for the usual minute and a
  // half.
  'config-autoscaler': {
    'stable-window': '10s',
    'scale-to-zero-grace-period': '6s',
    'scale-to-zero-pod-retention-period': '0s',
  },
  // A part that is killed does not wait a minute for the lease of its predecessor.
  'config-leader-election': { 'lease-duration': '6s', 'renew-deadline': '4s', 'retry-period': '1s' },
  'config-logging': Object.fromEntries(
    ['activator', 'autoscaler', 'hpaautoscaler', 'net-kourier-controller', 'queueproxy', 'webhook'].map(
      (part) => [`loglevel.${part}`, 'warn'],
    ),
  ),
};

/**
 * Applies it. Run `installKnative` first. `webhookPort` is the port on loopback where the site's API server
 * finds Knative's webhook. Safe to repeat.
 */
export async function installDataPlane(kube: Kube, webhookPort: number): Promise<void> {
  const published = (await builtObjects(PUBLISHED.serving)).filter(isOfWebhook);
  await applyObjects(kube, [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: KOURIER_NAMESPACE } },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: SYSTEM_NAMESPACE, name: 'config-kourier' },
      data: { 'enable-service-access-logging': 'false' },
    } as KubeObject,
    webhookService(),
  ]);
  // Knative's webhook completes them when it starts, and changes them afterwards.
  await createMissing(
    kube,
    published.map((object) => onPort(object, webhookPort)),
  );
}

/** What registers it, and the Secret of its certificate, which it fills. */
function isOfWebhook({ kind, metadata: { name } }: KubeObject): boolean {
  return kind?.endsWith('WebhookConfiguration') === true || (kind === 'Secret' && name === 'webhook-certs');
}

/** The API server follows the name of such a Service to an address outside of the site's network. */
function webhookService(): KubeObject {
  const metadata = { namespace: SYSTEM_NAMESPACE, name: 'webhook' };
  const spec = { type: 'ExternalName', externalName: '127.0.0.1' };
  return { apiVersion: 'v1', kind: 'Service', metadata, spec } as KubeObject;
}

interface Registration extends KubeObject {
  readonly webhooks?: readonly { readonly clientConfig: { readonly service: object } }[];
}

/** A registration whose webhooks are called on that port; any other object as it is. */
export function onPort(object: Registration, port: number): KubeObject {
  if (object.webhooks === undefined) return object;
  const webhooks = object.webhooks.map((webhook) => ({
    ...webhook,
    clientConfig: { service: { ...webhook.clientConfig.service, port } },
  }));
  return { ...object, webhooks } as KubeObject;
}
