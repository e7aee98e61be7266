// One stream of lines of a Capp, as the hub's reader gives it (docs/logs.md).
import { withQuery } from '../../../kube/http/request.ts';
import type { Key } from '../../../kube/resource.ts';
import { boundedLines, read, REMARK, type Line } from '../../../reach/lines.ts';
import { pathTo } from '../../../reach/names.ts';
import type { OpenedHub } from '../connection/hub.ts';

/** Which lines. */
export interface StreamWanted {
  readonly follow: boolean;
  readonly site: string | null;
  readonly container: string | null;
  readonly tail: number | null;
  readonly sinceSeconds: number | null;
}

/** Longer than the reader is ever silent. */
const IDLE_MS = 60_000;

/** `beat`: there is nothing to tell, and the stream is open. */
export type Told =
  | { readonly is: 'beat' }
  | { readonly is: 'line'; readonly line: Line }
  | { readonly is: 'remark'; readonly text: string };

/** Where an earlier stream broke off: each time is RFC 3339. */
export interface Since {
  readonly sinceTime: string;
  /** What a site says of its time counts for no other. */
  readonly siteTimes: ReadonlyMap<string, string>;
}

/** `since` instead of what was wanted first. Throws ApiError. */
export async function* tellingOf(
  { transport }: Pick<OpenedHub, 'transport'>,
  capp: Key,
  { follow, site, container, tail, sinceSeconds }: StreamWanted,
  { since, signal }: { readonly since: Since | null; readonly signal: AbortSignal },
): AsyncGenerator<Told> {
  const first = { tailLines: tail ?? undefined, sinceSeconds: sinceSeconds ?? undefined };
  const asked = withQuery(pathTo(capp, 'log'), {
    follow: follow || undefined,
    site: site ?? undefined,
    container: container ?? undefined,
    ...(since === null ? first : { sinceTime: since.sinceTime }),
  });
  const ownTimes = [...(since?.siteTimes ?? [])].map(
    (pair) => `&siteTime=${encodeURIComponent(pair.join(','))}`,
  );
  const path = `${asked}${ownTimes.join('')}`;
  const answer = await transport.open({ method: 'GET', path, accept: '*/*' }, { signal, idleMs: IDLE_MS });
  for await (const text of boundedLines(answer)) {
    const line = read(text);
    if (line !== null) yield { is: 'line', line };
    // An empty remark only keeps the stream open.
    else if (text === REMARK) yield { is: 'beat' };
    else if (text.startsWith(`${REMARK} `)) yield { is: 'remark', text: text.slice(REMARK.length + 1) };
  }
}
