// The newest decision record: who could take the Capp, with scores drawn, and who was left out and why.
import type { ExplainedChoice, Considered, Explanation } from '../../../explain/capp/why.ts';
import { Nothing, Since } from '../parts/words.tsx';

type Props = Pick<Explanation, 'choice' | 'lastMove'>;

export function WhyHere({ choice, lastMove }: Props) {
  return (
    <>
      {choice === null ? <Nothing>The hub has not chosen a site yet.</Nothing> : <Chosen choice={choice} />}
      {lastMove === null ? null : (
        <p class="dim">
          {lastMove.words} {lastMove.message}
        </p>
      )}
    </>
  );
}

function Chosen({ choice }: { readonly choice: ExplainedChoice }) {
  const { at, site, placement, words, reason, considered } = choice;
  const ranked = considered.filter(({ outcome }) => outcome !== 'excluded');
  const best = Math.max(1, ...ranked.map(({ score }) => Math.abs(score ?? 0)));
  const sorted = ranked.toSorted((a, b) => rank(b) - rank(a));
  return (
    <>
      <p>
        <strong>{site ?? 'No site'}</strong> {site === null ? 'could be chosen' : 'was chosen'}
        {placement === null ? '' : ` by placement ${placement}`}, <Since time={at} /> ago. {words}{' '}
        <span class="tag">{reason}</span>
      </p>
      {sorted.length === 0 ? null : (
        <table class="scores">
          <thead>
            <tr>
              <th scope="col">Site</th>
              <th scope="col">Score</th>
              <th scope="col">Capps then</th>
            </tr>
          </thead>
          <tbody>
            {sorted.map((one) => (
              <Ranked key={one.site} one={one} best={best} />
            ))}
          </tbody>
        </table>
      )}
      <LeftOut those={considered.filter(({ outcome }) => outcome === 'excluded')} />
    </>
  );
}

function rank({ outcome, score }: Considered): number {
  return (outcome === 'chosen' ? 1e9 : 0) + (score ?? 0);
}

function Ranked({
  one: { site, score, capps, outcome },
  best,
}: {
  readonly one: Considered;
  readonly best: number;
}) {
  return (
    <tr class={outcome}>
      <th scope="row">
        <a data-item href={`#/fleet?site=${encodeURIComponent(site)}`}>
          {site}
        </a>
        {outcome === 'chosen' ? <span class="tag">chosen</span> : null}
      </th>
      <td>
        <div class="score">
          <span class="figure">{score ?? 'none'}</span>
          <span class="bar" aria-hidden="true">
            <span style={{ width: `${(Math.max(0, score ?? 0) / best) * 100}%` }} />
          </span>
        </div>
      </td>
      <td class="figure">{capps}</td>
    </tr>
  );
}

function LeftOut({ those }: { readonly those: readonly Considered[] }) {
  if (those.length === 0) return null;
  return (
    <ul class="rows">
      {those.map(({ site, because }) => (
        <li key={`${site}${because}`} class="dim">
          <strong>{site}</strong> {because}
        </li>
      ))}
    </ul>
  );
}
