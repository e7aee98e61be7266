// Why a site does not take a manifest, in words that help and quote no value. Pure.
import type { BundleReason } from '../../../../crds/bundle/status.ts';
import type { ManifestConfig, ManifestWork } from '../../../../crds/ocm/ocm.ts';

type Status = NonNullable<
  NonNullable<NonNullable<ManifestWork['status']>['resourceStatus']>['manifests']
>[number];
type Meta = Status['resourceMeta'];

interface Said {
  readonly reason: BundleReason;
  readonly message: string;
}

/**
 * Of an object that is applied, but not by the configuration that is meant for it: the site names it
 * otherwise.
 */
export function misnamed(
  { group = '', kind = '', name = '', namespace = '', resource = '' }: Meta,
  configs: readonly ManifestConfig[] = [],
): Said {
  const isElsewhere = configs.some(
    ({ resourceIdentifier: one }) => one.group === group && one.resource === resource && one.name === name,
  );
  if (isElsewhere && namespace === '')
    return {
      reason: 'Rejected',
      message: `On the site ${kind} is in no namespace: take metadata.namespace out of the manifest; until then it is applied without server-side apply.`,
    };
  const message = `The site calls this kind ${resource}. Say so in the Bundle, in spec.plurals: {${kind}: ${resource}}; until then it is applied without server-side apply.`;
  return { reason: 'WrongPlural', message };
}

/** OCM's words for each (ocm: pkg/work/spoke/auth/basic, apply/server_side_apply.go). */
export function refusalOf({ kind, namespace = '' }: Meta, said: string): Said {
  const message = said.replace(/^Failed to apply manifest: /, '').replace(/, will try again in \S+$/, '');
  if (message.startsWith('not allowed to apply')) return { reason: 'NotAllowed', message };
  if (/Apply failed with \d+ conflict/.test(message)) return { reason: 'Conflict', message };
  const told = withoutValues(message, kind);
  const isLost =
    namespace === '' && /could not find the requested resource|does not allow this method/.test(told);
  return { reason: 'Rejected', message: isLost ? `${told}. ${NO_PLACE}` : told };
}

const NO_PLACE = 'If the kind is in namespaces, give the manifest metadata.namespace.';

/**
 * A refusal may quote what is refused, which may have come out of a Secret: then only the fields are
 * repeated.
 */
function withoutValues(message: string, kind: string | undefined): string {
  if (kind === 'Secret') return 'The site refuses this Secret. The status of the ManifestWork says why.';
  const fields = [
    ...message.matchAll(
      /(?<![\w.[\]/-])([\w.[\]/-]+): (Invalid|Unsupported|Duplicate|Required|Forbidden|Too \w+)/g,
    ),
  ];
  if (!/\b(Invalid|Unsupported|Duplicate) value\b|strict decoding|unmarshal/.test(message)) return message;
  const named = fields.slice(0, 5).map(([, field, what]) => `${field}: ${what}`);
  const what = named.length === 0 ? 'a field is not as its kind wants it' : named.join(', ');
  return `The site's API server refuses it: ${what}. The status of the ManifestWork has its words.`;
}
