// Ages, tables, colours, proxies: the small parts of what people see.
import { proxyFor } from '../../../../cli/hub/connection/proxy.ts';
import { span } from '../../../../cli/show/age.ts';
import { printable } from '../../../../cli/show/printable.ts';
import { table } from '../../../../cli/show/table.ts';
import { wantsColour } from '../../../../cli/terminal.ts';

test.each([
  [-5_000, '0s'],
  [0, '0s'],
  [119_000, '119s'],
  [120_000, '2m'],
  [119 * 60_000, '119m'],
  [2 * 3_600_000, '2h'],
  [47 * 3_600_000, '47h'],
  [48 * 3_600_000, '2d'],
])('a span of %d ms reads %s', (ms, text) => {
  expect(span(ms)).toBe(text);
});

test('control characters and line breaks of others do not reach the terminal', () => {
  expect(printable(' a\u001b[31mb\r\nc\u009b2Jd\u202e ')).toBe('a [31mb c 2Jd');
  expect(table(['NAME'], [['x\u001b]0;title\u0007y']])).toBe('NAME\nx ]0;title y');
});

test('a table is as wide as its widest cells, has - for what is empty, and ends no line with blanks', () => {
  const red = (text: string): string => `\u001b[31m${text}\u001b[39m`;
  const rows = [
    ['a', { text: 'long text', paint: red }, ''],
    ['日本', 'b', 'c'],
  ];
  expect(table(['ONE', 'TWO', 'THREE'], rows).split('\n')).toEqual([
    'ONE    TWO         THREE',
    'a      \u001b[31mlong text\u001b[39m   -',
    '日本   b           c',
  ]);
});

test.each([
  [{ isTTY: true }, {}, true],
  [{ isTTY: true }, { NO_COLOR: '1' }, false],
  [{ isTTY: true }, { NO_COLOR: '' }, true],
  [{ isTTY: true }, { TERM: 'dumb' }, false],
  [{ isTTY: false }, { FORCE_COLOR: '1', CI: 'true' }, false],
  [{}, {}, false],
])('a stream %j with the environment %j has colours: %s', (stream, env, expected) => {
  expect(wantsColour(stream, env)).toBe(expected);
});

const PROXY = 'http://proxy.example:3128';
test.each([
  ['https://hub.example:6443', { HTTPS_PROXY: PROXY }, PROXY],
  ['https://hub.example', { https_proxy: PROXY, NO_PROXY: 'other.example' }, PROXY],
  ['https://hub.example', {}, null],
  ['https://hub.example', { HTTP_PROXY: PROXY }, null],
  ['https://hub.example', { HTTPS_PROXY: PROXY, NO_PROXY: 'a, hub.example' }, null],
  ['https://hub.example', { HTTPS_PROXY: PROXY, NO_PROXY: '.example' }, null],
  ['https://hub.example', { HTTPS_PROXY: PROXY, no_proxy: '*' }, null],
  ['https://hub.example:6443', { HTTPS_PROXY: PROXY, NO_PROXY: 'hub.example:443' }, PROXY],
  ['https://hub.example', { HTTPS_PROXY: PROXY, NO_PROXY: 'hub.example:443' }, null],
  ['https://notexample', { HTTPS_PROXY: PROXY, NO_PROXY: 'example' }, PROXY],
  ['https://127.0.0.1:6443', { HTTPS_PROXY: PROXY }, null],
  // Ranges, as SIP's page has them, and a proxy as Go takes it.
  ['https://10.100.0.1:443', { HTTPS_PROXY: PROXY, NO_PROXY: 'localhost,10.96.0.0/12' }, null],
  ['https://10.112.0.1', { HTTPS_PROXY: PROXY, NO_PROXY: '10.96.0.0/12, 192.168.0.0/16' }, PROXY],
  ['https://[fd00::1]:6443', { HTTPS_PROXY: PROXY, NO_PROXY: 'fd00::/8' }, null],
  ['https://hub.example', { HTTPS_PROXY: PROXY, NO_PROXY: '10.96.0.0/99,x/8,0.0.0.0/0' }, PROXY],
  ['https://hub.example', { HTTPS_PROXY: 'proxy.example:3128' }, 'http://proxy.example:3128'],
])('%s with %j is reached by the proxy %s', (server, env, expected) => {
  expect(proxyFor(new URL(server), env)).toBe(expected);
});
