// The list of the image's packages, as npm makes it (CycloneDX), without what would differ each time.

interface Sbom {
  readonly components?: readonly object[];
  readonly metadata?: { readonly component?: object };
}

/** Takes what `npm sbom` prints. Throws if it lists nothing. `epoch` is in seconds. */
export function normalised(printed: string, epoch: number): string {
  const { serialNumber: _, ...sbom } = JSON.parse(printed) as Sbom & { serialNumber?: string };
  if ((sbom.components ?? []).length === 0)
    throw new Error('npm sbom lists no package. Is package-lock.json there?');
  const timestamp = new Date(epoch * 1000).toISOString();
  // npm names it by the folder.
  const component = { ...sbom.metadata?.component, name: 'cappstan' };
  return `${JSON.stringify({ ...sbom, metadata: { ...sbom.metadata, timestamp, component } }, null, 2)}\n`;
}

interface OurPackage {
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: unknown;
  readonly overrides?: Readonly<Record<string, unknown>>;
}

/**
 * package.json as it is in the image: without what only tests and builds use, and without what is said of
 * that.
 */
export function withoutTools(text: string): string {
  const {
    devDependencies = {},
    optionalDependencies: _,
    overrides = {},
    ...rest
  } = JSON.parse(text) as OurPackage;
  const kept = Object.entries(overrides).filter(([name]) => devDependencies[name] === undefined);
  return `${JSON.stringify({ ...rest, overrides: Object.fromEntries(kept) }, null, 2)}\n`;
}
