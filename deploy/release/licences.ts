// `make check`: every package that we ship has a licence that we may ship it under. `--list` prints them all.
import { readFileSync } from 'node:fs';
import { shippedPackages, type PackageLock, type ShippedPackage } from './shipped.ts';

const LOCK = new URL('../../package-lock.json', import.meta.url);

/** SPDX names. Each lets us pass the package on beside code under Apache-2.0 if its text stays with it. */
const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'PSF-2.0',
  'Unlicense',
]);

/** What a person has read where the lock file does not say it, or for one package alone. */
const READ: Readonly<Record<string, string>> = {
  // Data about browsers that webpack carries, which Temporal's worker needs; the licence asks for the
  // author's name.
  'caniuse-lite@1.0.30001826': 'CC-BY-4.0',
  // Its file LICENSE.
  'unionfs@4.6.0': 'Unlicense',
};

/** A sentence for each package that may not be shipped, which says what to do. */
export function refusals(packages: readonly ShippedPackage[]): string[] {
  return packages.filter((one) => !isAllowed(one)).map(sentenceFor);
}

function isAllowed(one: ShippedPackage): boolean {
  if (READ[keyOf(one)] !== undefined) return true;
  const licence = one.licence?.replace(/^\((.*)\)$/, '$1') ?? '';
  return (
    licence.split(' AND ').every((name) => ALLOWED.has(name)) ||
    licence.split(' OR ').some((name) => ALLOWED.has(name))
  );
}

function sentenceFor(one: ShippedPackage): string {
  const what =
    one.licence === null ? 'declares no licence' : `has the licence ${one.licence}, which is not allowed`;
  return `${keyOf(one)} ${what}. Read its licence, and name the package in deploy/release/licences.ts, or do without it.`;
}

/** One line for each package: name, version, licence. */
export function licenceList(packages: readonly ShippedPackage[]): string {
  return packages.map((one) => `${keyOf(one)}\t${READ[keyOf(one)] ?? one.licence ?? 'unknown'}\n`).join('');
}

function keyOf({ name, version }: ShippedPackage): string {
  return `${name}@${version}`;
}

export function lockedPackages(): ShippedPackage[] {
  return shippedPackages(JSON.parse(readFileSync(LOCK, 'utf8')) as PackageLock);
}

function main(): void {
  const packages = lockedPackages();
  if (process.argv.includes('--list')) process.stdout.write(licenceList(packages));
  for (const refusal of refusals(packages)) {
    process.exitCode = 1;
    console.error(refusal);
  }
}

if (import.meta.main) main();
