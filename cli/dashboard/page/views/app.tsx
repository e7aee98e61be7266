// One Capp: how it is, what it waits for, why it is there, what it is made of, and what has happened to it.
import type { AppView, ConditionLine } from '../../view/app.ts';
import { Findings } from '../parts/finding.tsx';
import { PastOf } from '../parts/happenings.tsx';
import { Mark, Toned } from '../parts/mark.tsx';
import { Acts } from '../parts/sheet.tsx';
import { Panel, Since } from '../parts/words.tsx';
import { Checks } from './checks.tsx';
import { Logs } from './logs.tsx';
import { Tree } from './tree.tsx';
import { WhyHere } from './why-here.tsx';

export function App({ app }: { readonly app: AppView }) {
  const { namespace, name, tone, phase, set, hostname, findings, seen, behind, freshness } = app;
  const target = { kind: 'Capp', namespace, name, seen };
  return (
    <>
      <div class="head">
        <div>
          <h1>
            <span class="dim">{namespace} /</span> {name}
          </h1>
          <p class="lead">
            <Toned tone={tone}>{phase}</Toned> <Place app={app} />
          </p>
          {hostname === null ? null : <p class="dim">{hostname}</p>}
        </div>
        <Acts sheets={app.acts} target={target} />
      </div>
      {behind === '' ? null : <p class="problem">{behind}</p>}
      {freshness.is === 'unseen' ? (
        <p class="problem">
          Nobody on the site says how it is now: what stands here is <Since time={freshness.since} /> old.
        </p>
      ) : null}
      {set === null ? null : (
        <p>
          CappSet{' '}
          <a data-item href={`#/rollouts/CappSet/${namespace}/${set}`}>
            {set}
          </a>{' '}
          keeps it there, and writes its spec.
        </p>
      )}
      {findings.length === 0 ? null : (
        <Panel title="What it waits for, and what helps" class="urgent">
          <Findings findings={findings} />
        </Panel>
      )}
      <Checks checks={app.checks} />
      <div class="columns">
        <Panel title="Why here">
          <WhyHere choice={app.choice} lastMove={app.lastMove} />
        </Panel>
        <Panel title="From here to the Pods">
          <Tree branch={app.tree} />
        </Panel>
      </div>
      <div class="columns">
        <Panel title="What happened">
          <PastOf {...target} seen={`${seen}/${app.phase}/${app.site}`} />
        </Panel>
        <div class="stacked">
          <Panel title="Conditions">
            <Conditions conditions={app.conditions} />
          </Panel>
          <Logs namespace={namespace} name={name} mayRead={app.mayReadLogs} />
        </div>
      </div>
    </>
  );
}

/** Behind the name of a step. */
const STATES: Readonly<Record<AppView['steps'][number]['state'], string>> = {
  done: 'is done',
  'under way': 'is under way',
  failed: 'has failed',
  'not yet': 'has not begun',
};

function Place({ app: { site, readySince, steps } }: { readonly app: AppView }) {
  // A move that is not made is told of below: the app is where it was.
  const open = steps.find(
    ({ name, state }) => state !== 'done' && (name !== 'Moving' || state !== 'not yet'),
  );
  return (
    <>
      {site === null ? (
        'on no site'
      ) : (
        <>
          on{' '}
          <a data-item href={`#/fleet?site=${encodeURIComponent(site)}`}>
            {site}
          </a>
        </>
      )}
      {readySince === null ? null : (
        <>
          {' '}
          since <Since time={readySince} />
        </>
      )}
      {open === undefined ? null : (
        <span class="dim">
          {' '}
          · {open.name} {STATES[open.state]}
        </span>
      )}
    </>
  );
}

function Conditions({ conditions }: { readonly conditions: readonly ConditionLine[] }) {
  return (
    <ul class="rows">
      {conditions.map(({ type, status, tone, reason, since, message, words, remedy }) => (
        <li key={type}>
          <details>
            <summary>
              <Mark tone={tone} /> <strong>{type}</strong> {status} <span class="tag">{reason}</span>{' '}
              <span class="dim small">
                <Since time={since} />
              </span>
            </summary>
            <p>{words}</p>
            <p class="dim">{message}</p>
            <p>{remedy}</p>
          </details>
        </li>
      ))}
    </ul>
  );
}
