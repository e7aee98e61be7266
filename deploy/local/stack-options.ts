// What a stack consists of, and what it is without being told.
import type { ArgoClusters } from './cappstan/argo-clusters.ts';
import type { DataPlaneName } from './dataplane/choice.ts';
import { noProgress, type Progress } from './terminal.ts';
import type { EngineName } from './temporal/engine.ts';

export interface StackOptions {
  readonly dir: string;
  readonly sites: number;
  /** Runs OCM's processes. Its CRDs are always applied, so that a test can write OCM's objects itself. */
  readonly ocm: boolean;
  /** Runs Knative Serving and the stand-ins on each site. */
  readonly knative: boolean;
  /** Who answers the requests to apps there, and runs their Pods. */
  readonly dataPlane: DataPlaneName;
  /** The Temporal server and its store. */
  readonly engine: EngineName;
  /** Installs the chart and runs our processes. */
  readonly ours: boolean;
  /** Each API server writes down who asked what of it (`auditLogOf`). */
  readonly audit: boolean;
  /** Where the registrar runs; null: it does not. */
  readonly argo: ArgoClusters | null;
  /** Runs the reader, with stand-ins for what of OCM leads it to sites. */
  readonly reader: boolean;
  /** OCM calls a site unavailable after five leases without renewal. */
  readonly leaseSeconds: number;
  /** Ports to use if they are free, by name: `temporal`, `temporal-ui`, `hub-api-server`, … */
  readonly preferredPorts: Readonly<Record<string, number>>;
  /** Overrides the environment of every Deployment of ours. */
  readonly env: Readonly<Record<string, string>>;
  /** The supervisor stops all processes when this pid is gone. */
  readonly owner: number | null;
  readonly progress: Progress;
}

export const DEFAULTS = {
  sites: 2,
  ocm: true,
  knative: true,
  dataPlane: 'stand-in',
  engine: 'development',
  ours: true,
  audit: false,
  argo: null,
  reader: false,
  leaseSeconds: 10,
  preferredPorts: {},
  env: {},
  owner: null,
  progress: noProgress,
} as const satisfies Omit<StackOptions, 'dir'>;
