// Blocks a rollout at one step: a webhook configuration without a server makes the API server refuse one kind
// of write.
import type { Kube } from '../../../../kube/client.ts';

export interface Write {
  readonly apiGroup: string;
  /** Plural, with `/status` or the like for a subresource. */
  readonly resource: string;
  readonly operations: readonly ('CREATE' | 'UPDATE' | 'DELETE')[];
  /** The object's name. */
  readonly name: string;
}

const WEBHOOK = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  namespaced: false,
} as const;

/** Nothing listens there, so a call fails at once. */
const NOWHERE = 'https://127.0.0.1:1/';

export interface Barrier {
  open(): Promise<void>;
}

/** The API server reads the configuration a moment later: a write that follows at once may still pass. */
export async function closeBarrier(kube: Kube, write: Write): Promise<Barrier> {
  const name = `barrier-${write.name}-${write.resource.replace('/', '-')}`;
  await kube.create(WEBHOOK, {
    apiVersion: WEBHOOK.apiVersion,
    kind: WEBHOOK.kind,
    metadata: { name },
    webhooks: [
      {
        name: 'barrier.cappstan.test',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: 'Fail',
        timeoutSeconds: 1,
        clientConfig: { url: NOWHERE },
        rules: [
          {
            apiGroups: [write.apiGroup],
            apiVersions: ['*'],
            operations: [...write.operations],
            resources: [write.resource],
          },
        ],
        matchConditions: [
          {
            name: 'named',
            expression: `request.name == '${write.name}' || (object != null && object.metadata.name == '${write.name}')`,
          },
        ],
      },
    ],
  } as never);
  return { open: async () => void (await kube.remove(WEBHOOK, { namespace: null, name })) };
}
