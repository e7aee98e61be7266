// Faults in what a hub says of itself in an etcd of somebody else's, and in what it takes the answer for.
import type { Mutant } from './mutant.ts';

const CLAIM = { seenBy: ['test/unit/deploy/hub/whose-etcd.test.ts'] } as const;

const MEMBERS = { seenBy: ['test/activity/hub-command/etcd-command.test.ts'] } as const;

const LOSSES = { seenBy: ['test/unit/deploy/etcd/losses.test.ts'] } as const;

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
    breaks: 'a member whose data goes while it starts is back as who it was, with what it promised forgotten',
    file: 'deploy/etcd/members.ts',
    inside: 'memberSpec',
    text: 'asInitial(member),',
    becomes: "all.map(asInitial).join(','),",
    seenBy: ['test/unit/deploy/etcd/guard.test.ts'],
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
    ...MEMBERS,
    breaks: 'an etcd with a broken member ends for ever with the next start of its machine',
    file: 'deploy/etcd/etcd.ts',
    inside: null,
    text: 'this.#origin.hasBegun && lacking.length === 1',
    becomes: 'this.#origin.hasBegun && lacking.length === 0',
  },
  {
    ...LOSSES,
    breaks: 'a member whose disk is not mounted is replaced, and the disk is refused once it is',
    file: 'deploy/etcd/losses.ts',
    inside: 'lossesOf',
    text: 'hadOwn && !seen.isOwnDisk',
    becomes: 'hadOwn && seen.isOwnDisk && !hadOwn',
  },
  {
    ...LOSSES,
    breaks: 'a member whose disk cannot be read is taken for one that has lost its data',
    file: 'deploy/etcd/losses.ts',
    inside: 'hasLog',
    text: `code === 'ENOENT'`,
    becomes: `code !== ''`,
  },
  {
    seenBy: ['test/unit/deploy/etcd/directory.test.ts'],
    breaks: 'no disk can be mounted for a member before the first start',
    file: 'deploy/etcd/directory.ts',
    inside: 'etcdIn',
    text: ' && !isRoomForDisks(directory, name)',
    becomes: '',
  },
  {
    seenBy: ['test/unit/deploy/hub/room.test.ts'],
    breaks: 'an etcd of three members begins where there is room for one',
    file: 'deploy/hub/room.ts',
    inside: 'needOfEtcd',
    text: 'members * LEAST',
    becomes: 'LEAST',
  },
  {
    seenBy: ['test/unit/deploy/etcd/command-line.test.ts'],
    breaks: 'of a flag that is misspelled nothing is said but how to give an argument that looks like one',
    file: 'deploy/local/given.ts',
    inside: 'flagsIn',
    text: '.split(/\\.? To specify a positional argument /)',
    becomes: '.split(/\\0/)',
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
