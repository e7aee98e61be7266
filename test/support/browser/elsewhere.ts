// Another page in the same browser, on loopback like the dashboard, and what it tries against the dashboard.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';

export async function startElsewhere(): Promise<Server> {
  const elsewhere = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<title>elsewhere</title>');
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  return elsewhere;
}

/** A new tab at that page, in the browser of the given one. */
export async function tabElsewhere(beside: Page, elsewhere: Server): Promise<Page> {
  const page = await beside.context().newPage();
  await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
  return page;
}

/** The statuses of six requests to the dashboard at `origin`, or that they were refused. */
export function askedFrom(page: Page, origin: string): Promise<unknown> {
  const body = JSON.stringify({ act: 'pause', namespace: 'apps', name: 'orders', seen: '' });
  const script = `(async () => {
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
  return page.evaluate(script);
}

/** Whether a frame of the dashboard at `origin` is closed to the page around it. */
export function isFrameShut(page: Page, origin: string): Promise<unknown> {
  const frame = `new Promise((resolve) => {
        const frame = document.createElement('iframe');
        frame.onload = () => resolve(frame.contentDocument === null);
        frame.src = ${JSON.stringify(`${origin}/`)};
        document.body.append(frame);
      })`;
  return page.evaluate(frame);
}
