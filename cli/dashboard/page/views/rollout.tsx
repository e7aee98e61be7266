// One rollout: its stages as lanes with their sites, the gates between them, and what would change.
import type { RolloutModel } from '../../view/rollout/rollouts.ts';
import { Findings } from '../parts/finding.tsx';
import { PastOf } from '../parts/happenings.tsx';
import { Toned } from '../parts/mark.tsx';
import { Acts } from '../parts/sheet.tsx';
import { Nothing, Panel, Until } from '../parts/words.tsx';
import { Chips, Lanes } from './lanes.tsx';
import { WhatChanges } from './what-changes.tsx';

export function Rollout({ rollout }: { readonly rollout: RolloutModel }) {
  const { kind, namespace, name, findings, seen, loose, looseBecause, failing } = rollout;
  const target = { kind, namespace, name, seen };
  return (
    <>
      <div class="head">
        <div>
          <h1>
            <span class="dim">{namespace} /</span> {name} <span class="tag">{kind}</span>
          </h1>
          <Lead rollout={rollout} />
        </div>
        <Acts sheets={rollout.acts} target={target} />
      </div>
      <Panel title="Stages" aside={<Windows windows={rollout.windows} />}>
        <Lanes lanes={rollout.lanes} />
        {loose.length === 0 ? null : (
          <>
            <p class="dim small">{looseBecause}</p>
            <Chips chips={loose} />
          </>
        )}
      </Panel>
      {findings.length === 0 ? null : (
        <Panel title="What it waits for, and what helps" class="urgent">
          <Findings findings={findings} />
        </Panel>
      )}
      <div class="columns">
        <WhatChanges target={target} mayPlan={rollout.mayPlan} />
        <Panel title="What fails">
          <Failing failing={failing} />
        </Panel>
      </div>
      <Panel title="What happened">
        <PastOf {...target} />
      </Panel>
    </>
  );
}

function Lead({
  rollout: { tone, reason, message, until, ready, revision, from },
}: {
  readonly rollout: RolloutModel;
}) {
  return (
    <>
      <p class="lead">
        <Toned tone={tone}>{reason}</Toned> {message}
        {until === null ? null : (
          <>
            {' '}
            <Until time={until} />
          </>
        )}
      </p>
      <p class="dim">
        {ready === '' ? '0/0' : ready} sites Ready at revision{' '}
        <code>{revision === '' ? 'unknown' : revision}</code>
        {from === '' ? '' : ', from '}
        {from === '' ? null : <code>{from}</code>}
      </p>
    </>
  );
}

function Windows({ windows }: { readonly windows: readonly string[] }) {
  if (windows.length === 0) return <span class="dim small">at any time</span>;
  return <span class="dim small">only {windows.join('; ')}</span>;
}

function Failing({ failing }: Pick<RolloutModel, 'failing'>) {
  if (failing.length === 0) return <Nothing>Nothing fails.</Nothing>;
  return (
    <ul class="rows">
      {failing.map(({ reason, words, remedy, places }) => (
        <li key={reason}>
          <strong>{words}</strong> <span class="tag">{reason}</span>
          <p>{remedy}</p>
          <ul>
            {places.map(({ site, what, message }) => (
              <li key={`${site}${what}`}>
                {site} {what === '' ? '' : `(${what})`}: <span class="dim">{message}</span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
