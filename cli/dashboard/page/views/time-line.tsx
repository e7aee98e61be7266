// What happened on the whole hub, as far as its statuses keep it.
import type { Moment } from '../../view/time-line.ts';
import { address, filter } from '../address.ts';
import { Happenings } from '../parts/happenings.tsx';
import { entriesAt, type Entries } from '../picture.ts';

export function TimeLine({ entries }: { readonly entries: Entries }) {
  const text = address.value.filters.get('text') ?? '';
  const all = entriesAt<Moment>(entries, 'moment/').toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
  const wanted = text.toLowerCase();
  const shown = all.filter((one) =>
    `${one.name} ${one.what} ${one.reason} ${one.text}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      <search class="filters">
        <label class="field inline">
          <span>App, site, person or word</span>
          <input type="search" value={text} onInput={(event) => filter('text', event.currentTarget.value)} />
        </label>
      </search>
      <p class="dim small">
        The newest 300 things that statuses keep. An app's own page has its events and revisions, too.
      </p>
      <Happenings happenings={shown} />
    </>
  );
}
