// Points the hub's admission to the Go operator, and back to Cappstan.
import type { Kube } from '../../kube/client.ts';
import type { KubeObject, Resource } from '../../kube/resource.ts';
import type { PeerOperator } from './operator.ts';

interface Configuration extends KubeObject {
  readonly webhooks?: readonly unknown[];
}

const ADMISSION = { apiVersion: 'admissionregistration.k8s.io/v1', namespaced: false } as const;
const MUTATING: Resource = {
  ...ADMISSION,
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
};
const VALIDATING: Resource = {
  ...ADMISSION,
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
};
const BINDING: Resource = {
  ...ADMISSION,
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
};
const KEY = { namespace: null, name: 'cappstan-webhook' };
/** Binds the policy that lets Cappstan alone say where copies are, which the Go operator says, too. */
const AUTHORS = { namespace: null, name: 'cappstan-capp-authors' };

/** Returns the function that restores Cappstan's webhooks and policy. */
export async function pointWebhooksTo(hub: Kube, peer: PeerOperator): Promise<() => Promise<void>> {
  const undos = [
    await letThrough(hub),
    await replace(hub, MUTATING, webhook(peer, 'capp.dana.io', '/mutate-capp')),
    await replace(hub, VALIDATING, webhook(peer, 'capp.validate.rcs.dana.io', '/validate-capp')),
  ];
  return async () => {
    for (const undo of undos) await undo();
  };
}

async function letThrough(hub: Kube): Promise<() => Promise<void>> {
  const enforce = (actions: readonly string[]): Promise<unknown> =>
    hub.patch(BINDING, AUTHORS, { spec: { validationActions: actions } });
  await enforce(['Audit']);
  return async () => void (await enforce(['Deny']));
}

async function replace(hub: Kube, resource: Resource, entry: object): Promise<() => Promise<void>> {
  const before = (await hub.get<Configuration>(resource, KEY))?.webhooks ?? [];
  if (before.length === 0)
    throw new Error(`${resource.kind} ${KEY.name} has no webhooks. Run "make up" to repair the stack.`);
  await hub.patch(resource, KEY, { webhooks: [entry] });
  return async () => void (await hub.patch(resource, KEY, { webhooks: before }));
}

/** As its chart registers it. */
function webhook({ authority, webhooks }: PeerOperator, name: string, path: string): object {
  return {
    name,
    clientConfig: { url: `${webhooks}${path}`, caBundle: Buffer.from(authority).toString('base64') },
    rules: [
      {
        apiGroups: ['rcs.dana.io'],
        apiVersions: ['v1alpha1'],
        operations: ['CREATE', 'UPDATE'],
        resources: ['capps'],
      },
    ],
    failurePolicy: 'Fail',
    sideEffects: 'NoneOnDryRun',
    admissionReviewVersions: ['v1'],
  };
}
