// All Capps, a line each, by namespace, site, state and text.
import { useState } from 'preact/hooks';
import type { AppLine } from '../../view/apps.ts';
import { address, filter } from '../address.ts';
import { TONE_ORDER, TONE_WORDS, Toned } from '../parts/mark.tsx';
import { Nothing, Since } from '../parts/words.tsx';
import { entriesAt, type Entries } from '../picture.ts';

/** More are drawn when somebody asks for them. */
const AT_ONCE = 200;

export function Apps({ entries }: { readonly entries: Entries }) {
  const [most, setMost] = useState(AT_ONCE);
  const all = entriesAt<AppLine>(entries, 'app/').toSorted(worstFirst);
  const shown = all.filter(isWanted);
  return (
    <>
      <Filters all={all} />
      <p class="dim small" role="status">
        {shown.length === all.length ? `${all.length} Capps` : `${shown.length} of ${all.length} Capps`}
      </p>
      {shown.length === 0 ? (
        <Nothing>
          {all.length === 0 ? 'There are no Capps here that you may read.' : 'No Capp is so.'}
        </Nothing>
      ) : (
        <Lines lines={shown.slice(0, most)} />
      )}
      {shown.length > most ? (
        <button type="button" onClick={() => setMost(most + AT_ONCE)}>
          Show {Math.min(AT_ONCE, shown.length - most)} more
        </button>
      ) : null}
    </>
  );
}

function isWanted({ namespace, name, sites, tone, hostname }: AppLine): boolean {
  const { filters } = address.value;
  const [ns, site, is] = ['ns', 'site', 'is'].map((one) => filters.get(one));
  const text = filters.get('text')?.toLowerCase() ?? '';
  if (typeof ns === 'string' && ns !== namespace) return false;
  if (typeof site === 'string' && !sites.includes(site)) return false;
  if (typeof is === 'string' && is !== tone) return false;
  return text === '' || `${namespace}/${name} ${hostname ?? ''}`.toLowerCase().includes(text);
}

/** Its place among the others as one text, which is made once for each line and not at each comparison. */
const places = new WeakMap<AppLine, string>();

function placeOf(line: AppLine): string {
  const found = places.get(line) ?? `${TONE_ORDER.indexOf(line.tone)}/${line.namespace}/${line.name}`;
  places.set(line, found);
  return found;
}

function worstFirst(a: AppLine, b: AppLine): number {
  return placeOf(a) < placeOf(b) ? -1 : 1;
}

function Filters({ all }: { readonly all: readonly AppLine[] }) {
  const { filters } = address.value;
  const unique = (of: (line: AppLine) => readonly string[]): string[] =>
    [...new Set(all.flatMap(of))].toSorted();
  const choices = [
    { name: 'ns', label: 'Namespace', options: unique((one) => [one.namespace]).map((one) => [one, one]) },
    { name: 'site', label: 'Site', options: unique((one) => one.sites).map((one) => [one, one]) },
    { name: 'is', label: 'State', options: TONE_ORDER.map((tone) => [tone, TONE_WORDS[tone]]) },
  ];
  return (
    <search class="filters">
      {choices.map(({ name, label, options }) => (
        <label key={name} class="field inline">
          <span>{label}</span>
          <select
            value={filters.get(name) ?? ''}
            onChange={(event) => filter(name, event.currentTarget.value)}
          >
            <option value="">all</option>
            {options.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
      ))}
      <label class="field inline">
        <span>Name or hostname</span>
        <input
          type="search"
          value={filters.get('text') ?? ''}
          onInput={(event) => filter('text', event.currentTarget.value)}
        />
      </label>
    </search>
  );
}

function Lines({ lines }: { readonly lines: readonly AppLine[] }) {
  return (
    <table class="lines">
      <thead>
        <tr>
          <th scope="col">Capp</th>
          <th scope="col">Phase</th>
          <th scope="col">Site</th>
          <th scope="col">What it says</th>
          <th scope="col">Age</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ namespace, name, phase, tone, sites, says, reason, createdAt, set }) => (
          <tr key={`${namespace}/${name}`}>
            <th scope="row">
              <a data-item href={`#/apps/${namespace}/${name}`}>
                <span class="dim">{namespace}/</span>
                {name}
              </a>
              {set === null ? null : <span class="tag">of {set}</span>}
            </th>
            <td>
              <Toned tone={tone}>{phase}</Toned>
            </td>
            <td>{sites.join(' → ')}</td>
            <td class="says">{tone === 'good' ? <span class="dim">{reason}</span> : says}</td>
            <td class="figure">
              <Since time={createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
