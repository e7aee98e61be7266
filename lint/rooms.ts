// Which room (folder) may import what. A folder without a row is an error, so that a new folder may import
// nothing until it has one.

export interface Room {
  /**
   * Rooms, including the rooms inside them, or single files that it may import at run time. It may always
   * import its own files.
   */
  readonly imports?: readonly string[];
  /** Rooms of which it may import only types. */
  readonly types?: readonly string[];
  /** Packages that it may import; `node:*` is all of Node. */
  readonly packages?: readonly string[];
  /** Packages of which it may import only types. */
  readonly packageTypes?: readonly string[];
}

/** Pure functions: no clock, no server, no package. */
const PURE = { packages: [], types: ['crds'] } as const;

/** What the decisions of a Capp's workflow may import. */
const CAPP_DECISIONS = [
  'workflows/types',
  'workflows/placement',
  'workflows/capp/decide',
  'workflows/capp/moving',
  'workflows/capp/conditions',
];

/** Activities of the hub: the client, the kinds, and the pure parts of the workflows. */
const HUB_ACTIVITY: Room = {
  imports: ['activities', 'crds', 'kube', 'workflows'],
  packages: ['@temporalio/client', '@temporalio/common', 'node:*'],
};

/** The main and the wiring of a process. */
const PROCESS = {
  packages: ['node:*', 'zod'],
  packageTypes: ['@temporalio/client', '@temporalio/worker'],
} as const;

/** Code that runs only on a developer's machine or in CI. */
const LOCAL: Room = {
  imports: ['crds', 'kube', 'tls', 'workers/process', 'workflows', 'deploy/local'],
  packages: ['node:*', 'pino', 'yaml'],
};

export const ROOMS: Readonly<Record<string, Room>> = {
  types: {},
  // The shape of metadata, which the API client defines, and nothing that runs.
  crds: { imports: ['crds'], types: ['kube'], packages: ['node:*', 'yaml', 'zod'] },
  'crds/capp': { imports: ['crds'], types: ['kube'], packages: ['zod'] },
  'crds/drain': { imports: ['crds'], types: ['kube'], packages: ['zod'] },
  'crds/kubernetes': { imports: ['crds'], types: ['kube'], packages: ['zod'] },
  'crds/ocm': { imports: ['crds'], types: ['kube'], packages: ['node:*'] },

  kube: { imports: ['kube'], packages: [] },
  'kube/http': { imports: ['kube'], packages: ['@kubernetes/client-node', 'node:*', 'undici', 'yaml'] },
  'kube/watch': { imports: ['kube'], packages: ['node:*'] },

  workflows: { imports: ['workflows'], types: ['crds'], packages: ['@temporalio/workflow'] },
  'workflows/engine': { imports: ['workflows'], packages: ['@temporalio/common', '@temporalio/workflow'] },
  'workflows/types': PURE,
  'workflows/placement': { ...PURE, imports: ['workflows/types'], types: ['crds', 'workflows/capp'] },
  'workflows/parse': { imports: ['workflows'], types: ['crds'], packages: ['@temporalio/common'] },
  'workflows/capp': { imports: ['workflows'], types: ['crds'], packages: ['@temporalio/common'] },
  'workflows/capp/decide': { ...PURE, imports: CAPP_DECISIONS, types: ['crds', 'workflows'] },
  'workflows/capp/moving': { ...PURE, imports: CAPP_DECISIONS, types: ['crds', 'workflows'] },
  'workflows/capp/conditions': { ...PURE, imports: CAPP_DECISIONS, types: ['crds', 'workflows'] },
  'workflows/drain': {
    imports: ['workflows'],
    types: ['crds'],
    packages: ['@temporalio/common', '@temporalio/workflow'],
  },
  'workflows/drain/decide': {
    ...PURE,
    imports: ['workflows/types', 'workflows/placement', 'workflows/names', 'workflows/drain/residents'],
    types: ['crds', 'workflows'],
  },
  'workflows/score': { imports: ['workflows'], packages: ['@temporalio/common'] },
  'workflows/score/decide': { ...PURE, types: ['workflows/score'] },
  'workflows/site': { imports: ['workflows'], packages: ['@temporalio/common', '@temporalio/workflow'] },

  activities: {
    imports: ['kube', 'workflows'],
    packages: ['@temporalio/activity', '@temporalio/common', 'node:*'],
  },
  'activities/agent': {},
  'activities/agent/claims': { imports: ['activities/agent', 'crds', 'kube'] },
  'activities/agent/report': {
    imports: ['activities', 'crds', 'kube', 'workflows/types'],
    types: ['workflows'],
    packages: ['@temporalio/activity', 'node:*'],
  },
  'activities/agent/ring': {
    imports: ['activities/agent', 'kube', 'workflows'],
    packages: ['@temporalio/client'],
  },
  'activities/agent/score': {
    imports: ['activities', 'crds', 'kube', 'workflows'],
    packages: ['@temporalio/common'],
  },
  'activities/hub': HUB_ACTIVITY,
  'activities/hub/audit': HUB_ACTIVITY,
  'activities/hub/dns': HUB_ACTIVITY,
  'activities/hub/drain': HUB_ACTIVITY,
  'activities/hub/place': HUB_ACTIVITY,
  'activities/hub/retire': HUB_ACTIVITY,
  'activities/hub/score': HUB_ACTIVITY,
  'activities/hub/ship': HUB_ACTIVITY,
  'activities/hub/ship/render': { imports: ['crds', 'workflows/types'], packages: ['node:*'] },
  'activities/hub/site': HUB_ACTIVITY,
  'activities/hub/status': HUB_ACTIVITY,

  bridge: { imports: ['kube', 'workflows'], packages: ['@temporalio/client', '@temporalio/common'] },
  'bridge/changes': { imports: ['bridge', 'crds', 'kube', 'workflows/types'], packages: ['node:*'] },
  'bridge/failing': { imports: ['bridge', 'workflows'], types: ['crds'], packages: ['@temporalio/client'] },
  'bridge/published': {
    imports: ['bridge', 'crds', 'kube', 'workflows'],
    packages: ['node:*'],
    packageTypes: ['@temporalio/client'],
  },
  'bridge/resync': { imports: ['bridge', 'crds', 'kube', 'workflows'], packageTypes: ['@temporalio/client'] },
  'bridge/sites': { imports: ['bridge', 'crds', 'kube', 'workflows'], packages: ['@temporalio/client'] },

  site: { imports: ['crds', 'kube', 'site'], packages: ['node:*'] },
  'site/config': { imports: ['crds', 'site'], types: ['kube'], packages: ['node:*', 're2js'] },
  'site/events': { imports: ['crds', 'kube', 'site'] },
  'site/logging': { imports: ['crds', 'kube', 'site'] },
  'site/objects': { imports: ['crds', 'kube', 'site'], packages: ['node:*'] },
  'site/revisions': { imports: ['crds', 'kube', 'site'], packages: ['node:*'] },
  'site/route': { imports: ['crds', 'kube', 'site'] },
  'site/volumes': { imports: ['crds', 'kube', 'site'] },
  'site/workload': { imports: ['crds', 'kube', 'site'] },

  tls: {
    imports: ['crds', 'kube'],
    packages: ['@peculiar/x509', 'node:*'],
    packageTypes: ['@temporalio/worker', 'pino'],
  },

  admission: { imports: ['admission', 'crds'], packages: ['node:*', 're2js', 'zod'] },
  'admission/rules': { imports: ['admission', 'crds'] },
  'admission/rules/metadata': { imports: ['admission', 'crds'], packages: ['node:*'] },
  'admission/rules/spec': { imports: ['admission', 'crds'], packages: ['node:*'] },

  'workers/process': {
    imports: ['crds', 'tls', 'workflows/names'],
    packages: ['@temporalio/client', '@temporalio/worker', 'node:*', 'pino', 'zod'],
  },
  'workers/metrics': {
    types: ['kube', 'workers/process'],
    imports: ['workers/process/small-server', 'workers/process/times'],
    packages: ['@temporalio/worker', 'node:*'],
  },
  'workers/agent': {
    ...PROCESS,
    imports: ['activities/agent', 'crds', 'kube', 'workers/metrics', 'workers/process', 'workflows'],
    packages: [...PROCESS.packages, '@temporalio/worker'],
  },
  'workers/bridge': { ...PROCESS, imports: ['bridge', 'kube', 'workers/metrics', 'workers/process'] },
  'workers/hub': {
    ...PROCESS,
    imports: ['activities/hub', 'crds', 'kube', 'workers/metrics', 'workers/process', 'workflows'],
    packages: [...PROCESS.packages, '@temporalio/worker'],
  },
  'workers/site': { ...PROCESS, imports: ['kube', 'site', 'workers/metrics', 'workers/process'] },
  'workers/webhook': {
    ...PROCESS,
    imports: ['admission', 'crds', 'kube', 'tls', 'workers/metrics', 'workers/process'],
  },

  // The program for people: nothing of Temporal, and of the workflows only words.
  cli: { imports: ['cli'], packages: ['commander', 'node:*', 'picocolors'] },
  'cli/build': { imports: ['cli/build'], packages: ['esbuild', 'node:*', 'yaml'] },
  'cli/commands': { imports: ['cli', 'crds', 'kube', 'workflows/names'], packages: ['commander', 'node:*'] },
  'cli/doctor': { imports: ['cli', 'crds', 'kube'], packages: ['node:*'] },
  'cli/explain': {
    imports: ['cli/explain', 'crds/capp/conditions', 'crds/labels'],
    types: ['crds', 'workflows/placement', 'workflows/types'],
  },
  'cli/hub': { imports: ['cli', 'crds', 'kube'], packages: ['node:*'] },
  'cli/show': { imports: ['cli'], packages: ['cli-table3', 'yaml'] },

  'deploy/helm': { imports: ['crds'], packages: ['node:*', 'yaml'] },
  'deploy/local': LOCAL,
  'deploy/local/kubernetes': LOCAL,
  'deploy/local/ocm': LOCAL,
  'deploy/local/cappstan': LOCAL,
  'deploy/local/programs': LOCAL,
  'deploy/local/standins': LOCAL,
  'deploy/local/standins/ingress': LOCAL,
  'deploy/local/standins/knative': LOCAL,
  'deploy/local/standins/pods': LOCAL,
  'deploy/local/supervise': LOCAL,
  'deploy/local/temporal': LOCAL,

  testbed: {
    imports: ['crds', 'deploy/local', 'kube', 'workflows'],
    packages: ['@temporalio/client', '@temporalio/workflow', 'node:*', 'yaml'],
  },
  bench: { imports: ['bench', 'deploy/local', 'testbed'], packages: ['node:*'] },
  'bench/conditions': { imports: ['bench', 'crds', 'deploy/local', 'kube', 'testbed'], packages: ['node:*'] },
  'bench/load': {
    imports: ['bench', 'crds', 'deploy/local', 'kube', 'testbed', 'workers'],
    packages: ['@temporalio/client', '@temporalio/worker', 'node:*'],
  },
  'bench/load/growth': {
    imports: ['bench', 'crds', 'deploy/local', 'kube', 'testbed', 'workflows'],
    packages: ['@temporalio/common', 'node:*'],
  },
  'bench/measures': {
    imports: ['bench', 'crds', 'deploy/local', 'kube', 'testbed', 'workflows'],
    packages: ['node:*'],
  },
  'bench/peer': {
    imports: ['bench', 'crds', 'deploy/local', 'kube', 'testbed', 'tls'],
    packages: ['node:*'],
  },
  lint: { packages: ['node:*', '@swc/core'] },
};

/** Rooms that may import everything, including the rooms inside them. No other room may import them. */
export const OPEN = ['test'];
