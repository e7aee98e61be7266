// `/`: finds Capps, CappSets, Bundles and sites by a few letters, without a mouse.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Hit } from '../view/search.ts';
import { go } from './address.ts';
import { program } from './program.ts';

/** By which the key `/` finds the field. */
export const SEARCH_ID = 'search';
const HITS_ID = 'search-hits';

export function Search() {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const hits = useHits(text, () => setAt(0));
  const leave = (): void => {
    setText('');
    input.current?.blur();
  };
  const take = (hit: Hit | undefined): void => {
    if (hit === undefined) return;
    leave();
    go(hit.href);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') leave();
    else if (event.key === 'Enter') take(hits[at]);
    else if (event.key === 'ArrowDown') setAt(Math.min(hits.length - 1, at + 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1));
    else return;
    event.preventDefault();
  };
  return (
    <search class="search">
      <input
        ref={input}
        id={SEARCH_ID}
        type="text"
        role="combobox"
        aria-label="Search apps, sites and hostnames"
        aria-expanded={hits.length > 0}
        aria-controls={HITS_ID}
        aria-autocomplete="list"
        {...(hits.length > 0 ? { 'aria-activedescendant': `${HITS_ID}-${at}` } : {})}
        autocomplete="off"
        placeholder="Search  /"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      <Found hits={hits} at={at} isOpen={text.trim() !== ''} take={take} />
    </search>
  );
}

interface FoundProps {
  readonly hits: readonly Hit[];
  /** Which of them Enter takes. */
  readonly at: number;
  readonly isOpen: boolean;
  readonly take: (hit: Hit) => void;
}

function Found({ hits, at, isOpen, take }: FoundProps) {
  return (
    <div id={HITS_ID} role="listbox" aria-label="Found" class={isOpen ? 'hits' : 'unseen'}>
      {hits.map((hit, index) => (
        <div
          key={hit.href}
          id={`${HITS_ID}-${index}`}
          role="option"
          aria-selected={index === at}
          // Before the field loses the focus, and with it what was found.
          onMouseDown={(event) => {
            event.preventDefault();
            take(hit);
          }}
        >
          <span class="tag">{hit.kind}</span> {hit.name} <span class="dim small">{hit.says}</span>
        </div>
      ))}
      {hits.length === 0 && isOpen ? (
        <div role="option" aria-selected="false" aria-disabled="true">
          Nothing has this name.
        </div>
      ) : null}
    </div>
  );
}

/** What the program finds for the text; an answer to an earlier text is dropped. */
function useHits(text: string, onAnswer: () => void): readonly Hit[] {
  const [hits, setHits] = useState<readonly Hit[]>([]);
  useEffect(() => {
    let isWanted = true;
    const show = (found: readonly Hit[]): void => {
      if (!isWanted) return;
      setHits(found);
      onAnswer();
    };
    if (text.trim() === '') show([]);
    else
      program()
        .read<{ hits: readonly Hit[] }>({ what: 'search', text })
        .then(
          (answer) => show(answer.hits),
          () => show([]),
        );
    return () => {
      isWanted = false;
    };
  }, [text]);
  return hits;
}
