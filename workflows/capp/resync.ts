// How often a Capp that nobody rings for is looked at all the same: about a day, jittered so that Capps do not wake together.

export const RESYNC_MS = 22 * 3_600_000;
export const RESYNC_JITTER_MS = 4 * 3_600_000;
