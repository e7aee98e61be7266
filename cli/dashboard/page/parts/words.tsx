// Small things that are said everywhere: times, commands, panels, and that there is nothing.
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { span } from '../../../show/age.ts';
import { countDown, now } from '../clock.ts';

/** Since when, as a span; the exact time stands behind it. */
export function Since({ time }: { readonly time: string | null }) {
  if (time === null) return <span class="dim">not known</span>;
  return (
    <time dateTime={time} title={time}>
      {span(now.value - Date.parse(time))}
    </time>
  );
}

/** Until when, as a count-down. */
export function Until({ time }: { readonly time: string }) {
  const left = Date.parse(time) - now.value;
  return (
    <time class="until" dateTime={time} title={time}>
      {left > 0 ? `in ${countDown(left)}` : `${span(-left)} ago`}
    </time>
  );
}

/** A command, with a button that copies it. */
export function Command({ text }: { readonly text: string }) {
  const [said, say] = useState('Copy');
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => say('Copied'),
      () => say('Select it, and copy it by hand'),
    );
  };
  return (
    <span class="command">
      <code>{text}</code>
      <button type="button" class="quiet" onClick={copy} aria-label={`Copy the command ${text}`}>
        {said}
      </button>
    </span>
  );
}

interface PanelProps {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function Panel({ title, aside, class: more = '', children }: PanelProps) {
  const id = useId();
  return (
    <section class={`panel ${more}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

export function Nothing({ children }: { readonly children: ComponentChildren }) {
  return <p class="nothing">{children}</p>;
}

/** Free, in a figure from -100 to 100. */
export function Free({ of, value }: { readonly of: string; readonly value: number | null }) {
  const name = `Free ${of}`;
  const title = `${name}, from -100 (nothing) to 100 (everything)`;
  if (value === null)
    return (
      <div class="free" title={title}>
        <span class="dim">{name}</span>
        <span class="dim small">no fresh figure</span>
      </div>
    );
  return (
    <div class="free" title={title}>
      <span class="dim">{name}</span>
      <span class="bar" aria-hidden="true">
        <span class={value < -60 ? 'low' : ''} style={{ width: `${(value + 100) / 2}%` }} />
      </span>
      <span class="figure">{value}</span>
    </div>
  );
}

export function Progress({ share, label }: { readonly share: number; readonly label: string }) {
  const percent = Math.round(share * 100);
  return (
    <span
      class="bar wide"
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <span style={{ width: `${percent}%` }} />
    </span>
  );
}
