// What is kept of a Bundle's work: its site writes what it likes into it, as much as an API server stores.
import { MOST_MANIFESTS } from '../../../crds/bundle/bundle.ts';
import type { ForeignCondition } from '../../../crds/kubernetes/core.ts';
import { slim } from '../../../crds/kubernetes/slim.ts';
import type { ManifestWork } from '../../../crds/ocm/ocm.ts';
import type { KubeObject } from '../../../kube/resource.ts';

const MOST_CONDITIONS = 32;
/** Longer than any kind, and than any name that an API server takes. */
const LONGEST = 256;

type Work = ManifestWork & KubeObject;
type Said = NonNullable<NonNullable<NonNullable<Work['status']>['resourceStatus']>['manifests']>[number];

/** Without what it carries, which may be secret, and with no more than a work of ours says. */
export function keptWork({ status, ...work }: Work): Work {
  const { spec: _spec, ...kept } = slim(work as Work);
  const manifests = (status?.resourceStatus?.manifests ?? []).slice(0, MOST_MANIFESTS).map(keptOf);
  const conditions = keptConditions(status?.conditions);
  return { ...kept, status: { conditions, resourceStatus: { manifests } } };
}

function keptOf({ resourceMeta, conditions }: Partial<Said>): Said {
  const { kind = '', name = '', namespace = '' } = resourceMeta ?? {};
  return {
    resourceMeta: { kind: cut(kind), name: cut(name), namespace: cut(namespace) },
    conditions: keptConditions(conditions),
  };
}

function keptConditions(conditions: readonly ForeignCondition[] = []): ForeignCondition[] {
  return conditions.slice(0, MOST_CONDITIONS).map(({ type, status, reason }) => ({
    type: cut(type),
    status,
    ...(reason === undefined ? {} : { reason: cut(reason) }),
  }));
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
