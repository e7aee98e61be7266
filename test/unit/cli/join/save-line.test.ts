// A line with which a cluster joins is a credential, in a file too.
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refuseExisting, saveLine } from '../../../../cli/commands/join/save-line.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'save-line-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('only its owner can read the file, whatever the umask', () => {
  const file = join(folder, 'shop-7.line');
  const before = process.umask(0);
  try {
    saveLine(file, 'J1abc');
  } finally {
    process.umask(before);
  }
  expect(readFileSync(file, 'utf8')).toBe('J1abc\n');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a file that is there is named before a token is made, and never written over', () => {
  const file = join(folder, 'shop-7.line');
  refuseExisting(file);
  saveLine(file, 'J1abc');
  expect(() => refuseExisting(file)).toThrow(`${file} exists already. Give another file with --save.`);
  expect(() => saveLine(file, 'J1def')).toThrow('cannot be written (EEXIST). Make another token');
  expect(readFileSync(file, 'utf8')).toBe('J1abc\n');
});
