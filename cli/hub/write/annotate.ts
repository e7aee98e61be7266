// Writes the annotations by which a person asks for something.
import { requestedBy } from '../../../crds/labels.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import type { ConnectedHub } from '../connection/hub.ts';

/**
 * Writes annotations on exactly the object that was read; null removes one. The name of whoever asked for the
 * same before goes with it: while no webhook answers, nobody else's name may stay there. A repeat changes
 * nothing. Throws ApiError, a Conflict if another object of that name is there now.
 */
export async function annotateObject<T extends KubeObject>(
  hub: ConnectedHub,
  resource: Resource,
  { metadata }: T,
  annotations: Readonly<Record<string, string | null>>,
): Promise<T> {
  const key = { namespace: metadata.namespace ?? '', name: metadata.name };
  const stale = Object.keys(annotations)
    .map(requestedBy)
    .filter((by) => metadata.annotations?.[by] !== undefined);
  const all = { ...annotations, ...Object.fromEntries(stale.map((by) => [by, null])) };
  return hub.kube.patch<T>(
    resource,
    key,
    { metadata: { uid: metadata.uid, annotations: all } },
    { fieldManager: 'kubectl-capp' },
  );
}
