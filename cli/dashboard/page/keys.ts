// All can be done by keys: `/` searches, `g` and a letter go, arrows walk, `?` shows the keys.
import { signal } from '@preact/signals';
import { go } from './address.ts';
import { SEARCH_ID } from './search.tsx';

export const isHelpOpen = signal(false);

export const PLACES = {
  f: ['/fleet', 'the fleet'],
  a: ['/apps', 'apps'],
  r: ['/rollouts', 'rollouts'],
  d: ['/drains', 'drains'],
  t: ['/time', 'the time line'],
} as const satisfies Readonly<Record<string, readonly [string, string]>>;

const CHORD_MS = 1_500;

/** For as long as the page is there. */
export function listenToKeys(): void {
  let startedAt = -Infinity;
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const isSecond = event.timeStamp - startedAt < CHORD_MS;
    startedAt = -Infinity;
    if (document.querySelector('dialog[open]') !== null) return;
    if (isSecond && Object.hasOwn(PLACES, event.key)) go(PLACES[event.key as keyof typeof PLACES][0]);
    else if (event.key === 'g') startedAt = event.timeStamp;
    else if (event.key === '/') document.getElementById(SEARCH_ID)?.focus();
    else if (event.key === '?') isHelpOpen.value = true;
    else if (!walk(event.key)) return;
    event.preventDefault();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, select, textarea, [contenteditable]') !== null
  );
}

/** From one thing to the next, in the order in which they stand. */
function walk(key: string): boolean {
  const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[key];
  if (step === undefined) return false;
  const items = [...document.querySelectorAll<HTMLElement>('main [data-item]')];
  const at = items.findIndex((one) => one === document.activeElement);
  const next = items[at < 0 ? (step > 0 ? 0 : items.length - 1) : at + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  return next !== undefined;
}
