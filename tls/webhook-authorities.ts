// Writes the authorities that the API server trusts into the webhook configurations, and nothing else.
import type { Kube } from '../kube/client.ts';
import type { KubeObject, Resource } from '../kube/resource.ts';

interface Configuration extends KubeObject {
  readonly webhooks?: readonly {
    readonly name: string;
    readonly clientConfig: { readonly caBundle?: string };
  }[];
}

const REGISTRATION = 'admissionregistration.k8s.io/v1';

export const CONFIGURATIONS: readonly Resource[] = [
  {
    apiVersion: REGISTRATION,
    kind: 'MutatingWebhookConfiguration',
    plural: 'mutatingwebhookconfigurations',
    namespaced: false,
  },
  {
    apiVersion: REGISTRATION,
    kind: 'ValidatingWebhookConfiguration',
    plural: 'validatingwebhookconfigurations',
    namespaced: false,
  },
];

/** The Secret of the webhook's own certificate. */
export const WEBHOOK_CERTIFICATE = 'cappstan-webhook-certificate';

/** The name of both, as the chart gives it. */
export const CONFIGURATION_NAME = 'cappstan-webhook';

/** Takes PEM. Writes nothing where it is already there, and creates no configuration. */
export async function publishAuthorities(kube: Kube, authorities: string): Promise<void> {
  const caBundle = Buffer.from(authorities).toString('base64');
  for (const resource of CONFIGURATIONS) {
    const found = await kube.get<Configuration>(resource, { namespace: null, name: CONFIGURATION_NAME });
    const webhooks = found?.webhooks ?? [];
    if (found === null || webhooks.every(({ clientConfig }) => clientConfig.caBundle === caBundle)) continue;
    const { uid } = found.metadata;
    const trusting = webhooks.map(({ name }) => ({ name, clientConfig: { caBundle } }));
    const object: Configuration = {
      metadata: { name: CONFIGURATION_NAME, ...(uid === undefined ? {} : { uid }) },
      webhooks: trusting,
    };
    await kube.apply(resource, object, { fieldManager: 'cappstan-webhook', force: true });
  }
}
