// What may go wrong with one write of a hub worker: it is killed before or after it, or its try is repeated,
// or comes late.
import { ApiError } from '../../../../kube/failure.ts';
import type { KubeRequest } from '../../../../kube/http/transport.ts';

type Kind = 'is not done' | 'is done without an answer' | 'is done twice' | 'is done late';
/** What may become of one write. */
export const KINDS: readonly Kind[] = [
  'is not done',
  'is done without an answer',
  'is done twice',
  'is done late',
];

const lost = ({ method, path }: KubeRequest): ApiError =>
  new ApiError({ method, path: path.split('?', 1)[0] ?? path, code: 0, reason: 'Unreachable' });

/** Counts writes, and does this to the nth of them. */
export function trouble(nth: number, kind: Kind) {
  let writes = 0;
  let late: (() => unknown)[] = [];
  const quietly = (send: () => unknown): void => {
    try {
      send();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  };
  const way = (request: KubeRequest, send: () => unknown): unknown => {
    if (request.method === 'GET') return send();
    writes += 1;
    // Three writes later, its worker long dead.
    if (writes === nth + 3) for (const one of late.splice(0)) quietly(one);
    if (writes !== nth) return send();
    if (kind === 'is not done') throw lost(request);
    if (kind === 'is done late') {
      late = [send];
      throw lost(request);
    }
    const answer = send();
    if (kind === 'is done twice') quietly(send);
    else throw lost(request);
    return answer;
  };
  return { way, count: () => writes };
}
