// Why a site does not take a manifest, in words that help and quote no value. Pure.
import { LONGEST_MESSAGE } from '../../../../crds/bundle/status.ts';
import type { BundleReason } from '../../../../crds/bundle/status.ts';
import type { ManifestConfig, ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { textOf } from '../../../../workflows/parse/fields.ts';
import { remedyFor } from './remedies.ts';
import { unansweredBy } from './unready-servers.ts';

type Status = NonNullable<
  NonNullable<NonNullable<ManifestWork['status']>['resourceStatus']>['manifests']
>[number];
type Meta = Status['resourceMeta'];

interface Said {
  readonly reason: BundleReason;
  readonly message: string;
}

/**
 * Of an object that is applied, but not by the configuration that is meant for it: the site names it
 * otherwise.
 */
export function misnamed(
  { group = '', kind = '', name = '', namespace = '', resource = '' }: Meta,
  configs: readonly ManifestConfig[] = [],
): Said {
  const isElsewhere = configs.some(
    ({ resourceIdentifier: one }) => one.group === group && one.resource === resource && one.name === name,
  );
  if (isElsewhere && namespace === '')
    return {
      reason: 'Rejected',
      message: `On the site ${kind} is in no namespace: take metadata.namespace out of the manifest; until then it is applied without server-side apply.`,
    };
  const message = `The site calls this kind ${resource}. Say so in the Bundle, in spec.plurals: {${kind}: ${resource}}; until then it is applied without server-side apply.`;
  return { reason: 'WrongPlural', message };
}

/** Characters of a site's words about one object that are read. */
const MOST_READ = 4_096;

/** OCM's words for each (ocm: pkg/work/spoke/auth/basic, apply/server_side_apply.go). */
export function refusalOf(meta: Meta, said: string): Said {
  const message = said
    .slice(0, MOST_READ)
    .replace(/^Failed to apply manifest: /, '')
    .replace(/, will try again in \S+$/, '');
  if (message.startsWith('not allowed to apply')) return { reason: 'NotAllowed', message };
  if (/Apply failed with \d+ conflict/.test(message)) return conflictOf(message);
  const unanswered = unansweredBy(message);
  if (unanswered !== null) return { reason: 'NotReady', message: unanswered };
  const told = withoutValues(message, meta.kind);
  const help = remedyFor(meta, message);
  return {
    reason: 'Rejected',
    message: help === null ? told : helping(told, help),
  };
}

/**
 * No field is said otherwise, but versions differ: one says more, or each has it out of a Secret of its own.
 */
const OF_VERSIONS =
  /^Apply failed with 1 conflict: conflict with "work-agent-bundle-[^"]+"[^:]*: \.metadata\.annotations\.rcs\.dana\.io\/bundle-manifest$/;

function conflictOf(message: string): Said {
  const help = OF_VERSIONS.test(message)
    ? 'They do not say the same, or have it out of Secrets: keep it in one Bundle.'
    : 'Take that out of the Bundle, or have the other give it up.';
  return { reason: 'Conflict', message: helping(message, help) };
}

/** What is long enough to be cut is cut before the remedy. */
function helping(told: string, help: string): string {
  const room = LONGEST_MESSAGE - help.length - 2;
  return `${textOf(told.replace(/\.$/, ''), room)}. ${help}`;
}

/**
 * A refusal may quote what is refused, which may have come out of a Secret: then only the fields are
 * repeated.
 */
function withoutValues(message: string, kind: string | undefined): string {
  if (kind === 'Secret')
    return 'The site refuses this Secret. Read why in the status of the ManifestWork, since that may quote it, and correct the Secret.';
  if (message.includes('failed to create typed patch object')) return mistyped(message);
  const fields = [
    ...message.matchAll(
      /(?<![\w.[\]/-])([\w.[\]/-]+): (Invalid|Unsupported|Duplicate|Required|Forbidden|Too \w+)/g,
    ),
  ];
  if (!/\b(Invalid|Unsupported|Duplicate) value\b|strict decoding|unmarshal/.test(message)) return message;
  // Several faults begin with a bracket.
  const named = fields.slice(0, 5).map(([, field = '', what]) => `${field.replace(/^\[/, '')}: ${what}`);
  return named.length === 0 ? UNTOLD : `${REFUSES} ${named.join(', ')}. ${READ_THERE}`;
}

const REFUSES = "The site's API server refuses it:";
const READ_THERE = 'The status of the ManifestWork has its words.';
/** Of words that may quote anything. */
const UNTOLD = `${REFUSES} a field is not as its kind wants it. ${READ_THERE}`;

/** What an entry of a list is known by, as structured-merge-diff writes it: `[name="a"]`, `[="a"]`, `[0]`. */
const KEY = String.raw`\[(?:[^\]"\\]|"(?:[^"\\]|\\.){0,300}"){0,150}\]`;
const TYPED = new RegExp(
  String.raw`\.((?:[\w./-]|${KEY}){1,150}): (?:element \d+: )?(field not declared in schema|expected \w+|duplicate entries for key ${KEY})`,
  'g',
);

/** What a server-side apply says of an object that it cannot read, without the values. */
function mistyped(message: string): string {
  const named = [...message.matchAll(TYPED)].slice(0, 2).map((one) => withoutKeys(`${one[1]}: ${one[2]}`));
  return named.length === 0 ? UNTOLD : `${REFUSES} ${named.join(', ')}`;
}

/** A key may be a value out of a Secret: of `[name="a"]` the field stays. */
function withoutKeys(said: string): string {
  return said.replaceAll(/(\w*)=(?:"(?:[^"\\]|\\.)*"|[^\],]*)/g, '$1');
}
