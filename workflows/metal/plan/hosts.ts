// Which hosts a SIPCluster keeps, gets and gives back: pure. The order of what it is given does not matter.
import { assign, type GivenHost, type RoleNeed } from './assign.ts';
import { domainOf, inOrder, selectedBy, type RoleAsk, type SeenHost } from './inventory.ts';

/** A host that is in error is replaced when it has been so for this time: many errors pass. */
const PATIENCE_MS = 600_000;

export interface HostPlan {
  /** Hosts that it has, by role; roles that it does not ask for any more among them. */
  readonly reserved: ReadonlyMap<string, readonly SeenHost[]>;
  /** To reserve: all that is missing, or nothing. */
  readonly add: readonly GivenHost[];
  /** To give back, in this order: what a role has beyond what it wants. */
  readonly release: readonly string[];
  /** A host that has failed gives its place to another. Null while anything else is to be done. */
  readonly swap: Swap | null;
  /** These cannot have all that they lack, so nothing of it is reserved. Null: they can, or lack nothing. */
  readonly short: readonly RoleAsk[] | null;
  /** When a failed host is to be replaced, in milliseconds since the epoch; null if none waits for that. */
  readonly replaceAt: number | null;
}

/** `now` in milliseconds since the epoch. */
export function planHosts(inventory: readonly SeenHost[], asked: readonly RoleAsk[], now: number): HostPlan {
  const hosts = inOrder(inventory, ({ key }) => key);
  const roles = inOrder(asked, ({ role }) => role);
  const reserved = reservedBy(hosts);
  const lacking = roles.filter((ask) => missing(ask, reserved) > 0);
  const found = assign(
    lacking.map((ask) => needOf(ask, hosts, reserved.get(ask.role) ?? [], missing(ask, reserved))),
  );
  const surplus = surplusOf(roles, reserved);
  const add = found ?? [];
  const isBusy = add.length > 0 || surplus.length > 0;
  return {
    reserved,
    add,
    release: surplus,
    swap: isBusy ? null : replacement(roles, hosts, { reserved, now }),
    short: found === null ? lacking : null,
    replaceAt: nextReplacement(hosts, now),
  };
}

export interface Swap {
  readonly failed: string;
  readonly by: GivenHost;
  /** Both are in one domain of the role, so the failed one must go before the other comes. */
  readonly isInOneDomain: boolean;
}

type Reserved = HostPlan['reserved'];

function reservedBy(hosts: readonly SeenHost[]): Reserved {
  const by = new Map<string, SeenHost[]>();
  for (const host of hosts) {
    if (typeof host.owner === 'string') continue;
    const { mine } = host.owner;
    by.set(mine, [...(by.get(mine) ?? []), host]);
  }
  return by;
}

function missing({ role, wanted }: RoleAsk, reserved: Reserved): number {
  return Math.max(0, wanted - (reserved.get(role)?.length ?? 0));
}

/** `has`: what the role keeps. */
function needOf(ask: RoleAsk, hosts: readonly SeenHost[], has: readonly SeenHost[], count: number): RoleNeed {
  const taken = takenDomains(ask, has);
  const open = fitting(ask, hosts).filter(({ domain }) => domain === null || !taken.has(domain));
  return { role: ask.role, count, hosts: open };
}

/** Keys of free hosts that may come for the role, in order; also in the place of one that has failed. */
export function contenders(hosts: readonly SeenHost[], ask: RoleAsk, reserved: Reserved): readonly string[] {
  const stay = (reserved.get(ask.role) ?? []).filter(({ failedSince }) => failedSince === null);
  const taken = takenDomains(ask, stay);
  return fitting(
    ask,
    inOrder(hosts, ({ key }) => key),
  )
    .filter(({ domain }) => domain === null || !taken.has(domain))
    .map(({ key }) => key);
}

/** Free hosts that the role may have, in order; those that have failed it last, the longest ago first. */
function fitting(ask: RoleAsk, hosts: readonly SeenHost[]): RoleNeed['hosts'] {
  const isMatch = selectedBy(ask);
  return hosts
    .filter((host) => isFitFree(host, ask) && isMatch(host))
    .toSorted((a, b) => (a.passedOver ?? 0) - (b.passedOver ?? 0))
    .map((host) => ({ key: host.key, domain: domainOf(host, ask.topologyKey) }));
}

export function isFree({ owner, trouble }: SeenHost): boolean {
  return owner === 'nobody' && trouble === null;
}

/** Free, and what serves the role can lead there, as far as anybody has looked. */
export function isFitFree(host: SeenHost, { role }: Pick<RoleAsk, 'role'>): boolean {
  return isFree(host) && host.unfitFor?.has(role) !== true;
}

/** What a role has already occupies its domains. */
export function takenDomains({ topologyKey }: RoleAsk, has: readonly SeenHost[]): ReadonlySet<string> {
  return new Set(has.map((host) => domainOf(host, topologyKey)).filter((domain) => domain !== null));
}

function surplusOf(roles: readonly RoleAsk[], reserved: Reserved): string[] {
  const asks = new Map(roles.map((ask) => [ask.role, ask]));
  return [...reserved].flatMap(([role, has]) => {
    const ask = asks.get(role);
    const wanted = ask?.wanted ?? 0;
    return ask === undefined
      ? has.map(({ key }) => key)
      : leastUseful(ask, has).slice(0, Math.max(0, has.length - wanted));
  });
}

/**
 * Failed ones first, of these the one that is due first: another has come for it. Then those that do not fit
 * any more; of equal ones the last, which came last.
 */
function leastUseful(ask: RoleAsk, has: readonly SeenHost[]): string[] {
  const first = new Set<string>();
  const use = new Map<SeenHost, number>();
  const isMatch = selectedBy(ask);
  for (const host of has) {
    const domain = domainOf(host, ask.topologyKey);
    const isSecond = domain !== null && first.has(domain);
    if (domain !== null) first.add(domain);
    use.set(host, usefulness(host, { isMatch: isMatch(host), isSecond }));
  }
  return has
    .toReversed()
    .toSorted((a, b) => (use.get(a) ?? 0) - (use.get(b) ?? 0) || earlierFirst(dueAt(a), dueAt(b)))
    .map(({ key }) => key);
}

function usefulness(
  { failedSince }: SeenHost,
  { isMatch, isSecond }: { readonly isMatch: boolean; readonly isSecond: boolean },
): number {
  if (failedSince !== null) return 0;
  if (!isMatch) return 1;
  return isSecond ? 2 : 3;
}

/** Either may be infinite, so that they cannot be subtracted. */
function earlierFirst(a: number, b: number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** One at a time: of the hosts whose time is over, the first for which there is another. */
function replacement(
  roles: readonly RoleAsk[],
  hosts: readonly SeenHost[],
  { reserved, now }: { readonly reserved: Reserved; readonly now: number },
): Swap | null {
  for (const ask of roles) {
    const has = reserved.get(ask.role) ?? [];
    const due = has.filter((host) => isDue(host, now));
    const swap = due.length === 0 ? null : replacementOf(ask, due, { has, hosts });
    if (swap !== null) return swap;
  }
  return null;
}

/** All hosts are looked through once, however many have failed. */
function replacementOf(
  ask: RoleAsk,
  due: readonly SeenHost[],
  { has, hosts }: { readonly has: readonly SeenHost[]; readonly hosts: readonly SeenHost[] },
): Swap | null {
  const fits = fitting(ask, hosts);
  const taken = Map.groupBy(has, (host) => domainOf(host, ask.topologyKey));
  const isOpen = (domain: string | null): boolean => domain === null || !taken.has(domain);
  const anywhere = fits.findIndex(({ domain }) => isOpen(domain));
  const firstIn = new Map(fits.map(({ domain }, index) => [domain, index] as const).toReversed());
  for (const failed of due) {
    const domain = domainOf(failed, ask.topologyKey);
    // Where the failed one alone has the domain, it leaves it.
    const within = domain !== null && taken.get(domain)?.length === 1 ? (firstIn.get(domain) ?? -1) : -1;
    const at = anywhere === -1 || (within !== -1 && within < anywhere) ? within : anywhere;
    const by = fits[at];
    if (by !== undefined)
      return { failed: failed.key, by: { key: by.key, role: ask.role }, isInOneDomain: at === within };
  }
  return null;
}

function isDue(host: SeenHost, now: number): boolean {
  return dueAt(host) <= now;
}

/** One that somebody deletes comes back no more. */
function dueAt({ trouble, failedSince }: SeenHost): number {
  if (failedSince === null) return Infinity;
  return trouble === 'Leaving' ? failedSince : failedSince + PATIENCE_MS;
}

function nextReplacement(hosts: readonly SeenHost[], now: number): number | null {
  const due = hosts.map(dueAt).filter((at) => at > now && at !== Infinity);
  return due.length === 0 ? null : Math.min(...due);
}
