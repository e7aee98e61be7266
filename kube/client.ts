// Our client for one API server: typed calls by resource and key, over kept-alive connections, each with a
// deadline.
import { bounded } from './bounded.ts';
import { endpointOf } from './http/credentials.ts';
import type { Bounds } from './http/deadline.ts';
import { listAll, type Listing, type ListOptions } from './watch/list.ts';
import { METADATA } from './http/request.ts';
import { pathOf, type Key, type KubeObject, type Resource } from './resource.ts';
import { KUBE_TIMES } from './times.ts';
import { openStream, type StreamOptions } from './watch/stream.ts';
import { transportTo, type CallOptions, type Transport } from './http/transport.ts';
import {
  read,
  create,
  patch,
  apply,
  remove,
  raw,
  type ApplyOptions,
  type PatchOptions,
  type RawOptions,
  type RemoveOptions,
  type CreateOptions,
} from './http/calls.ts';

export type { Bounds } from './http/deadline.ts';
export type { CallOptions } from './http/transport.ts';
export type { Listing, ListOptions } from './watch/list.ts';
export type { StreamOptions } from './watch/stream.ts';

export interface ConnectOptions {
  /**
   * Path of a kubeconfig. Without it: the files in KUBECONFIG, ~/.kube/config, then the service account of
   * the Pod we run in.
   */
  readonly kubeconfig?: string;
  /** How long a call may take with its waits, in milliseconds; `KUBE_TIMES.call` if not given. */
  readonly deadlineMs?: number;
  /** Also names our writes in managedFields where no field manager is given; `cappstan` if not given. */
  readonly userAgent?: string;
}

/**
 * Every call throws ApiError, and nothing else but the reason of an aborted `signal`. 429, and 5xx with
 * Retry-After, are waited out within the deadline. A read that lost its connection is tried once more; a
 * write is not, since it may have been carried out. The server is told how long a write may take, and does
 * not carry it out later.
 */
export interface Kube {
  /** Null when there is no such object, or no such kind. */
  get<T extends KubeObject>(resource: Resource, key: Key, options?: CallOptions): Promise<T | null>;
  /** Only the metadata leaves the server: no Secret data, no spec. Null as for `get`. */
  getMetadata(resource: Resource, key: Key, options?: CallOptions): Promise<KubeObject | null>;
  /** All pages, of one moment. */
  list<T extends KubeObject>(resource: Resource, options?: ListOptions<T>): Promise<Listing<T>>;
  /** `isAlreadyExists` is what a repeat throws. */
  create<T extends KubeObject>(resource: Resource, object: T, options?: CreateOptions): Promise<T>;
  /**
   * A `resourceVersion` in the body's metadata is a precondition (`isConflict`). So is a `uid`, but only
   * without a subresource: to a status the server takes any uid.
   */
  patch<T extends KubeObject>(
    resource: Resource,
    key: Key,
    body: unknown,
    options?: PatchOptions,
  ): Promise<T>;
  /**
   * Server-side apply: creates or changes; a repeat changes nothing. Preconditions as for `patch`; with a
   * `uid` it never creates.
   */
  apply<T extends KubeObject>(resource: Resource, object: T, options: ApplyOptions): Promise<T>;
  /**
   * False when it was already gone: there is no such object, or not with that uid. True says that deletion
   * has begun.
   */
  remove(resource: Resource, key: Key, options?: RemoveOptions): Promise<boolean>;
  /**
   * For what is not an object (/version, /readyz, discovery): JSON parsed, other text as it is. `path` may
   * have a query.
   */
  raw(method: string, path: string, options?: RawOptions): Promise<unknown>;
  /**
   * The JSON lines of a watch as they come. Ends when the server ends it; throws ApiError (code 0, Idle)
   * after `idleMs` of silence.
   */
  stream(path: string, options: StreamOptions): AsyncIterable<unknown>;
  /**
   * The same server for one piece of work. Calls that go on when it ends are cut off, waits that a server
   * asked for included, and none is begun later: they throw the signal's reason, or ApiError (code 0,
   * Timeout).
   */
  within(bounds: Bounds): Kube;
  /** Lets calls in flight finish and ends streams. */
  close(): Promise<void>;
}

/** Connects when first used. Throws a plain Error when there is no usable configuration. */
export function connect({
  kubeconfig,
  deadlineMs = KUBE_TIMES.call.ms,
  userAgent = 'cappstan',
}: ConnectOptions = {}): Kube {
  return connectedBy(transportTo(endpointOf({ kubeconfig }), { deadlineMs, userAgent }));
}

/** For callers with their own transport to an API server. */
export function connectedBy(transport: Transport): Kube {
  return {
    get: (resource, key, options) => read(transport, resource, { path: pathOf(resource, key) }, options),
    getMetadata: (resource, key, options) =>
      read(transport, resource, { path: pathOf(resource, key), accept: METADATA }, options),
    list: (resource, options) => listAll(transport, resource, options),
    create: (resource, object, options) => create(transport, resource, object, options),
    patch: (resource, key, body, options) => patch(transport, resource, { ...options, key, body }),
    apply: (resource, object, options) => apply(transport, resource, object, options),
    remove: (resource, key, options) => remove(transport, resource, key, options),
    raw: (method, path, options) => raw(transport, { method, path }, options),
    stream: (path, options) => openStream(transport, path, options),
    within: (bounds) => connectedBy(bounded(transport, bounds)),
    close: () => transport.close(),
  };
}
