// How often a Capp is reviewed without a ring: about once a day, with jitter.

export const RESYNC_MS = 22 * 3_600_000;
export const RESYNC_JITTER_MS = 4 * 3_600_000;
