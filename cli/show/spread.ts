// Why a CappSet or a Bundle is not Ready everywhere, for people.
import { shownRevision } from '../../crds/rollout/revision.ts';
import type { FailingFor, ExplainedSpread } from '../explain/set/spread.ts';
import { stageChecksText } from './checks.ts';
import { findingText, paragraph, type WhyOptions } from './finding.ts';
import { table } from './table.ts';

export function spreadText(spread: ExplainedSpread, options: WhyOptions): string {
  const { findings, failing, stages } = spread;
  return [
    headOf(spread, options),
    ...findings.map((finding) => findingText(finding, options)),
    ...failing.map((one) => failingText(one, options)),
    ...stages.map((one) => stageChecksText(one, options)),
  ].join('\n\n');
}

function headOf(
  { kind, namespace, name, isGoing, isCurrent, readySites, revision, findings }: ExplainedSpread,
  { colours }: WhyOptions,
): string {
  const at = revision === '' ? '' : ` at revision ${shownRevision(revision)}`;
  const where = readySites === '' ? 'is not known yet' : `is Ready on ${readySites} sites${at}`;
  const how = findings.length === 0 && isCurrent ? ', and nothing is missing' : '';
  const head = colours.bold(`${kind} ${namespace}/${name} ${isGoing ? 'is being deleted' : where}${how}.`);
  const late =
    'The hub has not looked at its newest generation yet. That takes seconds; if it does not happen, the bridge or Temporal is not running: kubectl capp doctor';
  return isCurrent ? head : `${head}\n${late}`;
}

function failingText(
  { reason, words, remedy, command, places }: FailingFor,
  { colours }: WhyOptions,
): string {
  const count = places.length === 1 ? '1 site' : `${places.length} times`;
  const rows = [
    ['means', words],
    ['helps', remedy],
    ['run', command],
  ];
  const told = places.map(({ site, what, message }) => [site, what, message]);
  return `${paragraph(`${reason}, ${count}`, rows, colours)}\n${table(['SITE', 'WHAT', 'SAYS'], told)}`;
}
