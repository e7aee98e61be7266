// Files with several documents, lists, JSON, and the encodings of other systems.
import { anObject } from './scalars.ts';

const [A, B, C] = [anObject('v: 1', 'a'), anObject('v: 2', 'b'), anObject('v: 3', 'c')];
const MARK = '\uFEFF';
const JSON_A = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"v":1}';
const JSON_B = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b"},"v":9007199254740993}';

const DOCUMENTS: Readonly<Record<string, string>> = {
  'no document': '',
  'blanks alone': '  \n\n',
  'a comment alone': '# nothing\n',
  'dashes alone': '---\n---\n---',
  'two documents': `${A}---\n${B}`,
  'dashes first and last': `---\n${A}---\n${B}---\n`,
  'empty documents': `---\n---\n${A}---\n\n---\n# nothing\n---\n${B}---\n~\n---\nnull\n`,
  'dashes with blanks behind': `${A}---  \n${B}---\t\n${C}`,
  'dashes with a comment behind': `--- # a\n${A}--- # b\n${B}---# c\n${C}`,
  'dashes with a document behind': `--- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n`,
  'four dashes': `${A}----\n${B}`,
  'dashes and a text': `${A}---text\n${B}`,
  'dots at the end': `${A}...\n---\n${B}...\n`,
  'dots, and a document without dashes': `${A}...\n${B}`,
  'a directive': `%YAML 1.1\n---\n${A}`,
  'dashes that are indented': `${A} ---\n${B}`,
  'dashes in a text': anObject('v: |\n  x\n---\n  y'),
  'a text alone': 'hello\n',
  'a list alone': '- a\n- b\n',
  'a document without a kind': 'apiVersion: v1\nmetadata: {name: a}\n',
  'comments around dashes': `# a\n${A}# b\n---\n# c\n${B}`,
  'no last line break': `${A}---\n${B}`.trimEnd(),
  'a broken second document': `${A}---\na: [1\n`,
};

const LISTS: Readonly<Record<string, string>> = {
  'a List': `apiVersion: v1\nkind: List\nmetadata: {resourceVersion: ""}\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n- {apiVersion: v1, kind: Secret, metadata: {name: b}}\n`,
  'an empty List': 'apiVersion: v1\nkind: List\nitems: []\n',
  'a List without items': 'apiVersion: v1\nkind: List\nmetadata: {name: a}\n',
  'a List whose items are null': 'apiVersion: v1\nkind: List\nmetadata: {name: a}\nitems:\n',
  'a typed list':
    'apiVersion: v1\nkind: ConfigMapList\nitems:\n- {metadata: {name: a}, data: {x: "1"}}\n- {metadata: {name: b}}\n',
  'a typed list of a group':
    'apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBindingList\nitems:\n- {metadata: {name: a}, subjects: []}\n',
  'a typed list with kinds':
    'apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleList\nitems:\n- {apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: a}}\n',
  'a List in a List':
    'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMapList\n  items: [{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}]\n- {apiVersion: v1, kind: Secret, metadata: {name: b}}\n',
  'an item without a kind': 'apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, metadata: {name: a}}\n',
  'a List and an object': `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Secret, metadata: {name: s}}\n---\n${A}`,
  'a kind of its own with items':
    'apiVersion: x.io/v1\nkind: Basket\nmetadata: {name: a}\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: b}}\n',
  'items that are no list': 'apiVersion: x.io/v1\nkind: Basket\nmetadata: {name: a}\nspec: {items: [1]}\n',
};

const OF_JSON: Readonly<Record<string, string>> = {
  'one JSON object': JSON_A,
  'JSON over lines': `${JSON.stringify(JSON.parse(JSON_A), null, 2)}\n`,
  'JSON objects one behind the other': `${JSON_A}${JSON_B}\n${JSON_A}`,
  'JSON lines': `${JSON_A}\n${JSON_B}\n`,
  'JSON and dashes': `${JSON_A}\n---\n${JSON_B}\n`,
  'JSON and dashes and YAML': `${JSON_A}\n---\n${B}`,
  'YAML, then JSON': `${A}---\n${JSON_B}\n`,
  'two JSON objects and YAML': `${JSON_A}\n${JSON_B}\n---\n${C}`,
  'JSON with a comma too many': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},}',
  'JSON with comments': '{"apiVersion":"v1", # x\n"kind":"ConfigMap","metadata":{"name":"a"}}\n',
  'a flow map': '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, v: yes}\n',
  'JSON with blanks before': `\n\n  ${JSON_A}`,
  'JSON with escapes':
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"v":"\\u00e9\\/\\ud83d\\ude00\\u2028 } { \\" "}',
  'JSON numbers':
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"v":[1.0,1e3,0.5,-0,9007199254740993,9223372036854775808]}',
  'a JSON List': `{"apiVersion":"v1","kind":"List","items":[${JSON_A},${JSON_B}]}`,
  'JSON that is cut off': JSON_A.slice(0, -3),
};

const OF_WINDOWS: Readonly<Record<string, string>> = {
  'carriage returns': `${A}---\n${B}`.replaceAll('\n', '\r\n'),
  'carriage returns in a text': anObject('v: |\n  a\n  b\n').replaceAll('\n', '\r\n'),
  'carriage returns in quotes': anObject('v: "a\n  b"\nw: \'c\n\n  d\'').replaceAll('\n', '\r\n'),
  'a byte order mark first': `${MARK}${A}`,
  'a byte order mark before dashes': `${MARK}---\n${A}`,
  'a byte order mark before a comment': `${MARK}# x\n${A}`,
  'a byte order mark in the middle': `${A}---\n${MARK}${B}`,
  'a byte order mark before dashes in the middle': `${A}${MARK}---\n${B}`,
  'a byte order mark before a key': anObject(`${MARK}v: 1`),
  'a byte order mark in a value': anObject(`v: a${MARK}b`),
  'a byte order mark in quotes': anObject(`v: "${MARK}b"`),
  'a byte order mark before JSON': `${MARK}${JSON_A}`,
  'two byte order marks': `${MARK}${MARK}${A}`,
};

/** By name: a file in UTF-8. */
export const STREAM_CASES: Readonly<Record<string, string>> = {
  ...DOCUMENTS,
  ...LISTS,
  ...OF_JSON,
  ...OF_WINDOWS,
};

/** By name: a file in another encoding. */
export const BYTE_CASES: Readonly<Record<string, Uint8Array>> = {
  'UTF-16, little end first': inUtf16(`${MARK}${A}---\n${B}`, false),
  'UTF-16, big end first': inUtf16(`${MARK}${A}---\n${B}`, true),
  'UTF-16 of Windows': inUtf16(`${MARK}${anObject('v: "häuser 😀"')}`.replaceAll('\n', '\r\n'), false),
  'UTF-16 JSON': inUtf16(`${MARK}${JSON_B}`, false),
  'UTF-16 without a mark': inUtf16(A, false),
  Latin1: Buffer.from(anObject('v: häuser'), 'latin1'),
  'a broken letter': Buffer.concat([
    Buffer.from('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nv: "'),
    Buffer.from([0xe2, 0x82]),
    Buffer.from('x"\n'),
  ]),
};

function inUtf16(text: string, isBig: boolean): Uint8Array {
  const bytes = Buffer.from(text, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
}
