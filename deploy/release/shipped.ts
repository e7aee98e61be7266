// Which packages of npm we give to others: those of the image, those that the program for people is bundled
// from, and those of a hub's archive.

/** What `package-lock.json` says of a package. */
export interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface PackageLock {
  /** By path: '' is ours, `node_modules/a/node_modules/b` is the `b` that `a` gets. */
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** As its author declared it, an SPDX expression; null if the lock file has none. */
  readonly licence: string | null;
}

/** Packages in kubectl-capp beside our own dependencies. In the image they are not. */
export const ONLY_IN_CLI = [
  '@preact/signals',
  'cli-table3',
  'commander',
  'nanotar',
  'picocolors',
  'preact',
] as const;

/** Packages beside our own dependencies that `cappstan hub` has in its archive. In the image they are not. */
export const ONLY_IN_HUB = ['age-encryption', 'tar-stream'] as const;

/**
 * Our dependencies, those of the programs for people and of the hub's archive, and everything that they need;
 * sorted by name. Optional packages are left out.
 */
export function shippedPackages(lock: PackageLock): ShippedPackage[] {
  const { packages } = lock;
  const ours = Object.keys(packages['']?.dependencies ?? {});
  return neededPaths(lock, [...ours, ...ONLY_IN_CLI, ...ONLY_IN_HUB], () => false)
    .map((path) => ({
      name: nameOf(path),
      version: packages[path]?.version ?? '',
      licence: packages[path]?.license ?? null,
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'));
}

/**
 * Paths in the lock of the packages with these names, which are ours, and of everything that they need. Of
 * optional packages those that are wanted.
 */
export function neededPaths(
  { packages }: PackageLock,
  names: readonly string[],
  isWanted: (optional: string) => boolean,
): string[] {
  const waiting = names.map((name) => resolve(packages, '', name));
  const found = new Set<string>();
  for (const path of waiting) {
    if (path === null || found.has(path)) continue;
    found.add(path);
    const { dependencies = {}, peerDependencies = {}, optionalDependencies = {} } = packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...peerDependencies }))
      waiting.push(resolve(packages, path, name));
    for (const name of Object.keys(optionalDependencies)) {
      const optional = resolve(packages, path, name);
      if (optional !== null && isWanted(optional)) waiting.push(optional);
    }
  }
  return [...found].toSorted();
}

/**
 * Where Node finds a package from the folder of another: there or further up. null if it is not installed, as
 * optional peers may be.
 */
function resolve(packages: PackageLock['packages'], from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (folder === '') return null;
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
