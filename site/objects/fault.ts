// Why an object of a Capp could not be written, in words for the Capp's conditions.
import type { SiteReason } from '../../crds/capp/conditions.ts';
import { ApiError } from '../../kube/failure.ts';

/** What the Capp's user is to read. */
export interface CappFault {
  readonly reason: SiteReason;
  readonly message: string;
  /** It may soon be over and is retried, so nothing counts against the Capp yet. */
  readonly isPassing?: boolean;
}

/** A fault that the Capp's user is to read. */
export class SiteFault extends Error {
  readonly reason: SiteReason;

  constructor(reason: SiteReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/**
 * Turns a final refusal of the API server into a SiteFault. Other errors are returned as they are, to be
 * retried.
 */
export function asFault(error: unknown, what: string): unknown {
  if (!(error instanceof ApiError) || !isFinal(error)) return error;
  return new SiteFault('Refused', `The site refused ${what}: ${error.reason}${why(error)}`, { cause: error });
}

/** Who refuses is said only where no field is: a field is what helps. */
function why({ fields, by }: ApiError): string {
  if (fields.length > 0) return ` (${fields.join('; ')}). Correct that in the Capp.`;
  if (by === null) return '. Ask whoever runs the site why, and whether the Capp may have it.';
  const remedy = by.startsWith('ResourceQuota ')
    ? 'Free something that counts there, or ask whoever runs the site for more.'
    : 'Ask whoever runs the site what it asks for.';
  return `, by ${by}. ${remedy}`;
}

/** What a server-side apply cannot read comes back as an error of the server, with the fields. */
function isFinal({ code, fields }: ApiError): boolean {
  return [400, 403, 422].includes(code) || (code === 500 && fields.length > 0);
}
