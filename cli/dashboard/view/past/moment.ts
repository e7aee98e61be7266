// One thing that happened, as the time line has it.

export interface Moment {
  /** RFC 3339. */
  readonly at: string;
  readonly what: string;
  readonly reason: string;
  readonly text: string;
  readonly name: string;
  /** Of the page. */
  readonly href: string;
  /** Empty for what is in none. */
  readonly namespace: string;
  /** Which sites it is about. */
  readonly sites: readonly string[];
  /** What it followed from, in words; empty where no record says so. */
  readonly cause: string;
}

/** With its time as a number: a date is read once for each thing, and not at each comparison. */
export interface DatedMoment {
  /** Milliseconds since the epoch. */
  readonly ms: number;
  readonly moment: Moment;
  /** What has to have happened to a site before, as the record of a move has it; null for nothing. */
  readonly follows: { readonly site: string; readonly what: 'lost' | 'taint' } | null;
}

export function dated(moment: Moment, follows: DatedMoment['follows'] = null): DatedMoment {
  return { ms: Date.parse(moment.at), moment, follows };
}
