// Where `cappstan etcd` may begin.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { etcdIn } from '../../../../deploy/etcd/directory.ts';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'etcd-directory-test-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

test('a disk may be mounted for each member before the first start', async () => {
  for (const place of ['lost+found', 'data/etcd-0/lost+found', 'data/etcd-1', 'data/lost+found'])
    mkdirSync(join(dir, place), { recursive: true });
  expect(await etcdIn(dir, 2379)).toBeNull();
});

test.each(['data/etcd-1/member', 'data/etcd-3', 'data/temporal', 'state'])(
  'with %s in it the directory is somebody’s',
  async (place) => {
    mkdirSync(join(dir, 'data', 'etcd-0'), { recursive: true });
    mkdirSync(join(dir, place), { recursive: true });
    await expect(etcdIn(dir, 2379)).rejects.toThrow(/is no etcd's, and holds (data|state)\. Give an empty/);
  },
);

test('a file that is called data is somebody’s', async () => {
  writeFileSync(join(dir, 'data'), '');
  await expect(etcdIn(dir, 2379)).rejects.toThrow("is no etcd's, and holds data.");
});
