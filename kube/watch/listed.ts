// Objects that were listed once, in the form of a cache: for what reads caches, where none is kept.
import { keyText, type KubeObject } from '../resource.ts';
import type { Cache } from './cache.ts';

/** It never changes. `indexes` as those of a cache. */
export function listed<T extends KubeObject>(
  objects: readonly T[],
  indexes: Readonly<Record<string, (object: T) => readonly string[]>> = {},
): Cache<T> {
  const byKey = new Map(
    objects.map((one) => [
      keyText({ namespace: one.metadata.namespace ?? null, name: one.metadata.name }),
      one,
    ]),
  );
  const by = (index: string, value: string): T[] => {
    const valuesOf = indexes[index];
    if (valuesOf === undefined) throw new Error(`There is no index ${index}`);
    return objects.filter((one) => valuesOf(one).includes(value));
  };
  const nothing = (): (() => void) => () => undefined;
  return {
    synced: Promise.resolve(),
    resourceVersion: () => '',
    problem: () => null,
    followsSince: () => null,
    stop: () => Promise.resolve(),
    get: (key) => byKey.get(keyText(key)),
    list: (namespace) =>
      objects.filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace),
    by,
    count: (index, value) => by(index, value).length,
    subscribe: nothing,
    onSeen: nothing,
    onProblemChanged: nothing,
    caughtUpWith: () => true,
    changedAt: () => '',
  };
}
