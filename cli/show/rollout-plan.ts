// The plan of a CappSet or a Bundle, for people.
import { NEW_REVISION, type RolloutPlan } from '../../crds/rollout/plan.ts';
import { shownRevision } from '../../crds/rollout/revision.ts';
import type { Colours } from '../terminal.ts';
import { printable } from './printable.ts';
import { table } from './table.ts';

export interface PlanOptions {
  /** Whose plan it is. */
  readonly is: keyof typeof COPIES;
  /** All sites of each step, and not only the first of them. */
  readonly isWide: boolean;
  readonly colours: Colours;
}

const NAMED = 6;

/** What is on a site. */
const COPIES = { CappSet: 'Capp', Bundle: 'copy' } as const;
const PLURALS = { CappSet: 'their Capps are', Bundle: 'it is' } as const;

export function rolloutPlanText(plan: RolloutPlan, options: PlanOptions): string {
  const parts = [
    headOf(plan, options),
    stepsText(plan, options),
    ...asideOf(plan, options),
    changesText(plan, options),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function headOf({ revision, settled, steps, removed }: RolloutPlan, { colours }: PlanOptions): string {
  const sites = new Set(steps.flatMap((step) => step.sites)).size;
  const from = settled === undefined || settled === revision ? '' : `, from ${shownRevision(settled)}`;
  const isNothing = sites === 0 && removed.sites.length === 0;
  const what = isNothing ? 'no site would change' : `${count(sites, 'site')} would change`;
  const name = revision === NEW_REVISION ? 'A new revision' : `Revision ${shownRevision(revision)}`;
  return colours.bold(`${name}${from}: ${what}. Nothing has been changed.`);
}

function stepsText({ steps, last, stop }: RolloutPlan, options: PlanOptions): string {
  const rows = steps.map(({ stage, atOnce, revision, after, sites }, at) => [
    String(at + 1),
    stage,
    shownRevision(revision),
    after.map(waitText).join(', then '),
    sites.length === 1 ? '' : `${Math.min(atOnce, sites.length)} at once`,
    named(sites, options),
  ]);
  const shown =
    rows.length === 0 ? [] : [table(['', 'STAGE', 'REVISION', 'AFTER', 'HOW', 'SITES, IN ORDER'], rows)];
  const end = last.length === 0 ? [] : [`It is done after: ${last.map(waitText).join(', then ')}.`];
  const halt = stop === undefined ? [] : [printable(`It would stop there (${stop.reason}): ${stop.message}`)];
  return [...shown, ...end, ...halt].join('\n');
}

const WAITS: Readonly<Record<string, (stage: string) => string>> = {
  AwaitsApproval: (stage) => `approval of ${stage}`,
  Soaking: (stage) => `soak of ${stage}`,
  Verifying: (stage) => `the checks of ${stage}`,
  OutsideWindow: () => 'a window opens',
};

function waitText({ reason, stage, until }: RolloutPlan['last'][number]): string {
  const what = WAITS[reason]?.(stage) ?? reason;
  return until === undefined ? what : `${what} (not before ${until.replace(/\.\d+Z$/, 'Z')})`;
}

/** What does not change by the steps. */
function asideOf({ offline, excluded, removed }: RolloutPlan, options: PlanOptions): string[] {
  const { sites, held, kept } = removed;
  return [
    offline.length === 0
      ? ''
      : `Cannot be reached, and get it when they are back: ${named(offline, options)}.`,
    excluded.length === 0
      ? ''
      : `Selected, and may have no ${COPIES[options.is]}: ${named(
          excluded.map(({ site, reason }) => `${site} (${reason})`),
          options,
        )}.`,
    sites.length === 0
      ? ''
      : `No longer selected, so ${PLURALS[options.is]} removed: ${named(sites, options)}.`,
    held === 0
      ? ''
      : `${count(held, 'removal')} would wait for a person, because they are many (RemovalHeld).`,
    kept === 0
      ? ''
      : `${count(kept, 'Capp')} on sites that are no longer selected would stay, as whenUnselected asks.`,
  ].filter((line) => line !== '');
}

function changesText({ changes, moreChanges }: RolloutPlan, options: PlanOptions): string {
  const { colours } = options;
  const shown = changes.map(({ sites, what, lines, more }) => {
    const title = colours.yellow(`${titleOf(what, options)} ${named(sites, options)}`);
    const none =
      what === 'changed' && lines.length === 0 ? [`(no field of the ${COPIES[options.is]} differs)`] : [];
    const rest = more > 0 ? [`and ${count(more, 'more field')}`] : [];
    return [title, ...[...lines, ...none, ...rest].map((line) => `  ${printable(line)}`)].join('\n');
  });
  const hidden =
    moreChanges > 0
      ? [`${count(moreChanges, 'site')} more differ in other ways: name them by smaller stages.`]
      : [];
  return [...shown, ...hidden].join('\n\n');
}

function titleOf(what: RolloutPlan['changes'][number]['what'], { is }: PlanOptions): string {
  const titles = {
    created: `A new ${COPIES[is]} on`,
    changed: 'Changed on',
    refused: 'Cannot be written on',
  };
  return titles[what];
}

function named(sites: readonly string[], { isWide }: PlanOptions): string {
  const more = sites.length - NAMED;
  return isWide || more <= 0 ? sites.join(', ') : `${sites.slice(0, NAMED).join(', ')} and ${more} more`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
