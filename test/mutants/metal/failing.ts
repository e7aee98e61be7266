// Faults in what becomes of hosts that fail again and again.
import type { Mutant } from '../mutant.ts';

export const METAL_FAILING: readonly Mutant[] = [
  {
    breaks: 'a host whose error Metal³ takes away to try again has not failed, and is never replaced',
    file: 'crds/metal/bare-metal-host.ts',
    inside: 'isMended',
    text: "DONE.has(status?.provisioning?.state ?? '')",
    becomes: 'true',
    seenBy: ['test/unit/metal/chain/failing.test.ts'],
  },
  {
    breaks: 'a failed host that is cleaned to be given back stays, and the one that came for it goes',
    file: 'crds/metal/bare-metal-host.ts',
    inside: 'isMended',
    text: ' && !isWiping',
    becomes: '',
    seenBy: ['test/unit/metal/failing.test.ts'],
  },
  {
    breaks: 'a host is failed for ever, though it is provisioned',
    file: 'activities/hub/metal/failing.ts',
    inside: 'failingBy',
    text: 'before === null || isMended(host, isMarked(host, uid))',
    becomes: 'before === null',
    seenBy: ['test/unit/metal/chain/failing.test.ts'],
  },
  {
    breaks: 'the clock of a failed host begins anew at each look',
    file: 'activities/hub/metal/failing.ts',
    inside: 'failingBy',
    text: 'before?.since ?? now',
    becomes: 'now',
    seenBy: ['test/unit/metal/chain/failing.test.ts'],
  },
  {
    breaks: 'a host that has just failed is taken before one that has not',
    file: 'workflows/metal/plan/hosts.ts',
    inside: 'fitting',
    text: '(a.passedOver ?? 0) - (b.passedOver ?? 0)',
    becomes: '0',
    seenBy: ['test/unit/metal/chain/failing.test.ts'],
  },
  {
    breaks: 'which hosts have failed is forgotten when they are given back',
    file: 'activities/hub/metal/failing.ts',
    inside: 'passedOver',
    text: '!reserved.has(key)',
    becomes: 'reserved.has(key)',
    seenBy: ['test/unit/metal/chain/failing.test.ts'],
  },
  {
    breaks: 'hosts that nobody sees for a moment are called given back, and look well then',
    file: 'activities/hub/metal/status.ts',
    inside: 'unseenHosts',
    text: 'const { hosts = [], passedOver: given } = status ?? {};',
    becomes: 'const { passedOver: given } = status ?? {};\n  const hosts: [] = [];',
    seenBy: ['test/unit/metal/failing.test.ts'],
  },
  {
    breaks: 'who asks for hosts without a site reads what Metal³ quotes of them',
    file: 'activities/hub/metal/failing.ts',
    inside: 'failingBy',
    text: 'spec.site === undefined ? kindOf : errorOf',
    becomes: 'spec.site === null ? kindOf : errorOf',
    seenBy: ['test/unit/metal/failing.test.ts'],
  },
];
