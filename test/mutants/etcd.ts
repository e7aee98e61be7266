// Faults in what a hub says of itself in an etcd of somebody else's, and in what it takes the answer for.
import type { Mutant } from './mutant.ts';

const CLAIM = { seenBy: ['test/unit/deploy/hub/whose-etcd.test.ts'] } as const;

const MEMBERS = { seenBy: ['test/activity/hub-command/etcd-command.test.ts'] } as const;

export const ETCD: readonly Mutant[] = [
  {
    ...MEMBERS,
    breaks: 'a member that has lost its data begins under the number whose promises it has forgotten',
    file: 'deploy/etcd/members.ts',
    inside: null,
    text: 'how=$(cat "$leave") ||',
    becomes: 'how=$(cat "$leave" || echo existing) ||',
  },
  {
    ...MEMBERS,
    breaks: 'a member that has lost its data never comes back',
    file: 'deploy/etcd/etcd.ts',
    inside: null,
    text: 'if (this.#origin.hasBegun) await',
    becomes: 'if (this.#origin.port === 0) await',
  },
  {
    ...MEMBERS,
    breaks: 'who has a hub’s certificate is a member of its etcd',
    file: 'deploy/etcd/members.ts',
    inside: 'memberSpec',
    text: '`--peer-cert-allowed-cn=${PEER}`,',
    becomes: '',
  },
  {
    ...MEMBERS,
    breaks: 'an etcd is started at ports at which its members do not find each other',
    file: 'deploy/etcd/directory.ts',
    inside: 'etcdIn',
    text: 'if (made.port === port) return made;',
    becomes: 'return made;',
  },
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
