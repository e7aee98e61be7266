// Which packages of npm we give to others: those of the image, and those that the program for people is
// bundled from.

/** What `package-lock.json` says of a package. */
export interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export interface Lock {
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

/**
 * Our dependencies, those of the program, and everything that they need; sorted by name. Optional packages
 * are left out.
 */
export function shippedPackages({ packages }: Lock): ShippedPackage[] {
  const waiting = [...Object.keys(packages['']?.dependencies ?? {}), ...ONLY_IN_CLI].map((name) =>
    resolve(packages, '', name),
  );
  const found = new Set<string>();
  for (const path of waiting) {
    if (path === null || found.has(path)) continue;
    found.add(path);
    const { dependencies = {}, peerDependencies = {} } = packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...peerDependencies }))
      waiting.push(resolve(packages, path, name));
  }
  return [...found]
    .map((path) => ({
      name: nameOf(path),
      version: packages[path]?.version ?? '',
      licence: packages[path]?.license ?? null,
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'));
}

/**
 * Where Node finds a package from the folder of another: there or further up. null if it is not installed, as
 * optional peers may be.
 */
function resolve(packages: Lock['packages'], from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (folder === '') return null;
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
