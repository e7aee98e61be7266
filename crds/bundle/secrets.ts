// What of a Bundle is secret, and what is said of it where Secrets may go to sites only sealed. Pure.
// Messages name a manifest by its kind and name, never by what it holds.
import type { RcsConfigSpec } from '../hub/rcs-config.ts';
import { sourcesOf, type Bundle } from './bundle.ts';
import type { Given } from './manifests.ts';
import { isFields, type Fields } from '../../kube/fields.ts';

/**
 * "is Secret apps/db", or "is Object db, in which a Secret stands", as it does in objects that stand for
 * those of other clusters; null for what has no value of a Secret. A Secret that the site fills has none.
 */
export function secretIn(value: unknown): string | null {
  if (hasValues(value)) return `is ${titleOf(value)}`;
  const left = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (hasValues(one)) return `is ${titleOf(value)}, in which a Secret stands`;
    if (typeof one === 'object' && one !== null) for (const inner of Object.values(one)) left.push(inner);
  }
  return null;
}

/**
 * Where the first of what is secret is, and what: "spec.manifests[0] is Secret apps/db"; null if nothing is
 * that is known. `given`: its manifests, as far as they are known.
 */
export function firstSecretOf(bundle: Pick<Bundle, 'spec'>, given: readonly Given[]): string | null {
  const [source] = sourcesOf(bundle, 'secret');
  if (source !== undefined) return `spec.manifestsFrom ${secretSource(source)}`;
  for (const { value, where } of given) {
    const what = secretIn(value);
    if (what !== null) return `${where} ${what}`;
  }
  return null;
}

/** Whether a Bundle of the namespace may not be sent while it has something secret. */
export function areHeldBack({ secrets }: Pick<RcsConfigSpec, 'secrets'>, namespace: string): boolean {
  return secrets?.sealing === 'Required' && secrets.unsealedBundles?.includes(namespace) !== true;
}

interface Key {
  readonly namespace: string;
  readonly name: string;
}

/**
 * Why it is not sent, and what helps: a whole text behind a place. `what` is what is there (`secretIn`);
 * `config` is the key of the RCSConfig.
 */
export function unsealedWords(what: string, namespace: string, config: Key): string {
  return `${what}. A ManifestWork would hold its values as they are, and the RCSConfig asks that Secrets go to sites only sealed (spec.secrets.sealing), which those of Bundles cannot be. Have a Capp refer to the Secret, or ship an ExternalSecret in its place; or have an operator of the hub list ${namespace} in spec.secrets.unsealedBundles of RCSConfig ${config.namespace}/${config.name}.`;
}

/**
 * What a Secret in `spec.manifestsFrom` is, as `secretIn` says it of a manifest: whatever it holds may be
 * secret.
 */
export function secretSource(name: string): string {
  return `names Secret ${name}, where a ConfigMap would do for what is not secret`;
}

function hasValues(value: unknown): value is Fields {
  if (!isFields(value) || value['kind'] !== 'Secret' || value['apiVersion'] !== 'v1') return false;
  return [value['data'], value['stringData']].some((held) =>
    isFields(held) ? Object.values(held).some((one) => one !== null) : held != null,
  );
}

function titleOf(value: unknown): string {
  const { kind, metadata } = isFields(value) ? value : {};
  const { namespace, name } = isFields(metadata) ? metadata : {};
  const place = textOf(namespace) === '' ? '' : `${textOf(namespace)}/`;
  return `${textOf(kind)} ${place}${textOf(name)}`;
}

/** Where it is read, it has 253 characters, and may have any number here. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 253) : '';
}
