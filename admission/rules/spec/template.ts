// The template of a Capp has fields that Knative has, with values of their types: a site refuses all others,
// and then the Capp would wait for its deadline.
import { TEMPLATE_SHAPE } from '../../../crds/knative/pod-shape.ts';
import type { Shape } from '../../../crds/knative/shape.ts';
import { isFields } from '../../../kube/fields.ts';
import { at } from '../../fields.ts';
import type { Common } from '../../known.ts';
import { newly } from '../../newly.ts';
import type { Problem, AdmissionRule } from '../../rule.ts';
import { hasChanged, isControlPlane, type AdmissionRequest } from '../../request.ts';
import { setOfObject } from '../../set-of.ts';
import { likeliest } from './likeliest.ts';

const PATH = ['spec', 'configurationSpec', 'template'] as const;
/** Enough to see what is wrong. */
const MOST = 10;
const LONGEST_NAME = 63;

export const template: AdmissionRule<Common> = (request, known) => {
  if (!hasChanged(request, ...PATH)) return {};
  const all = newly(request, found);
  const isOfSet = isNewOfSet(request, known);
  const isTold = ({ unknown: name }: Found): boolean => isOfSet && name !== undefined;
  return {
    problems: all
      .filter((one) => !isTold(one))
      .slice(0, MOST)
      .map(helped),
    warnings: all
      .filter(isTold)
      .slice(0, MOST)
      .map(helped)
      .map(({ field, message }) => `${field}: ${message}.`),
  };
};

/**
 * A set was asked when it was written, maybe before this was known to be no field. Where nobody reads such a
 * field its Capps run, so they come to one more site; where somebody does, the site says so itself.
 */
function isNewOfSet(request: AdmissionRequest, { namespace }: Common): boolean {
  const { operation, object } = request;
  const isOurs = operation === 'CREATE' && isControlPlane(request, namespace);
  return isOurs && setOfObject(request.namespace, object) !== null;
}

/** What a field without a place may have been meant to be is looked for only when somebody is told. */
interface Found extends Problem {
  readonly unknown?: { readonly key: string; readonly shape: Fielded };
}

type Fielded = Extract<Shape, { readonly fields: unknown }>;

function found(object: unknown): Found[] {
  return problemsIn(at(object, ...PATH), TEMPLATE_SHAPE, PATH.join('.'));
}

/** The API server drops null. */
function problemsIn(value: unknown, shape: Shape, path: string): Found[] {
  if (value === undefined || value === null || shape === 'any') return [];
  if (typeof shape === 'string') return ofValue(value, shape, path);
  if ('list' in shape) {
    if (!Array.isArray(value)) return [problem(path, 'must be a list: begin each entry with a dash')];
    return value.flatMap((one, index) => problemsIn(one, shape.list, `${path}[${index}]`));
  }
  if (!isFields(value)) return [problem(path, 'must be an object: write a key and a value in each line')];
  if ('map' in shape)
    return Object.entries(value).flatMap(([key, one]) =>
      problemsIn(one, shape.map, `${path}[${short(key)}]`),
    );
  const { fields } = shape;
  return Object.entries(value).flatMap(([key, one]) => {
    const known = Object.hasOwn(fields, key) ? fields[key] : undefined;
    return known === undefined ? [unknown(key, shape, path)] : problemsIn(one, known, `${path}.${key}`);
  });
}

type Plain = Extract<Shape, string>;
const WANTED: Readonly<Record<Exclude<Plain, 'any'>, string>> = {
  text: 'text',
  whole: 'a whole number',
  truth: 'true or false',
  either: 'text or a whole number',
};

function ofValue(value: unknown, shape: Exclude<Plain, 'any'>, path: string): Problem[] {
  const isText = typeof value === 'string';
  const isWhole = Number.isInteger(value);
  const fits = { text: isText, whole: isWhole, truth: typeof value === 'boolean', either: isText || isWhole };
  if (fits[shape]) return [];
  return [problem(path, `must be ${WANTED[shape]}${remedyFor(value, shape)}`)];
}

function remedyFor(value: unknown, shape: Plain): string {
  if (shape === 'text' || shape === 'either')
    return typeof value === 'number' || typeof value === 'boolean' ? `: write "${value}" with quotes` : '';
  const meant = shape === 'whole' ? /^-?\d{1,15}$/ : /^(true|false)$/;
  return typeof value === 'string' && meant.test(value) ? ': leave out the quotes' : '';
}

function unknown(key: string, shape: Fielded, path: string): Found {
  return { ...problem(`${path}.${short(key)}`, 'Knative has no such field'), unknown: { key, shape } };
}

function helped({ unknown: name, ...said }: Found): Problem {
  if (name === undefined) return said;
  const like = likeliest(name.key, Object.keys(name.shape.fields));
  const remedy = like === null ? 'take it out' : `did you mean ${like}?`;
  return { ...said, message: `${said.message}: ${remedy}` };
}

function short(key: string): string {
  return key.length > LONGEST_NAME ? `${key.slice(0, LONGEST_NAME)}…` : key;
}

function problem(field: string, message: string): Problem {
  return { field, reason: 'FieldValueInvalid', message, fromCache: false };
}
