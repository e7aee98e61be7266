// The fleet: cards for a few sites, cells for hundreds, the worst first; and the one that is chosen.
import type { VNode } from 'preact';
import type { SiteCard } from '../../view/fleet.ts';
import { address, filter, filtered } from '../address.ts';
import { Mark, TONE_ORDER, Toned } from '../parts/mark.tsx';
import { Nothing } from '../parts/words.tsx';
import { entriesAt, type Entries } from '../picture.ts';
import { SiteDetail, SiteCardView } from './site.tsx';
import { FleetSum, isIn } from './fleet-sum.tsx';

/** Made once: a comparison that makes its own takes a hundred times as long. */
const BY_NAME = new Intl.Collator('en', { numeric: true });

/** Beyond so many, cards become cells. */
const MOST_CARDS = 40;

export function Fleet({ entries }: { readonly entries: Entries }) {
  const { filters } = address.value;
  const sites = entriesAt<SiteCard>(entries, 'site/').toSorted(worstFirst);
  const chosen = sites.find(({ name }) => name === filters.get('site'));
  const shown = sites.filter((site) => isIn(site, filters.get('is')));
  if (sites.length === 0)
    return (
      <Nothing>
        There are no sites: no cluster has joined this hub, or no Capp that you may read is on one.
      </Nothing>
    );
  const label = filters.get('by') ?? '';
  return (
    <>
      <FleetSum sites={sites} />
      <GroupBy sites={sites} label={label} />
      <div class={chosen === undefined ? 'fleet' : 'fleet beside'}>
        <div>
          {grouped(shown, label).map(([group, those]) => (
            <section key={group} class="group" aria-label={group === '' ? 'Sites' : group}>
              {group === '' ? null : <h2>{`${group} · ${those.length}`}</h2>}
              <Sites
                sites={those}
                asCells={sites.length > MOST_CARDS}
                isInGroup={group !== ''}
                chosen={chosen?.name}
              />
            </section>
          ))}
          {shown.length === 0 ? <Nothing>No site is so.</Nothing> : null}
        </div>
        {chosen === undefined ? null : <SiteDetail site={chosen} />}
      </div>
    </>
  );
}

interface SitesProps {
  readonly sites: readonly SiteCard[];
  readonly asCells: boolean;
  readonly isInGroup: boolean;
  readonly chosen: string | undefined;
}

function Sites({ sites, asCells, isInGroup, chosen }: SitesProps) {
  return (
    <ul class={asCells ? 'cells' : 'cards'}>
      {sites.map((site) => (
        <li key={site.name}>
          {asCells ? (
            cellOf(site, site.name === chosen)
          ) : (
            <SiteCardView site={site} isChosen={site.name === chosen} isInGroup={isInGroup} />
          )}
        </li>
      ))}
    </ul>
  );
}

interface DrawnCell {
  /** The address changes where the cell leads. */
  readonly about: string;
  readonly drawn: VNode;
}

const drawn = new WeakMap<SiteCard, DrawnCell>();

/** A cell whose site is as it was is the very one that was drawn, so nothing of it is compared. */
function cellOf(site: SiteCard, isChosen: boolean): VNode {
  const about = `${isChosen} ${filtered('site', site.name)}`;
  const before = drawn.get(site);
  if (before?.about === about) return before.drawn;
  const next = { about, drawn: <Cell site={site} isChosen={isChosen} /> };
  drawn.set(site, next);
  return next.drawn;
}

function Cell({ site, isChosen }: { readonly site: SiteCard; readonly isChosen: boolean }) {
  const { name, tone, capps, counts, drain } = site;
  return (
    <a
      data-item
      class={`cell edge-${tone}`}
      aria-current={isChosen ? 'true' : undefined}
      href={`#${filtered('site', name)}`}
    >
      <Toned tone={tone}>{name}</Toned>
      <span class="small dim">
        <Few tone="bad" count={counts.bad} words="failing," />
        <Few tone="moving" count={counts.moving} words="moving," />
        {drain === null || drain.isOver ? null : (
          <span title={`Drain: ${drain.says}`}>drain {Math.round(drain.share * 100)}% </span>
        )}
        {capps}
        <span class="unseen"> Capps</span>
      </span>
      <CellFree site={site} />
    </a>
  );
}

interface FewProps {
  readonly tone: 'bad' | 'moving';
  readonly count: number;
  readonly words: string;
}

function Few({ tone, count, words }: FewProps) {
  if (count === 0) return null;
  return (
    <span class={`toned tone-${tone}`}>
      <Mark tone={tone} /> {count}
      <span class="unseen"> {words} </span>
    </span>
  );
}

/** The scarcer of the two: that is what the next Capp meets. */
function CellFree({ site: { cpu, memory } }: { readonly site: SiteCard }) {
  if (cpu === null || memory === null) return null;
  const least = Math.min(cpu, memory);
  const words = `Free, from -100 to 100: CPU ${cpu}, memory ${memory}`;
  return (
    <span class="cell-free" title={words}>
      <span class="unseen">{words}</span>
      <span class="bar" aria-hidden="true">
        <span class={least < -60 ? 'low' : ''} style={{ width: `${(least + 100) / 2}%` }} />
      </span>
    </span>
  );
}

function GroupBy({ sites, label }: { readonly sites: readonly SiteCard[]; readonly label: string }) {
  const labels = groupable(sites);
  if (labels.length === 0) return null;
  return (
    <label class="field inline">
      <span>Group by</span>
      <select value={label} onChange={(event) => filter('by', event.currentTarget.value)}>
        <option value="">nothing</option>
        {labels.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Labels that make groups: with more than one value, and fewer than sites. */
function groupable(sites: readonly SiteCard[]): string[] {
  const values = new Map<string, Set<string>>();
  for (const { labels } of sites)
    for (const [key, value] of Object.entries(labels))
      values.set(key, (values.get(key) ?? new Set()).add(value));
  return [...values]
    .filter(([, found]) => found.size > 1 && found.size < Math.max(3, sites.length / 2))
    .map(([key]) => key)
    .toSorted();
}

function grouped(sites: readonly SiteCard[], label: string): [string, SiteCard[]][] {
  if (label === '') return [['', [...sites]]];
  const groups = new Map<string, SiteCard[]>();
  for (const site of sites) {
    const value = `${label}=${site.labels[label] ?? '(none)'}`;
    groups.set(value, [...(groups.get(value) ?? []), site]);
  }
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function worstFirst(a: SiteCard, b: SiteCard): number {
  const order = TONE_ORDER.indexOf(a.tone) - TONE_ORDER.indexOf(b.tone);
  return order || BY_NAME.compare(a.name, b.name);
}
