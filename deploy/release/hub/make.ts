// `make hub`: an archive from which a hub starts on a machine of this kind, without Go, Node or npm there.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildTools } from '../../local/programs/build.ts';
import { HUB_MODULES } from '../../local/programs/modules.ts';
import { runCommand, type Progress } from '../../local/terminal.ts';
import { pack, sha256Of } from '../archive.ts';
import { ROOT } from '../contents.ts';
import { sourceOf, type ReleaseSource } from '../order.ts';
import { stageHub } from './stage.ts';

/** Writes the archive into the folder, and returns its path. Its one folder has the archive's name. */
async function makeHub(
  folder: string,
  { version, epoch }: ReleaseSource,
  progress: Progress,
): Promise<string> {
  const name = `cappstan-hub-${version}-linux-${process.arch}`;
  const work = await mkdtemp(join(tmpdir(), 'cappstan-hub-'));
  try {
    await mkdir(folder, { recursive: true });
    const archive = join(folder, `${name}.tar.gz`);
    await progress.step('Putting the hub together', () => stageHub(join(work, name)));
    await progress.step('Packing it', () => pack(archive, { from: work, paths: [name], epoch }));
    return archive;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function main(progress: Progress): Promise<void> {
  const source = await sourceOf(ROOT);
  await buildTools(progress, HUB_MODULES);
  const archive = await makeHub(join(ROOT, 'dist', 'release'), source, progress);
  progress.say(`
The hub: ${archive}
With SHA-256 ${await sha256Of(archive)}. Unpack it on a machine of this kind, and start the hub (docs/hub.md):
  tar -xzf ${archive.split('/').at(-1) ?? ''} && ./cappstan-hub-${source.version}-linux-${process.arch}/cappstan hub --data-dir .hub`);
}

if (import.meta.main) await runCommand(main);
