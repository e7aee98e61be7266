// The file of a backup: a .tar.gz that tar opens, with the digests of all that is in it at its end, and
// encrypted on request.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable, Transform, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { finished, pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, pack, type Header, type Pack } from 'tar-stream';
import { whyUnread } from '../../local/given.ts';
import { ConfigRefused } from '../config/refused.ts';
import { ABOUT } from './about.ts';
import { openerOf, SEALED, sealerOf, type Keys, type ArchiveLock } from './seal.ts';

export interface ArchivePart {
  /** Its path in the archive. */
  readonly name: string;
  readonly size: number;
  readonly content: Readable;
}

/** The last part: what `sha256sum -c` reads. */
const DIGESTS = 'SHA256SUMS';
/** Parts that are read into memory have no more bytes than this, and no archive has more parts. */
const MOST_BYTES = 1_048_576;
const MOST_PARTS = 1_000;
const NAME = /^(?:backup\.json|etcd\.db|(?:cert|given)(?:\/[\w-][\w.-]*)+)$/;

/** No other part is read again. */
export function isPartName(name: string): boolean {
  return NAME.test(name);
}

/** Throws what a part throws. What it has written by then is no archive. */
export async function writeArchive(
  parts: AsyncIterable<ArchivePart>,
  { lock, at, to }: { readonly lock: ArchiveLock | null; readonly at: Date; readonly to: Writable },
): Promise<void> {
  const archive = pack();
  const packed = fill(archive, parts, at).catch((error: unknown) => {
    archive.destroy(error as Error);
  });
  const zipped = archive.pipe(createGzip({ level: 3 }));
  archive.once('error', (error) => zipped.destroy(error));
  const sealed = lock === null ? zipped : await sealerOf(lock)(zipped);
  await Promise.all([packed, pipeline(sealed, to)]);
}

async function fill(archive: Pack, parts: AsyncIterable<ArchivePart>, mtime: Date): Promise<void> {
  const lines: string[] = [];
  for await (const { name, size, content } of parts) {
    const { digest, tap } = hashing();
    await pipeline(content, tap, archive.entry({ name, size, mode: 0o600, mtime }));
    lines.push(`${digest()}  ${name}\n`);
  }
  archive.entry({ name: DIGESTS, mode: 0o600, mtime }, lines.join(''));
  archive.finalize();
}

/**
 * Gives `take` each part, in order. Throws ConfigRefused unless the file is a whole archive whose parts are
 * what was written; that is known only at the end, so let `take` keep nothing until a first call has passed.
 */
export async function readArchive(
  file: string,
  keys: Keys | null,
  take: (part: Omit<ArchivePart, 'size'>) => Promise<void>,
): Promise<void> {
  const opened = await openedBy(file, keys);
  const archive = extract();
  const taken: unknown[] = [];
  const fed = pipeline(opened, createGunzip(), archive).catch((error: unknown) => void taken.push(error));
  const digests = new Map<string, string>();
  let listed: string | null = null;
  try {
    for await (const entry of archive) {
      const { name } = entry.header;
      const quoted = JSON.stringify(name.slice(0, 100));
      if (listed !== null) throw new Error(`${quoted} comes behind the end`);
      if (!isPart(entry.header) || digests.has(name) || digests.size >= MOST_PARTS)
        throw new Error(`${quoted} is no part of one`);
      const content = contentOf(entry);
      if (name === DIGESTS) listed = await text(content);
      else digests.set(name, await digestWhile(content, (checked) => take({ name, content: checked })));
    }
    await fed;
    if (taken.length > 0) throw taken[0];
    compareDigests(digests, listed);
  } catch (error) {
    opened.destroy();
    if (isOfThisMachine(error)) throw error;
    const [why] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new ConfigRefused([
      `${file} is no whole backup of a hub (${why}). It was cut off or changed, or is something else: give another.`,
    ]);
  }
}

/** Whoever has made the archive says what is in it: what is no plain file or fills the memory is refused. */
function isPart({ name, type, size }: Header): boolean {
  const isRead = name === DIGESTS || name === ABOUT;
  return type === 'file' && (name === DIGESTS || isPartName(name)) && (!isRead || size <= MOST_BYTES);
}

async function digestWhile(content: Readable, take: (content: Readable) => Promise<void>): Promise<string> {
  const { digest, tap } = hashing();
  await pipeline(content, tap, async (source) => take(Readable.from(source, { objectMode: false })));
  return digest();
}

/** What is wrong with this machine, such as a full disk, and not with the archive. */
function isOfThisMachine(error: unknown): boolean {
  return error instanceof ConfigRefused || (error as NodeJS.ErrnoException).syscall !== undefined;
}

function compareDigests(digests: ReadonlyMap<string, string>, listed: string | null): void {
  if (listed === null) throw new Error('its end is missing');
  const computed = [...digests].map(([name, digest]) => `${digest}  ${name}\n`).join('');
  if (listed !== computed) throw new Error('its content is not what was written');
}

async function openedBy(file: string, keys: Keys | null): Promise<Readable> {
  const isSealed = (await beginningOf(file, SEALED.length)).equals(SEALED);
  if (isSealed && keys === null)
    throw new ConfigRefused([
      `${file} is encrypted. Give --passphrase-file or --identity-file, as it was encrypted.`,
    ]);
  if (!isSealed && keys !== null)
    throw new ConfigRefused([
      `${file} is not encrypted. Give the one that is; or, if you trust this one, leave --passphrase-file and --identity-file out.`,
    ]);
  const content = createReadStream(file);
  if (keys === null) return content;
  try {
    return await openerOf(keys)(content);
  } catch {
    content.destroy();
    await finished(content, { error: false }).catch(() => undefined);
    throw new ConfigRefused([
      `${file} does not open with this passphrase or key, or its beginning was changed. Give the one that it was encrypted with.`,
    ]);
  }
}

async function beginningOf(file: string, bytes: number): Promise<Buffer> {
  try {
    const handle = await open(file);
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new ConfigRefused([`${file} ${whyUnread(error)}. Give the file of a backup.`]);
  }
}

function hashing(): { readonly tap: Transform; readonly digest: () => string } {
  const hash = createHash('sha256');
  const tap = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { tap, digest: () => hash.digest('hex') };
}

/** tar-stream has streams of its own kind. */
function contentOf(entry: AsyncIterable<unknown>): Readable {
  return Readable.from(entry, { objectMode: false });
}

/** A part of what is in memory. */
export function partOf(name: string, content: Buffer | string): ArchivePart {
  const bytes = Buffer.from(content);
  return { name, size: bytes.length, content: Readable.from([bytes], { objectMode: false }) };
}
