// `kubectl capp why`: how a site was chosen, what the Capp waits for and until when, and what would help.
import { explain, type Choice, type Considered, type Explanation, type Finding } from '../explain/why.ts';
import { readCapp } from '../hub/capps.ts';
import { age, span } from '../show/age.ts';
import { formatFrom, print } from '../show/output.ts';
import { printable } from '../show/printable.ts';
import { table, type Cell } from '../show/table.ts';
import type { Colours } from '../terminal.ts';
import { acting, inFormats, onHub, type Program } from './command.ts';

interface Flags {
  readonly output?: string;
}

export function addWhy(program: Program): void {
  inFormats(onHub(program.root.command('why')))
    .description('say why a Capp is where it is, what it waits for, and what would help')
    .argument('<capp>', 'its name, or namespace/name')
    .action(
      acting<Flags>(program, async ({ args: [name = ''], flags, hub, terminal }) => {
        const format = formatFrom(flags.output);
        const explanation = explain(await readCapp(hub, name));
        print(terminal, format, explanation, () =>
          whyText(explanation, { now: Date.now(), colours: terminal.colours }),
        );
        return 'done';
      }),
    );
}

export interface WhyOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly colours: Colours;
}

export function whyText(explanation: Explanation, options: WhyOptions): string {
  const { choice, findings, lastMove } = explanation;
  const parts = [
    headOf(explanation, options),
    ...findings.map((finding) => findingText(finding, options)),
    ...(lastMove === null ? [] : [printable(`${lastMove.words} ${lastMove.message}`)]),
    ...(choice === null ? [] : [choiceText(choice, options)]),
  ];
  return parts.join('\n\n');
}

function headOf(
  { namespace, name, site, isCurrent, findings }: Explanation,
  { colours }: WhyOptions,
): string {
  const where = site === null ? 'is on no site' : `is on ${site}`;
  const how = findings.length === 0 && isCurrent ? ', and nothing is missing' : '';
  const head = colours.bold(`${namespace}/${name} ${where}${how}.`);
  const late =
    'The hub has not looked at its newest generation yet. That takes seconds; if it does not happen, the bridge or Temporal is not running: kubectl capp doctor';
  return isCurrent ? head : `${head}\n${late}`;
}

function findingText(finding: Finding, { now, colours }: WhyOptions): string {
  const { condition, status, reason, since, until, words, message, remedy, command } = finding;
  const title = `${condition}=${status} (${reason}), since ${age(since, now)}`;
  const rows = [
    ['means', words],
    ['says', message],
    ['until', until === null ? '' : `${until} (${remaining(until, now)})`],
    ['helps', remedy],
    ['run', command],
  ];
  const lines = rows
    .filter(([, text]) => text !== '')
    .map(([label = '', text = '']) => `  ${colours.dim(label.padEnd(6))} ${printable(text)}`);
  return [colours.yellow(printable(title)), ...lines].join('\n');
}

function remaining(until: string, now: number): string {
  const left = Date.parse(until) - now;
  return left > 0 ? `in ${span(left)}` : `${span(-left)} ago`;
}

function choiceText(choice: Choice, { now, colours }: WhyOptions): string {
  const { at, site, placement, reason, words, considered } = choice;
  const by = placement === null ? '' : ` by placement ${placement}`;
  const what = site === null ? `No site could be chosen${by}` : `${site} was chosen${by}`;
  const head = colours.bold(printable(`${what}, ${age(at, now)} ago (${reason}): ${words}`));
  if (considered.length === 0) return head;
  const rows = considered.map((one) => rowOf(one, colours));
  return `${head}\n${table(['SITE', 'SCORE', 'CAPPS', 'OUTCOME', 'WHY NOT'], rows)}`;
}

function rowOf({ site, score, capps, outcome, because }: Considered, colours: Colours): Cell[] {
  const paint = { chosen: colours.green, candidate: String, excluded: colours.dim }[outcome];
  const numbers = [score, capps].map((number) => (number === null ? '' : String(number)));
  return [site, ...numbers, { text: outcome, paint }, because ?? ''];
}
