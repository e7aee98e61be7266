// Sites that are being emptied: lanes, the queue, who stays and why.
import type { DrainLine } from '../../view/drains.ts';
import { address } from '../address.ts';
import { Stays } from '../parts/drain-plan.tsx';
import { Toned } from '../parts/mark.tsx';
import { Acts } from '../parts/sheet.tsx';
import { Nothing, Panel, Progress, Since, Until } from '../parts/words.tsx';
import { entriesAt, type Entries } from '../picture.ts';

export function Drains({ entries }: { readonly entries: Entries }) {
  const [wanted] = address.value.names;
  const all = entriesAt<DrainLine>(entries, 'drain/').toSorted((a, b) => (a.site < b.site ? -1 : 1));
  const lines = wanted === undefined ? all : all.filter(({ site }) => site === wanted);
  if (lines.length === 0)
    return (
      <Nothing>
        {wanted === undefined ? 'No site is being drained.' : `${wanted} is not being drained.`} A site of the{' '}
        <a href="#/fleet">fleet</a> shows what a drain of it would do, to who may order one.
      </Nothing>
    );
  return (
    <>
      {wanted === undefined ? null : (
        <p>
          <a href="#/drains">All drains</a>
        </p>
      )}
      {lines.map((drain) => (
        <DrainPanel key={drain.site} drain={drain} />
      ))}
    </>
  );
}

function toneOf({ phase, isOver, stayed }: DrainLine) {
  if (phase === 'Paused' || phase === 'Stopped') return 'held';
  if (isOver) return stayed > 0 ? 'bad' : 'good';
  return phase === null ? 'busy' : 'moving';
}

function DrainPanel({ drain }: { readonly drain: DrainLine }) {
  const { site, share, says, isDryRun, requestedBy, reason, startedAt, doneAt, seen, lanes } = drain;
  return (
    <Panel
      title={site}
      aside={<Acts sheets={drain.acts} target={{ kind: 'Drain', namespace: '', name: site, seen }} />}
    >
      <p class="lead">
        <Toned tone={toneOf(drain)}>{isDryRun ? `Only planned. ${says}` : says}</Toned>
      </p>
      <Progress share={share} label={`Drain of ${site}`} />
      <p class="dim">
        {requestedBy === null ? 'Ordered by nobody that was recorded' : `Ordered by ${requestedBy}`}
        {reason === null ? '' : `: ${reason}`}
        {startedAt === null ? null : (
          <>
            {' '}
            · begun <Since time={startedAt} /> ago
          </>
        )}
        {doneAt === null ? null : (
          <>
            {' '}
            · done <Until time={doneAt} /> at the pace until now
          </>
        )}
      </p>
      <div class="columns">
        <Lanes drain={drain} />
        <section aria-label={`Who stays on ${site}`}>
          <h3>{drain.stayed === 0 ? 'Who stays' : `${drain.stayed} stay, and why`}</h3>
          <Stays stays={drain.stays} stayed={drain.stayed} />
        </section>
      </div>
      <p class="small dim">
        {lanes.width} at once, {lanes.perTarget} of them to one site, {lanes.ratePerSecond} begin within a
        second.
      </p>
    </Panel>
  );
}

function Lanes({ drain: { site, going, underWay, waiting, targets } }: { readonly drain: DrainLine }) {
  return (
    <section aria-label={`Who leaves ${site}`}>
      <h3>
        {underWay} on their way, {waiting} wait
      </h3>
      {targets.length === 0 ? null : (
        <p>To {targets.map((one) => `${one.site} (${one.capps})`).join(', ')}</p>
      )}
      <ol class="rows">
        {going.map(({ capp, site: to }, at) => (
          <li key={capp}>
            <Toned tone={at < underWay ? 'moving' : 'busy'}>
              <a data-item href={`#/apps/${capp}`}>
                {capp}
              </a>{' '}
              → {to}
            </Toned>
          </li>
        ))}
      </ol>
    </section>
  );
}
