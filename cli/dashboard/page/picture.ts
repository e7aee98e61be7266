// The picture of the view that is open, kept by the stream; the last one stays while nothing comes.
import { signal } from '@preact/signals';
import type { Head } from '../feed/inside.ts';
import type { WaitingLine } from '../view/waiting.ts';
import { address } from './address.ts';
import { now } from './clock.ts';
import { RefusedByProgram, type PageDifference, type PageProgram } from './hub.ts';

export type Entries = ReadonlyMap<string, unknown>;

/** Of the view that is open; null before its first picture. */
export const entries = signal<Entries | null>(null);
export const head = signal<Head | null>(null);
export const waiting = signal<readonly WaitingLine[]>([]);

/** `ended`: the program does not answer; `locked`: it does not let this tab in. */
export const link = signal<'live' | 'ended' | 'locked'>('live');

/**
 * When the last line came, milliseconds since the epoch. One comes every few seconds, also when nothing
 * changes.
 */
export const heardAt = signal(Date.now());

/**
 * Silence after which the program is taken for stopped, or the way to it for cut: a tunnel does not say so.
 */
const SILENT_MS = 20_000;

export function isSilent(): boolean {
  return now.value - heardAt.value > SILENT_MS;
}

/** So many pictures are kept, so that going back shows something at once. */
const MOST_KEPT = 12;
const AGAIN_MS = 2_000;

const kept = new Map<string, Entries>();

/** The query of the stream for an address. */
function queryOf({ view, names, filters }: typeof address.value): string {
  const [one = '', two = '', three = ''] = names;
  // The newest of what fits are other ones than what fits of the newest.
  if (view === 'time')
    return params({ view, site: filters.get('site') ?? '', namespace: filters.get('ns') ?? '' });
  if (view === 'apps' && two !== '') return `view=app&${params({ namespace: one, name: two })}`;
  if (view === 'rollouts' && three !== '')
    return `view=rollout&${params({ kind: one, namespace: two, name: three })}`;
  return params({ view });
}

function params(all: Readonly<Record<string, string>>): string {
  return new URLSearchParams(all).toString();
}

/** Follows the address for as long as the page is there. A page that nobody sees holds no connection. */
export function followAddress(program: PageProgram): void {
  let shown = '';
  let current: AbortController | null = null;
  const begin = (): void => {
    const query = queryOf(address.value);
    if (document.hidden || (query === shown && current !== null)) return;
    current?.abort();
    current = new AbortController();
    if (query !== shown) entries.value = kept.get(query) ?? null;
    shown = query;
    void follow(program, query, current.signal);
  };
  address.subscribe(begin);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) return begin();
    current?.abort();
    current = null;
  });
}

async function follow(program: PageProgram, query: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await program.stream(query, (difference) => !signal.aborted && take(query, difference), signal);
    } catch (error) {
      if (signal.aborted) return;
      const isLocked = error instanceof RefusedByProgram && error.status === 403;
      link.value = isLocked ? 'locked' : 'ended';
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

function take(query: string, { set, drop, first }: PageDifference): void {
  link.value = 'live';
  heardAt.value = Date.now();
  if (!first && drop.length === 0 && Object.keys(set).length === 0) return;
  const next = new Map(first ? [] : kept.get(query));
  for (const key of drop) next.delete(key);
  for (const [key, value] of Object.entries(set)) next.set(key, value);
  kept.delete(query);
  kept.set(query, next);
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  head.value = (next.get('head') ?? null) as Head | null;
  waiting.value = (next.get('waiting') ?? []) as readonly WaitingLine[];
  entries.value = next;
}

/** The entries whose keys begin so, in the order in which they came. */
export function entriesAt<T>(from: Entries | null, prefix: string): T[] {
  return [...(from ?? [])].filter(([key]) => key.startsWith(prefix)).map(([, value]) => value as T);
}
