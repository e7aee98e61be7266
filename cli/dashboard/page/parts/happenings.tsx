// What has happened, newest first.
import { useEffect, useState } from 'preact/hooks';
import type { PastHappening } from '../../../explain/capp/history.ts';
import type { Tone } from '../../../explain/tone.ts';
import { program } from '../program.ts';
import { Mark } from './mark.tsx';
import { sentence } from '../hub.ts';
import type { SheetTarget } from './target.ts';
import { Nothing, Since } from './words.tsx';

export interface ShownHappening extends Omit<PastHappening, 'what'> {
  readonly what: string;
  /** What it was about; absent where the whole list is about one object. */
  readonly name?: string;
  readonly href?: string;
  /** What it followed from; empty or absent where no record says so. */
  readonly cause?: string;
}

const TONES: Readonly<Record<string, Tone>> = {
  move: 'moving',
  lost: 'bad',
  reached: 'good',
  taint: 'held',
  drain: 'held',
  revision: 'busy',
  rollback: 'held',
  request: 'held',
  created: 'good',
  placement: 'good',
};

export function Happenings({ happenings }: { readonly happenings: readonly ShownHappening[] }) {
  if (happenings.length === 0) return <Nothing>Nothing has happened yet.</Nothing>;
  return (
    <ol class="time-line">
      {happenings.map(({ at, what, reason, text, name, href, cause = '' }, index) => (
        <li key={`${at}${index}`}>
          <Mark tone={TONES[what] ?? 'unknown'} />
          <span class="when">
            <Since time={at} />
          </span>
          <span>
            <span class="tag">{what}</span>{' '}
            {href === undefined ? null : (
              <a data-item href={`#${href}`}>
                {name}
              </a>
            )}{' '}
            {text} {reason === '' ? null : <span class="dim small">{reason}</span>}
            {cause === '' ? null : (
              <>
                <br />
                <span class="small">
                  <span aria-hidden="true">↳ </span>
                  <span class="unseen">It followed from: </span>
                  {cause}
                </span>
              </>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}

interface Past {
  readonly happenings: readonly PastHappening[];
  readonly unread: readonly string[];
}

/** Read again whenever what is seen of the object changes. */
export function PastOf({ kind, namespace, name, seen }: SheetTarget) {
  const [past, setPast] = useState<Past | string | null>(null);
  useEffect(() => {
    let isWanted = true;
    program()
      .read<{ history: Past }>({ what: 'history', kind, namespace, name })
      .then(
        ({ history }) => isWanted && setPast(history),
        (error: unknown) => isWanted && setPast(sentence(error)),
      );
    return () => {
      isWanted = false;
    };
  }, [kind, namespace, name, seen]);
  if (past === null) return <Nothing>Asking the hub…</Nothing>;
  if (typeof past === 'string') return <p role="alert">{past}</p>;
  return (
    <>
      {past.unread.map((what) => (
        <p key={what} class="dim small">
          You may not read {what} here: they are missing.
        </p>
      ))}
      <Happenings happenings={past.happenings} />
    </>
  );
}
