// A tree of objects on the hub and on sites, as statuses know them.
import type { Tone } from '../tone.ts';

export interface Branch {
  readonly kind: string;
  readonly name: string;
  /** The cluster that it is on: `hub`, or a site. */
  readonly on: string;
  readonly tone: Tone;
  /** How it stands, in a few words. */
  readonly says: string;
  readonly branches: readonly Branch[];
}
