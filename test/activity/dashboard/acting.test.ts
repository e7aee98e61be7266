// What is done on the page of the built program, in a real browser and on a real API server: by whom, with
// which rights, and only on what is still so.
import type { Page } from 'playwright-core';
import { ACTS } from '../../../cli/dashboard/view/sheets/sheet.ts';
import { seenOf, seenOfDrain, seenOfRollout } from '../../../cli/dashboard/view/seen.ts';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { DRAIN, type Drain } from '../../../crds/drain/drain.ts';
import { APPROVE, MIGRATE, PAUSED } from '../../../crds/labels.ts';
import { CAPP_SET, type CappSet } from '../../../crds/set/cappset.ts';
import { browserTests } from '../../support/browser/in-browser.ts';
import { dashboardOf, pressThrough, type DashboardForTests } from '../../support/browser/dashboards.ts';
import { cliTestbed, type CliTestbed } from '../../support/testbeds/command/cli.ts';
import { seedHub } from '../../support/testbeds/dashboard/hub.ts';
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
async function there<T>(read: Promise<T | null>): Promise<T> {
  const found = await read;
  if (found === null) throw new Error('it is not there');
  return found;
}
const cappNamed = (name: string) => there(bed.hub.kube.get<Capp>(CAPP, key(name)));
const annotationsOf = async (name: string) => (await cappNamed(name)).metadata.annotations ?? {};
const theSet = () => there(bed.hub.kube.get<CappSet>(CAPP_SET, key('shop')));
const theDrain = () => there(bed.hub.kube.get<Drain>(DRAIN, { namespace: null, name: 'site-003' }));

inBrowser('a button', () => {
  const press = (name: string, more?: () => Promise<void>) => pressThrough(board.page, name, more);

  it('approves exactly the stage and the revision that its sheet showed, as the command does', async () => {
    await board.go('/rollouts/CappSet/apps/shop', 'Waits for approval');
    await press('Approve…', async () => {
      await board.page.getByText('kubectl capp rollout approve shop -n apps').last().waitFor();
    });
    await board.page.getByText('apps/shop: approved stage rest for revision a1b2c3d4e5.').waitFor();
    const { metadata } = await theSet();
    expect(metadata.annotations?.[APPROVE]).toBe('rest#a1b2c3d4e5f60718293a4b5c6d7e8f90');
  });

  it('pauses, and the page says so once the watch has seen it', async () => {
    await board.go('/apps/apps/checkout', 'Ready');
    await press('Pause…');
    await board.page.getByRole('button', { name: 'Resume…' }).waitFor();
    expect((await annotationsOf('checkout'))[PAUSED]).toBe('true');
    await press('Resume…');
    await board.page.getByRole('button', { name: 'Pause…' }).waitFor();
    expect((await annotationsOf('checkout'))[PAUSED]).toBeUndefined();
  });

  it('asks for a move to the site that was chosen, and shows the equal command', async () => {
    await board.go('/apps/apps/checkout', 'Ready');
    await press('Move…', async () => {
      await board.page.getByRole('dialog').getByRole('combobox').selectOption('site-004');
      await board.page.getByText('kubectl capp move checkout site-004 -n apps').waitFor();
    });
    await board.page.getByText('Asked apps/checkout to move to site-004.').waitFor();
    expect((await annotationsOf('checkout'))[MIGRATE]).toMatch(/^site-004#\w{8}$/);
  });

  it('does nothing to what has moved since its sheet was opened, and says where it is', async () => {
    await board.go('/apps/apps/app-003', 'Ready');
    const { sites = [] } = (await cappNamed('app-003')).status ?? {};
    const before = sites[0]?.clusterName;
    const moved = before === 'site-002' ? 'site-003' : 'site-002';
    await press('Move…', async () => {
      const status = { sites: [{ clusterName: moved, role: 'Serving' }] };
      await bed.hub.kube.patch(CAPP, key('app-003'), { status }, { subresource: 'status' });
    });
    await board.page
      .getByRole('alert')
      .getByText(
        `It has changed since you opened this: it is on ${moved}, and was on ${before} then. Nothing was done.`,
      )
      .waitFor();
    expect((await annotationsOf('app-003'))[MIGRATE]).toBeUndefined();
    await board.page.getByRole('button', { name: 'Leave it' }).click();
  });
});

inBrowser('with fewer rights', () => {
  it('a tenant sees their namespace, is told what is missing, and acts there alone', async () => {
    if (browser === null) return;
    const theirs = await dashboardOf(bed, browser, bed.tenant);
    await theirs.go('/apps/apps/orders', 'Moving');
    await theirs.page.getByText('You may not list Capps of all namespaces').waitFor();
    await theirs.page.getByText(/You may not read .*managedclusters/).waitFor();
    await theirs.page.getByRole('button', { name: 'Move…' }).waitFor();
    await theirs.go('/fleet', 'site-001');
    await theirs.go('/fleet?site=site-001', 'Show its Capps');
    expect(await theirs.page.getByRole('button', { name: 'Drain…' }).count()).toBe(0);
    await theirs.close();
  });

  it('a viewer has no button that asks or does anything, in any view', async () => {
    if (browser === null) return;
    const theirs = await dashboardOf(bed, browser, await bed.bind('viewer', 'cappstan-capp-view'));
    const { page } = theirs;
    for (const [hash, shows] of VIEWS.filter(([one]) => one !== '/drains')) {
      await theirs.go(hash, shows);
      // By then the API server has answered what they may do.
      await page.getByText('You may not read').first().waitFor();
      const names = await page.locator('main').getByRole('button').allInnerTexts();
      expect({ hash, buttons: names.filter((name) => name !== 'Copy') }).toEqual({ hash, buttons: [] });
    }
    await theirs.close();
  });

  it('a viewer who asks all the same is refused each act by the API server, and nothing is written', async () => {
    if (browser === null) return;
    const theirs = await dashboardOf(bed, browser, await bed.bind('onlooker', 'cappstan-capp-view'));
    const ofCapp = { namespace: 'apps', name: 'orders', seen: seenOf(await cappNamed('orders')) };
    const set = await theSet();
    const ofSet = {
      kind: 'CappSet',
      namespace: 'apps',
      name: 'shop',
      seen: seenOfRollout({ is: 'CappSet', object: set }),
    };
    const ofDrain = { kind: 'Drain', name: 'site-003', seen: seenOfDrain(await theDrain()) };
    const before = await Promise.all([cappNamed('orders'), theSet(), theDrain()]);
    for (const act of ACTS) {
      const target =
        act === 'drain'
          ? { name: 'site-001' }
          : act.endsWith('-drain')
            ? ofDrain
            : ['move', 'rollback', 'pause', 'resume'].includes(act)
              ? ofCapp
              : ofSet;
      const answer = await actFrom(theirs, { act, ...target });
      expect({ act, status: answer }).toEqual({ act, status: WITHOUT_RIGHT[act] ?? 403 });
    }
    const versions = (all: readonly { metadata: { resourceVersion?: string } }[]) =>
      all.map(({ metadata }) => metadata.resourceVersion);
    expect(versions(await Promise.all([cappNamed('orders'), theSet(), theDrain()]))).toEqual(
      versions(before),
    );
    await theirs.close();
  });
});

/** Nothing is to be written there, so the API server is not asked: it is not paused, and has no past. */
const WITHOUT_RIGHT: Readonly<Partial<Record<string, number>>> = { resume: 200, rollback: 404 };

/** What the program answers to an act that the page of these tests sends with its own key. */
async function actFrom({ page, origin }: DashboardForTests, body: object): Promise<number> {
  const key = await keyOf(page, origin);
  const script = `fetch('/act', {
    method: 'POST',
    headers: { 'x-cappstan-key': ${JSON.stringify(key)}, 'content-type': 'application/json' },
    body: ${JSON.stringify(JSON.stringify(body))},
  }).then((answer) => answer.status)`;
  return page.evaluate<number>(script);
}

/** The key with which the page asks for its picture. */
async function keyOf(page: Page, origin: string): Promise<string> {
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.url().startsWith(`${origin}/stream`)),
    page.reload(),
  ]);
  return request.headers()['x-cappstan-key'] ?? '';
}
