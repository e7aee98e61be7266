// Versions of all objects and workflows of the Capps in a namespace, which must not change while the Capps
// are idle.
import { CAPP, type Capp } from '../../crds/capp/capp.ts';
import { KNATIVE_SERVICE } from '../../crds/kubernetes/knative.ts';
import { MANIFEST_WORK } from '../../crds/ocm/ocm.ts';
import type { Kube } from '../../kube/client.ts';
import type { KubeObject, Resource } from '../../kube/resource.ts';
import type { TestbedStack } from '../stack.ts';

type Versions = ReadonlyMap<string, string>;

/** History lengths of the workflows and resourceVersions of all objects that we write, by a readable name. */
export async function versionsOf(
  { hub, site, sites, temporal }: TestbedStack,
  namespace: string,
): Promise<Map<string, string>> {
  const figures = new Map<string, string>();
  const note = async (
    where: string,
    kube: Kube,
    resource: Resource,
    isOurs: (object: KubeObject) => boolean,
  ): Promise<void> => {
    const { items } = await kube.list(resource);
    for (const object of items.filter(isOurs))
      figures.set(`${where} ${resource.kind} ${object.metadata.name}`, object.metadata.resourceVersion ?? '');
  };
  const here = (object: KubeObject): boolean => object.metadata.namespace === namespace;
  await note('hub', hub, CAPP, here);
  await note('hub', hub, MANIFEST_WORK, ({ metadata }) =>
    metadata.name.startsWith(`mw-create-${namespace}-`),
  );
  for (const name of sites) {
    await note(name, site(name), CAPP, here);
    await note(name, site(name), KNATIVE_SERVICE, here);
  }
  for (const { metadata } of (await hub.list<Capp>(CAPP, { namespace })).items) {
    const { historyLength } = await temporal.workflow
      .getHandle(`capp/${namespace}/${metadata.name}`)
      .describe();
    figures.set(`workflow ${metadata.name}`, String(historyLength));
  }
  return figures;
}

/** The names of versions that differ, are new or are gone. */
export function changedNames(before: Versions, after: Versions): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => before.get(key) !== after.get(key),
  );
}
