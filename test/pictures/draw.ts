// Draws the pictures of docs/dashboard.md: each view of the dashboard, on a hub of its own with something of
// everything, in a real browser.
//
// Usage: make pictures [LOOK=folder]
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openBrowser } from '../support/browser/browser.ts';
import { dashboardOf } from '../support/browser/dashboards.ts';
import { cliTestbed } from '../support/testbeds/command/cli.ts';
import { seedHub } from '../support/testbeds/dashboard/hub.ts';
import { drawnOf, svgOf } from './drawn.ts';

const PICTURES = join(import.meta.dirname, '..', '..', 'docs', 'pictures');

/**
 * The picture, the address within the page, the last thing that it comes to show, and what is on it. Buttons
 * come when the API server has answered.
 */
const VIEWS = [
  [
    'fleet',
    '/fleet',
    'site-003',
    'The fleet: each site with its Capps, what is wrong with it, and its drain',
  ],
  [
    'app',
    '/apps/apps/checkout',
    'Pause…',
    'One app: what it waits for, why it is where it is, and the way to its Pods',
  ],
  ['apps', '/apps', 'checkout', 'The apps: each with its phase, its site and what the hub says of it'],
  [
    'site',
    '/fleet?site=site-003',
    'What if it dies?',
    'One site of the fleet: its Capps, what is left of it, its drain and its taints',
  ],
  ['rollouts', '/rollouts', 'shop', 'The rollouts: how far each is, and what holds it'],
  [
    'rollout',
    '/rollouts/CappSet/apps/shop',
    'Approve…',
    'One rollout: stages as lanes, and the gate that waits for approval',
  ],
  ['drains', '/drains', 'new disks', 'The drains: who is on the way where, and who waits'],
  ['time-line', '/time', 'by placement all', 'The time line: what was placed, moved, asked for and drained'],
] as const;

/** A picture shows the beginning of a long page. */
const MOST_HEIGHT = 900;

/** Where pictures of both schemes are put, for who looks at them; none if it is not set. */
const look = process.env['LOOK'] ?? '';

async function picture(page: Page, name: string, title: string): Promise<void> {
  await writeFile(join(PICTURES, `${name}.svg`), svgOf(await drawnOf(page, MOST_HEIGHT), title));
  if (look === '') return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(look, `${name}-${colorScheme}.png`) });
  }
  await page.emulateMedia({ colorScheme: null });
}

const browser = await openBrowser();
if ('because' in browser) throw new Error(browser.because);
const bed = await cliTestbed();
try {
  await seedHub(bed.hub.kube, 12);
  const board = await dashboardOf(bed, browser, bed.administrator);
  for (const [name, hash, shows, title] of VIEWS) {
    await board.go(hash, shows);
    await board.page.getByText('Asking the hub…').waitFor({ state: 'detached' });
    await picture(board.page, name, title);
  }
  await board.go('/apps/apps/checkout', 'From here to the Pods');
  await board.page.getByRole('button', { name: 'Move…' }).click();
  await picture(board.page, 'sheet', 'A sheet: what a move does, to which site, and the equal command');
  await board.close();
} finally {
  await bed.stop();
  await browser.close();
}
