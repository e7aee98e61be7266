// In which domains the Capps of which namespaces may have hostnames. Pure.
import type { RcsConfigSpec } from './rcs-config.ts';

type Domains = RcsConfigSpec['domains'];

/** Stands for every name that is in no other domain of the list. */
export const EVERY_NAME = '*';

/**
 * The domain that is not open to the namespace; undefined if it may have the hostname. Of several domains
 * that the name is in, the longest decides; a name that is in none is anybody's. Takes the name as
 * `comparedName` spells it.
 */
export function closedDomain(namespace: string, name: string, domains: Domains = []): string | undefined {
  const over = domains
    .filter(({ domain }) => isIn(name, domain))
    .toSorted((a, b) => weightOf(b.domain) - weightOf(a.domain));
  const [first] = over;
  if (first === undefined) return undefined;
  // Two entries of one domain are one.
  const open = over.filter(({ domain }) => domain === first.domain).flatMap(({ namespaces }) => namespaces);
  return open.some((one) => isNamed(namespace, one)) ? undefined : first.domain;
}

export interface Closed {
  readonly name: string;
  readonly domain: string;
  readonly namespace: string;
  /** The key of the RCSConfig. */
  readonly config: { readonly namespace: string; readonly name: string };
}

/** The message to users. */
export function closedMessage({ name, domain, namespace, config }: Closed): string {
  const where = domain === EVERY_NAME ? 'in no domain that is' : `in ${domain}, which is not`;
  const remedy = `use another, or have whoever runs the hub name the namespace in spec.domains of RCSConfig ${config.namespace}/${config.name}`;
  return `"${name}" is ${where} open to namespace ${namespace}: ${remedy}`;
}

function isIn(name: string, domain: string): boolean {
  return domain === EVERY_NAME || name === domain || name.endsWith(`.${domain}`);
}

function weightOf(domain: string): number {
  return domain === EVERY_NAME ? 0 : domain.length;
}

/** A `*` at the end stands for any ending, as in the names of reserved namespaces. */
function isNamed(namespace: string, pattern: string): boolean {
  return pattern.endsWith('*') ? namespace.startsWith(pattern.slice(0, -1)) : namespace === pattern;
}
