// The grammar of stamps, which tie a verdict to exactly what was shipped: `<uid>/<hub generation>/<manifest
// hash>/<incarnation>`.

export interface Stamp {
  readonly uid: string;
  readonly generation: number;
  readonly hash: string;
  readonly incarnation: string;
}

/** The value of annotation `rcs.dana.io/rollout` on a shipped Capp. */
export function stampText({ uid, generation, hash, incarnation }: Stamp): string {
  return `${uid}/${generation}/${hash}/${incarnation}`;
}

/** The stamp of a Capp that another operator has shipped. */
export const UNSTAMPED = '';

/** Takes the place of the manifest hash where nothing was shipped. */
const ADOPTED = 'adopted';

/**
 * The stamp to ask for what another operator has shipped by this work, as long as nothing else was shipped:
 * its Capp has no stamp and is known by its name.
 */
export function adoptedStamp(uid: string, generation: number, workUid: string): string {
  return stampText({ uid, generation, hash: ADOPTED, incarnation: workUid });
}

export function isAdopted(stamp: string): boolean {
  return stamp.split('/')[2] === ADOPTED;
}

/** Whether the stamp of the site's Capp is the one asked about. */
export function isAskedFor(borne: string, asked: string): boolean {
  return borne === asked || (borne === UNSTAMPED && isAdopted(asked));
}

/** The hub's uid of the Capp in a stamp; empty for one that is known by its name alone. */
export function uidOf(stamp: string): string {
  return stamp.split('/')[0] ?? '';
}

/**
 * Of the work that carried it. A work that is taken over for a Capp that was made again keeps it, and no
 * other work has it, of whichever hub. Empty for what is known by its name alone.
 */
export function incarnationOf(stamp: string): string {
  return stamp.split('/')[3] ?? '';
}
