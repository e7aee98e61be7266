// The colours of phases.
import type { ShownPhase } from '../explain/capp/phase.ts';
import type { Colours } from '../terminal.ts';
import type { Cell } from './table.ts';

export function phaseCell(phase: ShownPhase, colours: Colours): Cell {
  return { text: phase, paint: paintOf(phase, colours) };
}

function paintOf(phase: ShownPhase, { green, red, yellow, cyan, dim }: Colours): (text: string) => string {
  switch (phase) {
    case 'Ready':
      return green;
    case 'Degraded':
      return red;
    case 'Moving':
    case 'RollingOut':
      return cyan;
    case 'New':
    case 'Placing':
    case 'Paused':
      return yellow;
    case 'Deleting':
      return dim;
  }
}
