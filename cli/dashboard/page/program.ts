// The program behind the page, once the tab has been let in.
import type { PageProgram } from './hub.ts';

let behind: PageProgram | null = null;

export function letIn(found: PageProgram): void {
  behind = found;
}

/** Throws before the tab has been let in: nothing that asks is drawn before. */
export function program(): PageProgram {
  if (behind === null) throw new Error('This tab has not been let in');
  return behind;
}
