// Which of a hub's certificates and keys are in its backup: what a restore refuses or has put there itself is
// not, so that the backup of a restored hub can be restored, too.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPartName } from '../../../../../deploy/hub/backup/archive.ts';
import { keptIn } from '../../../../../deploy/hub/backup/backup.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'kept-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test('all files of a hub are in it, and none that is written at each start, was given, or is somebody else’s', async () => {
  mkdirSync(join(folder, 'more'));
  const kept = ['ca.crt', 'ca.key', 'encryption.yaml', 'more/peer.key'];
  const left = [
    'hub.kubeconfig',
    'ca.crt.7.new',
    'given-ca.crt',
    'given-ca.key',
    'ca.crt~',
    '.ca.crt.swp',
    'ca (copy).crt',
  ];
  for (const name of [...kept, ...left]) writeFileSync(join(folder, name), name);
  symlinkSync(join(folder, 'ca.key'), join(folder, 'link.key'));
  const found = await keptIn(folder);
  expect(found).toEqual(kept);
  expect(found.every((name) => isPartName(`cert/${name}`))).toBe(true);
});
