// Which lines of a container's log an API server asks a kubelet for. Pure.
import type { ContainerAt, WrittenLine } from './pod-logs.ts';

export interface LogAsked {
  readonly container: ContainerAt;
  readonly isFollowed: boolean;
  /** Each line begins with its time. */
  readonly isTimed: boolean;
  readonly tail: number | null;
  /** In milliseconds since the epoch. */
  readonly since: number | null;
  readonly mostBytes: number | null;
}

/** `/containerLogs/<namespace>/<pod>/<container>?…`; null for anything else. */
export function logAsked(url: string, now: number): LogAsked | null {
  const { pathname, searchParams: given } = new URL(url, 'https://kubelet');
  const [, namespace, pod, container] = /^\/containerLogs\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(pathname) ?? [];
  if (namespace === undefined || pod === undefined || container === undefined) return null;
  const number = (name: string): number | null => (given.has(name) ? Number(given.get(name)) : null);
  const seconds = number('sinceSeconds');
  const time = given.get('sinceTime');
  return {
    container: { namespace, pod, container },
    isFollowed: given.get('follow') === 'true',
    isTimed: given.get('timestamps') === 'true',
    tail: number('tailLines'),
    since: time !== null ? Date.parse(time) : seconds === null ? null : now - seconds * 1000,
    mostBytes: number('limitBytes'),
  };
}

export function chosen(
  lines: readonly WrittenLine[],
  { since, tail }: Pick<LogAsked, 'since' | 'tail'>,
): readonly WrittenLine[] {
  const newer = since === null ? lines : lines.filter(({ at }) => Date.parse(at) >= since);
  return tail === null ? newer : newer.slice(Math.max(0, newer.length - tail));
}

export function textOf({ at, text }: WrittenLine, { isTimed }: Pick<LogAsked, 'isTimed'>): string {
  return isTimed ? `${at} ${text}\n` : `${text}\n`;
}
