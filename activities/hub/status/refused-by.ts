// What of a work a site's API server refuses, in words that help and quote no value. Pure.
import type { Manifest } from '../../../crds/ocm/ocm.ts';
import { refuserIn } from '../../../kube/refused-fields.ts';
import type { WorkFacts } from '../../../workflows/types/copy.ts';

type Refused = NonNullable<WorkFacts['refused']>;

/** Of an API server that will say so again, whenever it is asked. */
const FINAL = /is invalid: |denied the request|failed to create typed patch object|strict decoding error/;
/** Of one that takes the same once somebody has freed something, or changed a policy or a right there. */
const PASSING = /denied request|(?:exceeded|failed) quota: |attempting to grant RBAC permissions/;
const KEPT_AS_IT_IS = /field is immutable when `immutable` is set/;
const IMMUTABLE = /: field is immutable|cannot change roleRef/;
const ESCALATES = /attempting to grant RBAC permissions/;
const MOST_FIELDS = 3;
const LONGEST = 4_096;

/** How long it counts; null if the words tell of no refusal. */
export function refusalIn(said: string): 'Final' | 'Passing' | null {
  if (FINAL.test(said)) return 'Final';
  return PASSING.test(said) ? 'Passing' : null;
}

/**
 * The fields and what is wrong with each are repeated, and the names of policies, webhooks and quotas; no
 * value: it may have come out of a Secret.
 */
export function refusedBy(site: string, { kind, metadata: { name } }: Manifest, said: string): Refused {
  const what = `${site} refuses ${kind} ${name}, and keeps what it had`;
  const mayPass = refusalIn(said) === 'Passing' ? { mayPass: true as const } : {};
  return { reason: 'Rejected', message: `${what}${why(site, said.slice(0, LONGEST))}`, ...mayPass };
}

function why(site: string, said: string): string {
  const by = refuserIn(said);
  if (by?.startsWith('ResourceQuota ') === true)
    return `: ${by} of its namespace there is used up. Free something that counts, or ask whoever runs ${site} for more.`;
  if (by !== null)
    return `, by ${by}. Ask whoever runs ${site} what it asks for, or change the content on the hub.`;
  if (ESCALATES.test(said))
    return `: whoever applies the hub's Capps there may not grant what it grants. Ask whoever runs ${site} for those rights.`;
  const help = `Give the new content a new name, and name that in the Capp; or delete it on ${site}.`;
  if (KEPT_AS_IT_IS.test(said)) return `: it is immutable there. ${help}`;
  const where = fieldsIn(said);
  if (IMMUTABLE.test(said)) return `${where}: that cannot be changed there. ${help}`;
  return `${where}. Correct it on the hub; the ManifestWork's conditions in namespace ${site} have the site's words.`;
}

/** Of what an API server quotes nothing is left. The last quote may have lost its end. */
const QUOTED = /"(?:[^"\\]|\\.)*(?:"|$)/g;
const FIELD =
  /(?:^|[\s[])\.?([a-zA-Z](?:[\w./-]|\[[\w./=-]*\]){0,127}): (?:element \d+: )?(Invalid|Unsupported|Duplicate|Required|Forbidden|Too \w+|Not found|field not declared|expected \w+|duplicate entries)/g;

function fieldsIn(said: string): string {
  const told = said.replaceAll(QUOTED, '').replace(/^.*? is invalid: /s, '');
  const fields = [...told.matchAll(FIELD)]
    .slice(0, MOST_FIELDS)
    .map(([, field = '', offence = '']) => `${field.replaceAll('=', '')} (${offence})`);
  return fields.length === 0 ? '' : `: ${fields.join(', ')}`;
}
