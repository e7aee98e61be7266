// What a rollout would write next, where and when, by the planner of the hub; equal changes together.
import type { RolloutPlan } from '../../../../crds/rollout/plan.ts';
import { Nothing } from './words.tsx';

const TITLES = { created: 'A new copy on', changed: 'Changed on', refused: 'Cannot be written on' } as const;

export function PlanOfRollout({
  plan: { steps, changes, moreChanges, offline, stop },
}: {
  readonly plan: RolloutPlan;
}) {
  return (
    <>
      {steps.length === 0 ? <Nothing>No site would change.</Nothing> : null}
      <ol class="steps">
        {steps.map(({ stage, sites, atOnce, after }, at) => (
          <li key={at}>
            <strong>{stage}</strong>: {sites.join(', ')}{' '}
            <span class="dim">({Math.min(atOnce, sites.length)} at once)</span>
            {after.length === 0 ? null : (
              <span class="dim"> after {after.map(({ reason }) => reason).join(', then ')}</span>
            )}
          </li>
        ))}
      </ol>
      {stop === undefined ? null : (
        <p class="problem">
          It would stop there ({stop.reason}): {stop.message}
        </p>
      )}
      {offline.length === 0 ? null : (
        <p class="dim">Cannot be reached, and get it when they are back: {offline.join(', ')}.</p>
      )}
      {changes.map(({ sites, what, lines, more }, at) => (
        <details key={at} open={at === 0}>
          <summary>
            {TITLES[what]} {sites.length} {sites.length === 1 ? 'site' : 'sites'}
          </summary>
          <p class="small dim">{sites.join(', ')}</p>
          <pre>{[...lines, ...(more > 0 ? [`and ${more} more fields`] : [])].join('\n')}</pre>
        </details>
      ))}
      {moreChanges > 0 ? <p class="dim">{moreChanges} sites more differ in other ways.</p> : null}
    </>
  );
}
