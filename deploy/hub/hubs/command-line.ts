// The command line of `cappstan hubs`.
import { resolve } from 'node:path';
import { flagsIn } from '../../local/given.ts';
import { DATA_DIRECTORY } from '../config/config.ts';
import { ConfigRefused } from '../config/refused.ts';
import { LIST_FORMATS, type ListFormat } from './text.ts';

export const HELP = `Usage: cappstan hubs [--data-dir <folder>] [-o <format>]

Lists the hubs of this machine: those that run, those that you have started before, and that in ${DATA_DIRECTORY}.
It changes nothing. MEMORY counts what processes share with each other more than once.

  --data-dir <folder>     a further hub's; may be given again
  -o, --output <format>   the form of the answer: ${LIST_FORMATS.join(', ')}; a table if not given
  -h, --help              this text`;

export interface HubsCommand {
  readonly isHelp: boolean;
  readonly format: ListFormat;
  /** Absolute. */
  readonly directories: readonly string[];
}

/** Throws ConfigRefused. */
export function hubsAskedBy(args: readonly string[]): HubsCommand {
  const options = {
    'data-dir': { type: 'string', multiple: true },
    output: { type: 'string', short: 'o' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const refused = (said: string): ConfigRefused => new ConfigRefused([`${said} See cappstan hubs --help.`]);
  const { values, positionals } = flagsIn(args, options, refused);
  const [extra] = positionals;
  if (extra !== undefined) throw refused(`"${extra}" belongs to no flag.`);
  const format = values.output === undefined ? 'table' : LIST_FORMATS.find((one) => one === values.output);
  if (format === undefined)
    throw new ConfigRefused([
      `There is no output format "${values.output}": use ${LIST_FORMATS.join(', ')}.`,
    ]);
  const directories = values['data-dir'] ?? [];
  if (directories.includes('')) throw refused('--data-dir needs a folder behind it.');
  return { isHelp: values.help === true, format, directories: directories.map((one) => resolve(one)) };
}
