// What the kinds, and the client for API servers, may import.
import type { Room } from './room.ts';

export const KINDS: Readonly<Record<string, Room>> = {
  types: {},

  // The shape of metadata, which the API client defines, and nothing that runs.
  crds: { imports: ['crds', 'kube/fields'], types: ['kube'], packages: ['node:*', 'yaml', 'zod'] },
  'crds/bundle': { imports: ['crds', 'kube/fields'], types: ['kube'], packages: ['zod'] },
  'crds/capp': { imports: ['crds'], types: ['kube'], packages: ['zod'] },
  'crds/capp/spec': { imports: ['crds'], packages: ['zod'] },
  'crds/definitions': { imports: ['crds'], types: ['kube'], packages: ['zod'] },
  'crds/drain': { imports: ['crds'], types: ['kube'], packages: ['zod'] },
  'crds/hub': { imports: ['crds'], types: ['kube'], packages: ['zod'] },
  'crds/kubernetes': { imports: ['crds'], types: ['kube'], packages: ['node:*', 'zod'] },
  'crds/knative': { imports: ['crds'] },
  'crds/rollout': { imports: ['crds'], types: ['kube'], packages: ['zod'] },
  'crds/sealing': { imports: ['crds'], types: ['kube'], packages: ['node:*', 'zod'] },
  'crds/set': { imports: ['crds', 'kube/fields'], types: ['kube'], packages: ['node:*', 'zod'] },
  'crds/join': { imports: ['crds'], types: ['kube'], packages: ['node:*', 'yaml', 'zod'] },
  'crds/metal': { imports: ['crds'], types: ['kube'], packages: ['zod'] },
  'crds/notify': { imports: ['crds'], types: ['kube'], packages: ['node:*', 'zod'] },
  'crds/verification': { imports: ['crds'], packages: ['zod'] },
  'crds/verification/promql': { imports: [] },
  'crds/ocm': { imports: ['crds'], types: ['kube'], packages: ['node:*'] },

  kube: { imports: ['kube'], packages: [] },
  'kube/files': { imports: ['kube'], packages: ['js-yaml', 'node:*'] },
  'kube/http': { imports: ['kube'], packages: ['@kubernetes/client-node', 'node:*', 'undici', 'yaml'] },
  'kube/watch': { imports: ['kube'], packages: ['node:*'] },
};
