// Flags before the command, as people type them for kubectl: `kubectl capp -n shop list`.
import { Command, type Option } from 'commander';
import { inFormats, onHub } from './commands/command.ts';

/** Those that nearly every command has. All of them take a value. */
export const SHARED: readonly Option[] = inFormats(onHub(new Command())).options;

/**
 * The same call with the flags behind the command, where commander looks for them. Flags alone ask for help.
 */
export function leadingFlagsLast(args: readonly string[]): string[] {
  const first = leadingWords(args);
  const [flags, rest] = [args.slice(0, first), args.slice(first)];
  if (rest.length === 0) return [];
  const end = rest.indexOf('--');
  return end < 0 ? [...rest, ...flags] : rest.toSpliced(end, 0, ...flags);
}

/**
 * How many words shared flags take before the command: more than there are where the value of the last one is
 * missing.
 */
export function leadingWords(args: readonly string[]): number {
  let first = 0;
  for (let taken = wordsOf(args[first]); taken > 0; taken = wordsOf(args[first])) first += taken;
  return first;
}

/** How many words a shared flag takes here; 0 if it is none. */
function wordsOf(word = ''): number {
  for (const { short, long } of SHARED) {
    if (word === short || word === long) return 2;
    if (
      word.startsWith(`${long}=`) ||
      (short !== undefined && word.startsWith(short) && !word.startsWith('--'))
    )
      return 1;
  }
  return 0;
}
