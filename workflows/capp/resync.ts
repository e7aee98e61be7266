// How often a Capp is looked at although nobody rings: about once a day, jittered.

export const RESYNC_MS = 22 * 3_600_000;
export const RESYNC_JITTER_MS = 4 * 3_600_000;
