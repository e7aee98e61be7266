// What may stand between our processes and their servers, to let one of their writes go wrong.
import type { Hub } from '../../../../workflows/ports/hub.ts';
import type { Tried } from '../api/line.ts';
import type { Told } from '../engine/client.ts';
import type { World } from './world.ts';

export interface Trial {
  /** A process begins; until its end all that it says goes this way. */
  process(world: World, name: ProcessName): Process;
  /** A turn of this workflow would count now. True: its worker has lost it. */
  loses(world: World, workflowId: string): boolean;
  /** The turn counts. */
  counted(world: World, workflowId: string): void;
}

export type ProcessName = 'hub worker' | 'bridge';

export interface Process {
  /** Its requests to the API server. */
  readonly ask: Tried;
  /** Its calls of Temporal that write. */
  readonly tell: Told;
  /** What runs in it, once its caches are filled. */
  activities(hub: Hub, filled: Promise<void>): Hub;
}
