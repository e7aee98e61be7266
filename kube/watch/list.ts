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
  /** Objects in a page at most; 500 if not given. */
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
/** How many times more when a page had less than this part of what it may have. */
const MORE = 2;
const FAR_BELOW = 1 / 4;
/** How often a list begins whose page token expires. */
const MOST_BEGINNINGS = 4;

/** How many objects to ask for, which the pages so far have taught. */
interface PageSize {
  limit: number;
  readonly most: number;
}

/**
 * Throws ApiError. A list whose page token expires starts over, since what a server offers to go on with
 * shows another moment. It starts with pages as large as the last one: one page of everything could be of any
 * length.
 */
export async function listAll<T extends KubeObject>(
  transport: Transport,
  resource: Resource,
  options: ListOptions<T> = {},
): Promise<Listing<T>> {
  const most = Math.max(1, options.limit ?? PAGE);
  const size: PageSize = { limit: most, most };
  for (let beginnings = 1; ; beginnings += 1) {
    try {
      return await pages<T>(transport, resource, options, size);
    } catch (error) {
      if (!isExpired(error) || beginnings === MOST_BEGINNINGS) throw error;
    }
  }
}

/** Changes the size as it learns. */
async function pages<T extends KubeObject>(
  transport: Transport,
  resource: Resource,
  { keep = (object) => object, ...options }: ListOptions<T>,
  size: PageSize,
): Promise<Listing<T>> {
  const items: T[] = [];
  let token: string | undefined;
  for (;;) {
    const page: Page<T> | null = await pageOf<T>(transport, resource, { ...options, size, token });
    if (page === null) continue;
    for (const item of page.items ?? []) items.push(keep(withKind(resource, item)));
    token = page.metadata?.continue;
    if (!token) return { items, resourceVersion: page.metadata?.resourceVersion ?? '' };
  }
}

interface PageAsked extends Omit<ListOptions, 'keep' | 'limit'> {
  readonly size: PageSize;
  readonly token: string | undefined;
}

/** Null for a page that is too long: the next one is smaller. */
async function pageOf<T extends KubeObject>(
  transport: Transport,
  resource: Resource,
  { size, token, ...options }: PageAsked,
): Promise<Page<T> | null> {
  const { limit, most } = size;
  const { labelSelector, fieldSelector, metadataOnly = false, namespace = null } = options;
  const query = { limit, continue: token, labelSelector, fieldSelector };
  const path = withQuery(pathOf(resource, { namespace, name: null }), query);
  const accept = metadataOnly ? METADATA_LIST : JSON_TYPE;
  const request = { method: 'GET', path, accept, keepsDigits: resource.keepsDigits === true };
  const { deadlineMs, signal, quotesRefusal, mostBytes = Infinity } = options;
  const bound = Math.min(mostBytes, MOST_OF_PAGE);
  let bytes = bound;
  const onLength = (length: number): void => void (bytes = length);
  const call = { deadlineMs, signal, quotesRefusal, onLength, mostBytes: limit === 1 ? mostBytes : bound };
  try {
    const page = (await transport.send(request, call)) as Page<T>;
    if (bytes < bound * FAR_BELOW) size.limit = Math.min(most, limit * MORE);
    return page;
  } catch (error) {
    if (limit === 1 || !(error instanceof ApiError) || error.reason !== 'TooLong') throw error;
    size.limit = Math.ceil(limit / FEWER);
    return null;
  }
}
