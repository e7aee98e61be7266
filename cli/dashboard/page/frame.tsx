// What stands around every view: where one is, as whom, whether it is live, and what waits.
import type { ComponentChildren } from 'preact';
import { address } from './address.ts';
import { clockTime } from './clock.ts';
import { Help } from './help.tsx';
import { isHelpOpen } from './keys.ts';
import { Mark } from './parts/mark.tsx';
import { head, heardAt, isSilent, link, waiting } from './picture.ts';
import { Search } from './search.tsx';

const VIEWS = [
  ['fleet', 'Fleet'],
  ['apps', 'Apps'],
  ['rollouts', 'Rollouts'],
  ['drains', 'Drains'],
  ['time', 'Time line'],
] as const;

export function isStale(): boolean {
  return link.value !== 'live' || isSilent() || (head.value?.staleSince ?? null) !== null;
}

export function Frame({ children }: { readonly children: ComponentChildren }) {
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        Skip to what is shown
      </a>
      <header class="top">
        <p class="hub">
          <img src="/icon.svg" alt="" width="24" height="24" />
          <strong>{head.value?.context ?? 'Cappstan'}</strong>
          <span class="dim small">{head.value?.user ?? ''}</span>
        </p>
        <nav aria-label="Views">
          {VIEWS.map(([view, name]) => (
            <a key={view} href={`#/${view}`} aria-current={address.value.view === view ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <Search />
        <Live />
        <Waits />
        <button
          type="button"
          class="quiet"
          aria-label="Show keys"
          onClick={() => void (isHelpOpen.value = true)}
        >
          ?
        </button>
      </header>
      <main id="main" tabIndex={-1} class={isStale() ? 'stale' : ''}>
        <Missing />
        {children}
      </main>
      <Help />
    </>
  );
}

/** `#main` would be taken for an address of the page. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/** Says so when it is not. */
function Live() {
  const since = head.value?.staleSince ?? null;
  if (link.value === 'ended')
    return (
      <p class="live is-off" role="status">
        as of {clockTime(heardAt.value)}: the dashboard has ended. Run kubectl capp dashboard again.
      </p>
    );
  if (isSilent())
    return (
      <p class="live is-off" role="status">
        as of {clockTime(heardAt.value)}: the dashboard does not answer. Is it stopped, or the way to it cut?
      </p>
    );
  if (since !== null)
    return (
      <p class="live is-off" role="status">
        as of {clockTime(since)}: the hub does not answer
      </p>
    );
  return (
    <p class="live" role="status">
      <Mark tone="good" /> live
    </p>
  );
}

function Waits() {
  const count = waiting.value.length;
  if (count === 0) return null;
  return (
    <details class="waits">
      <summary>
        {count} {count === 1 ? 'waits' : 'wait'} for you
      </summary>
      <ul class="rows">
        {waiting.value.map(({ href, name, what, says }) => (
          <li key={href}>
            <a href={`#${href}`}>
              {name} {what}
            </a>
            <br />
            <span class="dim small">{says}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** What the person may not read is missing, and not absent. */
function Missing() {
  const { unread = [], scope = null, loading = [] } = head.value ?? {};
  const sentences = [
    scope === null
      ? ''
      : `You may not list Capps of all namespaces: this shows namespace ${scope}. Another one: kubectl capp dashboard -n <namespace>.`,
    unread.length === 0 ? '' : `You may not read ${unread.join(', ')}: what they say is missing here.`,
    loading.length === 0 ? '' : `Still reading ${loading.join(', ')}.`,
  ].filter((one) => one !== '');
  return sentences.length === 0 ? null : <p class="notice small">{sentences.join(' ')}</p>;
}
