// What administrators and Cappstan say of a site, its labels, taints and annotations of ours, is not the
// site's own to change: labels decide which Capps and Secrets it may get, taints keep them away, and
// annotations say whose site it is and how it joined.
import { CLUSTER_IDENTITIES } from '../../crds/ocm/cluster-identities.ts';
import { isOurs } from '../../crds/labels.ts';
import { CLUSTER_SET_LABEL } from '../../crds/ocm/placements.ts';
import { isFields } from '../../kube/fields.ts';
import { at, listAt } from '../fields.ts';
import type { AdmissionRequest } from '../request.ts';
import type { Problem, AdmissionRule } from '../rule.ts';

export const clusterFacts: AdmissionRule = (request) => {
  const { operation, username } = request;
  const isChange = operation === 'CREATE' || operation === 'UPDATE';
  if (!isChange || !CLUSTER_IDENTITIES.some((prefix) => username.startsWith(prefix))) return {};
  const problems = [
    ...labelsChanged(request).map((label) => problem(`metadata.labels[${label}]`)),
    ...notesChanged(request).map((name) => problem(`metadata.annotations[${name}]`)),
    ...(taintsOf(request.object) === taintsOf(request.oldObject) ? [] : [problem('spec.taints')]),
  ];
  return { problems };
};

function problem(field: string): Problem {
  const message =
    'A cluster changes neither its labels nor its taints nor the annotations of Cappstan: they say what it may get, and whose it is. Ask an administrator of the hub to set them.';
  return { field, reason: 'FieldValueForbidden', message, fromCache: false };
}

/** OCM's own webhook puts a cluster without a ManagedClusterSet into the default one, whoever writes it. */
function labelsChanged(request: AdmissionRequest): string[] {
  return changed(request, 'labels').flatMap(({ name, former, present }) =>
    name === CLUSTER_SET_LABEL && former === undefined && present === 'default' ? [] : [name],
  );
}

function notesChanged(request: AdmissionRequest): string[] {
  return changed(request, 'annotations').flatMap(({ name }) => (isOurs(name) ? [name] : []));
}

interface Change {
  readonly name: string;
  /** Undefined: it was not there. */
  readonly former: unknown;
  readonly present: unknown;
}

function changed({ object, oldObject }: AdmissionRequest, field: 'labels' | 'annotations'): Change[] {
  const [present, former] = [object, oldObject].map((one) => {
    const found = at(one, 'metadata', field);
    return isFields(found) ? found : {};
  }) as [Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>];
  return [...new Set([...Object.keys(present), ...Object.keys(former)])]
    .filter((name) => present[name] !== former[name])
    .toSorted()
    .map((name) => ({ name, former: former[name], present: present[name] }));
}

/** As text, without the times that OCM adds. */
function taintsOf(cluster: unknown): string {
  const taints = listAt(cluster, 'spec', 'taints');
  return JSON.stringify(taints.map((one) => [at(one, 'key'), at(one, 'value') ?? '', at(one, 'effect')]));
}
