// Doors of the dashboard with nothing of a hub behind them, and requests that a browser, or somebody else,
// sends.
import { request as requestTo } from 'node:http';
import {
  openDoor,
  type DashboardDoor,
  type DashboardDoorOptions,
} from '../../../../cli/dashboard/door/door.ts';
import type { Inside } from '../../../../cli/dashboard/door/inside.ts';

const PAGE = { html: '<p>frame</p>', script: '1', style: 'p {}', icon: '<svg/>' };

/** What reached the other side of the doors. */
export const heard: unknown[] = [];
export const INSIDE: Inside = {
  async stream(_query, send, signal) {
    send({ picture: 1 });
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  },
  read: async (query) => ({ status: 200, value: { of: query.get('of') } }),
  act: async (asked) => {
    heard.push(asked);
    return { status: 200, value: 'done' };
  },
};

const opened: DashboardDoor[] = [];
export async function aDoor(options: Partial<DashboardDoorOptions> = {}): Promise<DashboardDoor> {
  const door = await openDoor({ page: PAGE, inside: INSIDE, idleMs: 60_000, port: 0, ...options });
  opened.push(door);
  return door;
}

/** What was opened is closed, and what was heard forgotten. */
export function closeDoors(): void {
  heard.length = 0;
  for (const door of opened.splice(0)) door.close();
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}
interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** Node's own client, which lets a test say any Host. */
export function ask(
  door: DashboardDoor,
  path: string,
  { method = 'GET', headers = {}, body }: Sent = {},
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(door.origin);
    const sent = requestTo({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => {
        parts.push(part);
        // A stream does not end by itself.
        if (path.startsWith('/stream')) response.destroy();
      });
      response.on('close', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString(),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** What the page of the door sends with each request. */
export const ours = (door: DashboardDoor) => ({
  origin: door.origin,
  'sec-fetch-site': 'same-origin',
  'content-type': 'application/json',
});

export function enter(door: DashboardDoor, secret = new URL(door.address).hash.slice(1)): Promise<Got> {
  return ask(door, '/enter', { method: 'POST', headers: ours(door), body: JSON.stringify({ secret }) });
}

/** The headers of a tab that has come in. */
export async function tabOf(door: DashboardDoor): Promise<Record<string, string>> {
  const entered = await enter(door);
  const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? '';
  const { key: page } = JSON.parse(entered.text) as { key: string };
  const headers = { ...ours(door), cookie, 'x-cappstan-key': page };
  const { text } = await ask(door, '/tab', { method: 'POST', headers, body: '{}' });
  const { key } = JSON.parse(text) as { key: string };
  return { ...headers, 'x-cappstan-key': key };
}
