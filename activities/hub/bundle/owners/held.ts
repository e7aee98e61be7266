// Which objects a Bundle's work carries, which of them by force, and who contests them. Pure, and small
// enough for a cache of every work.
import { conditionOf } from '../../../../crds/kubernetes/core.ts';
import type { ManifestWork, ResourceIdentifier } from '../../../../crds/ocm/ocm.ts';
import { digestOf } from '../../../../crds/digest.ts';
import { OF_BUNDLES } from './manager.ts';

export interface HeldObjects {
  /** The hashes of all of them, in one text. */
  readonly objects: string;
  /** By its hash: whether it has been applied since it is to be applied by force. Absent if none is. */
  readonly forced?: Readonly<Record<string, boolean>>;
  /**
   * By its hash: the field managers that do not let go, where all of them are those of Bundles. Absent if
   * there is none.
   */
  readonly contested?: Readonly<Record<string, readonly string[]>>;
}

export const NOTHING_HELD: HeldObjects = { objects: '' };

/** Twelve hex digits for an object of a site. */
export function objectHashOf({
  group = '',
  resource,
  name,
  namespace = '',
}: Partial<ResourceIdentifier>): string {
  return digestOf([group, resource ?? '', namespace, name ?? ''].join('\u0000'), 12);
}

/** Conflicts that are looked at. */
const MOST = 20;

export function heldIn({ metadata, spec, status }: ManifestWork): HeldObjects {
  const statuses = status?.resourceStatus?.manifests ?? [];
  const applied = new Map(
    statuses.map(({ resourceMeta, conditions }) => {
      const found = conditionOf(conditions, 'Applied');
      return [
        objectHashOf(resourceMeta),
        found?.observedGeneration === metadata.generation ? found : undefined,
      ];
    }),
  );
  const configs = spec?.manifestConfigs ?? [];
  const forced = configs
    .filter(({ updateStrategy }) => updateStrategy?.serverSideApply?.force === true)
    .map(({ resourceIdentifier }) => objectHashOf(resourceIdentifier))
    .map((hash) => [hash, applied.get(hash)?.status === 'True'] as const);
  const contested = [...applied]
    .map(([hash, found]) => [hash, found?.status === 'False' ? managersIn(found.message) : []] as const)
    .filter(([, managers]) => managers.length > 0 && managers.every((one) => one.startsWith(OF_BUNDLES)))
    .slice(0, MOST);
  return {
    objects: configs.map(({ resourceIdentifier }) => objectHashOf(resourceIdentifier)).join(' '),
    ...(forced.length === 0 ? {} : { forced: Object.fromEntries(forced) }),
    ...(contested.length === 0 ? {} : { contested: Object.fromEntries(contested) }),
  };
}

/** An API server names each of them before its fields (apimachinery: managedfields/internal/conflict.go). */
function managersIn(message = ''): string[] {
  if (!/Apply failed with \d+ conflict/.test(message)) return [];
  return [...new Set([...message.matchAll(/conflicts? with "([^"]{1,200})"/g)].map(([, name = '']) => name))];
}
