// Which room (folder) may import what. A folder without a row is an error, so that a new folder may import
// nothing until it has one.
import { ACTIVITIES } from './activities.ts';
import { CLI } from './cli.ts';
import { KINDS } from './kinds.ts';
import { PROCESSES } from './processes.ts';
import { STACK } from './stack.ts';
import { WORKFLOWS } from './workflows.ts';
import type { Room } from './room.ts';

export const ROOMS: Readonly<Record<string, Room>> = {
  ...KINDS,
  ...WORKFLOWS,
  ...ACTIVITIES,
  ...PROCESSES,
  ...CLI,
  ...STACK,
};

/** Rooms that may import everything, including the rooms inside them. No other room may import them. */
export const OPEN = ['test'];
