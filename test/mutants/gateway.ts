// Faults in the gateway between agents and Temporal.
import type { Mutant } from './mutant.ts';

export const GATEWAY: readonly Mutant[] = [
  {
    breaks: 'a task token opens for every site',
    file: 'gateway/seal.ts',
    inside: 'boundTo',
    text: '`${cluster}\\n${account}`',
    becomes: '`${cluster.length}${account.length}`.slice(2)',
    seenBy: ['test/unit/gateway/seal.test.ts'],
  },
  {
    breaks: 'a token for any audience lets its bearer in',
    file: 'gateway/identify.ts',
    inside: 'siteOf',
    text: ' && status.audiences?.includes(GATEWAY_AUDIENCE) === true',
    becomes: '',
    seenBy: ['test/unit/gateway/identify.test.ts'],
  },
  {
    breaks: 'a cluster that the hub has denied is let in',
    file: 'crds/ocm/ocm.ts',
    inside: 'isMember',
    text: 'cluster?.spec?.hubAcceptsClient === true',
    becomes: 'cluster?.spec !== undefined',
    seenBy: ['test/unit/gateway/identify.test.ts'],
  },
  {
    breaks: 'one site uses up what all sites may do',
    file: 'gateway/allowance.ts',
    inside: 'allowance',
    text: 'buckets.get(cluster)',
    becomes: 'buckets.values().next().value',
    seenBy: ['test/unit/gateway/bounds.test.ts'],
  },
  {
    breaks: 'the calls of a site that is shut out go on',
    file: 'gateway/open-calls.ts',
    inside: 'openCalls',
    text: 'AbortSignal.any([signal, call.ending.signal])',
    becomes: 'signal',
    seenBy: ['test/unit/gateway/bounds.test.ts'],
  },
];
