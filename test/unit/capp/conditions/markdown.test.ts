// What a site says stands in the Temporal UI as text: it makes no link, no picture, no row and no heading.
import { asText } from '../../../../workflows/types/markdown.ts';

test.each([
  ['[log in](https://evil.example)', String.raw`\[log in\](https:\/\/evil.example)`],
  ['![x](http://evil.example/p.png)', String.raw`!\[x\](http:\/\/evil.example/p.png)`],
  ['<img src=x> <https://evil.example>', String.raw`\<img src=x> \<https:\/\/evil.example>`],
  ['see www.evil.example', String.raw`see www\.evil.example`],
  ['a | b |\n\n# c', String.raw`a \| b \| # c`],
  ['**now** `x`', '\\*\\*now\\*\\* \\`x\\`'],
  [String.raw`\[`, String.raw`\\\[`],
  ['Pod app-1 is not ready: 0 of 1.', 'Pod app-1 is not ready: 0 of 1.'],
])('%s', (said, shown) => {
  expect(asText(said)).toBe(shown);
});
