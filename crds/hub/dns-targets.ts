// To which names DNS records may lead, and which hostnames would stand in their way. Pure.
import { canonicalHostname } from '../capp/hostname.ts';
import type { DnsConfig } from './rcs-config.ts';

type Targets = Pick<DnsConfig, 'zone' | 'allowedTargets'>;

/** Whether a record may lead to the name. Takes it in its canonical spelling. */
export function isAllowedTarget(name: string, { allowedTargets }: Pick<Targets, 'allowedTargets'>): boolean {
  return allowedTargets.some((one) => matches(canonicalHostname(one), name));
}

/**
 * The allowed target that the name is, or is in; undefined if it is none. A pattern that takes in the whole
 * zone says nothing of a single name in it.
 */
export function targetOver(name: string, { zone, allowedTargets }: Targets): string | undefined {
  const whole = canonicalHostname(zone);
  const isOfAll = (target: string): boolean =>
    target.startsWith('*.') && `.${whole}`.endsWith(target.slice(1));
  return allowedTargets.map(canonicalHostname).find((target) => !isOfAll(target) && matches(target, name));
}

/** `*.` stands for one label or more. */
function matches(target: string, name: string): boolean {
  return target.startsWith('*.') ? name.endsWith(target.slice(1)) : name === target;
}
