// Small seeded inventories and what is asked of them, for the planner of hosts; and what would be right, by
// trying everything.
import type { RoleAsk, SeenHost } from '../../../../workflows/metal/plan/inventory.ts';
import { planHosts, type HostPlan } from '../../../../workflows/metal/plan/hosts.ts';
import { random, type Random } from '../random.ts';

export const NOW = Date.parse('2026-03-01T12:00:00Z');

export interface Case {
  readonly hosts: readonly SeenHost[];
  readonly asks: readonly RoleAsk[];
}

const ROLES = ['ControlPlane', 'Worker', 'Edge'] as const;
const FLAVORS = ['small', 'large'] as const;
const MINUTE = 60_000;

/** At most seven hosts and three roles, so that everything can be tried. */
export function caseOf(seed: number): Case {
  const dice = random(seed);
  const roles = ROLES.slice(0, 1 + Math.floor(dice.next() * 3));
  return {
    hosts: Array.from({ length: Math.floor(dice.next() * 8) }, (_, index) => hostOf(dice, index)),
    asks: roles.map((role) => ({
      role,
      selector: dice.chance(0.4) ? {} : { matchLabels: { flavor: dice.pick(FLAVORS) } },
      topologyKey: dice.chance(0.4) ? null : dice.pick(['rack', 'server']),
      wanted: Math.floor(dice.next() * 4),
    })),
  };
}

function hostOf(dice: Random, index: number): SeenHost {
  const isMine = dice.chance(0.35);
  const trouble = dice.chance(0.25) ? dice.pick(['InError', 'Leaving', 'Consumed'] as const) : null;
  const hasFailed = isMine && (trouble === 'InError' || trouble === 'Leaving');
  return {
    key: `metal/h${index}`,
    labels: {
      ...(dice.chance(0.9) ? { flavor: dice.pick(FLAVORS) } : {}),
      ...(dice.chance(0.8) ? { rack: `r${Math.floor(dice.next() * 3)}` } : {}),
      ...(dice.chance(0.5) ? { server: dice.pick(['s0', 's1', '']) } : {}),
    },
    owner: isMine ? { mine: dice.pick([...ROLES, 'Former']) } : dice.chance(0.15) ? 'another' : 'nobody',
    trouble,
    failedSince: hasFailed ? NOW - Math.floor(dice.next() * 20) * MINUTE : null,
  };
}

/** Written for itself: the planner's own functions are what is tried. */
function fits(host: SeenHost, { selector, topologyKey }: RoleAsk, has: readonly SeenHost[]): boolean {
  const flavor = selector.matchLabels?.['flavor'];
  if (flavor !== undefined && host.labels['flavor'] !== flavor) return false;
  const domain = topologyKey === null ? '' : (host.labels[topologyKey] ?? '');
  return domain === '' || has.every((other) => other.labels[topologyKey ?? ''] !== domain);
}

const isFree = ({ owner, trouble }: SeenHost): boolean => owner === 'nobody' && trouble === null;
const hasIn = (hosts: readonly SeenHost[], role: string): SeenHost[] =>
  hosts.filter(({ owner }) => typeof owner === 'object' && owner.mine === role);

/** Tries every way to give free hosts to roles. */
export function canHaveAll({ hosts, asks }: Case): boolean {
  const free = hosts.filter(isFree);
  const has = new Map(asks.map(({ role }) => [role, hasIn(hosts, role)]));
  const lacks = new Map(asks.map(({ role, wanted }) => [role, wanted - (has.get(role)?.length ?? 0)]));
  const tryFrom = (index: number): boolean => {
    if ([...lacks.values()].every((count) => count <= 0)) return true;
    const host = free[index];
    if (host === undefined) return false;
    for (const ask of asks) {
      const lacking = lacks.get(ask.role) ?? 0;
      const already = has.get(ask.role) ?? [];
      if (lacking <= 0 || !fits(host, ask, already)) continue;
      lacks.set(ask.role, lacking - 1);
      has.set(ask.role, [...already, host]);
      if (tryFrom(index + 1)) return true;
      lacks.set(ask.role, lacking);
      has.set(ask.role, already);
    }
    return tryFrom(index + 1);
  };
  return tryFrom(0);
}

/** The hosts as they are when the plan has been carried out. */
export function carriedOut(hosts: readonly SeenHost[], plan: HostPlan): SeenHost[] {
  const gone = new Set([...plan.release, ...(plan.swap === null ? [] : [plan.swap.failed])]);
  const come = new Map(
    [...plan.add, ...(plan.swap === null ? [] : [plan.swap.by])].map(({ key, role }) => [key, role]),
  );
  return hosts.map((host): SeenHost => {
    if (gone.has(host.key)) return { ...host, owner: 'nobody', failedSince: null };
    const role = come.get(host.key);
    return role === undefined ? host : { ...host, owner: { mine: role } };
  });
}

/** The first rule that a plan breaks; null if it keeps all of them. */
export function breachOf(seed: number): string | null {
  const { hosts, asks } = caseOf(seed);
  const plan = planHosts(hosts, asks, NOW);
  const mixed = planHosts(shuffled(hosts, seed), asks.toReversed(), NOW);
  if (JSON.stringify(sayable(plan)) !== JSON.stringify(sayable(mixed)))
    return 'the order of the input matters';
  return (
    againstAdding({ hosts, asks }, plan) ??
    againstReleasing({ hosts, asks }, plan) ??
    againstSwapping({ hosts, asks }, plan) ??
    againstResult({ hosts, asks }, plan)
  );
}

const sayable = ({ add, release, swap, short, replaceAt }: HostPlan): object => ({
  add: add.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  release: [...release].toSorted(),
  swap,
  short: short?.map(({ role }) => role),
  replaceAt,
});

function shuffled<T>(things: readonly T[], seed: number): T[] {
  const dice = random(seed + 1);
  return things
    .map((thing) => [dice.next(), thing] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, thing]) => thing);
}

function againstAdding({ hosts, asks }: Case, { add, short }: HostPlan): string | null {
  const lacks = asks.map(({ role, wanted }) => Math.max(0, wanted - hasIn(hosts, role).length));
  const total = lacks.reduce((sum, count) => sum + count, 0);
  const can = canHaveAll({ hosts, asks });
  if ((short === null) !== can) return `says ${short === null ? 'enough' : 'short'}, and it is not so`;
  if (add.length !== (can ? total : 0)) return `adds ${add.length} where ${can ? total : 0} are missing`;
  for (const [index, { role }] of asks.entries())
    if (can && add.filter((one) => one.role === role).length !== lacks[index])
      return `${role} does not get what it lacks`;
  if (new Set(add.map(({ key }) => key)).size !== add.length) return 'a host is given twice';
  return null;
}

function againstReleasing({ hosts, asks }: Case, { release }: HostPlan): string | null {
  const wanted = new Map(asks.map((ask) => [ask.role, ask.wanted]));
  for (const role of [...ROLES, 'Former']) {
    const has = hasIn(hosts, role);
    const goes = has.filter(({ key }) => release.includes(key));
    if (goes.length !== Math.max(0, has.length - (wanted.get(role) ?? 0)))
      return `${role} gives back ${goes.length} of ${has.length}, and wants ${wanted.get(role) ?? 0}`;
    const staysFailed = has.some(({ key, failedSince }) => failedSince !== null && !release.includes(key));
    if (staysFailed && goes.some(({ failedSince }) => failedSince === null))
      return `${role} gives back a good host and keeps a failed one`;
  }
  const known = new Set(hosts.filter(({ owner }) => typeof owner === 'object').map(({ key }) => key));
  return release.every((key) => known.has(key)) ? null : 'gives back what it has not';
}

function againstSwapping({ hosts, asks }: Case, { swap, add, release }: HostPlan): string | null {
  const due = (host: SeenHost): boolean =>
    host.failedSince !== null && (host.trouble === 'Leaving' || host.failedSince + 10 * MINUTE <= NOW);
  const possible = asks.some((ask) =>
    hasIn(hosts, ask.role).some(
      (failed) =>
        due(failed) &&
        hosts.some(
          (host) =>
            isFree(host) &&
            fits(
              host,
              ask,
              hasIn(hosts, ask.role).filter((other) => other !== failed),
            ),
        ),
    ),
  );
  const isQuiet = add.length === 0 && release.length === 0;
  if ((swap !== null) !== (possible && isQuiet)) return `swaps: ${swap !== null}, possible: ${possible}`;
  if (swap === null) return null;
  const failed = hosts.find(({ key }) => key === swap.failed);
  if (failed === undefined || !due(failed))
    return 'replaces a host that is good, or not long enough in error';
  const ask = asks.find(({ role }) => role === swap.by.role);
  const by = hosts.find(({ key }) => key === swap.by.key);
  const key = ask?.topologyKey ?? null;
  const shares = key !== null && (by?.labels[key] ?? '') !== '' && by?.labels[key] === failed.labels[key];
  return shares === swap.isInOneDomain ? null : 'does not know whether the two share a domain';
}

/** What is true afterwards, and that then nothing is left to do. */
function againstResult({ hosts, asks }: Case, plan: HostPlan): string | null {
  const after = carriedOut(hosts, plan);
  const come = new Set([...plan.add, ...(plan.swap === null ? [] : [plan.swap.by])].map(({ key }) => key));
  for (const ask of asks) {
    const has = hasIn(after, ask.role);
    if (has.length > ask.wanted) return `${ask.role} has more than it wants`;
    for (const host of has.filter(({ key }) => come.has(key))) {
      const before = hosts.find(({ key }) => key === host.key);
      if (before === undefined || !isFree(before)) return `${host.key} was not free`;
      if (
        !fits(
          host,
          ask,
          has.filter((other) => other !== host),
        )
      )
        return `${host.key} does not fit ${ask.role}`;
    }
  }
  const next = planHosts(after, asks, NOW);
  const isSettled = plan.swap !== null || plan.release.length > 0 || next.swap !== null;
  if (!isSettled && (next.add.length > 0 || next.release.length > 0)) return 'is not done after it is done';
  return null;
}
