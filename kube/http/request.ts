// The media types that we send and ask for: https://kubernetes.io/docs/reference/using-api/api-concepts/
import type { KubeObject, Resource } from '../resource.ts';

export const JSON_TYPE = 'application/json';
export const MERGE_PATCH = 'application/merge-patch+json';
export const JSON_PATCH = 'application/json-patch+json';
/** JSON is YAML. */
export const APPLY_PATCH = 'application/apply-patch+yaml';

/** Makes the server send only the metadata of an object. */
export const METADATA = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
export const METADATA_LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

/** Sets apiVersion and kind, which items of a list lack and metadata-only objects have wrong. */
export function withKind<T extends KubeObject>(resource: Resource, object: T): T {
  if (object.kind === resource.kind && object.apiVersion === resource.apiVersion) return object;
  return { ...object, apiVersion: resource.apiVersion, kind: resource.kind };
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export function withQuery(path: string, query: Query): string {
  const said = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  if (said.length === 0) return path;
  return `${path}?${new URLSearchParams(said.map(([name, value]): [string, string] => [name, String(value)])).toString()}`;
}
