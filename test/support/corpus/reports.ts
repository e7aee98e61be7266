// Files in the shapes of public reports about tools that read manifests: what stands beside the separators of
// documents, tags, numbers of other notations, keys that are no texts, tabs, and odd bytes.
import { anObject } from './scalars.ts';

const A = anObject('v: 1', 'a');
const B = anObject('v: 2', 'b');
const MARK = '\uFEFF';
const json = (more: string): string =>
  `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}${more}}`;

const SEPARATORS: Readonly<Record<string, string>> = {
  'comments alone in several documents': '# a\n---\n# b\n---\n   # c\n---\n',
  'dashes with a block behind': '--- apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
  'dashes with a tag behind': `--- !!map\n${A}`,
  'dashes with an anchor behind': `--- &a\n${A}`,
  'dashes with a text behind': '--- |\n  a: b\n',
  'dashes in a folded text': anObject('v: >\n  a\n---\n  b'),
  'dashes in quotes': anObject('v: "a\n---\nb"'),
  'dashes with a hard blank behind': `${A}---\u00a0\n${B}`,
  'dots with a comment behind': `---\n${A}... # end\n---\n${B}`,
  'dots twice': `${A}...\n...\n---\n${B}`,
  'a directive of YAML 1.2': `%YAML 1.2\n---\n${anObject('v: yes')}`,
  'a directive for tags': `%TAG !e! tag:example.com,2000:\n---\n${anObject('v: !e!x 1')}`,
  'an anchor of another document': `${anObject('x: &x {a: 1}')}---\n${anObject('v: *x')}`,
  'a document that is indented': '  apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: a\n',
  'a template that nobody rendered': `{{- if .x }}\n${A}{{- end }}\n`,
  'a kind that is merged': 'x-base: &b {apiVersion: v1, kind: ConfigMap}\n<<: *b\nmetadata: {name: a}\n',
  'an item merged from another':
    'apiVersion: v1\nkind: List\nitems:\n- &a {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n- {<<: *a, metadata: {name: b}}\n',
  'a list of a kind of its own':
    'apiVersion: example.io/v1\nkind: WidgetList\nitems:\n- {apiVersion: example.io/v1, kind: Widget, metadata: {name: a}}\n- {metadata: {name: b}}\n',
};

const TAGS = ['!!str 012', '!!str yes', '!!str null', '!!str ~', '!!str', '!!int "012"', '!!int 0x1f']
  .concat(['!!float 1', '!!float "1"', '!!bool "yes"', '!!null x', '!!null ""', '!!timestamp 2020-01-01'])
  .concat(['!!set {a, b}', '!!omap [a: 1]', '!!seq [1]', '!!map {a: 1}', '!foo {a: 1}', '! 12', '! {a: 1}'])
  .concat(['!<tag:yaml.org,2002:str> 1', '!<x> 1']);

const NUMBERS: Readonly<Record<string, string>> = {
  sexagesimals: anObject('a: 1:20\nb: 190:20:30\nc: 00:30\nd: -1:20\ne: 12:30:45.5'),
  octals: anObject('a: 0o7\nb: 0O7\nc: 0o777777777777777777777777\nd: -0o7\ne: +0o7\nf: 0o\ng: 0888'),
  underscores: anObject('a: 1_000\nb: 1_000.5\nc: 0x1_f\nd: 0b1_0\ne: 1__\nf: 0_1\ng: 1e1_0\nh: 1_e5'),
  timestamps: anObject('a: 2001-12-14\nb: 2001-12-14 21:59:43.10 -5\nc: 2001-12-15 2:59:43.10\nd: 2001-1-1'),
  exponents: anObject('a: 1e3\nb: 1E+3\nc: 1e-3\nd: 1.e3\ne: .1e3\nf: 1e+400\ng: 12e4567'),
  signs: anObject('a: +1\nb: +0x1\nc: +.5\nd: +1.5\ne: ++1\nf: -0\ng: -0.0'),
  'floats of other notations': anObject('a: 0x1p4\nb: 0x1.8p1\nc: 1/2\nd: 50%\ne: 1,5'),
  'an infinity in quotes': anObject('a: ".inf"'),
  'an infinity in a list': anObject('a: [.inf]'),
  'JSON numbers of other notations': json(',"v":[1E5,1.10,-0.0,0.1e1,1e21,123456789012345678901234567890]'),
  'a JSON number beyond all doubles': json(',"v":[1e400]'),
  'a JSON number with a long exponent': json(',"v":[1e-400,0e999,1E0003]'),
};

const KEYS: Readonly<Record<string, string>> = {
  'two truths as keys': anObject('data:\n  yes: a\n  on: b'),
  'numbers as keys': anObject('data:\n  080: a\n  0x10: b\n  1_0: c\n  -1: d'),
  'fractions as keys': anObject('data:\n  1.10: a\n  1e3: b'),
  'a day as a key': anObject('data:\n  2001-12-14: a'),
  'a key beyond 63 bits': anObject('data:\n  12345678901234567890: a'),
  'a long whole number as a key': anObject('data:\n  9007199254740993: a'),
  'nothing as a key': anObject('v:\n  ~: 1'),
  'an empty text as a key': anObject('v: {"": 1}'),
  'a list in braces as a key': anObject('v: {[a]: 1}'),
  'a key of 1024 letters': anObject(`${'k'.repeat(1024)}: 1`),
};

const ODD_BLANKS: Readonly<Record<string, string>> = {
  'a tab before a comment': anObject('v: 1\t# c\nw:\t"x"\n'),
  'tabs in a list': anObject('v:\n-\ta\n-\tb: 1'),
  'tabs in braces': anObject('v: {\n\ta: 1,\n\tb: 2\n}'),
  'tabs in a literal': anObject('v: |\n  a\n\tb\n'),
  'a tab behind a key': anObject('v: \t\n  a: 1'),
  'a form feed': anObject('v: a\u000cb'),
  'a line break of Latin1': anObject('v: a\u0085b'),
  'a hard blank as indentation': anObject('v:\n\u00a0 a: 1'),
  'a blank without width': anObject('v: \u200b1'),
  'carriage returns alone': A.replaceAll('\n', '\r'),
  'two carriage returns': A.replaceAll('\n', '\r\r\n'),
  'the end mark of DOS': `${A}\x1a`,
  'a zero byte at the end': `${A}\0`,
  'a byte order mark alone': MARK,
  'a byte order mark at the end': `${A}${MARK}`,
  'a byte order mark before JSON in the middle': `${A}---\n${MARK}${json('')}\n`,
  'JSON with tabs': json('').replaceAll(',', ',\n\t'),
  'JSON of Windows': json('').replaceAll(',', ',\r\n'),
  'a JSON array': `[${json('')}]`,
  'JSON behind dashes': `---\n${json('')}\n`,
  'JSON behind a comment': `# x\n${json(',"v":9007199254740993')}\n`,
  'JSON with a key twice': json(',"v":1,"v":2'),
  'aliases that unfold without end': anObject(
    'a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: &g [*f,*f,*f,*f,*f,*f,*f,*f,*f]',
  ),
};

/** By name. */
export const REPORT_CASES: Readonly<Record<string, string>> = {
  ...SEPARATORS,
  ...Object.fromEntries(TAGS.map((text) => [`report ${JSON.stringify(text)}`, anObject(`v: ${text}`)])),
  ...NUMBERS,
  ...KEYS,
  ...ODD_BLANKS,
};
