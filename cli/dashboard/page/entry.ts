// How the page comes in: with the secret of the printed address, once, and then with keys of its own.

import { replace } from './address.ts';

/** In the storage of this origin, which no other port can read. */
const PAGE_KEY = 'cappstan-page';

export const JSON_HEADERS = { 'content-type': 'application/json' };
export const KEY_HEADER = 'x-cappstan-key';

/** The key of this tab, or null when the address has been used or is of another run. */
export async function comeIn(): Promise<string | null> {
  const secret = secretIn(location.hash);
  if (secret !== null) {
    // It must not stay in the history, nor be copied with the address.
    replace('/fleet');
    const entered = await post('/enter', { secret }, '');
    if (entered !== null) localStorage.setItem(PAGE_KEY, entered);
  }
  return post('/tab', {}, localStorage.getItem(PAGE_KEY) ?? '');
}

/** An address within the page begins with a slash. */
function secretIn(hash: string): string | null {
  const text = hash.slice(1);
  return text === '' || text.startsWith('/') ? null : text;
}

async function post(path: string, body: object, key: string): Promise<string | null> {
  const headers = { ...JSON_HEADERS, [KEY_HEADER]: key };
  const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return answer.ok ? ((await answer.json()) as { key: string }).key : null;
}
