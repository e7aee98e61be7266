// Waits for a part that another one of the same run wants: helm does not try again when a webhook does not
// answer.
import { setTimeout as sleep } from 'node:timers/promises';
import { DEPLOYMENT } from '../../../crds/kubernetes/core.ts';
import type { Kube } from '../../../kube/client.ts';
import { keyOf, type KubeObject } from '../../../kube/resource.ts';
import { resourceOf } from '../../local/kubernetes/apply.ts';
import { JoinRefused } from '../refused.ts';
import type { PartName } from './parts.ts';

const WITHIN_MS = 600_000;
const EVERY_MS = 1_000;

interface Deployment extends KubeObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly observedGeneration?: number; readonly availableReplicas?: number };
}

interface Webhooks extends KubeObject {
  readonly webhooks?: readonly { readonly clientConfig?: { readonly caBundle?: string } }[];
}

/**
 * Until its Deployments are available and the API server knows by which CA its webhooks answer. Writes
 * nothing. Throws JoinRefused after 10 minutes.
 */
export async function untilRuns(
  site: Kube,
  { part, objects }: { readonly part: PartName; readonly objects: readonly KubeObject[] },
  note: (detail: string) => void,
): Promise<void> {
  for (const deadline = Date.now() + WITHIN_MS; ; await sleep(EVERY_MS)) {
    const waiting = await notRunning(site, objects);
    if (waiting === null) return;
    note(waiting);
    if (Date.now() < deadline) continue;
    throw new JoinRefused([
      `${part} does not run after 10 minutes (${waiting}). kubectl get pods -A shows why. Run this again when it runs: it goes on from here.`,
    ]);
  }
}

async function notRunning(site: Kube, objects: readonly KubeObject[]): Promise<string | null> {
  for (const object of objects) {
    const { kind = '', metadata } = object;
    const name = `${kind} ${metadata.name}`;
    if (kind === DEPLOYMENT.kind) {
      const found = await site.get<Deployment>(DEPLOYMENT, keyOf(object));
      if (found === null || !isAvailable(found)) return name;
    }
    if (kind.endsWith('WebhookConfiguration')) {
      const resource = await resourceOf(site, { apiVersion: object.apiVersion ?? '', kind });
      const found = await site.get<Webhooks>(resource, keyOf(object));
      if (found === null || !hasAuthority(found)) return name;
    }
  }
  return null;
}

function isAvailable({ metadata, spec, status }: Deployment): boolean {
  const isSeen = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  return isSeen && (status?.availableReplicas ?? 0) >= (spec?.replicas ?? 1);
}

function hasAuthority({ webhooks = [] }: Webhooks): boolean {
  return webhooks.every(({ clientConfig }) => (clientConfig?.caBundle ?? '') !== '');
}
