// What a request asks, read of its path and query alone. Pure: it says nothing about who asks.
import { NAME, PARTS, REACH_GROUP, REACH_VERSION, type Part } from './names.ts';
import { Refused } from './refusal.ts';

/** Which lines of a log. */
export interface Lines {
  readonly follow: boolean;
  /** Of each container that is there at the start; null for all that fit. */
  readonly tail: number | null;
  readonly sinceSeconds: number | null;
  /** RFC 3339; of a caller that goes on where its last stream ended. */
  readonly sinceTime: string | null;
  /** The same for single sites: what one site says of its time counts for no other. */
  readonly siteTimes: Readonly<Record<string, string>>;
}

export interface Question extends Lines {
  readonly capp: { readonly namespace: string; readonly name: string };
  readonly part: Part;
  /** Only this site of those where the Capp is; null for all. */
  readonly site: string | null;
  /** Only this container; null for those of the app. */
  readonly container: string | null;
  /** With what its Pods use; of `pods` alone. */
  readonly usage: boolean;
}

export type Asked =
  | { readonly is: 'question'; readonly question: Question }
  /** What the API server asks to know what is served here: everybody who has come so far may know it. */
  | { readonly is: 'discovery'; readonly document: object };

const ROOT = `/apis/${REACH_GROUP}/${REACH_VERSION}`;
const QUESTION = new RegExp(`^${ROOT}/namespaces/([^/]+)/capps/([^/]+)/([^/]+)$`);
const MOST_LINES = 1_000_000;
const MOST_SITES = 100;
const MOST_SECONDS = 366 * 86_400;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
/** What people may want of a Pod, and nobody gets through the hub. */
const HANDS: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward']);

const HANDS_REFUSED =
  "exec and port-forward need rights of your own on the site: Cappstan's account there may only read Pods and their logs. cappstan kubeconfig <site> writes a kubeconfig for an account of yours: see docs/logs.md.";

/** `url` is the path with its query, as HTTP has it. Throws Refused. */
export function askedBy(method: string, url: string): Asked {
  if (method !== 'GET') throw new Refused(405, 'Only GET is served here.');
  const [path = '', query = ''] = url.split('?', 2);
  const document = DOCUMENTS.get(path.replace(/\/$/, ''));
  if (document !== undefined) return { is: 'discovery', document };
  const [, namespace = '', name = '', part = ''] = QUESTION.exec(path) ?? [];
  if (HANDS.has(part)) throw new Refused(403, HANDS_REFUSED);
  const known = PARTS.find((one) => one === part);
  if (known === undefined || !NAME.test(namespace) || !NAME.test(name))
    throw new Refused(404, `Nothing is served at ${path.slice(0, 200)}.`);
  const given = new URLSearchParams(query);
  return {
    is: 'question',
    question: {
      capp: { namespace, name },
      part: known,
      usage: given.get('usage') === 'true',
      ...placeIn(given),
      ...linesIn(given),
    },
  };
}

function placeIn(given: URLSearchParams): Pick<Question, 'site' | 'container'> {
  return { site: nameIn(given, 'site'), container: nameIn(given, 'container') };
}

function linesIn(given: URLSearchParams): Lines {
  const sinceTime = given.get('sinceTime');
  if (sinceTime !== null && !isTime(sinceTime))
    throw new Refused(400, 'sinceTime is no time as RFC 3339 has it, such as 2026-01-02T03:04:05Z.');
  return {
    follow: given.get('follow') === 'true',
    tail: numberIn(given, 'tailLines', MOST_LINES),
    sinceSeconds: numberIn(given, 'sinceSeconds', MOST_SECONDS),
    sinceTime,
    siteTimes: siteTimesIn(given.getAll('siteTime')),
  };
}

function siteTimesIn(given: readonly string[]): Record<string, string> {
  const pairs = given.map((one): [string, string] => {
    const [site = '', time = ''] = one.split(',', 2);
    if (!NAME.test(site) || !isTime(time))
      throw new Refused(400, 'siteTime is no site and time, such as site-1,2026-01-02T03:04:05Z.');
    return [site, time];
  });
  if (pairs.length > MOST_SITES) throw new Refused(400, `There is more than ${MOST_SITES} times siteTime.`);
  return Object.fromEntries(pairs);
}

function isTime(text: string): boolean {
  return TIME.test(text) && !Number.isNaN(Date.parse(text));
}

function nameIn(given: URLSearchParams, what: string): string | null {
  const value = given.get(what);
  if (value === null || value === '') return null;
  if (!NAME.test(value)) throw new Refused(400, `${what} is no name of Kubernetes.`);
  return value;
}

function numberIn(given: URLSearchParams, what: string, most: number): number | null {
  const value = given.get(what);
  if (value === null) return null;
  if (!/^\d{1,9}$/.test(value) || Number(value) > most)
    throw new Refused(400, `${what} is no whole number up to ${most}.`);
  return Number(value);
}

const VERSIONS = { groupVersion: `${REACH_GROUP}/${REACH_VERSION}`, version: REACH_VERSION };
const GROUP_DOCUMENT = {
  kind: 'APIGroup',
  apiVersion: 'v1',
  name: REACH_GROUP,
  versions: [VERSIONS],
  preferredVersion: VERSIONS,
};

/** https://kubernetes.io/docs/reference/using-api/api-concepts/#api-discovery, by path. */
const DOCUMENTS: ReadonlyMap<string, object> = new Map<string, object>([
  ['/apis', { kind: 'APIGroupList', apiVersion: 'v1', groups: [GROUP_DOCUMENT] }],
  [`/apis/${REACH_GROUP}`, GROUP_DOCUMENT],
  [
    ROOT,
    {
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: VERSIONS.groupVersion,
      resources: PARTS.map((part) => ({
        name: `capps/${part}`,
        singularName: '',
        namespaced: true,
        kind: part === 'log' ? 'CappLog' : 'CappPodList',
        verbs: ['get'],
      })),
    },
  ],
]);
