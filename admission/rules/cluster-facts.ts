// What administrators say of a site, its labels and taints, is not the site's own to change: labels decide
// which Capps and Secrets it may get, and taints keep them away.
import { CLUSTER_IDENTITIES } from '../../crds/ocm/cluster-identities.ts';
import { CLUSTER_SET_LABEL } from '../../crds/ocm/placements.ts';
import { at, isFields, listAt } from '../fields.ts';
import type { Request } from '../request.ts';
import type { Problem, Rule } from '../rule.ts';

export const clusterFacts: Rule = (request) => {
  const { operation, username } = request;
  const isChange = operation === 'CREATE' || operation === 'UPDATE';
  if (!isChange || !CLUSTER_IDENTITIES.some((prefix) => username.startsWith(prefix))) return {};
  const problems = [
    ...labelsChanged(request).map((label) => problem(`metadata.labels[${label}]`)),
    ...(taintsOf(request.object) === taintsOf(request.oldObject) ? [] : [problem('spec.taints')]),
  ];
  return { problems };
};

function problem(field: string): Problem {
  const message =
    'A cluster changes neither its labels nor its taints: they say what it may get. Ask an administrator of the hub to set them.';
  return { field, reason: 'FieldValueForbidden', message, fromCache: false };
}

/** OCM's own webhook puts a cluster without a ManagedClusterSet into the default one, whoever writes it. */
function labelsChanged({ object, oldObject }: Request): string[] {
  const [present, former] = [object, oldObject].map((one) => {
    const labels = at(one, 'metadata', 'labels');
    return isFields(labels) ? labels : {};
  }) as [Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>];
  const isDefaulted = (name: string): boolean =>
    name === CLUSTER_SET_LABEL && former[name] === undefined && present[name] === 'default';
  return [...new Set([...Object.keys(present), ...Object.keys(former)])]
    .filter((name) => present[name] !== former[name] && !isDefaulted(name))
    .toSorted();
}

/** As text, without the times that OCM adds. */
function taintsOf(cluster: unknown): string {
  const taints = listAt(cluster, 'spec', 'taints');
  return JSON.stringify(taints.map((one) => [at(one, 'key'), at(one, 'value') ?? '', at(one, 'effect')]));
}
