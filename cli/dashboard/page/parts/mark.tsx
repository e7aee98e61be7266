// How something stands: a shape and a colour for each tone, so that neither has to be told apart alone.
import type { ComponentChildren, JSX } from 'preact';
import type { Counts, Tone } from '../../../explain/tone.ts';

export const TONE_WORDS: Readonly<Record<Tone, string>> = {
  bad: 'failing',
  moving: 'moving',
  busy: 'on its way',
  held: 'held',
  unknown: 'unknown',
  good: 'ready',
};

/** The worst first. */
export const TONE_ORDER: readonly Tone[] = ['bad', 'unknown', 'held', 'moving', 'busy', 'good'];

const SHAPES: Readonly<Record<Tone, JSX.Element>> = {
  good: <circle cx="6" cy="6" r="4.6" />,
  bad: <path d="M6 .8 11.6 11H.4Z" />,
  moving: <path d="M1 3.2h4.2V.8L11.4 6l-6.2 5.2V8.8H1Z" />,
  busy: (
    <>
      <circle cx="6" cy="6" r="4.4" fill="none" stroke="currentColor" stroke-width="1.4" />
      <path d="M6 1.6a4.4 4.4 0 0 1 0 8.8Z" />
    </>
  ),
  held: <path d="M1.6 1.4h3.2v9.2H1.6ZM7.2 1.4h3.2v9.2H7.2Z" />,
  unknown: (
    <circle
      cx="6"
      cy="6"
      r="4.4"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-dasharray="2.2 2"
    />
  ),
};

/** Decoration: what it says must stand beside it in words. */
export function Mark({ tone }: { readonly tone: Tone }) {
  return (
    <svg class={`mark tone-${tone}`} viewBox="0 0 12 12" aria-hidden="true">
      {SHAPES[tone]}
    </svg>
  );
}

export function Toned({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return (
    <span class={`toned tone-${tone}`}>
      <Mark tone={tone} />
      <span>{children}</span>
    </span>
  );
}

const MOST_MARKS = 48;

/** A mark for each, the worst first, and the same in words for who does not see them. */
export function Marks({ counts }: { readonly counts: Counts }) {
  const all = TONE_ORDER.flatMap((tone) => Array.from({ length: counts[tone] }, () => tone));
  if (all.length === 0) return <p class="dim small">No Capps</p>;
  const more = all.length - MOST_MARKS;
  return (
    <p class="marks">
      <span class="unseen">{inWords(counts)}</span>
      {all.slice(0, MOST_MARKS).map((tone, at) => (
        <Mark key={at} tone={tone} />
      ))}
      {more > 0 ? <span class="small dim">+{more}</span> : null}
    </p>
  );
}

export function inWords(counts: Counts): string {
  const total = TONE_ORDER.reduce((sum, tone) => sum + counts[tone], 0);
  const parts = TONE_ORDER.filter((tone) => counts[tone] > 0).map(
    (tone) => `${counts[tone]} ${TONE_WORDS[tone]}`,
  );
  return `${total} ${total === 1 ? 'Capp' : 'Capps'}: ${parts.join(', ')}`;
}
