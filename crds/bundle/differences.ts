// What differs between two revisions of a Bundle, as people may see it: of a Secret only which of its keys.
// Pure.
import { differences } from '../set/differences.ts';
import { groupOf } from './manifests.ts';
import type { BundlePattern } from './bundle.ts';
import { secretIn } from './secrets.ts';
import { isFields, type Fields } from '../../kube/fields.ts';

/**
 * A line each: manifests in the order of their names, and then the other fields of the spec that make a
 * revision.
 */
export function bundleDifferences(before: BundlePattern, after: BundlePattern): string[] {
  const [was, is] = [manifestsBy(before), manifestsBy(after)];
  const names = [...new Set([...was.keys(), ...is.keys()])].toSorted();
  const { manifests: _was, ...rulesBefore } = before;
  const { manifests: _is, ...rulesAfter } = after;
  const lines = names.flatMap((name) => linesFor(name, was.get(name), is.get(name)));
  const order =
    lines.length === 0 && differences([...was.keys()], [...is.keys()]).length > 0
      ? ['manifests: in another order']
      : [];
  return [...lines, ...order, ...differences(rulesBefore, rulesAfter)];
}

function manifestsBy({ manifests = [] }: BundlePattern): Map<string, Fields> {
  return new Map(manifests.map((one) => [titleOf(one as Fields), one as Fields]));
}

function titleOf({ apiVersion = '', kind = '', metadata }: Fields): string {
  const { namespace = '', name = '' } = fieldsIn(metadata);
  const group = groupOf(textOf(apiVersion));
  const of = group === '' ? '' : `.${group}`;
  return `${textOf(kind)}${of} ${namespace === '' ? '' : `${textOf(namespace)}/`}${textOf(name)}`;
}

function linesFor(name: string, before: Fields | undefined, after: Fields | undefined): string[] {
  if (before === undefined) return [`${name}: added`];
  if (after === undefined) return [`${name}: taken out`];
  return isOpen(before) && isOpen(after) ? differences(before, after, name) : veiled(before, after, name);
}

/** A list of objects may hold Secrets, and so may an object that stands for one of another cluster. */
function isOpen(one: Fields): boolean {
  return one['kind'] !== 'Secret' && !('items' in one) && secretIn(one) === null;
}

/**
 * Which fields differ, without their values. The annotations may tell as well: kubectl keeps a copy there.
 */
function veiled(before: unknown, after: unknown, path: string): string[] {
  if (isFields(before) && isFields(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
    return names.flatMap((name) => veiled(before[name], after[name], `${path}.${name}`));
  }
  if (differences(before, after).length === 0) return [];
  return [`${path}: ${before === undefined ? 'added' : after === undefined ? 'taken out' : 'changed'}`];
}

function fieldsIn(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
