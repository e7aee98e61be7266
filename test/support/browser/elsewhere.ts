// Another page in the same browser, on loopback like the dashboard, and what it tries against the dashboard.
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
    /** A new tab there, in the browser of the given one. */
    async openBeside(tab: Page): Promise<Page> {
      const page = await tab.context().newPage();
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      return page;
    },
  };
}

/**
 * A script that yields the statuses of six requests to the dashboard at `origin`, or that they were refused.
 */
export function askingScript(origin: string): string {
  const body = JSON.stringify({ act: 'pause', namespace: 'apps', name: 'orders', seen: '' });
  return `(async () => {
        const base = ${JSON.stringify(origin)};
        const tried = [
          ['/read?what=search&text=a', { credentials: 'include' }],
          ['/stream?view=apps', { credentials: 'include' }],
          ['/tab', { credentials: 'include', method: 'POST', body: '{}' }],
          ['/act', { credentials: 'include', method: 'POST', body: ${JSON.stringify(body)} }],
          ['/act', { credentials: 'include', method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(body)} }],
          ['/', { credentials: 'include' }],
        ];
        return Promise.all(tried.map(([path, how]) => fetch(base + path, how).then((one) => one.status, () => 'refused')));
      })()`;
}

/** A script that yields whether a frame of the dashboard at `origin` is closed to the page around it. */
export function framingScript(origin: string): string {
  return `new Promise((resolve) => {
        const frame = document.createElement('iframe');
        frame.onload = () => resolve(frame.contentDocument === null);
        frame.src = ${JSON.stringify(`${origin}/`)};
        document.body.append(frame);
      })`;
}
