// What the ResourceQuotas of a site's namespaces leave to new pods. Pure.
import type { ResourceQuota } from '../../../crds/kubernetes/core.ts';
import { amountOf } from '../../../crds/kubernetes/quantity.ts';
import { MOST_INSPECTED, type QuotaResource, type QuotaRoom } from '../../../workflows/types/inspection.ts';

/** Each resource by the names that Kubernetes has for it. */
const NAMES: Readonly<Record<string, QuotaResource>> = {
  pods: 'pods',
  'count/pods': 'pods',
  cpu: 'requests.cpu',
  'requests.cpu': 'requests.cpu',
  memory: 'requests.memory',
  'requests.memory': 'requests.memory',
  'limits.cpu': 'limits.cpu',
  'limits.memory': 'limits.memory',
};

/** Scopes in which the pods of a Capp are: they run until they are stopped, and ask for something. */
const OURS: ReadonlySet<string> = new Set(['NotTerminating', 'NotBestEffort']);

/** Of what a gateway lets through in one answer, in bytes: the larger part. */
const MOST_BYTES = 40_000;

/**
 * Of the namespaces that were asked about, as many as an answer has room for. Quotas for other pods than
 * those of Capps are left out.
 */
export function quotaRooms(
  quotas: readonly ResourceQuota[],
  namespaces: readonly string[],
): { readonly quotas: QuotaRoom[]; readonly areAllQuotas: boolean } {
  const asked = new Set(namespaces);
  const found = quotas
    .filter(({ metadata: { namespace = '' } }) => asked.has(namespace))
    .filter(({ spec }) => spec?.scopeSelector === undefined)
    .filter(({ spec }) => (spec?.scopes ?? []).every((scope) => OURS.has(scope)))
    .flatMap(roomsOf);
  let bytes = 0;
  const kept = found.slice(0, MOST_INSPECTED.quotas).filter((room) => {
    bytes += JSON.stringify(room).length + 1;
    return bytes <= MOST_BYTES;
  });
  return { quotas: kept, areAllQuotas: kept.length === found.length };
}

function roomsOf({ metadata: { namespace = '', name }, spec, status }: ResourceQuota): QuotaRoom[] {
  return Object.entries(spec?.hard ?? {}).flatMap(([key, hard]) => {
    const resource = Object.hasOwn(NAMES, key) ? NAMES[key] : undefined;
    if (resource === undefined) return [];
    const used = status?.used?.[key] ?? '0';
    return [{ namespace, name, resource, hard: whole(resource, hard), used: whole(resource, used) }];
  });
}

/** Thousandths of a core, bytes, or pods. */
export function whole(resource: QuotaResource | 'cpu' | 'memory', quantity: string): number {
  const amount = amountOf(quantity) * (resource.endsWith('cpu') ? 1_000 : 1);
  // 0.1 has no exact value: what is as good as whole is.
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.floor(amount + 1e-6)));
}
