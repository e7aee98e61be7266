// What a request must be like before anything looks at it. Pure.
//
// Any page that the person has open can make the browser send requests to loopback, with the cookie if it
// comes from loopback too: cookies know no ports. So a cookie alone opens nothing.

export interface PageRequest {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  /** As Node gives them: names in small letters. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** What a path asks for before it is answered. */
export interface PathNeeds {
  readonly method: 'GET' | 'POST';
  /** Only our own page may ask: neither another site, nor another port of loopback, nor a typed address. */
  readonly isOurs: boolean;
}

export interface PageRefusal {
  readonly status: 403 | 404 | 405 | 415 | 421;
  /** One sentence, without anything that the request brought. */
  readonly says: string;
}

/** `origin` is ours, such as `http://127.0.0.1:40123`. Null: the request may be answered. */
export function refusalOf(
  { method, headers }: PageRequest,
  needs: PathNeeds | undefined,
  origin: string,
): PageRefusal | null {
  // A name that leads to 127.0.0.1 (DNS rebinding) is not us.
  if (headers['host'] !== new URL(origin).host)
    return { status: 421, says: 'This is not the address of the dashboard: open the one that was printed.' };
  if (needs === undefined) return { status: 404, says: 'There is nothing here.' };
  if (method !== needs.method) return { status: 405, says: `This takes ${needs.method} alone.` };
  if (!needs.isOurs) return null;
  if (headers['sec-fetch-site'] !== 'same-origin')
    return { status: 403, says: 'Only the page of the dashboard itself may ask for this.' };
  if (method !== 'POST') return null;
  if (headers['origin'] !== origin)
    return { status: 403, says: 'Only the page of the dashboard itself may write.' };
  return headers['content-type'] === 'application/json'
    ? null
    : { status: 415, says: 'This takes application/json alone.' };
}

/** The value of one cookie; null if the request has none of this name. */
export function cookieIn({ headers }: PageRequest, name: string): string | null {
  const cookie = headers['cookie'];
  if (typeof cookie !== 'string') return null;
  const found = cookie.split(';').find((one) => one.trim().startsWith(`${name}=`));
  return found === undefined ? null : found.trim().slice(name.length + 1);
}

export function headerIn({ headers }: PageRequest, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}
