// Faults, a line each, as `kubectl capp doctor` shows them.
import type { Fault } from '../doctor/facts.ts';
import type { Colours } from '../terminal.ts';
import { printable } from './printable.ts';

export function faultsText(faults: readonly Fault[], { red }: Colours): string {
  return faults
    .map(({ about, problem, remedy }) => `${red('✗')} ${printable(`${about}: ${problem} ${remedy}`)}`)
    .join('\n');
}
