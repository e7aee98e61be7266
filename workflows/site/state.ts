// The state of a site's workflow: its only argument, so continue-as-new is a checkpoint.
import type { Inventory } from '../types/ring.ts';

export interface SiteState {
  readonly version: 1;
  readonly cluster: string;
  /** Inventories that have not been compared yet. */
  inventories: readonly Inventory[];
  /** Messages that could not be read. */
  unreadable?: number;
}
