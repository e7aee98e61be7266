// Renders a Bundle as the ManifestWork for one cluster. Pure.
import { sorted } from '../../../../crds/digest.ts';
import type { Bundle } from '../../../../crds/bundle/bundle.ts';
import {
  BUNDLE_KEY,
  BUNDLE_MANIFEST,
  BUNDLE_NAME,
  BUNDLE_NAMESPACE,
  BUNDLE_REVISION,
  BUNDLE_UID,
  MANAGED_BY,
  MANAGED_BY_HUB,
} from '../../../../crds/labels.ts';
import { bundleKey, bundleWorkName } from '../../../../crds/ocm/bundle-work.ts';
import { bundleExecutor, executorAs } from '../../../../crds/ocm/executors.ts';
import {
  MANIFEST_WORK,
  WORK_FINALIZER,
  type Manifest,
  type ManifestConfig,
  type ManifestWork,
} from '../../../../crds/ocm/ocm.ts';
import { writtenAs } from '../../../../crds/written.ts';
import { objectHashOf } from '../owners/held.ts';
import { fieldManagerOf } from '../owners/manager.ts';
import { identifierOf, staysAlways } from './identify.ts';
import { hashOf, longHashOf, type Carried } from './manifests.ts';
import { pruned } from './pruned.ts';
import { readyRules } from '../ready/ready-rules.ts';
import { rulesOf } from './work-rules.ts';

export interface Terms {
  /** The namespace of executors on a site; null: the work agent applies with its own rights. */
  readonly executorNamespace: string | null;
  /**
   * The id of the hub, where a site may have other hubs (`HubAndNamespace`), whoever applies; else absent.
   */
  readonly executorHub?: string;
}

/** The same for every site, but for where the work is. */
export interface Rendered {
  readonly revision: string;
  /** Twelve hex digits over the manifests as they are in a work. */
  readonly content: string;
  /**
   * The same as earlier versions wrote them: with what is null, and without, under the same token. Sites may
   * keep that until their next edit.
   */
  readonly formerContents: readonly string[];
  /**
   * Written at a time in milliseconds since the epoch. Objects with these hashes (`objectHashOf`) are applied
   * by force.
   */
  readonly workOn: (cluster: string, at: number, forced?: ReadonlySet<string>) => ManifestWork;
}

export function render(bundle: Bundle, carried: readonly Carried[], terms: Terms): Rendered {
  const { namespace = '', name } = bundle.metadata;
  const bare = carried.map(bareOf);
  const configs = carried.map((one, index) => configsOf(bundle, one, bare[index]?.token ?? one.token));
  const shippedBy = (all: readonly Carried[]): Manifest[] =>
    all.map((one, index) => shippedAs(one, configs[index]?.areOfVersion));
  const manifests = shippedBy(bare);
  const deleteOption = removalOf(bundle, carried);
  const rules = { deleteOption, ...executor(terms, namespace) };
  const manifestConfigs = configs.map(({ written }) => written);
  const spec: NonNullable<ManifestWork['spec']> = { workload: { manifests }, manifestConfigs, ...rules };
  const noted = rulesOf({ spec });
  const tokens = carried.map(({ token }) => token);
  const longs = carried.map(({ long }) => long);
  // Another name of the executor is no other revision: the one without a short id counts.
  const applied = executor({ executorNamespace: terms.executorNamespace }, namespace);
  const counted = { deleteOption, ...applied, manifestConfigs: configs.map((one) => one.counted) };
  // The first twelve digits are those of earlier versions (`isSameRevision`).
  const revision = `${hashOf([tokens, counted])}${longHashOf([longs, counted]).slice(0, 20)}`;
  const content = contentAsCached(manifests);
  return {
    revision,
    content,
    formerContents: bare.every((one, index) => one === carried[index])
      ? []
      : [carried, carried.map((one) => ({ ...one, manifest: pruned(one.manifest) }))].map((former) =>
          contentAsCached(shippedBy(former)),
        ),
    workOn: (cluster, at, forced = NONE_FORCED) => ({
      apiVersion: MANIFEST_WORK.apiVersion,
      kind: MANIFEST_WORK.kind,
      metadata: {
        name: bundleWorkName({ namespace, name }),
        namespace: cluster,
        // Set when the work is created, as of Capps' works: its agent then cleans up whatever it has applied.
        finalizers: [WORK_FINALIZER],
        labels: labelsOf(bundle),
        annotations: {
          [BUNDLE_NAMESPACE]: namespace,
          [BUNDLE_NAME]: name,
          [BUNDLE_REVISION]: writtenAs({ revision, content, at, rules: noted }),
        },
      },
      spec: forced.size === 0 ? spec : { ...spec, manifestConfigs: manifestConfigs.map(byForce(forced)) },
    }),
  };
}

const NONE_FORCED: ReadonlySet<string> = new Set();

function byForce(forced: ReadonlySet<string>): (config: ManifestConfig) => ManifestConfig {
  return (config) => {
    const { resourceIdentifier, updateStrategy } = config;
    const { serverSideApply: applied } = updateStrategy ?? {};
    if (
      updateStrategy === undefined ||
      applied === undefined ||
      !forced.has(objectHashOf(resourceIdentifier))
    )
      return config;
    return { ...config, updateStrategy: { ...updateStrategy, serverSideApply: { ...applied, force: true } } };
  };
}

/** The labels by which a cache finds the works of Bundles. */
export function labelsOf({ metadata: { namespace = '', name, uid = '' } }: Bundle): Record<string, string> {
  return { [BUNDLE_KEY]: bundleKey({ namespace, name }), [BUNDLE_UID]: uid, [MANAGED_BY]: MANAGED_BY_HUB };
}

/**
 * The same with long numbers rounded, as a cache has them: the token, which stands in each manifest, tells
 * two such numbers apart.
 */
export function contentAsCached(manifests: readonly Manifest[]): string {
  return contentOf(JSON.parse(JSON.stringify(manifests)) as Manifest[]);
}

/** A digest by which a cache notices that somebody has changed the manifests of a work. */
export function contentOf(manifests: readonly Manifest[]): string {
  return hashOf(manifests);
}

/**
 * The manifest with its token, by which the rules know its version. The token of a manifest that may be
 * secret is another in each Bundle: where no rule asks for the token, such a manifest goes without, so that
 * two Bundles that say the same of a Secret do not contest an annotation.
 */
function shippedAs({ manifest, token, isVeiled }: Carried, areOfVersion = false): Manifest {
  if (isVeiled && !areOfVersion) return sorted(manifest) as Manifest;
  const { metadata } = manifest;
  const annotations = { ...metadata.annotations, [BUNDLE_MANIFEST]: token };
  return sorted({ ...manifest, metadata: { ...metadata, annotations } }) as Manifest;
}

/**
 * Without what is null, and then with the token of what is left: what a site said of the object with its
 * nulls counts no more. The revision has the other token, so that it stays what it was.
 */
function bareOf(one: Carried): Carried {
  const manifest = pruned(one.manifest);
  if (manifest === one.manifest) return one;
  return { ...one, manifest, token: hashOf(one.isVeiled ? [one.token, 'without nulls'] : [manifest]) };
}

/** As it is written into a work, with the token that sites see, and as it counts in the revision. */
function configsOf(
  bundle: Bundle,
  { manifest, token }: Carried,
  seen: string,
): {
  readonly written: ManifestConfig;
  readonly counted: ManifestConfig;
  readonly areOfVersion: boolean;
} {
  const { plurals, ready = [] } = bundle.spec;
  const { namespace = '', name } = bundle.metadata;
  const applied: ManifestConfig = {
    resourceIdentifier: identifierOf(manifest, plurals),
    updateStrategy: {
      type: 'ServerSideApply',
      // A conflict on a site names this manager, and so the Bundle.
      serverSideApply: { force: false, fieldManager: fieldManagerOf({ namespace, name }) },
    },
  };
  const { written, counted, areOfVersion } = readyRules(manifest, { written: seen, counted: token }, ready);
  return { written: { ...applied, ...written }, counted: { ...applied, ...counted }, areOfVersion };
}

function removalOf(
  { spec }: Bundle,
  carried: readonly Carried[],
): NonNullable<NonNullable<ManifestWork['spec']>['deleteOption']> {
  if (spec.onRemoval === 'Orphan') return { propagationPolicy: 'Orphan' };
  const orphaningRules = carried
    .filter(({ manifest }) => staysAlways(manifest))
    .map(({ manifest }) => ({ ...identifierOf(manifest, spec.plurals), namespace: '' }));
  return orphaningRules.length === 0
    ? { propagationPolicy: 'Foreground' }
    : { propagationPolicy: 'SelectivelyOrphan', selectivelyOrphans: { orphaningRules } };
}

export function executor(
  { executorNamespace, executorHub }: Terms,
  tenant: string,
): Pick<NonNullable<ManifestWork['spec']>, 'executor'> {
  if (executorNamespace === null) return {};
  const account = { namespace: executorNamespace, name: bundleExecutor(tenant, executorHub) };
  return { executor: executorAs(account) };
}
