// An archive of text files, as tar reads it.
import { createTar } from 'nanotar';

export interface TextFile {
  /** At most 100 bytes of ASCII. */
  readonly name: string;
  readonly text: string;
}

/** Only its owner may read what is unpacked. */
const OWNERS = { mode: '600', uid: 0, gid: 0 };

/** `at` in milliseconds since the epoch. Throws RangeError for a name that is too long. */
export function tarOf(files: readonly TextFile[], at: number): Uint8Array {
  for (const { name } of files)
    if (Buffer.byteLength(name) > 100) throw new RangeError(`The name ${name} is longer than 100 bytes`);
  return createTar(
    files.map(({ name, text }) => ({ name, data: text })),
    { attrs: { ...OWNERS, mtime: at } },
  );
}
