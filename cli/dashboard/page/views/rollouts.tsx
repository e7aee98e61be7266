// All CappSets and Bundles: how far each is, and what holds it.
import type { RolloutLine } from '../../view/rollout/rollouts.ts';
import { TONE_ORDER, Toned } from '../parts/mark.tsx';
import { Nothing, Progress, Until } from '../parts/words.tsx';
import { entriesAt, type Entries } from '../picture.ts';

export function Rollouts({ entries }: { readonly entries: Entries }) {
  const lines = entriesAt<RolloutLine>(entries, 'rollout/').toSorted(worstFirst);
  if (lines.length === 0)
    return <Nothing>There are no CappSets and no Bundles here that you may read.</Nothing>;
  return (
    <ul class="cards broad">
      {lines.map((line) => (
        <li key={`${line.kind}/${line.namespace}/${line.name}`}>
          <RolloutCard line={line} />
        </li>
      ))}
    </ul>
  );
}

function RolloutCard({ line }: { readonly line: RolloutLine }) {
  const { kind, namespace, name, tone, ready, revision, reason, says, until, sites } = line;
  return (
    <article class={`card edge-${tone}`}>
      <h2>
        <a data-item href={`#/rollouts/${kind}/${namespace}/${name}`}>
          <span class="dim">{namespace} /</span> {name}
        </a>
        <span class="tag">{kind}</span>
      </h2>
      <p>
        <Toned tone={tone}>{reason}</Toned>
        {until === null ? null : (
          <>
            {' '}
            <Until time={until} />
          </>
        )}
      </p>
      <Progress
        share={sites.all === 0 ? 0 : sites.ready / sites.all}
        label={`Sites of ${name} that are Ready`}
      />
      <p class="small">
        <span class="figure">{ready === '' ? '0/0' : ready}</span> sites Ready at revision{' '}
        <code>{revision === '' ? 'unknown' : revision}</code>
        {sites.failed > 0 ? <strong> · {sites.failed} failed</strong> : null}
      </p>
      <p class="dim small">{says}</p>
    </article>
  );
}

function worstFirst(a: RolloutLine, b: RolloutLine): number {
  const order = TONE_ORDER.indexOf(a.tone) - TONE_ORDER.indexOf(b.tone);
  return order || (`${a.namespace}/${a.name}` < `${b.namespace}/${b.name}` ? -1 : 1);
}
