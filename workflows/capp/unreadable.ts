// Counts messages to a Capp's workflow that cannot be read, and ignores them otherwise.
import { withUnreadable } from './after/rings.ts';
import type { CappLife } from './life.ts';

export function countUnreadable(life: Pick<CappLife, 'runtime' | 'state'>): void {
  life.state = withUnreadable(life.state);
  life.runtime.countUnreadable();
}

/** Takes the message, or counts it if it is null, which means unreadable. A signal cannot be refused. */
export function takeReadable<T>(
  life: CappLife,
  read: T | null,
  take: (read: T) => Promise<void> | void,
): Promise<void> | void {
  if (read !== null) return take(read);
  countUnreadable(life);
}
