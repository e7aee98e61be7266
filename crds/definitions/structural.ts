// Turns a zod schema into the structural OpenAPI schema that a CustomResourceDefinition may carry, or
// refuses.
import { z } from 'zod';

type Json = Record<string, unknown>;

/**
 * In: a schema of plain JSON types. Out: its structural schema. Throws an Error naming the path of anything
 * that is not structural.
 */
export function structural(schema: z.ZodType): Json {
  const json = z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input', reused: 'inline' });
  return clean(json, '');
}

function clean(node: Json, path: string): Json {
  const {
    $schema: _schema,
    additionalProperties,
    propertyNames: _names,
    properties,
    items,
    ...rest
  } = quantityOrSame(node);
  refuse(rest, path);
  const out: Json = number(rest);
  if ('format' in out && typeof out['pattern'] === 'string' && out['type'] === 'string')
    delete out['pattern'];
  if (isObject(properties)) {
    out['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [name, cleanAt(value, `${path}.${name}`)]),
    );
  }
  if (isObject(items)) out['items'] = clean(items, `${path}[]`);
  if (isObject(additionalProperties)) {
    if (Object.keys(additionalProperties).length === 0) out['x-kubernetes-preserve-unknown-fields'] = true;
    else out['additionalProperties'] = clean(additionalProperties, `${path}{}`);
  }
  return out;
}

function cleanAt(value: unknown, path: string): Json {
  if (!isObject(value)) throw new Error(`${path} has no schema`);
  return clean(value, path);
}

/** A quantity is the one choice that Kubernetes allows; its alternatives must be the two bare types. */
function quantityOrSame(node: Json): Json {
  if (node['x-kubernetes-int-or-string'] !== true) return node;
  const { type: _type, ...rest } = node;
  return { ...rest, anyOf: [{ type: 'integer' }, { type: 'string' }] };
}

function refuse(node: Json, path: string): void {
  const allowed = node['x-kubernetes-int-or-string'] === true ? ['anyOf'] : [];
  for (const keyword of ['oneOf', 'anyOf', 'allOf', 'not', '$ref', 'patternProperties']) {
    if (keyword in node && !allowed.includes(keyword))
      throw new Error(`${path}: ${keyword} is not structural`);
  }
  const { pattern } = node;
  if (typeof pattern === 'string' && !('format' in node) && /\(\?[=!<]/.test(pattern)) {
    throw new Error(`${path}: the API server's regular expressions know no look-around`);
  }
}

/** zod writes the safe-integer range and open bounds of its own; Kubernetes wants a width. */
function number(node: Json): Json {
  if (node['type'] !== 'integer') return { ...node };
  const { minimum, maximum, ...rest } = node;
  return {
    ...rest,
    format: 'int64',
    ...(minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
  };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
