// What the words of a refusal name that may be repeated: the fields with what is wrong with each, and who
// refuses. Never a value, which stands beside them. Pure.

/** What of a Status of Kubernetes names something. */
export interface NamingStatus {
  readonly message?: string;
  readonly details?: {
    readonly causes?: readonly { readonly field?: string; readonly reason?: string }[];
  };
}

const LONGEST_FIELD = 256;
const MOST_FIELDS = 5;
const LONGEST_MESSAGE = 16_384;

/** Each is the path of a field and a kind of offence, as Kubernetes names those of its own. */
export function fieldsIn({ message, details }: NamingStatus): string[] {
  return [
    ...(details?.causes ?? []).flatMap(({ field, reason }) =>
      field ? [`${field.slice(0, LONGEST_FIELD)}: ${reason ?? 'FieldValueInvalid'}`] : [],
    ),
    ...(typeof message === 'string' ? inWords(message.slice(0, LONGEST_MESSAGE)) : []),
  ];
}

function inWords(message: string): string[] {
  return [...mistyped(message), ...denied(message), ...undecoded(message)];
}

/** Of structured-merge-diff; the code of such an answer is 500. */
const UNTYPED = 'failed to create typed patch object';
/** What an entry of a list is known by, as structured-merge-diff writes it: `[name="a"]`, `[="a"]`, `[0]`. */
const KEY = String.raw`\[(?:[^\]"\\]|"(?:[^"\\]|\\.){0,100}"){0,40}\]`;
const TYPED = new RegExp(
  String.raw`(\.(?:[\w./-]|${KEY}){1,256}): (?:element \d+: )?(field not declared|expected \w|duplicate entries|associative list with keys has an element that omits)`,
  'g',
);
const OFFENCES: readonly (readonly [begins: string, offence: string])[] = [
  ['field not', 'FieldUnknown'],
  ['expected', 'FieldTypeInvalid'],
  ['duplicate', 'FieldValueDuplicate'],
  ['associative', 'FieldValueRequired'],
];

/**
 * The fields that a server-side apply names when it cannot read an object, and what is wrong with each: never
 * the value, which follows it.
 */
function mistyped(message: string): string[] {
  if (!message.startsWith(UNTYPED)) return [];
  return [...message.matchAll(TYPED)].slice(0, MOST_FIELDS).map(([, field = '', what = '']) => {
    const offence = OFFENCES.find(([begins]) => what.startsWith(begins))?.[1] ?? 'FieldValueInvalid';
    return `${field.slice(1, LONGEST_FIELD)}: ${offence}`;
  });
}

const DENIED = /^admission webhook "([\w.-]{1,253})" denied the request: /;
/** Some of Knative's checks write a few words behind the path. */
const PATH = /^((?:spec|metadata)(?:\.[\w/-]+|\[[\w./-]+\])+)(?:$|[ =])/;

/**
 * The fields that a webhook of Knative's kind names at the end of each line of its refusal, behind the value
 * (knative.dev/pkg, apis/field_error.go).
 */
function denied(message: string): string[] {
  if (!DENIED.test(message)) return [];
  const lines = message.replace(DENIED, '').split('\n');
  return lines
    .flatMap((line) => {
      const paths = line.slice(line.lastIndexOf(': ') + 2).split(', ');
      return paths
        .flatMap((path) => PATH.exec(path.slice(0, LONGEST_FIELD))?.[1] ?? [])
        .map((path) => `${path}: ${offenceIn(line)}`);
    })
    .slice(0, MOST_FIELDS);
}

function offenceIn(line: string): string {
  if (line.includes('missing field(s)')) return 'FieldValueRequired';
  return line.includes('must not set the field(s)') ? 'FieldValueForbidden' : 'FieldValueInvalid';
}

/**
 * The one field at which Go has stopped to read an object, behind the type that it is of. Types within types
 * stand in the path, too, and no field begins with a capital.
 */
const UNDECODED =
  /cannot unmarshal [a-z]+(?: [^ ]{1,64})? into Go struct field \w{1,64}\.((?:spec|metadata)(?:\.[\w-]{1,64}){1,20}) of type /;

function undecoded(message: string): string[] {
  const path = UNDECODED.exec(message)?.[1];
  return path === undefined ? [] : [`${path.replaceAll(/\.[A-Z][\w-]*/g, '')}: FieldTypeInvalid`];
}

/** Names of objects of Kubernetes, and nothing else, may stand there. */
const NAME = '([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)';
/** By words of API servers (apiserver: pkg/admission/plugin/policy, webhook/errors, resourcequota). */
const REFUSERS: readonly (readonly [said: RegExp, kind: string])[] = [
  [
    new RegExp(`ValidatingAdmissionPolicy '${NAME}'(?: with binding '[^']{1,253}')? denied request`),
    'ValidatingAdmissionPolicy',
  ],
  [new RegExp(`admission webhook "${NAME}" denied the request`), 'webhook'],
  [new RegExp(`(?:exceeded|failed) quota: ${NAME}[,:]`), 'ResourceQuota'],
];

/** Who refuses, where that is no rule of Kubernetes itself, such as "webhook validate.example.com". */
export function refuserIn(message: unknown): string | null {
  if (typeof message !== 'string') return null;
  const read = message.slice(0, LONGEST_MESSAGE);
  for (const [said, kind] of REFUSERS) {
    const name = said.exec(read)?.[1];
    if (name !== undefined) return `${kind} ${name}`;
  }
  return null;
}
