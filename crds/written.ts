// With what a copy on a site was last written, as text in an annotation: `<revision>/<content>/<time>`, and
// of a Bundle's work `/<rules>`. Earlier versions read the first three.

export interface Written {
  readonly revision: string;
  /** A digest of what was written. */
  readonly content: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** A digest of how it is applied (`rulesOf`); absent for Capps, and where an earlier version wrote it. */
  readonly rules?: string;
}

/** The end of the year 9999: what a site writes later than that, no other time can be counted from. */
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** Null if it does not say. */
export function readWritten(text: string | undefined): Written | null {
  const [revision = '', content = '', time = '', rules = ''] = (text ?? '').split('/');
  const at = Date.parse(time);
  if (revision === '' || content === '' || Number.isNaN(at) || at > LATEST) return null;
  return { revision, content, at, ...(rules === '' ? {} : { rules }) };
}

export function writtenAs({ revision, content, at, rules }: Written): string {
  const parts = [revision, content, new Date(at).toISOString(), ...(rules === undefined ? [] : [rules])];
  return parts.join('/');
}
