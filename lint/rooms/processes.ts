// What the bridge, the site operator, admission and the mains of all processes may import.
import type { Room } from './room.ts';

/** The main and the wiring of a process. */
const PROCESS = {
  packages: ['node:*', 'zod'],
  packageTypes: ['@temporalio/client', '@temporalio/worker'],
} as const;

export const PROCESSES: Readonly<Record<string, Room>> = {
  temporal: { packageTypes: ['@temporalio/client'] },

  bridge: {
    imports: ['kube', 'temporal', 'workflows'],
    packages: ['@temporalio/client', '@temporalio/common'],
  },
  'bridge/changes': { imports: ['bridge', 'crds', 'kube', 'workflows/types'], packages: ['node:*'] },
  'bridge/failing': { imports: ['bridge', 'workflows'], types: ['crds'], packages: ['@temporalio/client'] },
  'bridge/published': {
    imports: ['bridge', 'crds', 'kube', 'temporal', 'workflows'],
    packages: ['node:*'],
    packageTypes: ['@temporalio/client'],
  },
  'bridge/resync': { imports: ['bridge', 'crds', 'kube', 'workflows'], packageTypes: ['@temporalio/client'] },
  'bridge/sites': {
    imports: ['bridge', 'crds', 'kube', 'temporal', 'workflows'],
    packages: ['@temporalio/client', 'node:*'],
  },
  'bridge/kept': { imports: ['bridge', 'workflows'], packages: ['@temporalio/client'] },
  'bridge/joins': {
    imports: ['bridge', 'crds', 'kube', 'workflows'],
    packageTypes: ['@temporalio/client'],
  },
  'bridge/metal': { imports: ['bridge', 'crds', 'kube'], packages: ['node:*'] },
  'bridge/fleet': {
    imports: ['bridge', 'crds', 'kube', 'workflows'],
    packages: ['node:*'],
    packageTypes: ['@temporalio/client'],
  },

  site: { imports: ['crds', 'kube', 'site'], packages: ['node:*'] },
  'site/config': { imports: ['crds', 'site'], types: ['kube'], packages: ['node:*', 're2js'] },
  'site/ending': { imports: ['crds', 'kube', 'site'], packages: ['node:*'] },
  'site/events': { imports: ['crds', 'kube', 'site'] },
  'site/logging': { imports: ['crds', 'kube', 'site'] },
  'site/namespaces': { imports: ['crds', 'kube', 'site'] },
  'site/objects': { imports: ['crds', 'kube', 'site'], packages: ['node:*'] },
  'site/revisions': { imports: ['crds', 'kube', 'site'], packages: ['node:*'] },
  'site/route': { imports: ['crds', 'kube', 'site'] },
  'site/sealing': { imports: ['crds', 'kube', 'site'], packages: ['node:*'] },
  'site/status': { imports: ['crds', 'kube', 'site'], packages: ['node:*'] },
  'site/volumes': { imports: ['crds', 'kube', 'site'] },
  'site/workload': { imports: ['crds', 'kube', 'site'] },

  tls: {
    imports: ['crds', 'kube'],
    packages: ['@peculiar/x509', 'node:*'],
    packageTypes: ['@temporalio/worker', 'pino'],
  },

  admission: {
    imports: ['admission', 'crds', 'kube/fields', 'kube/depth'],
    packages: ['node:*', 're2js', 'zod'],
  },
  'admission/rules': { imports: ['admission', 'crds', 'kube/fields'] },
  'admission/rules/on-site': { imports: ['admission', 'crds', 'kube/fields'], packages: ['node:*'] },
  'admission/rules/metadata': { imports: ['admission', 'crds', 'kube/fields'], packages: ['node:*'] },
  'admission/rules/set': { imports: ['admission', 'crds', 'kube/fields'], packages: ['zod'] },
  'admission/rules/spec': { imports: ['admission', 'crds', 'kube/fields'], packages: ['node:*'] },
  'admission/rules/spec/pod': { imports: ['admission', 'crds', 'kube/fields'], packages: ['node:*'] },

  gateway: {
    imports: ['crds', 'kube', 'gateway'],
    packages: ['@grpc/grpc-js', '@temporalio/proto', 'node:*'],
  },
  // What one site may take of the gateway.
  'gateway/bounds': {
    imports: ['gateway/bounds', 'gateway/refusal', 'gateway/times', 'tls/oldest-goes'],
    packages: ['@grpc/grpc-js', 'node:*'],
  },
  'gateway/calls': {
    imports: ['gateway', 'workflows'],
    packages: ['@temporalio/common'],
    packageTypes: ['@temporalio/client'],
  },

  // What the notifier tells, of what, and how it sends.
  notify: { imports: ['crds', 'kube', 'notify'] },
  'notify/news': { imports: ['crds', 'notify/times'], types: ['kube'] },
  'notify/send': {
    imports: ['crds', 'kube/http/bare-host', 'notify/target', 'notify/times'],
    packages: ['node:*'],
  },
  'notify/target': { imports: ['crds'], packages: ['node:*'] },

  // How people on the hub read what their Capps write on a site, and whom the reader answers.
  reach: { imports: ['crds', 'kube', 'reach'], types: ['tls'], packages: ['node:*'] },
  'reach/answer': { imports: ['crds', 'kube', 'reach'], packages: ['node:*'] },
  'reach/door': { imports: ['crds', 'kube', 'reach'], types: ['tls'], packages: ['node:*'] },
  'reach/site': { imports: ['crds', 'kube', 'reach'], packages: ['node:*', 'zod'] },

  // How sites become clusters of the hub's Argo CD.
  registrar: { imports: ['crds', 'kube', 'registrar'], packages: ['node:*'] },

  'workers/process': {
    imports: ['crds', 'tls', 'workflows/names'],
    packages: ['@grpc/grpc-js', '@temporalio/client', '@temporalio/worker', 'node:*', 'pino', 'zod'],
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
  'workers/gateway': {
    ...PROCESS,
    imports: ['crds', 'gateway', 'kube', 'tls', 'workers/metrics', 'workers/process'],
  },
  'workers/hub': {
    ...PROCESS,
    imports: ['activities/hub', 'crds', 'kube', 'workers/metrics', 'workers/process', 'workflows'],
    packages: [...PROCESS.packages, '@temporalio/worker'],
  },
  'workers/notifier': { ...PROCESS, imports: ['kube', 'notify', 'workers/metrics', 'workers/process'] },
  'workers/reader': { ...PROCESS, imports: ['kube', 'reach', 'tls', 'workers/metrics', 'workers/process'] },
  'workers/registrar': {
    ...PROCESS,
    imports: ['kube', 'reach/names', 'registrar', 'workers/metrics', 'workers/process'],
  },
  'workers/site': { ...PROCESS, imports: ['kube', 'site', 'workers/metrics', 'workers/process'] },
  'workers/webhook': {
    ...PROCESS,
    imports: [
      // What a set or a Bundle would do is planned by the same code that does it.
      'activities/hub/bundle',
      'activities/hub/set',
      'admission',
      'crds',
      'kube',
      // What a site's CappConfig says is read by the same code that acts on it.
      'site/config',
      'site/route',
      'site/workload/limits',
      'tls',
      'workers/metrics',
      'workers/process',
      'workers/webhook/door',
    ],
  },
  'workers/webhook/door': {
    imports: ['admission', 'tls/oldest-goes'],
    types: ['tls'],
    packages: ['node:*'],
  },
};
