// Which cluster a new Capp gets.
import type { PlacementInputs } from '../../../workflows/placement/inputs.ts';
import { select } from '../../../workflows/placement/select.ts';
import { MEMBER, members, anEvenField } from '../../support/builders/placement.ts';
import { NOW } from '../../support/builders/states.ts';

describe('the winner', () => {
  test.each<[string, string, Partial<PlacementInputs>]>([
    ['is the first by name among equals', 'a', {}],
    ['has the best score', 'c', { scores: { a: 1, b: -5, c: 9 }, load: { c: 50 } }],
    ['has the fewest Capps among sites with equal scores', 'b', { load: { a: 2, b: 1, c: 2 } }],
    ['counts with score 0 when it has none', 'a', { scores: { b: -1, c: -1 } }],
    [
      'is the present site while the decisions contain it, whatever the scores of others',
      'b',
      { present: 'b', scores: { a: 9 }, load: { b: 50 } },
    ],
    ['is another site when the decisions no longer contain the present one', 'a', { present: 'd' }],
    ['is another site when the present one is avoided', 'a', { present: 'b', avoid: { b: NOW + 1 } }],
    [
      'is the present site when a work is there, even outside the decisions',
      'd',
      { present: 'd', works: { d: { leaving: false } }, scores: { a: 9 } },
    ],
    [
      'is the present site when a work is there, even without any decision',
      'b',
      {
        present: 'b',
        works: { b: { leaving: false } },
        byPlacement: { all: { clusters: [], complete: true } },
      },
    ],
    [
      'is the present site when a work is there, even without an RCSConfig',
      'b',
      { present: 'b', works: { b: { leaving: false } }, placements: null },
    ],
    [
      'is another site when the work on the present one is being deleted',
      'a',
      { present: 'b', works: { b: { leaving: true } } },
    ],
    ['may be a site whose avoidance has just ended', 'a', { avoid: { a: NOW } }],
    [
      'comes from the first placement that has a decision',
      'd',
      {
        placements: ['none', 'empty', 'late', 'all'],
        byPlacement: {
          none: null,
          empty: { clusters: [], complete: true },
          late: { clusters: ['d'], complete: true },
          all: { clusters: ['a'], complete: true },
        },
      },
    ],
    [
      'comes from the placement whose decisions contain the present site, in spite of the order',
      'a',
      {
        placements: ['first', 'second'],
        present: 'a',
        byPlacement: {
          first: { clusters: ['d'], complete: true },
          second: { clusters: ['a', 'b'], complete: true },
        },
      },
    ],
    [
      'comes from the placement that spec.site names',
      'd',
      {
        site: 'two',
        placements: ['all', 'two'],
        byPlacement: { all: { clusters: ['a'], complete: true }, two: { clusters: ['d'], complete: true } },
      },
    ],
    ['is the cluster that spec.site names, even outside the decisions', 'd', { site: 'd' }],
    [
      'is the named present site, even if it may no longer be named',
      'd',
      { site: 'd', present: 'd', clusters: { d: { ...MEMBER, mayPin: false } } },
    ],
    ['is the cluster that spec.site names, even without an RCSConfig', 'd', { site: 'd', placements: null }],
    [
      'comes from the named placement when a cluster has the same name',
      'd',
      {
        site: 'all',
        clusters: members('all', 'd'),
        byPlacement: { all: { clusters: ['d'], complete: true } },
      },
    ],
  ])('%s', (_name, cluster, plain) => {
    expect(select(anEvenField(plain), NOW).cluster).toBe(cluster);
  });

  test.each<[string, Partial<PlacementInputs>]>([
    ['Chosen', {}],
    ['Stays', { present: 'a' }],
    ['Pinned', { site: 'a' }],
  ])('is recorded with reason %s', (reason, plain) => {
    const selection = select(anEvenField(plain), NOW);
    expect(selection.record.reason).toBe(reason);
    expect(selection).toMatchObject({ cluster: 'a', pinned: reason === 'Pinned' });
  });
});

describe('no site', () => {
  test.each<[string, string, Partial<PlacementInputs>]>([
    ['NoConfig', 'RCSConfig', { placements: null }],
    ['NoConfig', 'RCSConfig', { placements: null, site: 'elsewhere' }],
    ['NoPlacement', 'No Placement named all', { byPlacement: { all: null } }],
    ['NoPlacement', 'No Placement named none', { placements: [] }],
    ['NoDecision', 'describe placement', { byPlacement: { all: { clusters: [], complete: true } } }],
    [
      'NoDecision',
      'Placement late',
      {
        site: 'late',
        placements: ['all', 'late'],
        byPlacement: { all: { clusters: ['a'], complete: true }, late: { clusters: [], complete: true } },
      },
    ],
    ['UnknownSite', 'neither a placement (all) nor a managed cluster (a, b, c, d)', { site: 'mars' }],
    [
      'PinRefused',
      'd is in no clusterset of the placements, so no Capp can be sent there by name. Name a site that is (a)',
      { site: 'd', clusters: { ...members('a'), d: { ...MEMBER, mayPin: false } } },
    ],
    ['NoConfig', 'RCSConfig', { site: 'd', placements: null, clusters: { d: { ...MEMBER, mayPin: false } } }],
    ['SelfManaged', 'the hub itself', { byPlacement: { all: { clusters: ['hub'], complete: true } } }],
    ['SelfManaged', 'the hub itself', { site: 'hub' }],
    ['SiteRemoved', 'being removed', { site: 'a', clusters: { a: { ...MEMBER, deleting: true } } }],
    [
      'NoCandidate',
      'a, b and c failed to take over this Capp',
      { avoid: { a: NOW + 1, b: NOW + 1, c: NOW + 1 } },
    ],
    [
      'NoCandidate',
      'a is still removing',
      { byPlacement: { all: { clusters: ['a'], complete: true } }, works: { a: { leaving: true } } },
    ],
    [
      'Draining',
      'a is being drained, and nothing new is placed there. Name another site',
      { site: 'a', clusters: { a: { ...MEMBER, draining: true } } },
    ],
    [
      'NoCandidate',
      'b is being drained',
      {
        avoid: { a: NOW + 1, c: NOW + 1 },
        clusters: { ...members('a', 'c'), b: { ...MEMBER, draining: true } },
      },
    ],
    [
      'NotAccepted',
      'kubectl patch managedcluster a --type=merge',
      { site: 'a', clusters: { a: { ...MEMBER, accepted: false } } },
    ],
    [
      'NoCandidate',
      'b has not been accepted',
      {
        avoid: { a: NOW + 1, c: NOW + 1 },
        clusters: { ...members('a', 'c'), b: { ...MEMBER, accepted: false } },
      },
    ],
    [
      'NoCandidate',
      'is no managed cluster',
      { byPlacement: { all: { clusters: ['gone'], complete: true } } },
    ],
  ])('can be chosen with reason %s, and the message contains "%s"', (reason, text, plain) => {
    const selection = select(anEvenField(plain), NOW);
    expect(selection).toMatchObject({ cluster: null, reason, record: { cluster: null, reason } });
    expect(selection.message).toContain(text);
  });
});
