// What of a work a site's API server refuses for good, in words that help and quote no value. Pure.
import type { Manifest } from '../../../crds/ocm/ocm.ts';
import type { WorkFacts } from '../../../workflows/types/copy.ts';

type Refused = NonNullable<WorkFacts['refused']>;

/** Of an API server that will say so again, whenever it is asked. */
const REFUSED = /is invalid: |denied the request|failed to create typed patch object|strict decoding error/;
const IMMUTABLE = /field is immutable when `immutable` is set/;
const MOST_FIELDS = 3;
const LONGEST = 4_096;

export function isRefusal(said: string): boolean {
  return REFUSED.test(said);
}

/** The fields and what is wrong with each are repeated, and no value: it may have come out of a Secret. */
export function refusedBy(site: string, { kind, metadata: { name } }: Manifest, said: string): Refused {
  const what = `${site} refuses ${kind} ${name}, and keeps what it had`;
  if (IMMUTABLE.test(said))
    return {
      reason: 'Rejected',
      message: `${what}: it is immutable there. Give the new content a new name, and name that in the Capp; or delete it on ${site}.`,
    };
  const found = said
    .slice(0, LONGEST)
    .matchAll(
      /(?:^|[\s[])\.?([a-zA-Z][\w.[\]/=-]{0,127}): (?:[a-z ]+: )?(Invalid|Unsupported|Duplicate|Required|Forbidden|Too \w+|field not declared)/g,
    );
  const fields = [...found].slice(0, MOST_FIELDS).map(([, field, offence]) => `${field} (${offence})`);
  const where = fields.length === 0 ? '' : `: ${fields.join(', ')}`;
  return {
    reason: 'Rejected',
    message: `${what}${where}. Correct it on the hub; the ManifestWork's conditions in namespace ${site} have the site's words.`,
  };
}
