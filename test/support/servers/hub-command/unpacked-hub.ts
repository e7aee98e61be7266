// What the archive of `make hub` has, unpacked on a machine without Go, Node and npm: nothing on the PATH but
// what a shell script needs, and no home.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { HubProgram } from './begun.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../../..');
const STAGE = join(ROOT, 'deploy/release/hub/stage.ts');
const NEEDED = ['basename', 'dirname', 'readlink', 'sh'];

export interface UnpackedHub {
  readonly folder: string;
  readonly program: HubProgram;
  remove(): Promise<void>;
}

export async function unpackedHub(): Promise<UnpackedHub> {
  const work = mkdtempSync(join(tmpdir(), 'unpacked-hub-'));
  const [folder, bin, home] = ['hub', 'bin', 'home'].map((name) => join(work, name)) as [
    string,
    string,
    string,
  ];
  for (const one of [bin, home]) mkdirSync(one);
  for (const name of NEEDED) {
    const { stdout } = await run('/bin/sh', ['-c', `command -v ${name}`]);
    symlinkSync(stdout.trim(), join(bin, name));
  }
  // The bundlers run in a process of their own: in Jest's realm they do not run.
  await run(process.execPath, [STAGE, folder], { cwd: ROOT });
  return {
    folder,
    program: { command: [join(folder, 'cappstan')], env: { PATH: bin, HOME: home } },
    remove: () => rm(work, { recursive: true, force: true }),
  };
}
