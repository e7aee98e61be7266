// Reads what a request asks of an API server.
import { keyText, type KubeObject } from '../../../../kube/resource.ts';
import type { KubeRequest } from '../../../../kube/http/transport.ts';
import type { Json } from './merge.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly plural: string;
  /** Null for a whole kind. */
  readonly name: string | null;
  /** "namespace/name". */
  readonly key: string;
  readonly subresource: string | null;
  readonly body: Json | null;
  readonly fieldManager: string;
  /** It is judged, and not carried out. */
  readonly isDryRun: boolean;
  readonly isApply: boolean;
  /** The body is a JSON patch. */
  readonly isJsonPatch: boolean;
  readonly isMetadataOnly: boolean;
  /** Whether a list is to hold an object. */
  selects(object: KubeObject): boolean;
}

interface Place {
  readonly plural: string;
  readonly namespace: string | null;
  readonly name: string | null;
  readonly subresource: string | null;
}

type Address = Pick<
  Asked,
  'path' | 'plural' | 'name' | 'subresource' | 'key' | 'fieldManager' | 'isDryRun' | 'selects'
>;

/** The same few paths are asked for again and again. */
const known = new Map<string, Address>();
const MOST_KNOWN = 2_000;

export function asked({ method, path, body, contentType = '', accept = '' }: KubeRequest): Asked {
  return {
    ...addressOf(path),
    method,
    body: body === undefined ? null : (JSON.parse(body) as Json),
    isApply: contentType.includes('apply-patch'),
    isJsonPatch: contentType.includes('json-patch'),
    isMetadataOnly: accept.includes('PartialObjectMetadata'),
  };
}

function addressOf(whole: string): Address {
  const before = known.get(whole);
  if (before !== undefined) return before;
  if (known.size >= MOST_KNOWN) known.clear();
  const address = readAddress(whole);
  known.set(whole, address);
  return address;
}

function readAddress(whole: string): Address {
  const [path = '', query = ''] = whole.split('?', 2);
  const { namespace, name, plural, subresource } = placeOf(path);
  const wanted = new URLSearchParams(query);
  const labels = pairsOf(wanted.get('labelSelector'));
  const fields = pairsOf(wanted.get('fieldSelector'));
  return {
    path,
    plural,
    name,
    subresource,
    key: keyText({ namespace, name: name ?? '' }),
    fieldManager: wanted.get('fieldManager') ?? 'unknown',
    isDryRun: wanted.has('dryRun'),
    selects: ({ metadata }) =>
      (namespace === null || metadata.namespace === namespace) &&
      labels.every(([label, value]) => isLabelled(metadata.labels?.[label], value)) &&
      fields.every(
        ([field, value]) => (field === 'metadata.name' ? metadata.name : metadata.namespace) === value,
      ),
  };
}

/** `/api/v1/namespaces/<namespace>/<plural>/<name>/<subresource>`, and the same for groups. */
function placeOf(path: string): Place {
  const parts = path.split('/').slice(1).map(decodeURIComponent);
  const [first, ...rest] = parts.slice(parts[0] === 'api' ? 2 : 3);
  const isNamespaced = first === 'namespaces' && rest.length > 1;
  const [plural = '', name = null, subresource = null] = isNamespaced ? rest.slice(1) : [first, ...rest];
  return { plural, name, subresource, namespace: isNamespaced ? (rest[0] ?? null) : null };
}

/** Null for the value: any value will do. */
function pairsOf(selector: string | null): readonly (readonly [string, string | null])[] {
  if (selector === null || selector === '') return [];
  return selector.split(',').map((pair) => {
    const [name = '', value = null] = pair.split('=');
    return [name, value] as const;
  });
}

function isLabelled(found: string | undefined, wanted: string | null): boolean {
  return wanted === null ? found !== undefined : found === wanted;
}
