// `kubectl capp doctor`: a line with a remedy for each fault of the hub, and nothing when all is well.
import { examine } from '../doctor/examine.ts';
import { gather } from '../doctor/gather.ts';
import { isSite, onSite } from '../hub/connection/elsewhere.ts';
import { formatFrom, print } from '../show/output.ts';
import { printable } from '../show/printable.ts';
import { acting, inFormats, onHub, type Program } from './command.ts';
import { SITE_WORDS } from '../explain/site-words.ts';

interface Flags {
  readonly output?: string;
  readonly verbose?: true;
}

const SECOND_HAND =
  'What only Temporal knows was read from HubStatus hub, which the bridge writes: whether Temporal answers, its search attributes, who polls, and the builds of hub workers.';

export function addDoctor(program: Program): void {
  inFormats(onHub(program.root.command('doctor')))
    .description('look for faults of the hub; silent when there are none (for operators)')
    .option('-v, --verbose', 'say what was looked at, and what cannot be')
    .action(
      acting<Flags>(program, async ({ flags, hub, terminal }) => {
        const format = formatFrom(flags.output);
        if (await isSite(hub)) throw onSite(hub, 'the doctor looks at hubs');
        const { facts, unread } = await gather(hub);
        const faults = examine(facts, SITE_WORDS, Date.now());
        if (unread.length > 0)
          terminal.note(`You may not read, so this was not looked at: ${unread.join(', ')}.`);
        if (flags.verbose === true) terminal.note(SECOND_HAND);
        if (faults.length > 0 || format === 'json' || format === 'yaml')
          print(terminal, format, { faults, unread }, () =>
            faults
              .map(
                ({ about, problem, remedy }) =>
                  `${terminal.colours.red('✗')} ${printable(`${about}: ${problem} ${remedy}`)}`,
              )
              .join('\n'),
          );
        if (flags.verbose === true && faults.length === 0) terminal.out('No faults were found.');
        return faults.length === 0 ? 'done' : 'notSo';
      }),
    );
}
