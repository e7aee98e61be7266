// Answers one request, after the guard has looked at it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyOf, HEADERS, send, sendJson } from './answer.ts';
import { cookieIn, headerIn, refusalOf, type PageRequest, type PathNeeds } from './guard.ts';
import type { Idle } from './idle.ts';
import type { Inside, PageFiles } from './inside.ts';
import type { Secrets } from './secrets.ts';

export interface DashboardGate {
  readonly page: PageFiles;
  readonly inside: Inside;
  readonly secrets: Secrets;
  readonly idle: Idle;
  /** Ours, such as `http://127.0.0.1:40123`. */
  readonly origin: string;
  /** Aborts when the door is closed. */
  readonly closing: AbortSignal;
}

const PATHS: ReadonlyMap<string, PathNeeds> = new Map([
  // The frame holds no data: whoever may not come in sees what to do.
  ['/', { method: 'GET', isOurs: false }],
  ['/page.js', { method: 'GET', isOurs: false }],
  ['/page.css', { method: 'GET', isOurs: false }],
  ['/icon.svg', { method: 'GET', isOurs: false }],
  ['/enter', { method: 'POST', isOurs: true }],
  ['/tab', { method: 'POST', isOurs: true }],
  ['/stream', { method: 'GET', isOurs: true }],
  ['/read', { method: 'GET', isOurs: true }],
  ['/act', { method: 'POST', isOurs: true }],
]);

/** With the key of the page at `/tab`, and with that of the tab behind it. */
const KEY_HEADER = 'x-cappstan-key';

/** Bytes that may wait for a tab that does not read. It comes again, and gets a whole picture. */
const MOST_UNREAD = 16 * 1024 * 1024;

/** Throws what the connection throws. */
export async function pass(
  gate: DashboardGate,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s);
  const asked: PageRequest = { method: request.method ?? '', path, headers: request.headers };
  const refusal = refusalOf(asked, PATHS.get(path), gate.origin);
  if (refusal !== null) return send(response, refusal.status, 'text/plain', `${refusal.says}\n`);
  const file = fileAt(path, gate.page);
  if (file !== null) return send(response, 200, file.type, file.text);
  if (path === '/enter') return enter(gate, request, response);
  const cookie = cookieIn(asked, cookieName(gate));
  const key = headerIn(asked, KEY_HEADER);
  if (path === '/tab') return openTab(response, gate.secrets.openTab(cookie, key));
  if (!gate.secrets.isTab(cookie, key)) return locked(response);
  gate.idle.touch();
  if (path === '/stream') return stream(gate, new URLSearchParams(query), response);
  if (path === '/act') return act(gate, request, response);
  const { status, value } = await gate.inside.read(new URLSearchParams(query));
  return sendJson(response, status, value);
}

/**
 * Another dashboard on this machine has another port, and would get and replace a cookie of the same name.
 */
function cookieName({ origin }: DashboardGate): string {
  return `cappstan-${new URL(origin).port}`;
}

async function enter(gate: DashboardGate, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const secret = (await bodyOf(request))?.['secret'];
  const entered = typeof secret === 'string' ? gate.secrets.enter(secret) : null;
  if (entered === null) return locked(response);
  gate.idle.touch();
  const cookie = `${cookieName(gate)}=${entered.cookie}; HttpOnly; SameSite=Strict; Path=/`;
  response.setHeader('set-cookie', cookie);
  sendJson(response, 200, { key: entered.pageKey });
}

function openTab(response: ServerResponse, key: string | null): void {
  if (key === null) locked(response);
  else sendJson(response, 200, { key });
}

async function act(
  { inside }: DashboardGate,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await bodyOf(request);
  const { status, value } =
    body === null
      ? { status: 400, value: { says: 'This is no request of the page.' } }
      : await inside.act(body);
  sendJson(response, status, value);
}

async function stream(gate: DashboardGate, query: URLSearchParams, response: ServerResponse): Promise<void> {
  const release = gate.idle.hold();
  // AbortSignal.any is not in the first Node 20.
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  response.once('close', leave);
  gate.closing.addEventListener('abort', leave, { once: true });
  const line = (value: unknown): void => {
    response.write(`${JSON.stringify(value)}\n`);
    if (response.writableLength > MOST_UNREAD) response.destroy();
  };
  try {
    response.writeHead(200, { ...HEADERS, 'content-type': 'application/x-ndjson; charset=utf-8' });
    await gate.inside.stream(query, line, gone.signal);
    response.end();
  } finally {
    gate.closing.removeEventListener('abort', leave);
    release();
  }
}

function locked(response: ServerResponse): void {
  const says = 'This address has been used, or is not of this dashboard. Run kubectl capp dashboard again.';
  sendJson(response, 403, { says });
}

function fileAt(path: string, page: PageFiles): { readonly type: string; readonly text: string } | null {
  switch (path) {
    case '/':
      return { type: 'text/html', text: page.html };
    case '/page.js':
      return { type: 'text/javascript', text: page.script };
    case '/page.css':
      return { type: 'text/css', text: page.style };
    case '/icon.svg':
      return { type: 'image/svg+xml', text: page.icon };
    default:
      return null;
  }
}
