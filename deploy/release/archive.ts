// Archives that depend on what is in them alone: not on who packs them, when, where, or in which order files
// were written.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** Everything belongs to root, and everybody may read it. */
const ALIKE =
  '--create --format=gnu --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --anchored --wildcards';

export interface Packing {
  /** Names in the archive begin in this folder. */
  readonly from: string;
  /** What of the folder is packed. */
  readonly paths: readonly string[];
  /** Patterns of paths, from the folder, that are left out. */
  readonly without?: readonly string[];
  /** The time of every file in it, in seconds since the epoch. */
  readonly epoch: number;
}

/**
 * Writes a `.tar.gz`. Node compresses it, because its version is pinned and that of the machine's gzip is
 * not. Throws an Error with what tar said.
 */
export async function pack(file: string, { from, paths, without = [], epoch }: Packing): Promise<void> {
  const args = [
    ...ALIKE.split(' '),
    `--mtime=@${epoch}`,
    `--directory=${from}`,
    ...without.map((pattern) => `--exclude=${pattern}`),
    ...paths,
  ];
  const tar = spawn('tar', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const said: Buffer[] = [];
  tar.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  const ended = new Promise<number | null>((resolve, reject) =>
    tar.once('error', reject).once('close', resolve),
  );
  const [code] = await Promise.all([ended, pipeline(tar.stdout, createGzip(), createWriteStream(file))]);
  if (code !== 0) throw new Error(`tar could not pack ${from}: ${Buffer.concat(said).toString().trim()}`);
}

/** In hexadecimal digits. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
