// Faults in what is made beside a SIPCluster.
import type { Mutant } from './mutant.ts';

const SERVICES = 'activities/hub/metal/services';
const FAULTS = { seenBy: ['test/activity/hub/metal/service-faults.test.ts'] } as const;
const ORDER = { seenBy: ['test/unit/metal/services/order.test.ts'] } as const;

export const METAL: readonly Mutant[] = [
  {
    breaks: 'an IPv6 address of a server runs into its port',
    file: `${SERVICES}/haproxy.ts`,
    inside: 'bracketed',
    text: "address.includes(':')",
    becomes: "address.startsWith('[')",
    seenBy: ['test/unit/metal/services/haproxy.test.ts'],
  },
  {
    breaks: 'who may read Deployments can try passwords of BMCs',
    file: `${SERVICES}/jump-host.ts`,
    inside: 'jumpHost',
    text: "createHmac('sha256', parts.hostKey)",
    becomes: "createHmac('sha256', '')",
    seenBy: ['test/unit/metal/services/jump-host.test.ts'],
  },
  {
    breaks: 'a cut public key is taken',
    file: `${SERVICES}/authorized-keys.ts`,
    inside: 'isAuthorizedKey',
    text: 'least <= length && length <= most',
    becomes: 'length <= most',
    seenBy: ['test/unit/metal/services/authorized-keys.test.ts'],
  },
  {
    breaks: 'network data may bring a line of a configuration',
    file: `${SERVICES}/network-data.ts`,
    inside: 'addressesOf',
    text: '|| isIP(address) === 0',
    becomes: '',
    seenBy: ['test/unit/metal/services/secrets.test.ts'],
  },
  {
    breaks: 'an edit of a load balancer stays until tomorrow',
    file: 'bridge/metal/sip-clusters.ts',
    inside: 'listenToServices',
    text: 'initial || isSameAsBefore',
    becomes: "initial || type === 'Modified' || isSameAsBefore",
    seenBy: ['test/unit/bridge/metal/sip-clusters.test.ts'],
  },
  {
    ...FAULTS,
    breaks: 'a host has a Secret of another namespace read',
    file: `${SERVICES}/hosts.ts`,
    inside: 'readAddresses',
    text: "namespace !== '' && namespace !== metadata.namespace",
    becomes: 'false',
  },
  {
    ...FAULTS,
    breaks: 'an object of somebody else is taken over',
    file: `${SERVICES}/apply.ts`,
    inside: 'applyOwned',
    text: 'there !== null && !isOf(there, cluster)',
    becomes: 'false',
  },
  {
    breaks: 'hosts are given back while load balancers lead to them',
    file: 'activities/hub/metal/turn.ts',
    inside: 'retire',
    text: 'left !== null',
    becomes: "left === ''",
    seenBy: ['test/unit/metal/services/order.test.ts'],
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
    breaks: 'a Pod of an earlier version counts as none',
    file: `${SERVICES}/standing.ts`,
    inside: 'waitingFor',
    text: 'replicas - newest',
    becomes: '0',
  },
  {
    ...ORDER,
    breaks: 'a Deployment counts as gone while its Pods run',
    file: `${SERVICES}/apply.ts`,
    inside: 'removeOwned',
    text: "'Foreground'",
    becomes: "'Background'",
  },
  {
    ...ORDER,
    breaks: 'what was made in a namespace that was taken away is forgotten',
    file: `${SERVICES}/serve.ts`,
    inside: 'stopServing',
    text: 'before.length === 0 ? null',
    becomes: 'true ? null',
  },
];
