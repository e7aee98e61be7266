// The time, second by second, and times as people say them.
import { signal } from '@preact/signals';
import { span } from '../../show/age.ts';

export const now = signal(Date.now());

setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 1000);

/** A count-down: `4m 05s`. */
export function countDown(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds >= 7200) return span(ms);
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return minutes === 0 ? `${rest}s` : `${minutes}m ${String(rest).padStart(2, '0')}s`;
}

/** `14:02:11`, in the person's own time zone. */
export function clockTime(time: string | number): string {
  return new Date(time).toLocaleTimeString('en-GB');
}
