// Reads what a Bundle ships: the Bundle and its ConfigMaps and Secrets, live. What a Secret holds stays here
// and in the work.
import { BUNDLE, sourcesOf, type Bundle } from '../../../../crds/bundle/bundle.ts';
import { inlineGiven } from '../../../../crds/bundle/manifests.ts';
import { firstSecretOf } from '../../../../crds/bundle/secrets.ts';
import { CONFIG_MAP, SECRET, type ConfigMap, type Secret } from '../../../../crds/kubernetes/core.ts';
import type { Kube } from '../../../../kube/client.ts';
import { FileFault, TooLong } from '../../../../kube/files/fault.ts';
import { objectsOf } from '../../../../kube/files/lists.ts';
import { eachDocument } from '../../../../kube/files/read.ts';
import { keyOf } from '../../../../kube/resource.ts';
import { fieldsOf } from '../../../../workflows/parse/fields.ts';
import { breather } from '../../breather.ts';
import { fewAtOnce, type Turnstile } from '../../drain/few-at-once.ts';
import { MANIFEST_LIMIT } from '../../../../crds/ocm/work-size.ts';
import { carriedOf, type Carried, type FoundManifest, type Refusal } from './manifests.ts';

export interface Loaded {
  readonly carried: readonly Carried[];
  /** Changes with every write to the Bundle's spec and to what it reads. */
  readonly version: string;
  /** `firstSecretOf` all of it. */
  readonly firstSecret: () => string | null;
}

/** ConfigMaps and Secrets that all Bundles of this process read at once: each has 1.5 MiB at most. */
const reading: Turnstile = fewAtOnce(8);

/** `secrets` is the version of Secrets that are among `spec.manifests`. Throws ApiError. */
export async function load(kube: Kube, bundle: Bundle, secrets: string): Promise<Loaded | Refusal> {
  const { uid = '', generation = 0 } = bundle.metadata;
  const given = inlineGiven(bundle.spec.manifests).map((one): FoundManifest => ({
    ...one,
    version: isSecret(one.value) ? secrets : null,
  }));
  const versions = [`${uid}/${generation}`];
  const breathe = breather();
  let bytes = 0;
  for (const [kind, name] of namesOf(bundle)) {
    const source = await reading(() => read(kube, bundle, kind, name));
    if (source === null) return missing(bundle, kind, name);
    bytes += bytesOf(source);
    if (bytes > 2 * MANIFEST_LIMIT) return tooMuch();
    const found = await givenBy(kind, source, breathe);
    if ('reason' in found) return found;
    for (const one of found.given) given.push(one);
    versions.push(versionOf(source));
  }
  const checked = carriedOf(given);
  if ('reason' in checked) return checked;
  const firstSecret = (): string | null => firstSecretOf(bundle, given);
  return { carried: checked.carried, version: versions.join(' '), firstSecret };
}

/** Whether the Bundle and its sources are still what was loaded, by their metadata alone. Throws ApiError. */
export async function isStill(
  kube: Kube,
  bundle: Bundle,
  { version }: Pick<Loaded, 'version'>,
): Promise<boolean> {
  const live = await kube.getMetadata(BUNDLE, keyOf(bundle));
  if (live === null || live.metadata.deletionTimestamp !== undefined) return false;
  const { uid = '', generation = 0 } = live.metadata;
  const versions = [`${uid}/${generation}`];
  for (const [kind, name] of namesOf(bundle)) {
    const resource = kind === 'Secret' ? SECRET : CONFIG_MAP;
    const key = { namespace: bundle.metadata.namespace ?? '', name };
    const source = await kube.getMetadata(resource, key);
    versions.push(source === null ? '' : versionOf(source));
  }
  return versions.join(' ') === version;
}

/** Whether the Bundle alone is still what was read. Throws ApiError. */
export async function isSameBundle(kube: Kube, bundle: Bundle): Promise<boolean> {
  const { uid = '', generation = 0 } = bundle.metadata;
  const alone = { ...bundle, spec: { ...bundle.spec, manifestsFrom: [] } };
  return isStill(kube, alone, { version: `${uid}/${generation}` });
}

type Kind = 'ConfigMap' | 'Secret';

function namesOf(bundle: Bundle): (readonly [Kind, string])[] {
  return [
    ...sourcesOf(bundle, 'configMap').map((name) => ['ConfigMap', name] as const),
    ...sourcesOf(bundle, 'secret').map((name) => ['Secret', name] as const),
  ];
}

function read(
  kube: Kube,
  { metadata }: Bundle,
  kind: Kind,
  name: string,
): Promise<ConfigMap | Secret | null> {
  const key = { namespace: metadata.namespace ?? '', name };
  return kind === 'Secret' ? kube.get<Secret>(SECRET, key) : kube.get<ConfigMap>(CONFIG_MAP, key);
}

function versionOf({ metadata: { uid = '', resourceVersion = '' } }: Pick<ConfigMap, 'metadata'>): string {
  return `${uid}/${resourceVersion}`;
}

function bytesOf(source: ConfigMap | Secret): number {
  return Object.values({ ...source.data, ...binaryOf(source) }).reduce((sum, text) => sum + text.length, 0);
}

function binaryOf(source: ConfigMap | Secret): Readonly<Record<string, string>> {
  return 'binaryData' in source ? (source.binaryData ?? {}) : {};
}

/**
 * Each key with its file. What kubectl cannot put into a ConfigMap as text, such as UTF-16, stands in
 * `binaryData`.
 */
function filesOf(kind: Kind, source: ConfigMap | Secret): (readonly [string, string | Uint8Array])[] {
  const bytes = (text: string): Uint8Array => Buffer.from(text, 'base64');
  const data = Object.entries(source.data ?? {}).map(
    ([key, text]) => [key, kind === 'Secret' ? bytes(text) : text] as const,
  );
  const binary = Object.entries(binaryOf(source)).map(([key, text]) => [key, bytes(text)] as const);
  return [...data, ...binary].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Reading takes long, so others have their turn between two documents. */
async function givenBy(
  kind: Kind,
  source: ConfigMap | Secret,
  breathe: () => Promise<void>,
): Promise<{ readonly given: FoundManifest[] } | Refusal> {
  const given: FoundManifest[] = [];
  const version = kind === 'Secret' ? versionOf(source) : null;
  for (const [key, file] of filesOf(kind, source)) {
    const where = `${kind} ${source.metadata.name}, key ${key}`;
    const objects = await objectsIn(file, where, breathe);
    if ('reason' in objects) return objects;
    for (const [index, value] of objects.entries())
      given.push({
        value,
        where: `${where}, document ${index + 1}`,
        version: version ?? ownVersion(value, source),
      });
  }
  return { given };
}

async function objectsIn(
  file: string | Uint8Array,
  where: string,
  breathe: () => Promise<void>,
): Promise<unknown[] | Refusal> {
  const objects: unknown[] = [];
  try {
    for (const document of eachDocument(file, MANIFEST_LIMIT)) {
      for (const object of objectsOf([document])) objects.push(object);
      await breathe();
    }
    return objects;
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    const reason = error instanceof TooLong ? 'TooLarge' : 'Unreadable';
    return { reason, message: `${where}, line ${error.line}: ${error.message}.` };
  }
}

export function isSecret(value: unknown): boolean {
  return fieldsOf(value)?.['kind'] === 'Secret';
}

/** A Secret may be written into a ConfigMap, too. */
function ownVersion(value: unknown, source: ConfigMap): string | null {
  return isSecret(value) ? versionOf(source) : null;
}

function missing({ metadata }: Bundle, kind: Kind, name: string): Refusal {
  return {
    reason: 'MissingSource',
    message: `spec.manifestsFrom names ${kind} ${name}, which namespace ${metadata.namespace ?? ''} does not have. Create it, or take it out of the Bundle.`,
  };
}

function tooMuch(): Refusal {
  return {
    reason: 'TooLarge',
    message: `The ConfigMaps and Secrets in spec.manifestsFrom hold more than the ${MANIFEST_LIMIT / 1024} KiB that a ManifestWork may carry. Make several Bundles of it.`,
  };
}
