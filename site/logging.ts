// What becomes of a Capp's logs, for its status: nothing yet, and its user is to read that.
import type { Capp } from '../crds/capp/capp.ts';
import type { Part } from './ready.ts';

/** Null for a Capp that sends its logs nowhere. */
export function loggingReady(capp: Capp): Part | null {
  if (capp.spec.logSpec?.type === undefined) return null;
  const message = 'Cappstan ships no logs yet, so spec.logSpec has no effect: collect them on the site by other means.';
  return { type: 'LoggingReady', status: 'False', reason: 'NotSupported', message };
}
