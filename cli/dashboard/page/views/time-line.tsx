// What happened on the whole hub, as far as its objects keep it: by site, namespace, kind and text.
import type { Moment } from '../../view/past/moment.ts';
import type { TimeLineChoices } from '../../view/past/time-line.ts';
import { address, filter } from '../address.ts';
import { Happenings } from '../parts/happenings.tsx';
import { entriesAt, type Entries } from '../picture.ts';

export function TimeLine({ entries }: { readonly entries: Entries }) {
  const { filters } = address.value;
  const text = filters.get('text') ?? '';
  const what = filters.get('what') ?? '';
  // By their texts, so within a second in no order.
  const all = entriesAt<Moment>(entries, 'moment/').toSorted((a, b) => (a.at < b.at ? 1 : -1));
  const wanted = text.toLowerCase();
  const shown = all.filter(
    (one) =>
      (what === '' || one.what === what) &&
      `${one.name} ${one.what} ${one.reason} ${one.text}`.toLowerCase().includes(wanted),
  );
  const { sites = [], namespaces = [] } = (entries.get('choices') ?? {}) as Partial<TimeLineChoices>;
  return (
    <>
      <search class="filters">
        <Choice name="site" label="Site" options={sites} />
        <Choice name="ns" label="Namespace" options={namespaces} />
        <Choice name="what" label="What" options={[...new Set(all.map((one) => one.what))]} />
        <label class="field inline">
          <span>App, person or word</span>
          <input type="search" value={text} onInput={(event) => filter('text', event.currentTarget.value)} />
        </label>
      </search>
      <p class="dim small">
        The newest 300 things that objects of the hub keep. An app's own page has its events and revisions,
        too.
      </p>
      <Happenings happenings={shown} />
    </>
  );
}

interface ChoiceProps {
  /** Of the filter in the address. */
  readonly name: string;
  readonly label: string;
  readonly options: readonly string[];
}

function Choice({ name, label, options }: ChoiceProps) {
  const value = address.value.filters.get(name) ?? '';
  // What is chosen stays to be seen, also when nothing of it is there any more.
  const all = value === '' || options.includes(value) ? options : [value, ...options];
  return (
    <label class="field inline">
      <span>{label}</span>
      <select value={value} onChange={(event) => filter(name, event.currentTarget.value)}>
        <option value="">all</option>
        {all.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  );
}
