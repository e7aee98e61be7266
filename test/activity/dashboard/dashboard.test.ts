// The dashboard of the built program, on a real API server and in a real browser: what a person sees, and
// does with a keyboard.
import { CAPP } from '../../../crds/capp/capp.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { browserTests } from '../../support/browser/in-browser.ts';
import { dashboardOf, faultsOf, type DashboardForTests } from '../../support/browser/dashboards.ts';
import { cliTestbed, type CliTestbed } from '../../support/testbeds/command/cli.ts';
import { seedHub } from '../../support/testbeds/dashboard/hub.ts';
import { condition } from '../../support/testbeds/dashboard/made.ts';
import { VIEWS } from '../../support/testbeds/dashboard/views.ts';

const { browser, inBrowser } = await browserTests();

let bed: CliTestbed;
let board: DashboardForTests;
beforeAll(async () => {
  if (browser === null) return;
  bed = await cliTestbed();
  await seedHub(bed.hub.kube, 3);
  board = await dashboardOf(bed, browser, bed.administrator);
}, 300_000);
afterAll(async () => {
  await board?.close();
  await bed?.stop();
});

const key = (name: string) => ({ namespace: 'apps', name });

inBrowser('in a browser', () => {
  describe('a person', () => {
    it('comes in with the printed address, which then holds no secret and works for nobody else', async () => {
      const secret = new URL(board.address).hash.slice(1);
      expect(board.page.url()).toBe(`${board.origin}/#/fleet`);
      expect(await board.page.title()).toBe('Fleet · Cappstan');
      expect(await board.page.content()).not.toContain(secret);
      if (browser === null) return;
      const other = await browser.newContext();
      const page = await other.newPage();
      await page.goto(board.address);
      await page.getByText('This tab is not let in').waitFor();
      await other.close();
    });

    it('opens seven tabs, and each of them is live', async () => {
      const context = board.page.context();
      const tabs = await Promise.all(Array.from({ length: 7 }, () => context.newPage()));
      for (const tab of tabs) await tab.goto(`${board.origin}/#/drains`);
      for (const tab of tabs) await tab.getByText('new disks').waitFor();
      for (const tab of tabs) await tab.close();
    });

    it('walks without a mouse: goes, searches, opens, reads the keys', async () => {
      const { page } = board;
      await board.go('/fleet', 'site-003');
      const press = async (...keys: string[]) => {
        for (const one of keys) await page.keyboard.press(one);
      };
      await press('g', 'a');
      await page.waitForURL('**/#/apps');
      await page.locator('main').getByText('checkout').first().waitFor();
      await press('/');
      await page.keyboard.type('shop.exa');
      await page.getByText('Nothing has this name.').waitFor();
      await press('Escape', '/');
      await page.keyboard.type('checkout.exam');
      await page.getByRole('option').filter({ hasText: 'apps/checkout' }).waitFor();
      await press('Enter');
      await page.waitForURL('**/#/apps/apps/checkout');
      await press('g', 'r');
      await page.waitForURL('**/#/rollouts');
      // The address turns before the view does, and the list of apps has a shop of its own.
      const shop = page.locator('main [data-item][href="#/rollouts/CappSet/apps/shop"]');
      await shop.waitFor();
      // As a person presses again when nothing came of it.
      const opened = '**/#/rollouts/CappSet/apps/shop';
      await eventually(async () => {
        if ((await shop.count()) > 0) await press('ArrowDown', 'Enter');
        await page.waitForURL(opened, { timeout: 10_000 });
        return true;
      });
      await press('?');
      await page.getByRole('dialog').getByText('go to the fleet').waitFor();
      await press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.goBack();
      await page.waitForURL('**/#/rollouts');
    });

    it.each(['light', 'dark'] as const)('finds no view that axe faults, in %s', async (colorScheme) => {
      await board.page.emulateMedia({ colorScheme });
      for (const [hash, shows] of VIEWS) {
        await board.go(hash, shows);
        expect({ hash, faults: await faultsOf(board.page) }).toEqual({ hash, faults: [] });
      }
      await board.go('/rollouts/CappSet/apps/shop', 'Waits for approval');
      await board.page.getByRole('button', { name: 'Approve…' }).click();
      expect(await faultsOf(board.page)).toEqual([]);
      await board.page.getByRole('button', { name: 'Leave it' }).click();
    });

    it('sees a change without asking for it', async () => {
      await board.go('/apps/apps/app-001', 'Ready');
      const conditions = [
        condition('Placed', 'True', 'Chosen', ''),
        condition('Ready', 'False', 'ImageNeverReady', 'No such image'),
      ];
      await bed.hub.kube.patch(CAPP, key('app-001'), { status: { conditions } }, { subresource: 'status' });
      await board.page.getByText('No such image').first().waitFor();
    });

    it('is told when something that they look at is deleted', async () => {
      await board.go('/apps/apps/app-002', 'Ready');
      await bed.hub.kube.remove(CAPP, key('app-002'));
      const gone = board.page.getByText(/apps\/app-002 was deleted \d+s ago/);
      await gone.first().waitFor();
    });

    it('learns what would become of what is on a site if that died', async () => {
      await board.go('/fleet?site=site-001', 'What if it dies?');
      await board.page.getByRole('button', { name: 'What if it dies?' }).click();
      await board.page.getByText(/[Ww]ith the loss of site-001[,:]/).waitFor();
    });
  });

  test('what a site wrote stays text', async () => {
    await board.go('/apps/apps/hostile', 'What it waits for');
    await board.page.getByText('<img src=x onerror=').first().waitFor();
    expect(await board.page.locator('main img, main script').count()).toBe(0);
    expect(await board.page.title()).toBe('apps/hostile · Cappstan');
  });

  test('Ctrl-C ends it, and a page that is still open says so', async () => {
    if (browser === null) return;
    const ending = await dashboardOf(bed, browser, bed.administrator);
    await ending.go('/fleet', 'site-001');
    ending.run.interrupt();
    expect((await ending.run.ended).code).toBe(0);
    await ending.page.getByText('the dashboard has ended').waitFor();
    // The last picture stays.
    expect(await ending.page.locator('main.stale').getByText('site-001').count()).toBeGreaterThan(0);
    await ending.close();
  });

  test('when the hub does not answer any more, the page says since when, and keeps the last picture', async () => {
    await board.go('/fleet', 'site-001');
    await bed.hub.stop();
    await board.page.getByText(/as of \d\d:\d\d:\d\d: the hub does not answer/).waitFor({ timeout: 60_000 });
    expect(await board.page.locator('main.stale').getByText('site-001').count()).toBeGreaterThan(0);
  });
});
