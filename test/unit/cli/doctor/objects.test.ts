// `kubectl capp doctor` finds what keeps Capps, sets and Bundles from being placed, shipped or looked at.
import type { DoctorFacts } from '../../../../cli/doctor/facts.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { aSet } from '../../../support/builders/fleet/sets.ts';
import {
  DAY,
  at,
  aDecision,
  aCappSaying,
  aRival,
  aSetSaying,
  aBundleSaying,
  findsOnly,
} from '../../../support/builders/hub-facts.ts';

function aged<T extends { readonly metadata: object }>(one: T): T {
  return { ...one, metadata: { ...one.metadata, creationTimestamp: at(-DAY) } };
}

test.each<[string, () => Partial<DoctorFacts>, RegExp]>([
  ['there is no RCSConfig', () => ({ configs: [] }), /There is no RCSConfig/],
  ['a Placement is missing', () => ({ placements: [] }), /lists Placement all, which does not exist/],
  [
    'a Placement has not decided',
    () => ({ decisions: [aDecision([])] }),
    /Placement all .+ has decided for no site/,
  ],
  [
    'nobody looks at Capps',
    () => ({ capps: [{ ...aCapp(), metadata: { ...aCapp().metadata, creationTimestamp: at(-DAY) } }] }),
    /Nobody has looked at apps\/app/,
  ],
  [
    'a workflow keeps failing',
    () => ({ capps: [aCappSaying('Stalled', 'True', 'WorkflowFailing')] }),
    /The workflows of apps\/app fail again and again/,
  ],
  [
    'another Capp has the hostname of two',
    () => ({ capps: [aRival('red'), aRival('blue')] }),
    /^hostname shop\.example\.com: It belongs to Capp shops\/first, so what is asked for with it by apps\/red, apps\/blue is sent to no site\. Use another spec\.routeSpec\.hostname/,
  ],
  [
    'a Service of the site has the name of a Capp',
    () => ({ capps: [aCappSaying('Available', 'Unknown', 'NameTaken')] }),
    /^site site-1: Something that is not theirs has there the name that apps\/app needs\. "kubectl capp why app -n apps" says what/,
  ],
  [
    'the Placement of a set is missing',
    () => ({
      sets: [
        { ...aSet('shop', { placement: 'shops' }), status: aSetSaying('True', 'NoPlacement').status ?? {} },
      ],
    }),
    /^CappSets: There is no Placement apps\/shops, which apps\/shop names/,
  ],
  [
    'sets wait for a person',
    () => ({ sets: ['a', 'b', 'c', 'd'].map((name) => aSetSaying('True', 'SitesFailed', name)) }),
    /^CappSets: apps\/a, apps\/b, apps\/c and 1 more wait for a person \(SitesFailed\)\. kubectl capp why cappset\/a -n apps/,
  ],
  [
    'nobody looks at a set',
    () => ({ sets: [aged(aSet('shop', { sites: { clusters: ['site-1'] } }))] }),
    /^CappSets: Nobody has looked at apps\/shop/,
  ],
  [
    'a Bundle cannot be applied',
    () => ({ bundles: [aBundleSaying('True', 'NotAllowed')] }),
    /^Bundles: apps\/base waits for a person \(NotAllowed\)\. kubectl capp why bundle\/base -n apps says/,
  ],
  [
    'nobody looks at a Bundle',
    () => ({ bundles: [aged({ ...aBundleSaying('True', ''), status: {} })] }),
    /^Bundles: Nobody has looked at apps\/base/,
  ],
])('it is found when %s, with a remedy, and nothing else is', findsOnly);
