// No request fails that a user sends where the app is said to be. Pure.

/** A request that got no answer, or another than 200. */
export interface FailedRequest {
  /** `namespace/name` of the Capp, or of the Bundle that brings the app. */
  readonly app: string;
  readonly site: string;
  /** When it was sent and when it had failed, in milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly why: string;
}

/** A time in which users get no answer on a site, by what the storm did. */
export interface CutOff {
  readonly site: string;
  readonly from: number;
  readonly to: number;
  /** The only app that gets none; all apps of the site if it is not said. */
  readonly app?: string;
  /** By then what may move must have left. Without it, the time is too short for a move. */
  readonly leaveBy?: number;
}

/** A site that was cut off is given so long to take requests again. */
const BACK_WITHIN_MS = 5_000;

/**
 * The failures that nothing excuses: the site was not cut off at any moment of the request, or was for so
 * long that the app, which may move, had to be elsewhere.
 */
export function failures(
  failed: readonly FailedRequest[],
  cutOffs: readonly CutOff[],
  mayMove: (app: string) => boolean,
): string[] {
  const isExcused = ({ app, site, from, to }: FailedRequest): boolean =>
    cutOffs.some((cut) => {
      const isOfIt = cut.site === site && (cut.app ?? app) === app;
      const until = mayMove(app) ? (cut.leaveBy ?? cut.to) : cut.to;
      return isOfIt && from <= until + BACK_WITHIN_MS && to >= cut.from;
    });
  return failed
    .filter((one) => !isExcused(one))
    .map(({ app, site, from, to, why }) => {
      const at = new Date(from).toISOString().slice(11, 23);
      return `${at}: a request to ${app} on ${site} failed after ${to - from} ms: ${why}.`;
    });
}
