// Comments are as wide as code: the check names the lines that are wider, and `node lint/reflow.ts` breaks
// them.
import { reflowed, wideComments } from '../../../lint/comments.ts';

const words = (count: number): string =>
  Array.from({ length: count }, (_, index) => `word${index}`).join(' ');
const widest = (text: string): number => Math.max(...text.split('\n').map(({ length }) => length));
const wordsOf = (text: string): string[] => text.split(/[\s/*]+/).filter((word) => word !== '');

test.each([
  ['a header', `// ${words(40)}\nconst answer = 42;`],
  ['a header of two lines', `// ${words(17)}\n// and more.\nconst answer = 42;`],
  ['a docstring of one line', `  /** ${words(30)} */\n  readonly answer: number;`],
  ['a docstring of many lines', `/**\n * ${words(20)}\n * ${words(20)}\n */\nconst answer = 42;`],
])('%s that is too wide is refused, and fits when it is broken', (_what, text) => {
  expect(wideComments('probe.ts', text)[0]).toMatch(/^probe\.ts:\d+: a comment has \d+ columns/);
  const broken = reflowed(text);
  expect(wideComments('probe.ts', broken)).toEqual([]);
  expect(widest(broken)).toBeLessThanOrEqual(110);
  expect(wordsOf(broken)).toEqual(wordsOf(text));
  expect(reflowed(broken)).toBe(broken);
});

test.each([
  ['code', `const answer = '${words(30)}';`],
  ['what fits', `// ${'x'.repeat(107)}`],
  ['an address', `// https://example.com/${'x'.repeat(120)}`],
  ['what a tool reads', `// oxlint-disable-next-line ${words(30)}`],
])('%s stays as it is', (_what, text) => {
  expect(wideComments('probe.ts', text)).toEqual([]);
  expect(reflowed(text)).toBe(text);
});

test('a list keeps its items apart', () => {
  const text = `/**\n * ${words(20)}\n * - one\n * - two\n */`;
  expect(reflowed(text).split('\n').slice(-3)).toEqual([' * - one', ' * - two', ' */']);
});
