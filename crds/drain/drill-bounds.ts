// What a drill checks, and how much of it is written. The workflow of a drill has them, too, so nothing is
// imported here.

/** What is checked of each Capp, in this order. */
export const DRILL_CHECKS = ['Choice', 'References', 'Quota', 'Capacity', 'Image'] as const;
export type DrillCheck = (typeof DRILL_CHECKS)[number];

/** `Unknown`: nothing speaks against it, and nothing proves it. */
export const DRILL_RESULTS = ['Passed', 'Failed', 'Unknown'] as const;
export type DrillResult = (typeof DRILL_RESULTS)[number];

/** A drill looks at so many Capps, in the order in which a drain would move them. */
export const MOST_REHEARSED = 1_000;
/** How many findings are named; what failed comes first. */
export const MOST_FINDINGS = 100;
/** So many sites are named, those with the most Capps first. */
export const MOST_SITES = 50;
/** The length of a sentence, in characters. */
export const LONGEST_FINDING = 320;
