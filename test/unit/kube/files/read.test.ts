// What is read of files beside what kubectl itself says (kubectl.test.ts): faults, digits, and the work that
// it takes.
import { parseDigits } from '../../../../kube/files/digits.ts';
import { FileFault } from '../../../../kube/files/fault.ts';
import { objectsOf } from '../../../../kube/files/lists.ts';
import { documentsOf } from '../../../../kube/files/read.ts';
import { timesAsLong } from '../../../support/pace.ts';

const HALF = 'an escape such as \\ud83d is half of a sign alone: write both halves, or the sign itself';

const TEMPLATED =
  'the line has {{: put the value in quotes, or, if a chart renders the file, ship what that renders';
const NULL_BYTE =
  'there is a null byte, as in files of UTF-16 without a byte order mark, of UTF-32, and compressed ones: save the file in UTF-8';
const CONTROL =
  'a control character such as a form feed is in the document: take it out, or write it in double quotes, as \\x0c';
const DIRECTIVE =
  'kubectl reads no document with a line that begins with % before its ---: take that line out';

const UNCLOSED =
  'a text in quotes ends on another line, which JSON does not have: write \\n for the line break';
const COMMENT = 'JSON has no comments: take this one out, or write the file as YAML, with # before it';

function faultOf(file: string | Uint8Array): string {
  try {
    documentsOf(file);
    return 'fine';
  } catch (error) {
    return error instanceof FileFault ? `${error.line}: ${error.message}` : String(error);
  }
}

test('a text of YAML documents gives each of them, those of a List one by one, and none for comments', () => {
  const text = 'a: 1\n---\n# nothing\n---\nkind: List\nitems: [{b: 2}, {c: 3}]\n';
  expect(objectsOf(documentsOf(text))).toEqual([{ a: 1 }, { b: 2 }, { c: 3 }]);
  expect(documentsOf('')).toEqual([]);
});

test.each<[string, string]>([
  [
    'a: 1\nb: [1',
    '2: the YAML cannot be read (unexpected end of the stream within a flow collection): look at indentation, quotes and colons there',
  ],
  ['a: 1\n---\n\nb: 1\nb: 2', '5: a key stands twice in its map: leave one out'],
  ['a: 1\r\n---\r\nb: {c: 1, c: 2}', '3: a key stands twice in its map: leave one out'],
  ['a: *b', '1: an alias names an anchor that is not above it: define it above, in the same document'],
  ['a:\n  schedule: */5 * * * *', '2: a value that begins with * needs quotes around it'],
  ['a:\n- @x', '2: a value that begins with @ needs quotes around it'],
  [
    'a: 1\nb: {{ .Release.Name }}-c',
    '2: the line has {{: put the value in quotes, or, if a chart renders the file, ship what that renders',
  ],
  ['a: {{ .Values.x }}', `1: ${TEMPLATED}`],
  ['a:\n- [{{ .Values.x }}]', `2: ${TEMPLATED}`],
  ['a: {{{b: 1}: c}: d}', `1: ${TEMPLATED}`],
  ['a: 1\nb: c\0', `2: ${NULL_BYTE}`],
  ['a: 1\f\nb: 2', `1: ${CONTROL}`],
  ['%YAML 1.1\n---\na: 1', `2: ${DIRECTIVE}`],
  ['a: &a\n  b: *a', '2: an alias stands inside what it names: take it out'],
  ['a:\n  <<: [1]', '2: the merge key << needs a map, or a list of maps'],
  ['a: .inf', '1: a value is infinite or no number, which JSON does not have: put it in quotes'],
  ['a: !!int x', '1: a value is not what its tag !!int says: correct it, or leave the tag out'],
  ['{"a": "b\nc"}', `1: ${UNCLOSED}`],
  ['\n{"a": 1,\n "b": ["c", "\\"d\ne"]}', `3: ${UNCLOSED}`],
  ['{"a": 1, // b\n"c": 2}', `1: ${COMMENT}`],
  ['{\n  /* b */\n  "a": 1}', `2: ${COMMENT}`],
  ['~: 1', '1: there is a key that JSON does not have: put it in quotes'],
  ['a: 1\nb: "\\ud83d"', `2: ${HALF}`],
  ['{"a": 1,\n"b": "\\ud83d"}', `2: ${HALF}`],
  ['{"a": "\\\\ud83d \\ud83d\\ude00",\n"b": "\\ude00"}', `2: ${HALF}`],
  ['{"a": "\\ud83d\\ude00", "b": "\\\\ud83d", "\\ud83d\\u00e9": 1}', `1: ${HALF}`],
  ['{"a": "\\ud83d\\ude00", "b": "\\\\ud83d", "c": "\\u00e9"}', 'fine'],
  ["a: '\\ud83d'", 'fine'],
  ['a: 1\n--- b', '2: only a comment may stand behind ---: begin the document on a line of its own'],
  [
    'a: 1\n...\nb: 1',
    '2: kubectl reads nothing that follows ... without ---: begin a document there with ---',
  ],
  [
    '{"a":1}\n{"b":2}\n{"c":,}',
    '3: the object that begins here is no JSON: look at its commas, quotes and brackets',
  ],
])('%j is refused with its line and no value', (text, fault) => {
  expect(faultOf(text)).toBe(fault);
});

test.each<[string, Uint8Array]>([
  ['UTF-16 without a mark', Buffer.from('a: 1\n', 'utf16le')],
  ['UTF-16, big end first, without a mark', Buffer.from('a: 1\n', 'utf16le').swap16()],
  ['UTF-32 with its mark', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0, 0x3a, 0, 0, 0])],
  ['UTF-32, big end first, with its mark', Buffer.from([0, 0, 0xfe, 0xff, 0, 0, 0, 0x61, 0, 0, 0, 0x3a])],
])('a file of %s is told to be saved in UTF-8', (_what, file) => {
  expect(faultOf(file)).toBe(`1: ${NULL_BYTE}`);
});

test('letters of Windows-1252 are refused with their line, but where they are lost in comments', () => {
  const file = (text: string) => Buffer.from(text, 'latin1');
  const fault =
    'a letter here is in neither UTF-8 nor UTF-16, as those of Windows-1252 are: save the file in UTF-8';
  const refused = (line: number): Error => expect.objectContaining({ line, message: fault }) as Error;
  expect(() => documentsOf(file('# Köln\na: 1 # Köln\nb: Köln # Köln\n'))).toThrow(refused(3));
  expect(documentsOf(file('# Köln\n  # Köln\na: 1 # Köln\n'))).toEqual([{ a: 1 }]);
  expect(() => documentsOf(file('a: |\n  #!/bin/sh\n  # Köln\n'))).toThrow(refused(3));
  expect(() => documentsOf(file('a: 1\nb: >- # text\n  # Köln\n'))).toThrow(refused(3));
  expect(() => documentsOf(file('a: 1 # Köln\n---\n\nb: &ö 1\n'))).toThrow(refused(4));
  expect(() => documentsOf(file('{"a":1}\n{"b":\n"Köln"}'))).toThrow(refused(3));
  expect(documentsOf(Buffer.from('a: "\uFFFD"\n'))).toEqual([{ a: '\uFFFD' }]);
});

test.each([
  ['utf-16le', [0xff, 0xfe, 0x61, 0x00, 0x3a, 0x00, 0x20, 0x00, 0x00, 0xd8, 0x62, 0x00]],
  ['utf-16be', [0xfe, 0xff, 0x00, 0x61, 0x00, 0x3a, 0x00, 0x20, 0xd8, 0x00, 0x00, 0x62]],
])('half of a letter in %s is refused', (_encoding, bytes) => {
  expect(() => documentsOf(Uint8Array.from(bytes))).toThrow('a letter here is in neither UTF-8 nor UTF-16');
});

test.each<[string, string]>([
  ['a: [?b]', 'a value that begins with ? needs quotes around it in brackets'],
  [
    'a: {b:, c: 1}',
    'a key in brackets has a colon and no value: write the value, or put a blank behind the colon',
  ],
  [
    '%YAML 1.1\nb: 1',
    'kubectl reads nothing that follows a line with %: put the line before the --- of its document, or indent it',
  ],
  ['a: [!!str, b]', 'a comma stands close to a tag: put a blank before it, or quotes'],
  [
    'a: b\u2028c: d',
    'the line has the sign U+2028 or U+2029, which ends a line for kubectl: take it out, or write \\u2028 in double quotes',
  ],
])('what kubectl would make something else of is refused with what to write: %j', (text, fault) => {
  expect(faultOf(`x: 1\n${text}`)).toBe(`2: ${fault}`);
});

test.each([
  ['YAML', '['.repeat(100_000)],
  ['JSON', `{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}`],
])('brackets in brackets of %s are refused at a depth', (_format, text) => {
  expect(faultOf(text)).toBe('1: maps and lists are nested more than 500 deep: write fewer levels');
});

test('no fault quotes the file, which may hold a Secret', () => {
  const faults = [
    'a: &s3cr3t',
    'a: *s3cr3t',
    'a: "s3cr3t',
    '%s3cr3t\na',
    's3cr3t: 1\n s3cr3t',
    '!s3cr3t!x a',
  ];
  for (const text of faults) expect(faultOf(text)).not.toContain('s3cr3t');
});

test('a whole number keeps its digits as far as API servers do', () => {
  const [read] = documentsOf('{a: 9007199254740993, b: -9223372036854775808, c: 0x7fffffffffffffff, d: 7}');
  expect(JSON.stringify(read)).toBe(
    '{"a":9007199254740993,"b":-9223372036854775808,"c":9223372036854775807,"d":7}',
  );
  const json = '{"a":9007199254740993,"b":[1152921504606846976,1.5,1e3],"c":"9007199254740993"}';
  expect(JSON.stringify(parseDigits(json))).toBe(json.replace('1e3', '1000'));
  expect(JSON.stringify(documentsOf(json)[0])).toBe(json.replace('1e3', '1000'));
});

test('aliases that unfold to very much are refused soon', () => {
  const names = 'abcdefgh'.split('');
  const lines = names.map((name, index) => {
    const items =
      index === 0
        ? 'x,x,x,x,x,x,x,x,x'
        : Array(9)
            .fill(`*${names[index - 1]}`)
            .join(',');
    return `${name}: &${name} [${items}]`;
  });
  const long = `a: &a "${'x'.repeat(100_000)}"\nb: [${Array(1000).fill('*a').join(', ')}]`;
  expect(faultOf(lines.join('\n'))).toMatch(/the aliases unfold to more than a file may hold/);
  expect(faultOf(long)).toMatch(/the aliases unfold to more than a file may hold/);
  const bombs = Array(100).fill(lines.join('\n')).join('\n---\n');
  const harmless = bombs.replaceAll('*', 'x').replaceAll('&', '!t &');
  expect(
    timesAsLong(
      8,
      () => faultOf(bombs),
      () => faultOf(harmless),
    ),
  ).toBeLessThan(8);
});

const many = (count: number, of: (index: number) => string, between = '\n') =>
  Array.from({ length: count }, (_, index) => of(index)).join(between);

test.each<[string, (count: number) => string]>([
  ['keys', (count) => many(count, (i) => `k${i}: 1`)],
  ['keys in braces', (count) => `{${many(count, (i) => `k${i}: 1`, ', ')}}`],
  ['aliases', (count) => `a: &a 1\n${many(count, (i) => `k${i}: *a`)}`],
  ['anchors', (count) => many(count, (i) => `k${i}: &a${i} 1`)],
  ['merge keys', (count) => `a: &a {b: 1}\n${many(count, (i) => `k${i}: {<<: *a}`)}`],
  ['documents', (count) => 'a: 1\n---\n'.repeat(count)],
  ['documents of JSON', (count) => '{"a":1}\n'.repeat(count)],
  ['braces that never close', (count) => '{"a":{}'.repeat(count)],
  ['lines in brackets', (count) => `a: [\n${many(count, (i) => `${i},`)}\n]`],
  ['keys without a value in braces', (count) => `{${many(count, (i) => `k${i}: `, ', ')}}`],
  ['texts on lines of their own', (count) => `${many(count, (i) => `k${i}:\n  a`)}\nl: [a]#b`],
  ['comments close to brackets', (count) => many(count, (i) => `k${i}: [a]#b`)],
  ['tabs in brackets', (count) => `a: [${many(count, (i) => `${i}`, ',\t')}]`],
  ['aliases as keys', (count) => `a: &a x\n${many(count, () => '- *a: 1')}`.replace('a: &a x', '- &a x')],
  ['line separators in quotes', (count) => many(count, (i) => `k${i}: "a\u2028b"`)],
  ['letters that are lost in comments', (count) => `${many(count, (i) => `k${i}: 1 # \uFFFD`)}\n`],
  ['escaped line breaks', (count) => `a: "${many(count, () => 'x\\\n\n  ', '')}"`],
  ['lines in quotes', (count) => `a: "\n${many(count, (i) => `x${i}`)}\n"`],
  ['lines of a text', (count) => `a: |\n${many(count, (i) => `  x${i}`)}\n`],
  ['tags and anchors', (count) => many(count, (i) => `- !t &a${i}\n  b: 1`)],
  ['numbers', (count) => many(count, (i) => `- ${i}_0`)],
  ['braces with quotes that never close', (count) => `{a: 1, b\n${many(count, () => '"\\"', '')}\n}`],
  ['objects in a list', (count) => `items:\n${many(count, () => '- {a: 1}')}`],
])('sixteen times as many %s are read with less than sixty-four times the work', (_, textOf) => {
  const [few, many] = [textOf(2000), textOf(32_000)];
  faultOf(few);
  expect(
    timesAsLong(
      64,
      () => faultOf(many),
      () => faultOf(few),
    ),
  ).toBeLessThan(64);
});
