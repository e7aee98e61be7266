// Faults in when a host is given back, and in whose host it is.
import type { Mutant } from '../mutant.ts';

const CHAIN = { seenBy: ['test/unit/metal/chain/story.test.ts'] } as const;
const HOSTS = { seenBy: ['test/unit/metal/chain/hosts.test.ts'] } as const;
const OTHERS = { seenBy: ['test/unit/metal/chain/others.test.ts'] } as const;
const MEANWHILE = { seenBy: ['test/unit/metal/chain/meanwhile.test.ts'] } as const;
const FITNESS = { seenBy: ['test/unit/metal/services/fitness.test.ts'] } as const;
const UNREAD = { seenBy: ['test/unit/metal/worst-fitness.test.ts'] } as const;
const SECRETS = { seenBy: ['test/unit/bridge/metal/secrets.test.ts'] } as const;
const STORMS = { seenBy: ['test/unit/metal/invariants.test.ts'] } as const;
const ORDER = { seenBy: ['test/unit/metal/services/order.test.ts'] } as const;

const WORST = { seenBy: ['test/unit/metal/worst-clusters.test.ts'] } as const;
const KEPT = { seenBy: ['test/unit/bridge/metal/kept-cluster.test.ts'] } as const;

export const METAL_HOSTS: readonly Mutant[] = [
  {
    ...WORST,
    breaks: 'each of very many words of a person is compared with all others',
    file: 'activities/hub/metal/chain/act.ts',
    inside: 'without',
    text: '!gone.has(word)',
    becomes: '!words.includes(word)',
  },
  {
    ...WORST,
    breaks: 'one look compares a host with the selector of a role again and again',
    file: 'workflows/metal/plan/inventory.ts',
    inside: 'selectedBy',
    text: 'matcher.found.get(labels) ?? matcher.of(labels)',
    becomes: 'matcher.of(labels)',
  },
  {
    ...KEPT,
    breaks: 'the bridge keeps SIPClusters whole, of which tenants decide how large they are',
    file: 'bridge/metal/sip-clusters.ts',
    inside: 'watchMetal',
    text: 'transform: keptCluster',
    becomes: 'transform: withoutManagedFields',
  },
  {
    ...KEPT,
    breaks: 'a word of a person at the end of a long list rings no SIPCluster',
    file: 'bridge/metal/kept-cluster.ts',
    inside: 'shortened',
    text: "createHash('sha256').update(text).digest('hex')",
    becomes: 'text.slice(0, LONGEST_WORDS)',
  },
  {
    ...ORDER,
    breaks: 'hosts are given back while a jump host that could not be changed leads to them',
    file: 'activities/hub/metal/turn.ts',
    inside: 'settle',
    text: 'surplus.length > 0 && !services.isCurrent',
    becomes: 'false',
  },
  {
    ...ORDER,
    breaks: 'hosts that all go are given back while a service leads to them that no status says',
    file: 'activities/hub/metal/turn.ts',
    inside: 'servicesFor',
    text: 'own.length > 0',
    becomes: 'kept.length > 0',
  },
  {
    ...HOSTS,
    breaks: 'a host is free before Metal³ says that it is available',
    file: 'workflows/metal/chain/back.ts',
    inside: 'goingOf',
    text: '!host.isMarked || host.isAvailable',
    becomes: 'true',
  },
  {
    ...HOSTS,
    breaks: 'a host of a site that has joined is wiped for a smaller count',
    file: 'activities/hub/metal/chain/walk.ts',
    inside: 'isNobodys',
    text: '!hasCome',
    becomes: 'true',
  },
  {
    ...OTHERS,
    breaks: 'a machine that has its image is switched off when its host is given back',
    file: 'activities/hub/metal/reservation.ts',
    inside: 'isWipedFor',
    text: "(spec?.image?.url ?? '') === ''",
    becomes: 'true',
  },
  {
    ...OTHERS,
    breaks: 'a machine of another SIPCluster of that name is switched off',
    file: 'activities/hub/metal/reservation.ts',
    inside: 'isWipedFor',
    text: 'metadata.annotations?.[PROVISIONED_FOR] === cluster.metadata.uid',
    becomes: 'true',
  },
  {
    ...OTHERS,
    breaks: 'a host that another SIPCluster has claimed loses its consumer',
    file: 'activities/hub/metal/reservation.ts',
    inside: 'consumerOf',
    text: 'consumer.name === name',
    becomes: 'true',
  },
  {
    ...CHAIN,
    breaks: 'the user data of a host stay when Metal³ has read them',
    file: 'workflows/metal/chain/forth.ts',
    inside: 'actOn',
    text: 'host.userData === null ? []',
    becomes: 'true ? []',
  },
  {
    ...OTHERS,
    breaks: 'hosts that run are wiped under a ManagedCluster of somebody else',
    file: 'workflows/metal/chain/back.ts',
    inside: 'taken',
    text: 'hasCome && mayRun(sight)',
    becomes: 'false',
  },
  {
    ...MEANWHILE,
    breaks: 'a host is wiped that somebody else has claimed since it was seen',
    file: 'activities/hub/metal/chain/host-acts.ts',
    inside: 'wipe',
    text: 'metadata: { uid, resourceVersion, annotations',
    becomes: 'metadata: { annotations',
  },
  {
    ...MEANWHILE,
    breaks: 'a Secret of somebody else is written as user data, and taken away',
    file: 'activities/hub/metal/chain/see.ts',
    inside: 'userDataOf',
    text: 'secret?.metadata.annotations?.[PROVISIONED_FOR] === uid',
    becomes: 'true',
  },
  {
    ...FITNESS,
    breaks: 'a failed host is given up for one to which no service could lead',
    file: 'activities/hub/metal/fitness.ts',
    inside: 'comers',
    text: 'swap === null ? add : [...add, swap.by]',
    becomes: 'add',
  },
  {
    ...FITNESS,
    breaks: 'a host that is bad for one role is left out for all',
    file: 'workflows/metal/plan/hosts.ts',
    inside: 'isFitFree',
    text: 'host.unfitFor?.has(role) !== true',
    becomes: 'host.unfitFor === undefined',
  },
  {
    ...UNREAD,
    breaks: 'after 512 bad hosts no other is ever looked at',
    file: 'activities/hub/metal/fitness.ts',
    inside: 'turned',
    text: 'rest.length === 0 ? 0 :',
    becomes: 'rest.length >= 0 ? 0 :',
  },
  {
    ...UNREAD,
    breaks: 'a Secret is read as often as hosts name it',
    file: 'activities/hub/metal/services/secrets-once.ts',
    inside: null,
    text: 'asked.get(keyText(key)) ?? ',
    becomes: '',
  },
  {
    ...OTHERS,
    breaks: 'a node of a site that has lost one label loses all of them',
    file: 'activities/hub/metal/ground.ts',
    inside: 'isHalfReserved',
    text: ' && provisionedFor === undefined',
    becomes: '',
  },
  {
    ...FITNESS,
    breaks: 'who was not the fastest reads all Secrets again for each try, while others wait',
    file: 'activities/hub/metal/reserve.ts',
    inside: 'reserveFor',
    text: 'planFit(reader,',
    becomes: 'planFit(kube,',
  },
  {
    ...SECRETS,
    breaks: 'who lacks hosts hears nothing of a Secret of a free host that was mended',
    file: 'bridge/metal/secrets.ts',
    inside: 'listenToSecrets',
    text: 'owners.includes(null)',
    becomes: 'false',
  },
  {
    ...STORMS,
    breaks: 'a reserved host with one label less is free for nobody',
    file: 'activities/hub/metal/ground.ts',
    inside: 'isHalfReserved',
    text: "owner !== null && (owner.namespace === '' || owner.name === '')",
    becomes: 'false',
  },
  {
    ...STORMS,
    breaks: 'a claim rests on no version of the host',
    file: 'activities/hub/metal/reservation.ts',
    inside: 'reserve',
    text: '    resourceVersion,\n',
    becomes: '',
  },
  {
    ...CHAIN,
    breaks: 'a site is drained although onDelete is Refuse',
    file: 'workflows/metal/chain/back.ts',
    inside: 'undrained',
    text: '!isDrainRefused || drain !== null',
    becomes: 'isDrainRefused || drain !== null',
  },
];
