// Counts writes by the metrics of the API servers, which include writes that changed nothing.
import type { Kube } from '../../kube/client.ts';

export interface Writes {
  readonly cluster: string;
  /** The plural, with a subresource after a slash. */
  readonly resource: string;
  readonly requests: number;
}

const COUNTED = /^apiserver_request_total\{(?<labels>.*)\} (?<value>\S+)$/gm;
const WRITES = new Set(['POST', 'PUT', 'PATCH', 'APPLY', 'DELETE', 'DELETECOLLECTION']);
/** A review is a POST that writes nothing. */
const REVIEWS = /reviews$/;

type Counts = ReadonlyMap<string, Writes>;

export async function writesSoFar(
  clusters: readonly { readonly name: string; readonly kube: Kube }[],
): Promise<Counts> {
  const counts = new Map<string, Writes>();
  for (const { name: cluster, kube } of clusters) {
    const text = String(await kube.raw('GET', '/metrics'));
    for (const { groups } of text.matchAll(COUNTED)) {
      const labels = labelsOf(groups?.['labels'] ?? '');
      const plural = labels.get('resource') ?? '';
      if (!WRITES.has(labels.get('verb') ?? '') || REVIEWS.test(plural)) continue;
      const resource = [plural, labels.get('subresource') ?? ''].filter((part) => part !== '').join('/');
      const key = `${cluster} ${resource}`;
      const requests = (counts.get(key)?.requests ?? 0) + Number(groups?.['value']);
      counts.set(key, { cluster, resource, requests });
    }
  }
  if (counts.size === 0) throw new Error('The API servers’ metrics do not count writes.');
  return counts;
}

/** The writes between two counts, the most frequent first. */
export function writesSince(before: Counts, after: Counts): Writes[] {
  const grown = [...after].map(([key, now]) => ({
    ...now,
    requests: now.requests - (before.get(key)?.requests ?? 0),
  }));
  return grown.filter(({ requests }) => requests > 0).toSorted((a, b) => b.requests - a.requests);
}

function labelsOf(text: string): Map<string, string> {
  return new Map([...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]));
}
