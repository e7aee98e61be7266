// Works for Capps in unit tests, and caches that find Capps and works by name as the real ones do.
import type { Capp } from '../../../crds/capp/capp.ts';
import { factsAskedFor } from '../../../crds/capp/spec/requires.ts';
import { cappKey, byName, byWorkName, workName } from '../../../crds/ocm/work-identity.ts';
import {
  CAPP_KEY,
  CAPP_NAME,
  CAPP_NAMESPACE,
  CAPP_UID,
  MANAGED_BY,
  MANAGED_BY_HUB,
} from '../../../crds/labels.ts';
import type { KubeObject, ObjectMeta } from '../../../kube/resource.ts';

/** The labels and annotations that a work of ours has. */
export function labelsFor(
  namespace: string,
  name: string,
  uid = 'uid-1',
): Required<Pick<ObjectMeta, 'labels' | 'annotations'>> {
  return {
    labels: { [CAPP_KEY]: cappKey(namespace, name), [CAPP_UID]: uid, [MANAGED_BY]: MANAGED_BY_HUB },
    annotations: { [CAPP_NAMESPACE]: namespace, [CAPP_NAME]: name },
  };
}

/** Metadata of a Capp's work as we make it; `more` is put over it. */
export function ownWork(
  capp: { namespace?: string; name?: string; uid?: string } = {},
  more: Partial<ObjectMeta> = {},
): KubeObject {
  const { namespace = 'apps', name = 'app', uid } = capp;
  return {
    metadata: {
      name: workName(namespace, name),
      namespace: 'site-1',
      ...labelsFor(namespace, name, uid),
      ...more,
    },
  };
}

/** What of a cache of Capps or works is asked for. */
export function byNames<T extends KubeObject>(objects: readonly T[]) {
  const keysIn: Readonly<Record<string, (object: KubeObject) => readonly string[]>> = {
    name: byName,
    work: byWorkName,
    requires: (object) => factsAskedFor((object as Partial<Capp>).spec?.requires),
  };
  return {
    list: () => [...objects],
    get: ({ namespace, name }: { namespace: string | null; name: string }) =>
      objects.find(({ metadata }) => metadata.name === name && (metadata.namespace ?? null) === namespace),
    by: (index: string, key: string) =>
      objects.filter((object) => keysIn[index]?.(object).includes(key) === true),
  };
}
