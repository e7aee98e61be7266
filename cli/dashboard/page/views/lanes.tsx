// Stages from left to right, with the gate before each, and their sites as chips.
import type { Chip } from '../../view/rollout/chips.ts';
import type { LaneHold, StageGateModel } from '../../view/rollout/gates.ts';
import type { Lane } from '../../view/rollout/rollouts.ts';
import { span } from '../../../show/age.ts';
import { Mark } from '../parts/mark.tsx';
import { Nothing, Until } from '../parts/words.tsx';

export function Lanes({ lanes }: { readonly lanes: readonly Lane[] }) {
  if (lanes.length === 0) return <Nothing>The hub has not looked at it yet.</Nothing>;
  return (
    <ol class="lanes">
      {lanes.map((lane) => (
        <li key={lane.name} class={`lane is-${lane.state.toLowerCase()}`}>
          <GateLine gate={lane.gate} state={lane.state} />
          {lane.hold === null ? null : <HoldLine hold={lane.hold} />}
          <h3>
            {lane.name} <span class="tag">{lane.state}</span>
          </h3>
          <p class="small dim">{countsText(lane.counts)}</p>
          <Chips chips={lane.chips} />
          <Checks chips={lane.chips} />
          {lane.gate.soakSeconds > 0 ? (
            <p class="small dim">
              Then each of its sites stays Ready for {span(lane.gate.soakSeconds * 1000)}.
            </p>
          ) : null}
        </li>
      ))}
    </ol>
  );
}

const HOLDS = {
  Soaking: ['Soaks', 'is over'],
  Verifying: ['Is checked', 'verdict'],
  OutsideWindow: ['No window is open', 'opens'],
} as const;

function HoldLine({ hold: { is, until } }: { readonly hold: LaneHold }) {
  const [words, ends] = HOLDS[is];
  return (
    <p class="gate small">
      <Mark tone="held" /> {words}
      {until === null ? null : (
        <>
          , {ends} <Until time={until} />
        </>
      )}
    </p>
  );
}

/** So many sites are named with what their checks came to. */
const MOST_CHECKS = 5;

function Checks({ chips }: { readonly chips: readonly Chip[] }) {
  const checked = chips.filter(({ checks }) => checks !== '');
  if (checked.length === 0) return null;
  const more = checked.length - MOST_CHECKS;
  return (
    <ul class="rows small" aria-label="Checks">
      {checked.slice(0, MOST_CHECKS).map(({ site, checks }) => (
        <li key={site}>
          <strong>{site}</strong> <span class="dim">{checks}</span>
        </li>
      ))}
      {more > 0 ? <li class="dim">and {more} more</li> : null}
    </ul>
  );
}

function countsText({ sites, ready, underWay, failed, offline }: Lane['counts']): string {
  const parts = [
    `${ready} of ${sites} Ready`,
    underWay > 0 ? `${underWay} under way` : '',
    failed > 0 ? `${failed} failed` : '',
    offline > 0 ? `${offline} offline` : '',
  ];
  return parts.filter((one) => one !== '').join(' · ');
}

const APPROVALS = {
  given: 'Approved',
  awaited: 'Waits for approval',
  later: 'Needs approval later',
} as const;

function openingOf(state: string): string {
  return { Waiting: 'Opens after the stage before it', Passed: 'Passed', Back: 'Goes back' }[state] ?? 'Open';
}

function GateLine({
  gate: { approval, approvedBy },
  state,
}: {
  readonly gate: StageGateModel;
  readonly state: string;
}) {
  const tone = approval === 'awaited' ? 'held' : state === 'Waiting' ? 'busy' : 'good';
  const words = approval === null ? openingOf(state) : APPROVALS[approval];
  return (
    <p class="gate small">
      <Mark tone={tone} /> {words}
      {approvedBy === null ? '' : ` by ${approvedBy}`}
    </p>
  );
}

export function Chips({ chips }: { readonly chips: readonly Chip[] }) {
  return (
    <ul class="chips">
      {chips.map(({ site, tone, says, app }) => (
        <li key={site} class={`chip tone-${tone}`}>
          <Mark tone={tone} />
          {app === null ? (
            <span>{site}</span>
          ) : (
            <a data-item href={`#/apps/${app}`}>
              {site}
            </a>
          )}
          <span class="small">{says}</span>
        </li>
      ))}
    </ul>
  );
}
