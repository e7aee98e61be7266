// Lists a kind page by page, as of one resourceVersion.
import { ApiError, isExpired } from '../failure.ts';
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
export interface ListOptions<T extends KubeObject = KubeObject> extends ListSelection, CallOptions {
  /** What is kept of an object of the list: the rest is forgotten with its page. All of it if not given. */
  keep?(object: T): T;
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
/**
 * Bytes of a page. Tenants and sites decide how large their objects are: five hundred of the largest would be
 * more than a process has. A page of one object may be as long as it is.
 */
const MOST_OF_PAGE = 8_388_608;
/** How many times fewer objects are asked for when a page was too long. */
const FEWER = 4;

/** Throws ApiError. A list whose page token expires starts over, in one page, which cannot expire. */
export async function listAll<T extends KubeObject>(
  transport: Transport,
  resource: Resource,
  options: ListOptions<T> = {},
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
  { keep = (object) => object, ...options }: ListOptions<T>,
): Promise<Listing<T>> {
  const items: T[] = [];
  let [token, limit]: [string | undefined, number] = [undefined, options.limit ?? PAGE];
  for (;;) {
    const page: Page<T> | null = await pageOf<T>(transport, resource, { ...options, limit, token });
    if (page === null) {
      limit = Math.ceil(limit / FEWER);
      continue;
    }
    for (const item of page.items ?? []) items.push(keep(withKind(resource, item)));
    token = page.metadata?.continue;
    if (!token) return { items, resourceVersion: page.metadata?.resourceVersion ?? '' };
  }
}

/** Null for a page that is too long. */
async function pageOf<T extends KubeObject>(
  transport: Transport,
  resource: Resource,
  { limit, token, ...options }: Omit<ListOptions<T>, 'keep'> & { limit: number; token: string | undefined },
): Promise<Page<T> | null> {
  const { labelSelector, fieldSelector, metadataOnly = false, namespace = null } = options;
  const query = { limit: limit === 0 ? undefined : limit, continue: token, labelSelector, fieldSelector };
  const path = withQuery(pathOf(resource, { namespace, name: null }), query);
  const accept = metadataOnly ? METADATA_LIST : JSON_TYPE;
  const request = { method: 'GET', path, accept, keepsDigits: resource.keepsDigits === true };
  if (limit <= 1) return (await transport.send(request, options)) as Page<T>;
  try {
    return (await transport.send(request, { ...options, mostBytes: MOST_OF_PAGE })) as Page<T>;
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'TooLong') return null;
    throw error;
  }
}
