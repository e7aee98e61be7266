// The flags by which a CappSet or a Bundle is given its sites.
import { InvalidArgumentError, type Command } from 'commander';
import { CommandFailure } from '../../exit.ts';
import type { Where } from '../../manifests/app.ts';

export interface WhereFlags {
  readonly clusters?: readonly string[];
  readonly placement?: string;
}

export function onSites(command: Command): Command {
  return command
    .option('--clusters <sites>', 'the sites, such as site-1,site-2; may be repeated', clusters)
    .option('--placement <placement>', 'all sites that this Placement selects');
}

function clusters(text: string, before: readonly string[] = []): string[] {
  const names = text.split(',');
  if (names.includes('')) throw new InvalidArgumentError('Write the names of sites: site-1,site-2.');
  return [...new Set([...before, ...names])];
}

/** Null if neither is given. Throws CommandFailure for both. */
export function whereFrom({ clusters: sites, placement }: WhereFlags): Where | null {
  if (sites !== undefined && placement !== undefined)
    throw new CommandFailure('usage', 'Give either --clusters or --placement, and not both.');
  if (sites !== undefined) return { sites: { clusters: sites } };
  return placement === undefined ? null : { placement };
}

/** Throws CommandFailure for neither as well. */
export function neededWhere(flags: WhereFlags): Where {
  const where = whereFrom(flags);
  if (where !== null) return where;
  throw new CommandFailure(
    'usage',
    'Say which sites it goes to: --clusters site-1,site-2, or --placement <placement>.',
  );
}
