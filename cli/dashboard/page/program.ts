// The program behind the page, once the tab has been let in.
import type { Program } from './hub.ts';

let behind: Program | null = null;

export function letIn(found: Program): void {
  behind = found;
}

/** Throws before the tab has been let in: nothing that asks is drawn before. */
export function program(): Program {
  if (behind === null) throw new Error('This tab has not been let in');
  return behind;
}
