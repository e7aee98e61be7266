// Corners of YAML and JSON that strangers' files have: signs that stand close, tabs, tags, numbers,
// directives, and lists in lists.
import { anObject } from './scalars.ts';

const [A, B] = [anObject('v: 1', 'a'), anObject('v: 2', 'b')];
const json = (name: string, v: string): string =>
  `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"},"v":${v}}`;

/** What stands behind `v:`, in a line, in a list and in brackets. */
const VALUES = [
  ['1:30', '190:20:30', '-1:30', '12:30:45', '0o17', '0o8', '0b1', '-0b11', '0b2', '0X1F', '08', '-0', '+0'],
  ['1_000', '_1', '1__0', '0x_1', '1e3', '1E+3', '1e', '5.', '+.5', '1e309', '1e-400', '-0.0', '1e21'],
  ['9007199254740993', '18446744073709551616', '-9223372036854775809', '0xffffffffffffffff', '.5e3'],
  ['2001-01-01', '2001-01-01 00:00:00', '!!str 0400', '!!str', '!!int 0o7', '!!int 1.5', '!!float 0x10'],
  ['!!bool yes', '!!bool 1', '!!null x', '!!null ""', '!!binary /w==', '!!set {a, b}', '!!omap [a: 1]'],
  ['!!seq {a: 1}', '! yes', '!<tag:yaml.org,2002:int> 7', 'nULL', 'tRUE', 'y', '=', '"\\x41"', '"\\N\\_"'],
  [
    '"a\\\n\n  b"',
    '"a \\\n   \\  b\\\n\n\n  c"',
    '"\\\\\\\\\n\n  a"',
    '|2-\n   a\n  b',
    '>2\n   a\n  b',
    '|-2\n   a\n  b',
  ],
  [
    '|\r\n  a\r\n  b\r\n',
    '|\n \n   a\n',
    '>\n\n\n  a\n\n\n  b\n',
    '{a , b : 1}',
    '[*a]',
    '{&a k: *a}',
    '[? a : 1]',
  ],
].flat();

const CLOSE: Readonly<Record<string, string>> = {
  'a comment close to quotes': 'v: "a"#b\nw: \'c\'#d',
  'a comment close to brackets': 'v: [a]#b\nw: {c: 1}#d',
  'comments close to quotes in brackets': 'v: ["a"#b\n, {c: d}#e\n,#f\n g]',
  'a comment close to the sign of a text': 'v: |#b\n  a#c\n  "d"#e\nw: >-#f\n  g',
  'a comment close to quotes of a key': '"v"#b: 1',
  'tabs in brackets': 'v: {\ta:\t1,\tb: [\tc,\td\t]\t}\nw: "a\tb"',
  'a tab in a text of a file with tabs in brackets': 'v: [\ta]\nw: |\n  a\t#b\n  [\tc\nx: d\te',
  'an alias as a key with its colon': 'u: &x k\n*x: 1\nv: {*x: 2}',
  'an alias close to a comma': 'u: &x 1\nv: [*x,*x]',
  'a text on a line of its own, and brackets further left': 'v:\n  a text\n  of two\nw: [\n"a",\n"b"\n]',
  'a text below its key, and a comment close to brackets': 'v:\n  |\n  a\nw: [a]#b',
  'a key in braces without a value': 'v: {name:, b: 1}',
  'a key at the end of braces without a value': 'v: {b: 1, name:}',
  'a key in a list in brackets without a value': 'v: [name:, b]',
  'a key in quotes and braces without a value': 'v: {"name":, b: 1}',
  'a key of many digits': 'v: {23456789.0: 1, 12308456789.0: 2}',
  'a question mark in a list in brackets': 'v: [?a, b]',
  'a question mark in braces': 'v: {?a : 1}',
  'a question mark alone in braces': 'v: {? : 1}',
  'question marks in a block': 'v: ?a\n?b: 1\nw: ["?c"]',
  'a line separator that ends a line': 'v: a\u2028w: b',
  'a line separator in a text': 'v: |\n  a\u2028  b',
  'a line separator in quotes': 'v: "a\u2028b\u2029c"',
  'a line separator beside a blank in quotes': 'v: "a\u2028 b"',
  'a line separator at the end of a line': 'v: a\u2028\nw: 1',
  'a line separator in a comment': 'v: a # x\u2028w: 1',
};

const TABS: Readonly<Record<string, string>> = {
  'a tab behind a dash': 'v:\n-\ta\n-\tb: 1',
  'tabs before a comment and behind a colon': 'v: 1\t# c\nw:\t\n  a: 1',
  'a tab and a blank behind a colon': 'v:\t {}\nw: \t[a, b]\nx:\t\ty',
  'a tab behind an anchor': 'v: &x\ta\nw: *x',
  'a tab under a list': 'v:\n- a: 1\n\tb: 2',
  'a blank and a tab': 'v:\n \ta: 1',
  'a tab in a folded line': 'v: a\n\tb\nw: "c\n\td"',
  'a tab in a text that is indented': 'v: |\n  a\n\tb',
};

const OTHERS: Readonly<Record<string, string>> = {
  'a merge of a list in a list': 'a: &a {x: 1}\nv:\n  <<: [[*a]]',
  'a merge of an empty list': 'v:\n  <<: []\n  a: 1',
  'a merge in an item': 'a: &a {x: 1}\nv:\n- <<: *a\n  y: 2\n- *a',
  'a merge between keys': 'a: &a {x: 1}\nb: &b {x: 2}\nv:\n  <<: *a\n  x: 5\n  <<: *b',
  'a merge of itself': 'v: &v\n  <<: *v\n  a: 1',
  'a merge behind a question mark': 'a: &a {x: 1}\nv:\n  ? <<\n  : *a',
  'a tag, then an anchor': 'u: !!str &a 1\nv: *a\nw: &b !!str 2\nx: *b',
  'an anchor of a key': '&k u: 1\nv: *k',
  'a nest of 490': `v: ${'{a: '.repeat(490)}1${'}'.repeat(490)}`,
  'a nest of blocks': `v:\n${Array.from({ length: 90 }, (_, deep) => `${' '.repeat(deep + 1)}a:`).join('\n')} 1`,
  'dashes in a row': `v:\n${'- '.repeat(200)}1`,
  'a null byte in a value': 'v: a\0b',
  'a text with carriage returns among others': 'v: |\n  a\r\n  b\n  c\r\n',
  'hashes and numbers': 'v: 1234567\nw: 1e10\nx: 12e4567\ny: 0e12345\nz: 08:09',
  'a key twice in other quotes': 'v: 1\n"v": 2',
};

const STREAMS: Readonly<Record<string, string>> = {
  'a directive behind dots': `${A}...\n%YAML 1.1\n---\n${B}`,
  'a directive and a comment behind dots': `${A}... # x\n# y\n%YAML 1.2\n\n---\n${B}`,
  'a value behind dots': `${A}... x\n`,
  'a directive without dashes': `%YAML 1.1\n${A}`,
  'a directive of tags': `%TAG !e! tag:example.com,2000:\n---\n${anObject('v: !e!x 7')}`,
  'an unknown directive': `%FOO bar\n---\n${A}`,
  'a directive before each': `%YAML 1.1\n---\n${A}---\n%YAML 1.1\n---\n${B}`,
  'dashes at the very end': `${A}---`,
  'dashes behind a text without a line break': `${A}---\n${B.trimEnd()}\n---`,
  'a null byte at the end': `${A}\0`,
  'a null byte between documents': `${A}---\n\0\n---\n${B}`,
  'an alias of another document': `${anObject('u: &x 1')}---\n${anObject('v: {<<: *x}', 'b')}`,
  'an anchor in two documents': `${anObject('u: &x 1\nv: *x')}---\n${anObject('u: &x 2\nv: *x', 'b')}`,
  'a mark in a text': anObject('v: |\n  \uFEFFa\n  b\uFEFF'),
  'a mark before the second line': anObject('v: 1\n\uFEFFw: 2'),
  'a mark alone': '\uFEFF',
  'a mark at the end': `${A}\uFEFF`,
  'a document that is a number': `${A}---\n42\n`,
  'a document that is an empty map': `${A}---\n{}\n---\n${B}`,
  'JSON objects side by side': json('a', '1') + json('b', '2'),
  'JSON with a comma between': `${json('a', '1')},${json('b', '2')}`,
  'JSON in a list': `[${json('a', '1')}]`,
  'JSON with many numbers': json(
    'a',
    '[1e3,1E+3,1.0,-0,-0.0,1e-7,1e21,18446744073709551615,-9223372036854775809]',
  ),
  'JSON beyond doubles': json('a', '1e400'),
  'JSON with a key twice': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"v":1,"v":2}',
  'JSON over lines of Windows': JSON.stringify(JSON.parse(json('a', '1')), null, 2).replaceAll('\n', '\r\n'),
  'JSON objects behind dashes': `---\n${json('a', '1')}\n---\n${json('b', '2')}`,
  'an item that is a text': 'apiVersion: v1\nkind: List\nitems: [a]\n',
  'an item that is null': `apiVersion: v1\nkind: List\nitems:\n- \n- ${json('a', '1')}\n`,
  'an item that is empty': `apiVersion: v1\nkind: List\nitems:\n- {}\n- ${json('a', '1')}\n`,
  'a typed list in a List':
    'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMapList\n  items: [{metadata: {name: a}}]\n',
  'a typed list of several kinds':
    'apiVersion: apps/v1\nkind: DeploymentList\nitems:\n- metadata: {name: a}\n- {apiVersion: v1, kind: Service, metadata: {name: b}}\n',
  generateName: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: a-}\n',
};

/** By name: a file in UTF-8. */
export const CORNER_CASES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    VALUES.flatMap((text) => [
      [`corner ${JSON.stringify(text)}`, anObject(`v: ${text}`)],
      [`corner in a list ${JSON.stringify(text)}`, anObject(`v:\n- ${text}\n- z`)],
      ...(text.includes('\n')
        ? []
        : [[`corner in brackets ${JSON.stringify(text)}`, anObject(`v: [${text}, z]`)]]),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries({ ...CLOSE, ...TABS, ...OTHERS }).map(([name, lines]) => [name, anObject(lines)]),
  ),
  ...STREAMS,
};

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** Letters of Windows-1252 where they are lost, and where nobody misses them. */
export const LETTER_CASES: Readonly<Record<string, Uint8Array>> = {
  'Latin1 in a comment': bytes(`# K\xF6ln\n${A}`),
  'Latin1 in a comment behind a value': bytes(anObject('v: 1 # K\xF6ln\nw: [a, # K\xF6ln\n  b]')),
  'Latin1 in a comment of Windows': bytes(anObject('v: 1 # K\xF6ln').replaceAll('\n', '\r\n')),
  'Latin1 in a comment behind the sign of a text': bytes(
    anObject('v: | # K\xF6ln\n  a\n# K\xF6ln\nw: a\n  b # \xF6'),
  ),
  'Latin1 in comments behind dashes and dots': bytes(`${A}... # \xF6\n--- # \xF6\n# \xF6\n---\n${B}`),
  'Latin1 that looks like a comment in a text': bytes(anObject('v: |\n  a # K\xF6ln')),
  'Latin1 that looks like a comment in quotes': bytes(anObject('v: "a # K\xF6ln"')),
  'Latin1 behind a sign that begins no comment': bytes(anObject('v: a#K\xF6ln')),
  'Latin1 in a key': bytes(anObject('K\xF6ln: 1')),
  'Latin1 in JSON': bytes(json('a', '"K\xF6ln"')),
  'half a letter of UTF-16 in a comment': Buffer.from(`\uFEFF${A}# \uD800\n`, 'utf16le'),
  'half a letter of UTF-16 in a value': Buffer.from(`\uFEFF${anObject('v: a\uD800b')}`, 'utf16le'),
};
