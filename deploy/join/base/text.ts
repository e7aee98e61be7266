// The site base as text, for people who bring it otherwise: manifests, and Bundles of a hub.
import { stringify } from 'yaml';
import { BUNDLE } from '../../../crds/bundle/bundle.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { objectsOf, type BaseWishes } from './base.ts';
import { partOf, type PartName } from './parts.ts';

/** Each object is a document. Throws JoinRefused. */
export async function manifestText(wishes: BaseWishes): Promise<string> {
  const parts = await Promise.all(wishes.parts.map((part) => published(part, wishes)));
  return documents(parts.flat());
}

/** A Bundle for each part, for these sites. Throws JoinRefused. */
export async function bundleText(
  { namespace, sites }: { readonly namespace: string; readonly sites: readonly string[] },
  wishes: BaseWishes,
): Promise<string> {
  const bundles = await Promise.all(
    wishes.parts.map(async (part): Promise<KubeObject> => {
      const name = `site-base-${part}`;
      const metadata = { name, namespace, labels: { 'app.kubernetes.io/version': versionOf(part) } };
      // Apps run on it: it stays when the Bundle goes.
      const spec = {
        sites: { clusters: sites },
        onRemoval: 'Orphan',
        manifests: await published(part, wishes),
      };
      return { apiVersion: BUNDLE.apiVersion, kind: BUNDLE.kind, metadata, spec } as KubeObject;
    }),
  );
  return documents(bundles);
}

function published(part: PartName, wishes: BaseWishes): Promise<readonly KubeObject[]> {
  return objectsOf(part, wishes, { given: wishes.manifests, isKept: true });
}

function versionOf(part: PartName): string {
  return partOf(part).brings?.version ?? '';
}

function documents(objects: readonly KubeObject[]): string {
  return objects.map((object) => `---\n${stringify(object, { aliasDuplicateObjects: false })}`).join('');
}
