// A line whose token has ended, which it says itself: nobody has to be asked.
import type { JoinLine } from '../../crds/join/join-line.ts';
import { JoinRefused } from './refused.ts';

/** `now` in milliseconds since the epoch. Throws JoinRefused. An earlier line does not say when it ends. */
export function refuseEnded({ endsAt, cluster: bound }: JoinLine, cluster: string, now: number): void {
  if (endsAt === null || endsAt > now) return;
  const date = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');
  const another = bound === null ? 'cappstan token --any' : `cappstan token --cluster ${cluster} --existing`;
  throw new JoinRefused([
    `The line ended at ${date(endsAt)} UTC; by the clock of this machine it is ${date(now)}. Ask for a new line: ${another}.`,
  ]);
}
