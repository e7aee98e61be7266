// For which Capps a change of the labels or claims of a cluster rings: those that ask for them in
// spec.requires.
import type { Capp } from '../../../../crds/capp/capp.ts';
import type { ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import {
  aCluster,
  decided,
  type Facts,
  onSite,
  rung,
  versionsRung,
  workOn,
} from '../../../support/builders/placing-rings.ts';

const inRegion = (name: string, region: string, claims: Record<string, string> = {}): ManagedCluster => {
  const plain = aCluster(name);
  const clusterClaims = Object.entries(claims).map(([claim, value]) => ({ name: claim, value }));
  return {
    ...plain,
    metadata: { ...plain.metadata, labels: { region } },
    status: { ...plain.status, clusterClaims },
  };
};
const asking = (name: string, site: string | null, where: 'labels' | 'claims', key = 'region'): Capp =>
  onSite(name, site, {
    requires: { [where]: { matchExpressions: [{ key, operator: 'In', values: ['eu'] }] } },
  });

describe('a changed label or claim of a cluster', () => {
  const EUROPE = inRegion('site-1', 'eu');
  const AMERICA = inRegion('site-1', 'us');
  const facts: Facts = {
    capps: [
      onSite('plain', 'site-1'),
      asking('there', 'site-1', 'labels'),
      asking('waiting', null, 'labels'),
      asking('content', 'site-2', 'labels'),
      asking('misfit', 'site-3', 'labels'),
      asking('other', 'site-1', 'labels', 'zone'),
      asking('claimant', 'site-1', 'claims', 'gpu'),
    ],
    clusters: [AMERICA, inRegion('site-2', 'eu'), inRegion('site-3', 'us')],
    decisions: [decided('all', ['site-1', 'site-2', 'site-3'])],
  };

  test('rings the Capps that ask for it and are there, wait, or are where they do not fit', () => {
    expect(rung(facts, 'clusters', { before: EUROPE, after: AMERICA })).toEqual([
      'there',
      'waiting',
      'misfit',
    ]);
    expect(versionsRung()).toEqual(new Set(['ManagedCluster 9']));
  });

  test('of another name than they ask for rings nobody, and neither does a heartbeat', () => {
    const labelled = { ...EUROPE, metadata: { ...EUROPE.metadata, labels: { region: 'eu', note: 'x' } } };
    expect(rung(facts, 'clusters', { before: EUROPE, after: labelled })).toEqual([]);
    const beating = { ...EUROPE, metadata: { ...EUROPE.metadata, resourceVersion: '10' } };
    expect(rung(facts, 'clusters', { before: EUROPE, after: beating })).toEqual([]);
    const claimed = inRegion('site-1', 'eu', { nodes: '3' });
    expect(rung(facts, 'clusters', { before: EUROPE, after: claimed })).toEqual([]);
  });

  test.each<[string, ManagedCluster, ManagedCluster]>([
    ['appears', EUROPE, inRegion('site-1', 'eu', { gpu: 'eu' })],
    ['changes', inRegion('site-1', 'eu', { gpu: 'us' }), inRegion('site-1', 'eu', { gpu: 'eu' })],
    ['goes', inRegion('site-1', 'eu', { gpu: 'eu' }), EUROPE],
  ])('that is a claim rings those that ask for it when it %s', (_title, before, after) => {
    expect(rung(facts, 'clusters', { before, after })).toEqual(['claimant']);
  });

  test('rings a Capp that had to leave the site, and one on its way there', () => {
    const status = {
      applicationLinks: { site: 'site-2' },
      migration: { serving: 'site-2', lastMove: { from: 'site-1', to: 'site-2', result: 'Moved' } },
    };
    const away = asking('away', 'site-2', 'labels');
    const migration = { failback: 'Automatic' } as const;
    const home = { ...away, spec: { ...away.spec, migration }, status } as Capp;
    const coming = asking('coming', 'site-2', 'labels');
    const both = { ...facts, capps: [home, coming], works: [workOn('site-1', 'coming')] };
    expect(rung(both, 'clusters', { before: AMERICA, after: EUROPE })).toEqual(['away', 'coming']);
  });
});

test('a cluster that is accepted rings a Capp that is where it does not fit', () => {
  const refused = { ...aCluster('site-2'), spec: { hubAcceptsClient: false, taints: [] } };
  const facts = {
    capps: [asking('misfit', 'site-1', 'labels'), onSite('plain', 'site-1')],
    decisions: [decided('all', ['site-1', 'site-2'])],
  };
  expect(rung(facts, 'clusters', { before: refused, after: aCluster('site-2') })).toEqual(['misfit']);
});
