// What the conditions say of an object that is on sites and cannot be shipped as it is now. Pure.
import type { RolloutRefusal } from '../kind.ts';
import type { Saying } from './conditions.ts';
import type { RolloutCourse } from './said.ts';

/** Whether something of it waits for a person, or for another copy, beside what is wrong with it. */
export function waitsBeside({
  held,
  last,
  unremoved,
}: Pick<RolloutCourse, 'held' | 'last' | 'unremoved'>): boolean {
  return held > 0 || last !== null || unremoved.length > 0;
}

/** `waits`: what waits beside that, in sentences; null if nothing does. */
export function unshippableSaid(
  { reason, message }: RolloutRefusal,
  waits: string | null,
): Readonly<Record<'Ready' | 'Progressing' | 'Stalled', Saying<string>>> {
  const said = `${message} What runs on its sites goes on, and no site gets anything new until then.`;
  const nothing = 'Nothing is sent to sites.';
  return {
    Ready: [false, reason, said],
    Progressing: [false, reason, waits === null ? nothing : `${nothing} ${waits}`],
    Stalled: [true, reason, message],
  };
}
