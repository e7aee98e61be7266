// The reader of a hub of its own, as far as its API server asks it. No cluster-proxy runs.
import { ApiError } from '../../../../kube/failure.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { Key } from '../../../../kube/resource.ts';
import { pathTo } from '../../../../reach/names.ts';

/** `authority` is the path of any certificate; nobody connects to the address here. */
export function readerFlags(authority: string): string[] {
  return [
    '--reader-user-server',
    'https://user-server.example:9092',
    '--reader-user-server-ca-file',
    authority,
  ];
}

/** What the hub says of the Pods of a Capp: a refusal's sentence. */
export async function saidOfPods(kube: Kube, key: Key): Promise<string> {
  try {
    return JSON.stringify(await kube.raw('GET', pathTo(key, 'pods'), { quotesRefusal: true }));
  } catch (error) {
    if (error instanceof ApiError) return error.said ?? String(error.code);
    throw error;
  }
}
