// Another page in the same browser, of another site or of another port of loopback, and what it tries against
// the dashboard.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';

/** Serves it for the tests of a `describe`. Call it once, at its top. */
export function pageElsewhere() {
  let server: Server;
  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<title>elsewhere</title>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void server?.close());
  return {
    /** A new tab there, in the browser of the given one. `host` is a name of this machine. */
    async openBeside(tab: Page, host: string): Promise<Page> {
      const page = await tab.context().newPage();
      await page.goto(`http://${host}:${(server.address() as AddressInfo).port}/`);
      return page;
    },
  };
}

interface Attempt {
  readonly path: string;
  /** Of `fetch`. */
  readonly how: Readonly<Record<string, unknown>>;
}

/**
 * `key` is that of a tab that was let in, as if it had leaked; `body` is an act that the program would do.
 */
function attempts(key: string, body: object): Attempt[] {
  const text = JSON.stringify(body);
  const json = { 'content-type': 'application/json' };
  const leaked = { ...json, 'x-cappstan-key': key };
  const write = { method: 'POST', body: text, credentials: 'include' };
  return [
    { path: '/', how: { credentials: 'include' } },
    { path: '/', how: {} },
    { path: '/read?what=search&text=a', how: { credentials: 'include', headers: leaked } },
    { path: '/stream?view=apps', how: { credentials: 'include', headers: leaked } },
    { path: '/tab', how: { ...write, body: '{}' } },
    { path: '/act', how: write },
    { path: '/act', how: { ...write, headers: json } },
    { path: '/act', how: { ...write, headers: leaked } },
  ];
}

/** A script that yields what each attempt came to: the status that the page could read, or `refused`. */
export function askingScript(origin: string, key: string, body: object): string {
  return `Promise.all(${JSON.stringify(attempts(key, body))}.map(({ path, how }) =>
    fetch(${JSON.stringify(origin)} + path, how).then((one) => one.status, () => 'refused')))`;
}

/**
 * A script that sends what needs no leave of the other side: forms, requests whose answer is not read, and
 * elements that load. It yields the names of those elements that got something.
 */
export function sendingScript(origin: string, body: object): string {
  return `(async () => {
    const base = ${JSON.stringify(origin)};
    const text = ${JSON.stringify(JSON.stringify(body))};
    const blind = { mode: 'no-cors', credentials: 'include' };
    await fetch(base + '/act', { ...blind, method: 'POST', body: text }).catch(() => null);
    await fetch(base + '/read?what=search&text=a', blind).catch(() => null);
    navigator.sendBeacon(base + '/act', text);
    const target = document.createElement('iframe');
    target.name = 'target';
    document.body.append(target);
    const form = document.createElement('form');
    Object.assign(form, { action: base + '/act', method: 'post', enctype: 'text/plain', target: 'target' });
    const field = document.createElement('input');
    // Such a form sends name=value: a body that is JSON all the same.
    Object.assign(field, { name: text.slice(0, -1) + ',"x":"', value: '"}' });
    form.append(field);
    document.body.append(form);
    form.submit();
    const loads = (tag, path) => new Promise((resolve) => {
      const element = document.createElement(tag);
      element.onload = () => resolve([tag]);
      element.onerror = () => resolve([]);
      element[tag === 'link' ? 'href' : 'src'] = base + path;
      if (tag === 'link') element.rel = 'stylesheet';
      document.body.append(element);
    });
    const all = [loads('script', '/page.js'), loads('img', '/icon.svg'), loads('link', '/page.css')];
    return (await Promise.all(all)).flat();
  })()`;
}

/** Puts the dashboard at `origin` into a frame, and yields the address that the frame came to show. */
export async function framed(page: Page, origin: string): Promise<string> {
  await page.evaluate(`new Promise((resolve) => {
    const frame = document.createElement('iframe');
    frame.name = 'framed';
    frame.onload = resolve;
    frame.src = ${JSON.stringify(`${origin}/`)};
    document.body.append(frame);
  })`);
  return page.frame({ name: 'framed' })?.url() ?? '';
}
