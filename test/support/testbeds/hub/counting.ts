// A client that records what it asks of the API server.
import { EVENT } from '../../../../crds/kubernetes/core.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { Resource } from '../../../../kube/resource.ts';

export interface Counting {
  /** Each request as "verb Kind", without those for Events. */
  readonly asked: string[];
  readonly kube: Kube;
}

export function countingRequests(of: Kube): Counting {
  const asked: string[] = [];
  const kube: Kube = new Proxy(of, {
    get:
      (target, verb: keyof Kube) =>
      (resource: Resource, ...rest: unknown[]): unknown => {
        if (verb === 'within') return kube;
        if (resource.kind !== EVENT.kind) asked.push(`${verb} ${resource.kind}`);
        return Reflect.apply(target[verb], target, [resource, ...rest]);
      },
  });
  return { asked, kube };
}
