// Faults in what a hub says of itself in an etcd of somebody else's, and in what it takes the answer for.
import type { Mutant } from './mutant.ts';

const CLAIM = { seenBy: ['test/unit/deploy/hub/whose-etcd.test.ts'] } as const;

export const ETCD: readonly Mutant[] = [
  {
    ...CLAIM,
    breaks: 'a hub whose API server has stopped in order is taken for one whose etcd went back',
    file: 'deploy/hub/store/claim.ts',
    inside: 'remember',
    text: 'await renewStore(etcd, hub).catch(() => 0)',
    becomes: '0',
  },
  {
    ...CLAIM,
    breaks: 'a hub stops because its etcd lets it look and not write',
    file: 'deploy/hub/store/claim.ts',
    inside: 'remember',
    text: '.catch(() => 0)',
    becomes: '',
  },
  {
    ...CLAIM,
    breaks: 'a hub whose place is another’s takes the other’s time for its own',
    file: 'deploy/hub/store/store.ts',
    inside: 'renewStore',
    text: 'succeeded === true',
    becomes: 'succeeded !== false',
  },
];
