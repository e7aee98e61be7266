// `cappstan hubs`: the hubs of this machine.
import { runCommand, type Progress } from '../../local/terminal.ts';
import { hubsAskedBy, HELP } from './command-line.ts';
import { lookAtHubs } from './look.ts';
import { printable, textOf } from './text.ts';

async function main(screen: Progress): Promise<void> {
  const { isHelp, format, directories } = hubsAskedBy(process.argv.slice(3));
  if (isHelp) return screen.say(HELP);
  const hubs = await lookAtHubs(directories);
  if (hubs.length > 0 || format !== 'table') screen.say(textOf(hubs, format));
  else note('You have started no hub on this machine. Start one: cappstan hub --data-dir <folder>');
  if (format !== 'table') return;
  for (const { name, problem } of hubs) if (problem !== null) note(printable(`${name}: ${problem}`));
}

/** Beside the table, which programs may cut into columns. */
function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

await runCommand(main);
process.exit();
