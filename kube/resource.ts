// A kind as an API server serves it, and the metadata that every object has.

/**
 * One kind as the API server serves it: `apiVersion` is "v1" or "group/version", `plural` the path segment.
 */
export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /**
   * Objects that are read keep whole numbers above 2^53 digit by digit (files/digits.ts): they hold what
   * people wrote.
   */
  readonly keepsDigits?: boolean;
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
}

export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
}

/** Names one object; `namespace` is null for what is cluster-scoped. */
export interface Key {
  readonly namespace: string | null;
  readonly name: string;
}

export function keyOf(object: KubeObject): Key {
  return { namespace: object.metadata.namespace ?? null, name: object.metadata.name };
}

/** A key as text, for maps and queues: "namespace/name", or "name" for what is cluster-scoped. */
export function keyText(key: Key): string {
  return key.namespace === null ? key.name : `${key.namespace}/${key.name}`;
}

/** An object's key as text. */
export function keyTextOf(object: KubeObject): string {
  return keyText(keyOf(object));
}

/** The URL path of a collection (name null) or of one object, with its subresource if asked. */
export function pathOf(
  resource: Resource,
  key: { namespace: string | null; name: string | null },
  subresource?: string,
): string {
  const root = resource.apiVersion.includes('/')
    ? `/apis/${resource.apiVersion}`
    : `/api/${resource.apiVersion}`;
  const place =
    resource.namespaced && key.namespace !== null ? `/namespaces/${encodeURIComponent(key.namespace)}` : '';
  const name = key.name === null ? '' : `/${encodeURIComponent(key.name)}`;
  return `${root}${place}/${resource.plural}${name}${subresource === undefined ? '' : `/${subresource}`}`;
}

/**
 * Whether a live object has every desired field, at any depth. The server and other writers may have added
 * fields; lists must be equal in length.
 */
export function containsAll(live: unknown, wanted: unknown): boolean {
  if (wanted === undefined) return true;
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(live) &&
      live.length === wanted.length &&
      wanted.every((item, index) => containsAll(live[index], item))
    );
  }
  if (typeof wanted !== 'object' || wanted === null) return Object.is(live, wanted);
  if (typeof live !== 'object' || live === null) return false;
  const fields = new Map<string, unknown>(Object.entries(live));
  return Object.entries(wanted).every(([name, value]) => containsAll(fields.get(name), value));
}
