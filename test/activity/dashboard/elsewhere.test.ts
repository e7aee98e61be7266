// Another page in a real browser against the real door of the dashboard: what it sends is right in all that a
// page can know, down to the key of a tab, and nothing of it comes through. The page itself is let in.
import type { Page } from 'playwright-core';
import { pageFiles } from '../../../cli/dashboard/page-files.ts';
import type { DashboardDoor } from '../../../cli/dashboard/door/door.ts';
import type { Inside } from '../../../cli/dashboard/door/inside.ts';
import { askingScript, framed, pageElsewhere, sendingScript } from '../../support/browser/elsewhere.ts';
import { browserTests } from '../../support/browser/in-browser.ts';
import { aDoor, closeDoors } from '../../support/testbeds/dashboard/doors.ts';

const { browser, inBrowser } = await browserTests();

/** What came through the door while nobody of ours asked. */
const came: string[] = [];
const inside: Inside = {
  async stream(query, send, signal) {
    came.push(`stream ${query.toString()}`);
    send({ set: { head: { context: 'test' }, waiting: [] }, drop: [], first: true });
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  },
  read: async (query) => {
    came.push(`read ${query.toString()}`);
    return { status: 200, value: { hits: [] } };
  },
  act: async (body) => {
    came.push(`act ${JSON.stringify(body)}`);
    return { status: 200, value: { says: 'done' } };
  },
};

/** An act that is right in all: with it the page itself is answered. */
const ACT = { act: 'pause', kind: 'Capp', namespace: 'apps', name: 'orders', what: '', why: '', seen: '{}' };

inBrowser('another page in the same browser', () => {
  const elsewhere = pageElsewhere();
  let door: DashboardDoor;
  let tab: Page;
  let key: string;
  beforeAll(async () => {
    if (browser === null) return;
    door = await aDoor({ inside, page: await pageFiles() });
    tab = await (await browser.newContext()).newPage();
    const asked = tab.waitForRequest((one) => one.url().includes('/stream'));
    await tab.goto(door.address);
    key = (await asked).headers()['x-cappstan-key'] ?? '';
  }, 60_000);
  afterAll(closeDoors);
  beforeEach(() => void (came.length = 0));

  it('the page itself is answered all that the other one will try', async () => {
    const answers = await tab.evaluate(askingScript(door.origin, key, ACT).replace('/stream?', '/read?'));
    // A form could send the fifth and the sixth, and the seventh lacks the key.
    expect(answers).toEqual([200, 200, 200, 200, 415, 415, 403, 200]);
    expect(came).toContain(`act ${JSON.stringify(ACT)}`);
  });

  it.each([
    ['of another site', 'elsewhere.localhost'],
    ['of another port of loopback, whose requests have the cookie', '127.0.0.1'],
  ])('%s reads nothing, and nothing that it sends comes through', async (_which, host) => {
    const page = await elsewhere.openBeside(tab, host);
    expect(key).not.toBe('');
    const asked = await page.evaluate(askingScript(door.origin, key, ACT));
    expect(asked).toEqual(Array.from({ length: 8 }, () => 'refused'));
    expect(await page.evaluate(sendingScript(door.origin, ACT))).toEqual([]);
    // An act of the page comes after all that, so that what was under way has come.
    const own = { ...ACT, name: 'own' };
    await tab.evaluate(askingScript(door.origin, key, own).replace('/stream?', '/read?'));
    expect(came.filter((one) => one.startsWith('act'))).toEqual([`act ${JSON.stringify(own)}`]);
    expect(came.filter((one) => one.startsWith('read'))).toHaveLength(2);
    await page.close();
  });

  it.each(['elsewhere.localhost', '127.0.0.1'])('at %s cannot put it into a frame', async (host) => {
    const page = await elsewhere.openBeside(tab, host);
    expect(await framed(page, door.origin)).toMatch(/^chrome-error:/);
    await page.close();
  });
});
