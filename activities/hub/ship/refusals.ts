// Messages about a Capp that cannot be shipped as it is: names, sizes and the remedy, never contents.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { Manifest } from '../../../crds/ocm/ocm.ts';
import { countOf, MOST_REFERENCES, serviceAccountOf } from '../../../crds/capp/references.ts';
import type { MissingDependency, WantedDependencies } from './dependencies.ts';
import type { Warning } from '../status/happenings.ts';
import { carriedBytes, MANIFEST_LIMIT } from '../../../crds/ocm/work-size.ts';

const LISTED = 10;
const BIGGEST = 3;

/** What is said of references that are missing, and without which no pod can start. */
export function missingMessage(namespace: string, missing: readonly MissingDependency[]): string {
  const listed = missing.slice(0, LISTED).map(({ kind, name, by }) => `${kind} ${short(name)} (${by})`);
  const rest = missing.length > LISTED ? ` and ${missing.length - LISTED} more` : '';
  return `The pod refers to ${listed.join(', ')}${rest}, which namespace ${namespace} does not have. Create it, or set optional: true on the reference.`;
}

/** What is said of a reference that is missing, and without which the Capp is shipped. */
export function missingWarning(namespace: string, { kind, name, by }: MissingDependency): Warning {
  const note = `${by} names ${kind} ${short(name)}, which namespace ${namespace} does not have. The Capp is sent without it; create it, and it is sent too.`;
  return { reason: 'ReferenceMissing', note };
}

/** What is said of a Capp with more references than may be read. */
export function tooManyMessage(capp: Capp, wanted: WantedDependencies): string {
  const lent =
    wanted.lent === 0
      ? ''
      : `, ${wanted.lent} of them as pull secrets of ServiceAccount ${serviceAccountOf(capp)}`;
  return `The Capp refers to ${countOf(wanted)} ConfigMaps and Secrets${lent}, more than the ${MOST_REFERENCES} allowed. Merge several into one with many keys.`;
}

/** `unread` of the references are not among the manifests. */
export function tooLargeMessage(manifests: readonly Manifest[], unread: number): string {
  const sizes = manifests.map((manifest) => ({
    what: `${manifest.kind} ${manifest.metadata.name}`,
    bytes: carriedBytes([manifest]),
  }));
  const biggest = sizes.toSorted((a, b) => b.bytes - a.bytes).slice(0, BIGGEST);
  const listed = biggest.map(({ what, bytes }) => `${what} (${inKib(bytes)})`).join(', ');
  return (
    `The Capp with its ConfigMaps and Secrets has ${unread === 0 ? '' : 'at least '}${inKib(carriedBytes(manifests))}, more than the ${MANIFEST_LIMIT / 1024} KiB that a ManifestWork ` +
    `may carry. The largest${unread === 0 ? '' : ` so far, with ${unread} left unread,`} are ${listed}. Make them smaller, or mount large data from a volume.`
  );
}

/** A name of an object that cannot exist may be of any length. */
function short(name: string): string {
  return name.length > 253 ? `${name.slice(0, 100)}…` : name;
}

/** Rounded up, so that a size above the limit never reads as one below it. */
function inKib(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KiB`;
}
