// An archive of text files, as tar reads it:
// https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html (ustar interchange format). Pure.

export interface TextFile {
  /** At most 100 bytes of ASCII. */
  readonly name: string;
  readonly text: string;
}

const BLOCK = 512;
/** The format, and its version. */
const USTAR = ['ustar', '00'].join('\0');

/** `at` in milliseconds since the epoch. Throws RangeError for a name that is too long. */
export function tarOf(files: readonly TextFile[], at: number): Buffer {
  const blocks = files.flatMap(({ name, text }) => {
    const content = Buffer.from(text);
    const padding = Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK);
    return [headerFor(name, content.length, at), content, padding];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

function headerFor(name: string, size: number, at: number): Buffer {
  if (Buffer.byteLength(name) > 100) throw new RangeError(`The name ${name} is longer than 100 bytes`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`;
  header.write(name, 0);
  header.write(octal(0o600, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(size, 12), 124);
  header.write(octal(Math.floor(at / 1000), 12), 136);
  // The sum is made as if its own field were blanks.
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write(USTAR, 257);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}
