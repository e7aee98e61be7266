// docs/hub.md shows each field, its flag and its default as the code has them.
import { readFileSync } from 'node:fs';
import { FIELDS } from '../../../../deploy/hub/config/fields.ts';
import { FILE } from '../../../../deploy/hub/config/file.ts';

const page = readFileSync(new URL('../../../../docs/hub.md', import.meta.url), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| `'));

test.each(FIELDS.map(({ path, flag }) => [path, flag]))(
  'the page shows %s and %s in one row',
  (path, flag) => {
    expect(rows.filter((row) => row.includes(`\`${path}\``) && row.includes(`\`${flag}\``))).toHaveLength(1);
  },
);

test('the page shows the defaults', () => {
  const { bindAddress, apiserver, etcd, gateway } = FILE.parse({});
  for (const value of [bindAddress, apiserver.port, etcd.mode, etcd.prefix, gateway.port])
    expect(rows.some((row) => row.split(' | ')[2] === `\`${value}\``)).toBe(true);
});
