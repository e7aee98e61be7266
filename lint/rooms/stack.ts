// What the charts, the local stack, the testbed, the benchmarks and this check may import.
import type { Room } from './room.ts';

/** Code that runs only on a developer's machine or in CI. */
const LOCAL: Room = {
  imports: ['crds', 'kube', 'tls', 'workers/process', 'workflows', 'deploy/local'],
  packages: ['node:*', 'pino', 'yaml'],
};

export const STACK: Readonly<Record<string, Room>> = {
  'deploy/helm': { imports: ['crds'], packages: ['node:*', 'yaml'] },
  // What a hub is told, pure; and what starts it.
  'deploy/hub': {
    imports: ['crds', 'deploy/hub', 'deploy/local', 'kube'],
    packages: ['node:*', 'yaml'],
  },
  'deploy/hub/admit': { imports: ['crds', 'deploy/hub', 'deploy/local', 'kube'], packages: ['node:*'] },
  'deploy/hub/backup': {
    imports: ['deploy/hub', 'deploy/local'],
    packages: ['age-encryption', 'node:*', 'tar-stream', 'yaml'],
  },
  // An etcd of three members, for hubs.
  'deploy/etcd': { imports: ['deploy/etcd', 'deploy/hub', 'deploy/local'], packages: ['node:*'] },
  // Which hubs this machine has.
  'deploy/hub/hubs': {
    imports: ['crds', 'deploy/hub', 'deploy/local', 'kube'],
    packages: ['node:*', 'yaml'],
  },
  // How a site joins and leaves; how far it is says the same rule as on the hub.
  'deploy/join': {
    imports: ['crds', 'deploy/join', 'deploy/local', 'kube', 'workflows/join/verdict'],
    packages: ['node:*'],
  },
  // What goes when a site leaves, its hub being there or not.
  'deploy/join/leave': { imports: ['crds', 'deploy/join', 'deploy/local', 'kube'], packages: ['node:*'] },
  // What a site needs of others, by one command.
  'deploy/join/base': {
    imports: ['crds', 'deploy/join', 'deploy/local', 'kube'],
    packages: ['node:*', 'yaml'],
  },
  // What a hub asks of somebody else's Temporal before it starts.
  'deploy/hub/temporal': {
    imports: ['deploy/hub', 'deploy/local', 'temporal', 'tls', 'workflows/names'],
    packages: ['@temporalio/client', 'node:*'],
  },
  // An etcd of somebody else's: whose objects are in it, and how far it is.
  'deploy/hub/store': { imports: ['deploy/hub', 'deploy/local'], packages: ['node:*'] },
  'deploy/hub/config': { imports: ['deploy/hub/config'], packages: ['node:*', 'yaml', 'zod'] },
  'deploy/release': { imports: ['deploy/local', 'deploy/release'], packages: ['node:*', 'yaml'] },
  'deploy/release/hub': { imports: ['cli/build', 'deploy/local', 'deploy/release'], packages: ['node:*'] },
  'deploy/local': LOCAL,
  'deploy/local/kubernetes': LOCAL,
  'deploy/local/ocm': LOCAL,
  'deploy/local/cappstan': LOCAL,
  'deploy/local/programs': LOCAL,
  'deploy/local/published': LOCAL,
  'deploy/local/dataplane': LOCAL,
  'deploy/local/dataplane/network': LOCAL,
  'deploy/local/dataplane/parts': LOCAL,
  'deploy/local/dataplane/pods': LOCAL,
  'deploy/local/single': LOCAL,
  'deploy/local/standins': LOCAL,
  'deploy/local/standins/ingress': LOCAL,
  'deploy/local/standins/knative': LOCAL,
  'deploy/local/standins/output': LOCAL,
  'deploy/local/standins/pods': LOCAL,
  'deploy/local/standins/tunnel': LOCAL,
  'deploy/local/supervise': LOCAL,
  'deploy/local/temporal': LOCAL,

  testbed: {
    imports: ['crds', 'deploy/local', 'kube', 'workflows'],
    packages: ['@temporalio/client', '@temporalio/workflow', 'node:*'],
  },
  'testbed/at-rest': {
    imports: ['crds', 'kube', 'testbed', 'workflows/names'],
    types: ['workflows'],
    packages: ['node:*'],
    packageTypes: ['@temporalio/client'],
  },
  'testbed/counts': { imports: ['crds', 'deploy/local', 'kube', 'testbed'], packages: ['node:*'] },
  'testbed/people': { imports: ['crds', 'deploy/local', 'kube', 'testbed'], packages: ['node:*', 'yaml'] },
  // Argo CD's own controller reads the Secrets that the registrar makes.
  'testbed/programs': {
    imports: ['crds', 'deploy/local', 'kube', 'registrar/cluster', 'testbed'],
    packages: ['node:*', 'yaml'],
  },

  bench: { imports: ['bench', 'deploy/local', 'testbed'], packages: ['node:*'] },
  'bench/conditions': { imports: ['bench', 'crds', 'deploy/local', 'kube', 'testbed'], packages: ['node:*'] },
  'bench/load': {
    imports: ['bench', 'crds', 'deploy/local', 'kube', 'testbed', 'workers'],
    types: ['workflows'],
    packages: ['@temporalio/client', '@temporalio/worker', 'node:*'],
  },
  'bench/load/growth': {
    imports: ['bench', 'crds', 'deploy/local', 'kube', 'testbed', 'workflows'],
    packages: ['@temporalio/common', 'node:*'],
  },
  'bench/load/fleets': { imports: ['bench', 'crds', 'kube', 'testbed'], packages: ['node:*'] },
  'bench/load/gateway': {
    imports: ['bench', 'crds', 'deploy/local', 'gateway', 'kube', 'testbed', 'workers', 'workflows'],
    packages: ['@grpc/grpc-js', '@temporalio/worker', 'node:*', 'zod'],
  },
  'bench/measures': {
    imports: ['bench', 'crds', 'deploy/local', 'kube', 'testbed', 'workflows'],
    packages: ['node:*'],
  },
  'bench/peer': {
    imports: ['bench', 'crds', 'deploy/local', 'kube', 'testbed', 'tls'],
    packages: ['node:*'],
  },

  lint: { imports: ['lint'], packages: ['node:*', '@swc/core'] },
  'lint/rooms': {},
};
