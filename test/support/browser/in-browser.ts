// Tests in a real browser: `describe` where npm has one for this platform, and otherwise skipped by name.
import type { Browser } from 'playwright-core';
import { openBrowser } from './browser.ts';

export interface BrowserTests {
  /** Null where the tests are skipped. */
  readonly browser: Browser | null;
  /** As `describe`. */
  readonly inBrowser: (name: string, tests: () => void) => void;
}

/** Closes the browser after the last test of the file. Throws where there should be a browser and is none. */
export async function browserTests(): Promise<BrowserTests> {
  const found = await openBrowser();
  if ('because' in found)
    return {
      browser: null,
      inBrowser: (name, tests) => describe.skip(`${name} (skipped: ${found.because})`, tests),
    };
  afterAll(() => found.close());
  return { browser: found, inBrowser: describe };
}
