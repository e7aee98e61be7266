// What a drain would do: who would go where, and who would stay and why.
import type { DrainView } from '../../../explain/drain.ts';
import { Nothing } from './words.tsx';

export function DrainPlan({ plan }: { readonly plan: DrainView }) {
  const { waiting, stayed, targets, stays } = plan;
  return (
    <div class="plan">
      <p>
        <strong>
          {waiting} would move{stayed === 0 ? '' : `, and ${stayed} would stay`}.
        </strong>{' '}
        Nothing has been changed.
      </p>
      {targets.length === 0 ? null : (
        <p>To {targets.map(({ site, capps }) => `${site} (${capps})`).join(', ')}.</p>
      )}
      {stayed === 0 ? null : <Stays stays={stays} stayed={stayed} />}
    </div>
  );
}

export function Stays({ stays, stayed }: Pick<DrainView, 'stays' | 'stayed'>) {
  if (stayed === 0) return <Nothing>Nobody stays.</Nothing>;
  const more = stayed - stays.length;
  return (
    <>
      <ul class="rows">
        {stays.map(({ capp, reason, remedy }) => (
          <li key={capp}>
            <a data-item href={`#/apps/${capp}`}>
              {capp}
            </a>{' '}
            <span class="tag">{reason}</span>
            <br />
            <span class="dim small">{remedy}</span>
          </li>
        ))}
      </ul>
      {more > 0 ? <p class="dim small">and {more} more, which the hub does not name.</p> : null}
    </>
  );
}
