// `kubectl capp sites`: a line for each site, for who may read ManagedClusters.
import { SITE_WORDS } from '../explain/site-words.ts';
import { sitesFrom, type AgentState, type Site } from '../explain/sites.ts';
import { readSites } from '../hub/objects/sites.ts';
import { age } from '../show/age.ts';
import { formatFrom, isForPrograms, print } from '../show/output.ts';
import { table, type Cell } from '../show/table.ts';
import type { Colours } from '../terminal.ts';
import { acting, inFormats, onHub, type Program } from './command.ts';

interface Flags {
  readonly output?: string;
}

export function addSites(program: Program): void {
  inFormats(onHub(program.root.command('sites')))
    .description('list sites with their Capps, scores, agents and taints (for operators)')
    .action(
      acting<Flags>(program, async ({ flags, hub, terminal }) => {
        const format = formatFrom(flags.output);
        const now = Date.now();
        const { facts, unread } = await readSites(hub);
        const sites = sitesFrom(facts, SITE_WORDS, now);
        if (unread.length > 0)
          terminal.note(`You may not read ${unread.join(', ')}: what they say of the sites is missing here.`);
        if (sites.length === 0) terminal.note('There are no sites: no cluster has joined this hub.');
        if (sites.length > 0 || isForPrograms(format))
          print(terminal, format, sites, (isWide) => sitesText(sites, { isWide, now, ...terminal }));
        return 'done';
      }),
    );
}

interface SitesOptions {
  readonly isWide: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly colours: Colours;
}

export function sitesText(sites: readonly Site[], options: SitesOptions): string {
  const wide = options.isWide ? ['SINCE', 'ADD-ON', 'SCORED UNTIL', 'VERSION'] : [];
  return table(
    ['SITE', 'STATE', 'CAPPS', 'CPU', 'MEMORY', 'AGENT', 'TAINTS', ...wide],
    sites.map((site) => rowOf(site, options)),
  );
}

function rowOf(site: Site, { isWide, now, colours }: SitesOptions): Cell[] {
  const { name, state, capps, cpu, memory, agent, taints, since, addOn, scoredUntil, version } = site;
  const paint = state === 'Ready' ? colours.green : colours.red;
  return [
    name,
    { text: state, paint },
    String(capps),
    String(cpu ?? ''),
    String(memory ?? ''),
    agentCell(agent, now, colours),
    taints.join(','),
    ...(isWide ? [age(since ?? undefined, now), addOn, scoredUntil ?? '', version ?? ''] : []),
  ];
}

function agentCell(agent: AgentState, now: number, colours: Colours): Cell {
  if (agent.is !== 'Silent') return agent.is;
  const seen = agent.lastSeen === null ? '' : `, seen ${age(agent.lastSeen, now)} ago`;
  return { text: `Silent${seen}`, paint: colours.red };
}
