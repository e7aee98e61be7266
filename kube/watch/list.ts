// Lists a kind page by page, as of one resourceVersion.
import { isExpired } from '../failure.ts';
import { JSON_TYPE, METADATA_LIST, withKind, withQuery } from '../http/request.ts';
import { pathOf, type KubeObject, type Resource } from '../resource.ts';
import type { CallOptions, Transport } from '../http/transport.ts';

export interface ListSelection {
  /** Without it: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Objects then have metadata only; nothing else leaves the server. */
  readonly metadataOnly?: boolean;
}

/** The deadline is for each page. */
export interface ListOptions extends ListSelection, CallOptions {
  /** Objects in a page; 500 if not given, 0 for all in one. */
  readonly limit?: number;
}

export interface Listing<T extends KubeObject> {
  readonly items: T[];
  /** The moment that the list shows: a watch from here misses nothing. */
  readonly resourceVersion: string;
}

interface Page<T> {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: readonly T[] | null;
}

const PAGE = 500;

/** Throws ApiError. A list whose page token expires starts over, in one page, which cannot expire. */
export async function listAll<T extends KubeObject>(
  transport: Transport,
  resource: Resource,
  options: ListOptions = {},
): Promise<Listing<T>> {
  try {
    return await pages<T>(transport, resource, options);
  } catch (error) {
    if (!isExpired(error) || options.limit === 0) throw error;
    return pages<T>(transport, resource, { ...options, limit: 0 });
  }
}

async function pages<T extends KubeObject>(
  transport: Transport,
  resource: Resource,
  options: ListOptions,
): Promise<Listing<T>> {
  const { limit = PAGE, labelSelector, fieldSelector, metadataOnly = false, namespace = null } = options;
  const path = pathOf(resource, { namespace, name: null });
  const accept = metadataOnly ? METADATA_LIST : JSON_TYPE;
  const items: T[] = [];
  let token: string | undefined;
  for (;;) {
    const query = { limit: limit === 0 ? undefined : limit, continue: token, labelSelector, fieldSelector };
    const page = (await transport.send(
      { method: 'GET', path: withQuery(path, query), accept, keepsDigits: resource.keepsDigits === true },
      options,
    )) as Page<T>;
    for (const item of page.items ?? []) items.push(withKind(resource, item));
    token = page.metadata?.continue;
    if (!token) return { items, resourceVersion: page.metadata?.resourceVersion ?? '' };
  }
}
