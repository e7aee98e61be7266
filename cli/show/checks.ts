// What checks asked for and what was measured, as `why` shows it.
import type { ExplainedCheck, ExplainedChecks } from '../explain/checks/capp.ts';
import type { StageChecks } from '../explain/checks/stages.ts';
import { age } from './age.ts';
import { paragraph, type WhyOptions } from './finding.ts';
import { printable } from './printable.ts';
import { table } from './table.ts';

export function checksText({ words, at, checks }: ExplainedChecks, options: WhyOptions): string {
  const when = at === null ? '' : ` That was ${age(at, options.now)} ago, at ${at}.`;
  const head = options.colours.bold(printable(`${words}${when}`));
  return [head, ...checks.map((check) => checkText(check, options))].join('\n');
}

function checkText(
  { name, verdict, asked, says, measurements }: ExplainedCheck,
  { colours }: WhyOptions,
): string {
  const rows = [
    ['asked', asked],
    ['found', says],
  ];
  const title = paragraph(`Check ${name}: ${verdict === 'UnderWay' ? 'under way' : verdict}`, rows, colours);
  if (measurements.length === 0) return title;
  return `${title}\n${table(
    ['AT', 'RESULT', 'MEASURED'],
    measurements.map((one) => [one.at, one.is, one.says]),
  )}`;
}

export function stageChecksText({ stage, state, checks }: StageChecks, { colours }: WhyOptions): string {
  const rows = checks.map(({ name, asked }) => ['asked', `${name}: ${asked}`]);
  return paragraph(`The checks of stage ${stage} (${state})`, rows, colours);
}
