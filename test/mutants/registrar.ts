// Faults in how sites become clusters of Argo CD.
import type { Mutant } from './mutant.ts';

const PLAN = 'test/unit/registrar/plan.test.ts';
const WRITES = 'test/activity/registrar/registrar.test.ts';
const ROUNDS = 'test/unit/registrar/rounds.test.ts';

export const REGISTRAR: readonly Mutant[] = [
  {
    breaks: 'a Secret that somebody else has made is taken for ours by its name',
    file: 'registrar/cluster.ts',
    inside: 'siteOf',
    text: ' && labels?.[MANAGED_BY] === MANAGED_BY_REGISTRAR',
    becomes: '',
    seenBy: [PLAN],
  },
  {
    breaks: 'a second cluster of a name or an address makes Argo CD refuse both',
    file: 'registrar/plan.ts',
    inside: 'takenBy',
    text: `textIn(one, 'name') === site`,
    becomes: 'false',
    seenBy: [PLAN],
  },
  {
    breaks: 'the reader’s token is lent to Argo CD',
    file: 'registrar/plan.ts',
    inside: 'whyNoWay',
    text: '?.name === account',
    becomes: ' !== null',
    seenBy: [PLAN],
  },
  {
    breaks: 'cluster-proxy is installed again, and ApplicationSets delete every Application',
    file: 'registrar/plan.ts',
    inside: 'planned',
    text: 'now - since >= rules.noWayMs',
    becomes: 'true',
    seenBy: [PLAN],
  },
  {
    breaks: 'a Secret stays for ever where the tunnel is gone',
    file: 'registrar/plan.ts',
    inside: 'planned',
    text: 'before.get(site) ?? now',
    becomes: 'now',
    seenBy: [PLAN],
  },
  {
    breaks: 'the Secret is written in each round',
    file: 'registrar/plan.ts',
    inside: 'writeOf',
    text: 'return isSame ? null :',
    becomes: 'return isSame && found === null ? null :',
    seenBy: [PLAN, WRITES],
  },
  {
    breaks: 'Argo CD prunes the Secret as a part of the Application that has made the ManagedCluster',
    file: 'registrar/cluster.ts',
    inside: 'selectable',
    text: ' && !NOT_COPIED.some((prefix) => name.startsWith(prefix))',
    becomes: '',
    seenBy: [PLAN],
  },
  {
    breaks: 'a site that the hub has let go stays a cluster of Argo CD',
    file: 'registrar/look.ts',
    inside: 'look',
    text: 'sites.items.filter(isMember).map(labelled)',
    becomes: 'sites.items.map(labelled)',
    seenBy: [WRITES],
  },
  {
    breaks: 'every site becomes a cluster of Argo CD, whether a person wants that or not',
    file: 'registrar/look.ts',
    inside: 'look',
    text: '{ labelSelector: `${ARGO_CLUSTER}=true`, keep: identity }',
    becomes: '{ keep: identity }',
    seenBy: [WRITES],
  },
  {
    breaks: 'any Secret that is named as the account gives a token',
    file: 'registrar/look.ts',
    inside: 'look',
    text: '      labelSelector: `${OF_MANAGED_ACCOUNT}=true`,\n',
    becomes: '',
    seenBy: [WRITES],
  },
  {
    breaks: 'a label that the ManagedCluster has lost stays on the Secret',
    file: 'registrar/round.ts',
    inside: 'labelsFrom',
    text: '...Object.fromEntries(without.map((name) => [name, null])), ',
    becomes: '',
    seenBy: [WRITES],
  },
  {
    breaks: 'the hub’s API was away for ten minutes, and the Secrets of all sites go when it comes back',
    file: 'registrar/registrar.ts',
    inside: 'startRegistrar',
    text: '        last = UNSEEN;\n',
    becomes: '',
    seenBy: [ROUNDS],
  },
  {
    breaks: 'a machine that was suspended counts as ten minutes without a tunnel',
    file: 'registrar/registrar.ts',
    inside: 'startRegistrar',
    text: 'now - last.at > REGISTRAR_TIMES.unseen.ms ? UNSEEN : last',
    becomes: 'last',
    seenBy: [ROUNDS],
  },
];
