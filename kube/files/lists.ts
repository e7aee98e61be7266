// Takes lists apart as kubectl does: whatever has `items` is one, also a ConfigMapList or a List inside a
// List. Pure.
import { isFields, type Fields } from '../fields.ts';
type List = Fields & { readonly items: readonly unknown[] | null };

/**
 * The objects of all documents. Items of a typed list get kind and apiVersion from it if they have neither.
 */
export function objectsOf(documents: readonly unknown[]): unknown[] {
  const objects: unknown[] = [];
  for (const document of documents) {
    // One by one: as arguments of one call, a hundred thousand would be too many.
    if (isList(document)) for (const item of objectsOf(itemsOf(document))) objects.push(item);
    else objects.push(document);
  }
  return objects;
}

/** Whether kubectl takes it apart. */
export function isList(value: unknown): value is List {
  return isFields(value) && (Array.isArray(value['items']) || value['items'] === null);
}

function itemsOf({ apiVersion, kind, items }: List): unknown[] {
  const own = typeof kind === 'string' ? kind.replace(/List$/, '') : '';
  return (items ?? []).map((item) =>
    isFields(item) && !isSaid(item['kind']) && !isSaid(item['apiVersion']) && own !== ''
      ? { ...item, apiVersion, kind: own }
      : item,
  );
}

function isSaid(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
