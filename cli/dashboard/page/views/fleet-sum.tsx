// The whole fleet in a line of figures, each of which shows the sites that it counts.
import type { SiteCard } from '../../view/fleet.ts';
import type { Tone } from '../../../explain/tone.ts';
import { address, filtered } from '../address.ts';
import { Mark } from '../parts/mark.tsx';

interface Figure {
  readonly is: string;
  readonly tone: Tone;
  readonly words: string;
  readonly holds: (site: SiteCard) => boolean;
}

const FIGURES: readonly Figure[] = [
  { is: 'offline', tone: 'bad', words: 'offline', holds: ({ state }) => state === 'Unreachable' },
  { is: 'failing', tone: 'bad', words: 'with failing Capps', holds: ({ counts }) => counts.bad > 0 },
  { is: 'troubled', tone: 'held', words: 'that need a look', holds: ({ troubles }) => troubles.length > 0 },
  { is: 'moving', tone: 'moving', words: 'with moves', holds: ({ counts }) => counts.moving > 0 },
  {
    is: 'draining',
    tone: 'held',
    words: 'being drained',
    holds: ({ drain }) => drain !== null && !drain.isOver,
  },
  { is: 'ready', tone: 'good', words: 'ready', holds: ({ tone }) => tone === 'good' },
];

export function isIn(site: SiteCard, is: string | null): boolean {
  return FIGURES.find((one) => one.is === is)?.holds(site) ?? true;
}

export function FleetSum({ sites }: { readonly sites: readonly SiteCard[] }) {
  const chosen = address.value.filters.get('is');
  return (
    <nav class="figures" aria-label="Show only sites that are so">
      <a
        data-item
        class="figure-link"
        aria-current={chosen === null ? 'true' : undefined}
        href={`#${filtered('is', null)}`}
      >
        <strong>{sites.length}</strong> {sites.length === 1 ? 'site' : 'sites'}
      </a>
      {FIGURES.map(({ is, tone, words, holds }) => {
        const count = sites.filter(holds).length;
        return count === 0 ? null : (
          <a
            key={is}
            data-item
            class="figure-link"
            aria-current={chosen === is ? 'true' : undefined}
            href={`#${filtered('is', is)}`}
          >
            <Mark tone={tone} />
            <strong>{count}</strong> {words}
          </a>
        );
      })}
    </nav>
  );
}
