// What a restore does to a directory that somebody else uses meanwhile, and to one whose mark is damaged.
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { restoredIn, restoredFile } from '../../../../../deploy/hub/admit/restored.ts';
import { partOf, writeArchive } from '../../../../../deploy/hub/backup/archive.ts';
import { restoreHub } from '../../../../../deploy/hub/backup/restore.ts';
import { ConfigRefused } from '../../../../../deploy/hub/config/refused.ts';

let folder: string;
let file: string;
let dir: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'restore-'));
  [file, dir] = [join(folder, 'backup'), join(folder, 'hub')];
  const about = { version: 1, at: '2026-11-27T08:00:00Z', made: { etcd: { mode: 'embed' } }, config: {} };
  const parts = (async function* () {
    yield partOf('backup.json', JSON.stringify(about));
    yield partOf('etcd.db', 'no snapshot');
    yield partOf('cert/encryption.yaml', 'key');
  })();
  await writeArchive(parts, { lock: null, at: new Date(0), to: createWriteStream(file) });
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each([
  ['state/hub.json', 'holds a hub already'],
  ['.restoring/etcd.db', 'holds what a restore has begun'],
])('what comes to the directory while the file is checked stays: %s', async (name, why) => {
  const restoring = restoreHub({ file, dir, keys: null });
  mkdirSync(join(dir, name, '..'), { recursive: true });
  writeFileSync(join(dir, name), 'of somebody else');
  await expect(restoring).rejects.toThrow(why);
  expect(existsSync(join(dir, name))).toBe(true);
});

test('a restore that fails leaves nothing', async () => {
  await expect(restoreHub({ file, dir, keys: null })).rejects.toThrow('Nothing was restored');
  expect(existsSync(join(dir, '.restoring'))).toBe(false);
});

test('a damaged mark keeps the doors shut, and nobody is told to delete it', async () => {
  mkdirSync(join(dir, 'state'), { recursive: true });
  writeFileSync(restoredFile(dir), '');
  const failed: unknown = await restoredIn(dir).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(ConfigRefused);
  expect(String(failed)).toContain('restore again');
  expect(String(failed)).not.toContain('elete');
});
