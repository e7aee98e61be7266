// The dashboard of the built program in a real browser.
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { eventually } from '../../../testbed/eventually.ts';
import type { CliRun, CliTestbed } from '../testbeds/command/cli.ts';

export interface DashboardForTests {
  readonly address: string;
  readonly origin: string;
  /** A tab of a browser that has come in. */
  readonly page: Page;
  readonly run: CliRun;
  /** Leads to an address within the page, and waits until something of the view is drawn. */
  go(hash: string, shows: string): Promise<void>;
  close(): Promise<void>;
}

/** For anything that a page is to show: generous, for a machine with other work. */
const PATIENCE_MS = 60_000;

/** With the kubeconfig of this user. */
export async function dashboardOf(
  bed: Pick<CliTestbed, 'start'>,
  browser: Browser,
  kubeconfig: string,
): Promise<DashboardForTests> {
  const run = bed.start(['dashboard', '-n', 'apps'], { kubeconfig });
  const address = await eventually(async () => /^http:\S+/.exec(run.written())?.[0]);
  const { origin } = new URL(address);
  const context = await browser.newContext({ viewport: { width: 1300, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(address);
  await page.waitForSelector('main h1');
  return {
    address,
    origin,
    page,
    run,
    async go(hash, shows) {
      await page.goto(`${origin}/#${hash}`);
      await page.locator('main').getByText(shows).first().waitFor();
    },
    async close() {
      await context.close();
      run.interrupt();
      await run.ended;
    },
  };
}

/** Opens the sheet of a button, does `more` with it, and says that it shall be done. */
export async function pressThrough(
  page: Page,
  name: string,
  more: () => Promise<void> = async () => undefined,
): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
  await more();
  await page.getByRole('button', { name: 'Do it' }).click();
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What axe finds wrong with what is drawn, a line each. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{ violations: readonly Violation[] }>('axe.run(document)');
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}
