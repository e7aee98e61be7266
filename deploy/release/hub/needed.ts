// Which folders of node_modules a hub on another machine needs. Pure.
import { neededPaths, ONLY_IN_HUB, type PackageLock } from '../shipped.ts';

/** The package with the pinned Node for an architecture as Node calls it, such as x64. */
export function nodePackage(arch: string): string {
  return `node-linux-${arch}`;
}

/**
 * Paths such as `node_modules/a/node_modules/b`. Of optional packages those that `isInstalled` says are
 * there: npm installs what fits this machine, and the archive is for machines of its kind.
 */
export function hubPackages(
  lock: PackageLock,
  arch: string,
  isInstalled: (path: string) => boolean,
): string[] {
  const ours = Object.keys(lock.packages['']?.dependencies ?? {});
  return neededPaths(lock, [...ours, ...ONLY_IN_HUB, nodePackage(arch)], isInstalled);
}
