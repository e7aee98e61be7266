// The state of a site's workflow: its only argument, so continue-as-new is a checkpoint.
import type { Audit } from '../types/ring.ts';

export interface SiteState {
  readonly version: 1;
  readonly cluster: string;
  /** Audits that have not been compared yet. */
  audits: readonly Audit[];
  /** Messages that could not be read. */
  unreadable?: number;
}
