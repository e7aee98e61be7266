// Reads live what a Capp refers to, so that nothing older than the ring is shipped, and no more than a work
// may carry.
import type { Capp } from '../../../crds/capp/capp.ts';
import {
  CONFIG_MAP,
  SECRET,
  type ConfigMap,
  type Secret,
  type Subject,
} from '../../../crds/kubernetes/core.ts';
import { references, type Reference, type References } from '../../../crds/capp/references.ts';
import type { Kube } from '../../../kube/client.ts';
import { fewAtOnce, type Turnstile } from '../drain/few-at-once.ts';
import { neighboursOf, type MinimumVersions, type Neighbours, type Sources } from './neighbours.ts';
import { MANIFEST_LIMIT } from '../../../crds/ocm/work-size.ts';

/** Everything that is shipped beside the Capp: names only. */
export interface WantedDependencies extends References {
  /** How many of its Secrets only its ServiceAccount names. */
  readonly lent: number;
  readonly logReaders: readonly Subject[];
  readonly podSecurity: Neighbours['podSecurity'];
}

/** A reference to an object that does not exist. */
export interface MissingDependency extends Reference {
  readonly kind: 'ConfigMap' | 'Secret';
}

export interface Dependencies {
  readonly configMaps: readonly ConfigMap[];
  readonly secrets: readonly Secret[];
  /** Required or expected references. Optional ones are left out without a warning. */
  readonly missing: readonly MissingDependency[];
  /**
   * How many were left unread, because those that were read are more than a work may carry. Null: they may
   * fit.
   */
  readonly unread: number | null;
}

/** Takes a normalised Capp and the minimum versions of its rings. Throws ApiError. */
export async function wantedBy(
  sources: Sources,
  capp: Capp,
  minimumVersions: MinimumVersions,
): Promise<WantedDependencies> {
  const { pullSecrets, ...beside } = await neighboursOf(sources, capp, minimumVersions);
  const { configMaps, secrets } = references(capp, pullSecrets);
  return { configMaps, secrets, lent: secrets.length - references(capp).secrets.length, ...beside };
}

/** References that are read at once for one Capp: with more, too much is read that no work can carry. */
const PER_CAPP = 4;
/**
 * For all Capps in this process. An object has 1.5 MiB at most, and takes about three times that while it is
 * parsed: so at most some 40 MiB are under way. One Capp holds at most what a work may carry and `PER_CAPP`
 * objects beyond it: what was read ahead for another version of it is let go before it is read again.
 */
const reading: Turnstile = fewAtOnce(8);

/** Reads in the order of the names, and stops when they are more than a work may carry. Throws ApiError. */
export async function readDependencies(
  kube: Kube,
  namespace: string,
  wanted: References,
): Promise<Dependencies> {
  const left: MissingDependency[] = [
    ...wanted.secrets.map((one) => ({ ...one, kind: 'Secret' as const })),
    ...wanted.configMaps.map((one) => ({ ...one, kind: 'ConfigMap' as const })),
  ];
  const found = new Map<MissingDependency, ConfigMap | Secret | null>();
  const all = [...left];
  let bytes = 0;
  const readOn = async (): Promise<void> => {
    for (
      let next = left.shift();
      next !== undefined;
      next = bytes > MANIFEST_LIMIT ? undefined : left.shift()
    ) {
      const reference = next;
      const object = await reading(() => read(kube, namespace, reference));
      found.set(reference, object);
      bytes += object === null ? 0 : leastBytes(object);
    }
  };
  await Promise.all(Array.from({ length: PER_CAPP }, readOn));
  const there = (kind: MissingDependency['kind']): (ConfigMap & Secret)[] =>
    all.filter((one) => one.kind === kind).flatMap((one) => found.get(one) ?? []);
  return {
    configMaps: there('ConfigMap'),
    secrets: there('Secret'),
    missing: all.filter((one) => one.need !== 'Optional' && found.get(one) === null),
    unread: bytes > MANIFEST_LIMIT ? left.length : null,
  };
}

/**
 * A DNS subdomain, as all names of ConfigMaps and Secrets are. No object has another name, and such a name
 * could change the path of a request.
 */
const OBJECT_NAME = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

async function read(
  kube: Kube,
  namespace: string,
  { kind, name }: MissingDependency,
): Promise<ConfigMap | Secret | null> {
  if (!OBJECT_NAME.test(name)) return null;
  return kind === 'Secret'
    ? kube.get<Secret>(SECRET, { namespace, name })
    : kube.get<ConfigMap>(CONFIG_MAP, { namespace, name });
}

/** The least size of the object's manifest. */
function leastBytes(object: ConfigMap): number {
  const entries = [...Object.entries(object.data ?? {}), ...Object.entries(object.binaryData ?? {})];
  return entries.reduce((sum, [key, value]) => sum + key.length + value.length, 0);
}
