// The sources of this repository.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Paths from the root, with slashes. */
export function sources(): string[] {
  const list = execFileSync(
    'git',
    [
      'ls-files',
      '--cached',
      '--others',
      '--exclude-standard',
      '*.ts',
      '*.tsx',
      '*.mts',
      '*.cts',
      '*.js',
      '*.mjs',
    ],
    { encoding: 'utf8' },
  );
  // git also lists files that are deleted but not committed.
  return list.split('\n').filter((file) => file !== '' && existsSync(file));
}
