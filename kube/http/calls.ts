// The calls of our client as requests of HTTP.
import { pathOf, keyOf, type KubeObject, type Resource, type Key } from '../resource.ts';
import { isInvalid, ApiError, isNotFound, isConflict } from '../failure.ts';
import {
  MERGE_PATCH,
  JSON_PATCH,
  withKind,
  withQuery,
  type Query,
  APPLY_PATCH,
  METADATA,
  JSON_TYPE,
} from './request.ts';
import { isEmptied, unrefused } from './emptied.ts';
import type { CallOptions, Transport, KubeRequest } from './transport.ts';

export interface WriteOptions extends CallOptions {
  readonly fieldManager?: string;
}

export interface CreateOptions extends WriteOptions {
  /** Rights, schema, policies and webhooks are asked, and nothing is written. */
  readonly dryRun?: boolean;
}

export interface PatchOptions extends WriteOptions {
  /** JSON merge patch (RFC 7396), the default, or JSON patch (RFC 6902). */
  readonly type?: 'merge' | 'json';
  readonly subresource?: string;
}

export interface ApplyOptions extends CallOptions {
  readonly fieldManager: string;
  /** Takes fields from other managers instead of failing with Conflict. */
  readonly force?: boolean;
  readonly subresource?: string;
}

export interface RemoveOptions extends CallOptions {
  /** Only the object with this uid, never another of the same name. */
  readonly uid?: string;
  /** A precondition: only if the object has not changed. */
  readonly resourceVersion?: string;
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
}

export interface RawOptions extends CallOptions {
  /** Sent as JSON, or as it is if it is a string. */
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  /** As of the resource (`Resource`). */
  readonly keepsDigits?: boolean | undefined;
}

/** Null if the object does not exist. Throws ApiError. */
export async function read<T extends KubeObject>(
  transport: Transport,
  resource: Resource,
  request: Omit<KubeRequest, 'method'>,
  options?: CallOptions,
): Promise<T | null> {
  try {
    const { keepsDigits = false } = resource;
    const sent = { method: 'GET', keepsDigits, ...request };
    return withKind(resource, (await transport.send(sent, options)) as T);
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** Returns the object as stored. Throws ApiError: AlreadyExists too if a lost first try made it. */
export async function create<T extends KubeObject>(
  transport: Transport,
  resource: Resource,
  object: T,
  options: CreateOptions = {},
): Promise<T> {
  const { namespace } = keyOf(object);
  const { fieldManager, dryRun = false } = options;
  const query = { fieldManager, ...(dryRun ? { dryRun: 'All' } : {}) };
  const path = withQuery(pathOf(resource, { namespace, name: null }), query);
  return (await transport.send(
    { method: 'POST', path, ...jsonBody(withKind(resource, object)) },
    options,
  )) as T;
}

/**
 * Returns the object after it. Throws ApiError: Conflict where a precondition fails, another uid among them.
 */
export async function patch<T>(
  transport: Transport,
  resource: Resource,
  options: PatchOptions & { key: Key; body: unknown },
): Promise<T> {
  const { key, body, type = 'merge', subresource, fieldManager } = options;
  const path = withQuery(pathOf(resource, key, subresource), { fieldManager });
  const content = jsonBody(body, type === 'json' ? JSON_PATCH : MERGE_PATCH);
  return (await change(transport, { path, ...content }, options)) as T;
}

/** What is applied empty is empty afterwards, also where the server makes null of it (emptied.ts). */
export async function apply<T extends KubeObject>(
  transport: Transport,
  resource: Resource,
  object: T,
  options: ApplyOptions,
): Promise<T> {
  const { fieldManager, force, subresource } = options;
  const query: Query = { fieldManager, force };
  const path = withQuery(pathOf(resource, keyOf(object), subresource), query);
  const send = async (body: KubeObject): Promise<T> =>
    (await change(transport, { path, ...jsonBody(withKind(resource, body), APPLY_PATCH) }, options)) as T;
  const written = await send(object).catch(async (error: unknown) => {
    const retry = unrefused(contentOf(object), error);
    if (retry === null) throw error;
    const before =
      retry.first === undefined ? null : await send({ metadata: object.metadata, ...retry.first });
    return send({ metadata: metadataAfter(object, before), ...retry.last });
  });
  if (!isEmptied(contentOf(written), contentOf(object))) return written;
  return send({ ...object, metadata: metadataAfter(object, written) });
}

/** The metadata of an object is never made null of. */
function contentOf({ metadata: _metadata, ...content }: KubeObject): object {
  return content;
}

/**
 * Where a version is a precondition of the first write, the version that this one made is one of the next.
 */
function metadataAfter({ metadata }: KubeObject, written: KubeObject | null): KubeObject['metadata'] {
  const { resourceVersion } = written?.metadata ?? {};
  if (metadata.resourceVersion === undefined || resourceVersion === undefined) return metadata;
  return { ...metadata, resourceVersion };
}

/** The server calls another object's uid invalid; to us it is a failed precondition. */
async function change(
  transport: Transport,
  request: Omit<KubeRequest, 'method'>,
  options: CallOptions,
): Promise<unknown> {
  try {
    return await transport.send({ method: 'PATCH', ...request }, options);
  } catch (error) {
    const isForeign = isInvalid(error) && error.fields.some((field) => field.startsWith('metadata.uid:'));
    if (!isForeign) throw error;
    const { method, path, fields } = error;
    throw new ApiError({ method, path, code: 409, reason: 'Conflict', fields });
  }
}

/**
 * False if it was gone, or if `uid` is given and another object has the name by now; so a repeat is safe.
 * Throws ApiError.
 */
export async function remove(
  transport: Transport,
  resource: Resource,
  key: Key,
  options: RemoveOptions = {},
): Promise<boolean> {
  const { uid, resourceVersion, propagation } = options;
  const body = {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    preconditions: { uid, resourceVersion },
    propagationPolicy: propagation,
  };
  try {
    await transport.send({ method: 'DELETE', path: pathOf(resource, key), ...jsonBody(body) }, options);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    if (uid === undefined || !isConflict(error)) throw error;
    const present = await read(
      transport,
      resource,
      { path: pathOf(resource, key), accept: METADATA },
      options,
    );
    if (present?.metadata.uid === uid) throw error;
    return false;
  }
}

/** The response as parsed, or its text where it is no JSON. Throws ApiError. */
export function raw(
  transport: Transport,
  { method, path }: KubeRequest,
  options: RawOptions = {},
): Promise<unknown> {
  const { body, contentType = JSON_TYPE, accept, keepsDigits = false } = options;
  const content =
    body === undefined ? {} : { contentType, body: typeof body === 'string' ? body : JSON.stringify(body) };
  return transport.send(
    { method, path, orText: true, keepsDigits, ...content, ...(accept === undefined ? {} : { accept }) },
    options,
  );
}

function jsonBody(value: unknown, contentType = JSON_TYPE): { contentType: string; body: string } {
  return { contentType, body: JSON.stringify(value) };
}
