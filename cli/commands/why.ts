// `kubectl capp why`: how a site was chosen, what a Capp, a CappSet or a Bundle waits for and until when, and
// what would help.
import { explainBundle, explainSet } from '../explain/set/spread.ts';
import {
  explain,
  headline,
  NOT_CURRENT,
  type ExplainedChoice,
  type Considered,
  type Explanation,
} from '../explain/capp/why.ts';
import type { ShownSite } from '../explain/capp/shown.ts';
import { checksOfMembers, type MemberChecks } from '../hub/objects/checked.ts';
import { shownIfUnseen } from '../hub/logs/shown.ts';
import { readNamed, type NamedObject } from '../hub/objects/named.ts';
import { age } from '../show/age.ts';
import { checksText } from '../show/checks.ts';
import { findingText, type WhyOptions } from '../show/finding.ts';
import { formatFrom, print } from '../show/output.ts';
import { printable } from '../show/printable.ts';
import { spreadText } from '../show/spread.ts';
import { table, type Cell } from '../show/table.ts';
import type { Colours } from '../terminal.ts';
import { acting, inFormats, onHub, type Program } from './command.ts';

interface Flags {
  readonly output?: string;
}

export function addWhy(program: Program): void {
  inFormats(onHub(program.root.command('why')))
    .description(
      'say why a Capp is where it is, why it, a CappSet or a Bundle is stuck, what it waits for, and what would help',
    )
    .argument('<capp>', 'its name, namespace/name, cappset/name or bundle/name')
    .action(
      acting<Flags>(program, async ({ args: [name = ''], flags, hub, terminal }) => {
        const format = formatFrom(flags.output);
        const found = await readNamed(hub, name);
        const now = Date.now();
        const { value, text } = explained(found, {
          now,
          shown: found.is === 'Capp' ? await shownIfUnseen(hub, found.object, terminal.interrupted) : null,
          members: found.is === 'CappSet' ? await checksOfMembers(hub, found.object, now) : [],
        });
        print(terminal, format, value, () => text({ now, colours: terminal.colours }));
        return 'done';
      }),
    );
}

/** What is asked beside the object's own status. */
interface BesideStatus {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly shown: readonly ShownSite[] | null;
  readonly members: readonly MemberChecks[];
}

/** For programs, and for people. */
function explained(
  found: NamedObject,
  { now, shown, members }: BesideStatus,
): { value: object; text: (options: WhyOptions) => string } {
  if (found.is === 'Capp') {
    const value = explain(found.object, now);
    if (shown === null) return { value, text: (options) => whyText(value, options) };
    const said = `Asked now, by the hub's reader: ${shown.map(({ says }) => says).join(' ')}`;
    return {
      value: { ...value, shown },
      text: (options) => `${whyText(value, options)}\n\n${printable(said)} Nothing is decided by this.`,
    };
  }
  if (found.is === 'Bundle') {
    const value = explainBundle(found.object);
    return { value, text: (options) => spreadText(value, options) };
  }
  const value = { ...explainSet(found.object), members };
  const text = (options: WhyOptions): string =>
    [
      spreadText(value, options),
      ...members.flatMap(({ capp, checks }) =>
        checks.map((one) => `${printable(`Capp ${capp}`)}: ${checksText(one, options)}`),
      ),
    ].join('\n\n');
  return { value, text };
}

export function whyText(explanation: Explanation, options: WhyOptions): string {
  const { checks, choice, findings, lastMove, set, namespace } = explanation;
  const parts = [
    headOf(explanation, options),
    ...(set === null
      ? []
      : [
          `CappSet ${set} keeps it there, and writes its spec: kubectl capp why cappset/${set} -n ${namespace}`,
        ]),
    ...findings.map((finding) => findingText(finding, options)),
    ...checks.map((one) => checksText(one, options)),
    ...(lastMove === null ? [] : [printable(`${lastMove.words} ${lastMove.message.replace(/\.?$/, '.')}`)]),
    ...(choice === null ? [] : [choiceText(choice, options)]),
  ];
  return parts.join('\n\n');
}

function headOf(explanation: Explanation, { colours }: WhyOptions): string {
  const head = colours.bold(headline(explanation));
  return explanation.isCurrent ? head : `${head}\n${NOT_CURRENT}`;
}

function choiceText(choice: ExplainedChoice, { now, colours }: WhyOptions): string {
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
