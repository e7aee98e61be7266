// What a hub of 1,000 sites and 10,000 Capps asks of the dashboard: how long a picture holds the program,
// what one change sends, and which frames of a real browser it holds up. Printed as JSON.
//
// Usage: node test/worst/page.ts [changes]
import type { Page } from 'playwright-core';
import { openDoor } from '../../cli/dashboard/door/door.ts';
import { differ } from '../../cli/dashboard/feed/differences.ts';
import { goneOf } from '../../cli/dashboard/feed/gone.ts';
import { insideOf, type InsideOptions } from '../../cli/dashboard/feed/inside.ts';
import { pictureOf, viewedIn } from '../../cli/dashboard/feed/picture.ts';
import { pageFiles } from '../../cli/dashboard/page-files.ts';
import { openBrowser } from '../support/browser/browser.ts';
import { CAPPS, SITES, wideHub } from './wide-hub.ts';

/** The view, its address, and something that stands there once it is drawn. */
const VIEWS = [
  ['fleet', '/fleet', 'main .cell'],
  ['apps', '/apps', 'main table tbody tr'],
  ['time', '/time', 'main .time-line li'],
] as const;

interface Program {
  readonly firstMs: number;
  readonly changeMs: number;
  readonly entries: number;
  readonly entriesAtChange: number;
  /** Bytes that a change sends, of those of the whole picture. */
  readonly shareAtChange: number;
}

function inProgram(view: string, changes: number): Program {
  const hub = wideHub();
  const difference = differ();
  const viewed = viewedIn(new URLSearchParams({ view }));
  const draw = () => {
    const began = performance.now();
    const sent = difference(pictureOf(viewed, hub.facts(), goneOf()));
    const ms = performance.now() - began;
    const entries = Object.keys(sent?.set ?? {}).length;
    return { ms, entries, bytes: JSON.stringify(sent).length };
  };
  const first = draw();
  const all = Array.from({ length: changes }, () => (hub.change(), draw()));
  const median = (of: (one: typeof first) => number): number =>
    all.map(of).toSorted((a, b) => a - b)[changes >> 1] ?? 0;
  return {
    firstMs: Math.round(first.ms),
    changeMs: Math.round(median(({ ms }) => ms)),
    entries: first.entries,
    entriesAtChange: median(({ entries }) => entries),
    shareAtChange: Number((median(({ bytes }) => bytes) / first.bytes).toFixed(5)),
  };
}

interface Drawn {
  /** From the address to the picture. */
  readonly firstMs: number;
  readonly elements: number;
  /** Frames longer than 50 ms, while so many changes came. */
  readonly lateFrames: number;
  readonly longestFrameMs: number;
}

/** Watches the frames for as long as `during` takes. */
async function framesOf(page: Page, during: () => Promise<void>): Promise<number[]> {
  await page.evaluate(`window.frames50 = []; window.watching = true; (() => {
    let before = performance.now();
    const next = (now) => {
      window.frames50.push(now - before);
      before = now;
      if (window.watching) requestAnimationFrame(next);
    };
    requestAnimationFrame((now) => { before = now; requestAnimationFrame(next); });
  })()`);
  await during();
  return page.evaluate<number[]>('window.watching = false; window.frames50');
}

async function inBrowser(changes: number): Promise<Record<string, Drawn>> {
  const browser = await openBrowser();
  if ('because' in browser) throw new Error(browser.because);
  const hub = wideHub();
  const listeners = new Set<() => void>();
  const onChange = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const watches = {
    facts: hub.facts,
    scope: null,
    loading: () => [],
    brokenSince: () => null,
    gone: goneOf(),
  };
  const options = {
    hub: { context: 'wide', server: '' },
    user: 'dana',
    watches: { ...watches, onChange, stop: async () => undefined },
    pulse: { silentSince: () => null, onChange, stop: () => undefined },
    ending: new AbortController().signal,
  } as unknown as InsideOptions;
  const door = await openDoor({
    page: await pageFiles(),
    inside: insideOf(options),
    idleMs: 600_000,
    port: 0,
  });
  try {
    const page = await (await browser.newContext()).newPage();
    await page.goto(door.address);
    await page.waitForSelector('main h1');
    const found: Record<string, Drawn> = {};
    for (const [view, hash, shows] of VIEWS) {
      // Another view first, so that what is measured is not there yet.
      await page.goto(`${door.origin}/#/drains`);
      await page.getByText('No site is being drained.').waitFor();
      const began = performance.now();
      await page.goto(`${door.origin}/#${hash}`);
      await page.waitForSelector(shows, { state: 'attached' });
      const firstMs = Math.round(performance.now() - began);
      const frames = await framesOf(page, async () => {
        for (let at = 0; at < changes; at += 1) {
          hub.change();
          const answered = page.waitForTimeout(1_500);
          for (const listener of listeners) listener();
          await answered;
        }
      });
      const elements = await page.locator('main *').count();
      const lateFrames = frames.filter((ms) => ms > 50).length;
      found[view] = { firstMs, elements, lateFrames, longestFrameMs: Math.round(Math.max(...frames)) };
    }
    return found;
  } finally {
    door.close();
    await browser.close();
  }
}

const changes = Number(process.argv[2] ?? 5);
const program = Object.fromEntries(VIEWS.map(([view]) => [view, inProgram(view, changes)]));
const page = await inBrowser(changes);
console.log(JSON.stringify({ sites: SITES, capps: CAPPS, changes, program, page }));
process.exit(0);
