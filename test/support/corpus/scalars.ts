// Scalars and keys as people write them, each as the value of a field `v` of an object.

/** Those without blanks. */
function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

const PLAIN = [
  ...words(`
    y Y yes Yes YES yEs on On ON oN true True TRUE tRue n N no No NO nO off Off OFF false False
    FALSE fALSE ~ null Null NULL nULL none None undefined 0 1 -1 +1 -0 007 0400 0644 0755 -0400 08
    09 0778 00 0o17 0O17 0o8 0x1F 0XFF -0x10 0xg 0b11 0B11 -0b11 0b2 1_000 0x_ff _1 1_ 1__0 0_7
    1:30 190:20:30 1:30.5 80:80 12:30:45 1.5 1. .5 -.5 +.5 . - + .. 1.2.3 1.10 1.0 1e3 1E3 1e-7
    1.5e300 1e400 .5e400 1e e1 1e+ .e5 ._5 .5_0 1_0.5 100000000000000000000 1e20 1e21
    123456789012345680000 9007199254740991 9007199254740992 9007199254740993 -9007199254740993
    1152921504606846976 9223372036854775807 -9223372036854775808 9223372036854775808
    18446744073709551615 18446744073709551616 0x7fffffffffffffff 0777777777777777777777
    1152921504606846976.0 9_007_199_254_740_993 0.1 3.14159265358979 .inf -.inf +.Inf .nan .NaN inf
    NaN Infinity 2020-01-01 2020-1-1 2020-01-01T00:00:00Z 2001-12-14t21:59:43.10-05:00 20-01-01
    100m 1Gi 0.5 12e6 1e6 5% 1,000 v1 1.25.0 010.0.0.1 10.0.0.1 1.5Gi a:b a#b #a -a ?a :a a: %a @a
    !a &a *a = << < >a |a {a} {a a} [a] [a a] "a 'a a'b a"b
  `),
  '',
  '2020-01-01 00:00:00',
  '1 000',
  'a b',
  'a: b',
  'a #b',
  '- a',
  '? a',
  ': a',
  '`a',
  ', a',
  '{{ .Values.x }}',
  '${X}',
  'häuser',
  '日本',
  '😀',
  'tab\there',
  '\ttab',
  'nbsp x',
  'x y',
  'xy',
  'x\u0000y',
  'x\u0007y',
  'xy',
  ' ',
  'a\\nb',
];

const QUOTED = [
  ...words(`
    "yes" 'no' "0400" "12" '' "" 'it''s' "<<" "a"b
  `),
  '"a\\nb"',
  '"a\\tb"',
  '"\\x41\\u00e9\\U0001F600"',
  '"a\\/b"',
  '"\\a\\b\\e\\f\\v\\0"',
  '"\\N\\_\\L\\P"',
  '"\\ "',
  '"\\q"',
  '"\\ud83d\\ude00"',
  '"a\\\n  b"',
  '"a\n  b"',
  '"a\n\n  b"',
  "'a\n  b\n\n  c'",
  '"a  \n  b"',
  '"😀"',
  '"a" # comment',
  '"a" b',
  "'a' 'b'",
  '"\ttab"',
  '"x y"',
  '"xy"',
];

const TAGGED = [
  ...words(`
    !!str
  `),
  '!!str 12',
  '!!str yes',
  '!!int "3"',
  '!!int 3',
  '!!int x',
  '!!int 1.5',
  '!!float 3',
  '!!float "3.5"',
  '!!float x',
  '!!bool "yes"',
  '!!bool x',
  '!!null ""',
  '!!null x',
  '!!binary aGk=',
  '!!binary "aG k="',
  '!!binary "/w=="',
  '!Ref x',
  '! 12',
  '!<tag:yaml.org,2002:str> 12',
  '!!set {a, b}',
  '!!omap [a: 1]',
  '!!map {a: 1}',
  '!!seq [1]',
  '!!timestamp 2020-01-01',
  '!x {a: 1}',
  '!!str [1]',
  '&a !!str 1',
  '!!str &a 1',
  '!!python/none x',
];

const KEYS = [
  ...words(`
    yes no y n on null ~ 1 0400 1.5 1e6 1e7 1.0 123456789.0 1e21 0.00001 1.25e5 0x10
    9007199254740993 "yes" '1' 2020-01-01 .inf .nan a.b/c = __proto__ constructor 1_000
  `),
  '!!str 1',
  '? a\n',
  'a b',
  'häuser',
  '"a: b"',
  '&k a',
];

const NESTED = [
  '[1, 2',
  '[1, 2]]',
  '[1, 2,]',
  '[,]',
  '[1,,2]',
  '{a: 1,}',
  '{,}',
  '{a}',
  '{a, b: 1}',
  '{a:1}',
  '{"a":1}',
  '{a: b: c}',
  '{a: [b, {c: d}]}',
  '[a: 1, b: 2]',
  '[[], {}]',
  '{a: 1, a: 2}',
  '[\n1,\n2\n]',
  '{\n  a: 1,\n  b: 2\n}',
  '{ a: 1 } # c',
  '[a, b] c',
  '{? a : 1}',
  '[yes, 0400, ~, "no"]',
  '{yes: 1, no: 2}',
  '[a\n b, c]',
  '{a: "x\n  y"}',
  '[http://a.b/c, x]',
  '{url: http://a.b:80/c}',
  '[a,b]',
  '[-1, - 1]',
  '{a: -}',
  '[#a\n]',
  '["a":1]',
  '{"a":"b","c":[1,2]}',
  '{a: 1\n}',
];

/** By name: what stands behind `v:`, or before `: 1`. */
export const SCALAR_CASES: Readonly<Record<string, string>> = Object.fromEntries([
  ...[...PLAIN, ...QUOTED, ...TAGGED, ...NESTED].map((text) => [
    `v: ${JSON.stringify(text)}`,
    anObject(`v: ${text}`),
  ]),
  ...KEYS.map((text) => [`key ${JSON.stringify(text)}`, anObject(`data:\n  ${text}: 1`)]),
]);

/** One object with some further lines. */
export function anObject(lines: string, name = 'a'): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${lines}\n`;
}
