// The table of what a Capp costs Temporal's store, in bench/README.md. test/flow/capp/stored.test.ts counts
// it.
import { readFileSync } from 'node:fs';
import { STORED } from '../../../testbed/counts/stored.ts';

const README = readFileSync(new URL('../../../bench/README.md', import.meta.url), 'utf8');
const BETWEEN = /(?<=<!-- stored -->\n)[^]*(?=<!-- end of stored -->)/;

test('bench/README.md has the same budget', () => {
  const rows = Object.entries(STORED).map(([story, { calls, why }]) => {
    const each = Object.entries(calls).map(([what, count]) =>
      count === 1 ? what : `${String(count)} ${what}`,
    );
    return `| ${story} | ${each.join(', ')} | ${why} |`;
  });
  const table = ['| story | calls to the store | why |', '| --- | --- | --- |', ...rows].join('\n');
  expect(BETWEEN.exec(README)?.[0].trim()).toBe(table);
});
