// The name at which a hub is reached: pure.
import { isIP } from 'node:net';
import type { Findings } from './refused.ts';
import { named } from './fields.ts';

const NAME = /^(?=.{1,253}$)[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*$/i;

/** Whether it is a name or an IPv4 address, and nothing else. */
export function isHost(text: string): boolean {
  return isIP(text) === 4 || (NAME.test(text) && !/^[\d.]+$/.test(text));
}

/** Null without one. A scheme is left out with a warning: upstream's own sample has one. */
export function hostnameOf(
  section: 'apiserver' | 'gateway',
  text: string | undefined,
  { refusals, warnings }: Findings,
): string | null {
  const field = `${section}.externalHostname`;
  if (text === undefined) return null;
  const scheme = /^[a-z][a-z\d+.-]*:\/\//i.exec(text)?.[0] ?? '';
  const rest = text.slice(scheme.length).replace(/\/$/, '');
  if (rest === '0.0.0.0')
    warnings.push(
      `${named(field)} is 0.0.0.0, at which nobody comes from another machine. Give a name or an address of this one, or leave it out.`,
    );
  if (isHost(rest)) {
    if (scheme !== '' || rest !== text)
      warnings.push(`${named(field)} is a bare name: "${text}" is read as "${rest}", and https is spoken.`);
    return rest;
  }
  const port = /^[^:/]+:(\d+)$/.exec(rest)?.[1];
  refusals.push(
    port === undefined
      ? `${named(field)} must be a name or an address, such as hub.example. It is "${text}".`
      : `${named(field)} must have no port. Leave :${port} out of "${text}", and give ${named(section === 'apiserver' ? 'apiserver.port' : 'gateway.externalPort')}.`,
  );
  return null;
}
