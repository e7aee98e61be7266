// One site: its card, and what stands beside the fleet when it is chosen.
import type { ComponentChildren } from 'preact';
import type { SiteCard } from '../../view/fleet.ts';
import { filtered } from '../address.ts';
import { Marks, Toned } from '../parts/mark.tsx';
import { Acts } from '../parts/sheet.tsx';
import { Free, Progress, Since, Until } from '../parts/words.tsx';
import { WhatIf } from './what-if.tsx';

interface CardProps {
  readonly site: SiteCard;
  readonly isChosen: boolean;
  /** Of a group with a title of its own. */
  readonly isInGroup: boolean;
}

export function SiteCardView({ site, isChosen, isInGroup }: CardProps) {
  const Heading = isInGroup ? 'h3' : 'h2';
  const { name, tone, state, troubles, drain } = site;
  return (
    <article class={`card edge-${tone}`}>
      <Heading>
        <a data-item aria-current={isChosen ? 'true' : undefined} href={`#${filtered('site', name)}`}>
          <Toned tone={tone}>{name}</Toned>
        </a>
        <span class="small dim">
          {state} <Since time={site.since} />
        </span>
      </Heading>
      <Marks counts={site.counts} />
      <Free of="CPU" value={site.cpu} />
      <Free of="memory" value={site.memory} />
      {troubles.map((one) => (
        <p key={one} class="trouble small">
          {one}
        </p>
      ))}
      {drain === null ? null : (
        <p class="small">
          <Progress share={drain.share} label={`Drain of ${name}`} /> {drain.says}
        </p>
      )}
    </article>
  );
}

export function SiteDetail({ site }: { readonly site: SiteCard }) {
  const { name, troubles, drain, labels, acts } = site;
  return (
    <aside class="panel detail" aria-label={`Site ${name}`}>
      <header>
        <h2>{name}</h2>
        <a href={`#${filtered('site', null)}`} aria-label="Close the site">
          Close
        </a>
      </header>
      <Marks counts={site.counts} />
      <p>
        <a data-item href={`#/apps?site=${encodeURIComponent(name)}`}>
          Show its Capps
        </a>
      </p>
      <Free of="CPU" value={site.cpu} />
      <Free of="memory" value={site.memory} />
      {troubles.map((one) => (
        <p key={one} class="trouble">
          {one}
        </p>
      ))}
      {drain === null ? null : (
        <p>
          <a data-item href={`#/drains/${name}`}>
            Being drained
          </a>
          : {drain.says}
        </p>
      )}
      <Acts sheets={acts} target={{ kind: '', namespace: '', name, seen: '' }} />
      {site.maySuppose ? <WhatIf key={name} site={name} /> : null}
      <SiteFacts site={site} />
      <ul class="labels">
        {Object.entries(labels).map(([key, value]) => (
          <li key={key} class="tag">
            {key}={value}
          </li>
        ))}
      </ul>
    </aside>
  );
}

function SiteFacts({ site }: { readonly site: SiteCard }) {
  const { state, since, agent, addOn, version, taints, scoredUntil } = site;
  return (
    <dl>
      <Fact term="State">
        {state} since <Since time={since} />
      </Fact>
      <Fact term="Agent">
        {agent.is === 'Silent' ? (
          <>
            Silent, seen <Since time={agent.lastSeen} /> ago
          </>
        ) : (
          agent.is
        )}
      </Fact>
      <Fact term="Add-on">{addOn}</Fact>
      <Fact term="Kubernetes">{version ?? 'not known'}</Fact>
      <Fact term="Taints">{taints.length === 0 ? 'none' : taints.join(', ')}</Fact>
      <Fact term="Figures expire">{scoredUntil === null ? 'not known' : <Until time={scoredUntil} />}</Fact>
    </dl>
  );
}

function Fact({ term, children }: { readonly term: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
