// No request fails that a user sends where the app is said to be. Pure.

/** A request that got no answer, or another than 200. */
export interface FailedRequest {
  /** `namespace/name` of the Capp. */
  readonly app: string;
  readonly site: string;
  /** When it was sent and when it had failed, in milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly why: string;
}

/** A time in which users cannot reach a site, by what the storm did. */
export interface CutOff {
  readonly site: string;
  readonly from: number;
  readonly to: number;
}

/** A site that was cut off is given so long to take requests again. */
const BACK_WITHIN_MS = 5_000;

/** The failures that nothing excuses: the site was not cut off from users at any moment of the request. */
export function failures(failed: readonly FailedRequest[], cutOffs: readonly CutOff[]): string[] {
  const isExcused = ({ site, from, to }: FailedRequest): boolean =>
    cutOffs.some((cut) => cut.site === site && from <= cut.to + BACK_WITHIN_MS && to >= cut.from);
  return failed
    .filter((one) => !isExcused(one))
    .map(({ app, site, from, to, why }) => {
      const at = new Date(from).toISOString().slice(11, 23);
      return `${at}: a request to ${app} on ${site} failed after ${to - from} ms: ${why}.`;
    });
}
