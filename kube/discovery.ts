// What kinds an API server serves:
// https://kubernetes.io/docs/concepts/overview/kubernetes-api/#aggregated-discovery
import type { CallOptions, Kube } from './client.ts';
import { isNotFound } from './failure.ts';
import type { Resource } from './resource.ts';

interface Discovery {
  readonly items?: readonly {
    /** The group; without a name it is the core group. */
    readonly metadata?: { readonly name?: string };
    /** The preferred one first. */
    readonly versions?: readonly {
      readonly version: string;
      readonly freshness?: string;
      readonly resources?: readonly {
        readonly resource: string;
        readonly responseKind?: { readonly kind?: string };
        readonly scope: 'Cluster' | 'Namespaced';
        readonly verbs: readonly string[];
      }[];
    }[];
  }[];
}

const VERBS = ['create', 'list', 'watch', 'delete'];
const ACCEPT = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/**
 * Every namespaced kind whose objects can be made, listed, watched and deleted, in each group's preferred
 * version; others are views of them. Throws ApiError, and a plain Error when a group's own server does not
 * answer: a kind that may be there must not be taken for absent.
 */
export async function namespacedResources(kube: Kube, options: CallOptions = {}): Promise<Resource[]> {
  const answers = await Promise.all(
    ['/api', '/apis'].map((path) => kube.raw('GET', path, { ...options, accept: ACCEPT })),
  );
  return answers.flatMap((answer) => (answer as Discovery).items ?? []).flatMap(resourcesOf);
}

/** Whether the API server serves the kind in this very version. Throws ApiError. */
export async function serves(
  kube: Kube,
  { apiVersion, plural }: Resource,
  options: CallOptions = {},
): Promise<boolean> {
  try {
    const answer = await kube.raw(
      'GET',
      apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`,
      options,
    );
    const { resources = [] } = answer as { readonly resources?: readonly { readonly name: string }[] };
    return resources.some(({ name }) => name === plural);
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

type Group = NonNullable<Discovery['items']>[number];

function resourcesOf({ metadata, versions = [] }: Group): Resource[] {
  const group = metadata?.name ?? '';
  const seen = new Set<string>();
  const found: Resource[] = [];
  for (const { version, freshness, resources = [] } of versions) {
    if (freshness === 'Stale')
      throw new Error(`API group ${group} is stale: its server does not answer discovery`);
    for (const { resource, responseKind, scope, verbs } of resources) {
      if (scope !== 'Namespaced' || !VERBS.every((verb) => verbs.includes(verb)) || seen.has(resource))
        continue;
      seen.add(resource);
      const apiVersion = group === '' ? version : `${group}/${version}`;
      found.push({ apiVersion, kind: responseKind?.kind ?? '', plural: resource, namespaced: true });
    }
  }
  return found;
}
