// What the views say of sites, of Capps on them, and of drains.
import { appLines, appLineOf } from '../../../../cli/dashboard/view/apps.ts';
import { drainLines } from '../../../../cli/dashboard/view/drains.ts';
import { siteCards } from '../../../../cli/dashboard/view/fleet.ts';
import { hitsFor } from '../../../../cli/dashboard/view/search.ts';
import type { Drain } from '../../../../crds/drain/drain.ts';
import { ENDS_AFTER } from '../../../../crds/labels.ts';
import type { ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import { aCondition, at, facts, ready } from '../../../support/builders/facts.ts';

function aSite(
  name: string,
  plain: { available?: string; taints?: object[]; labels?: object } = {},
): ManagedCluster {
  const { available = 'True', taints = [], labels = {} } = plain;
  return {
    metadata: { name, labels },
    spec: { hubAcceptsClient: true, taints },
    status: {
      conditions: [
        { type: 'ManagedClusterConditionAvailable', status: available, lastTransitionTime: at(-1) },
      ],
    },
  } as unknown as ManagedCluster;
}

const addOnOf = (site: string) => ({
  metadata: { name: 'cappstan', namespace: site },
  status: { conditions: [{ type: 'Available', status: 'True' as const }] },
});
const score = (site: string, validUntil: string) => ({
  metadata: { name: 'rcs-score', namespace: site },
  status: { scores: [{ name: 'cpuAvailable', value: 40 }], validUntil },
});

const moving = () =>
  ready('cart', 'a', {
    sites: [
      { clusterName: 'a', role: 'Leaving' },
      { clusterName: 'b', role: 'Coming' },
    ],
    conditions: [aCondition('Migrating', 'True', 'Moving'), aCondition('Placed', 'True', 'Chosen')],
  });

function aDrain(site: string, plain: Partial<NonNullable<Drain['status']>> = {}, spec: object = {}): Drain {
  return {
    apiVersion: '',
    kind: 'Drain',
    metadata: { name: site, uid: 'u', generation: 1 },
    spec: {
      dryRun: false,
      rehearse: false,
      paused: false,
      width: 50,
      perTarget: 25,
      ratePerSecond: 25,
      ...spec,
    },
    status: {
      observedGeneration: 1,
      phase: 'Draining',
      moved: 3,
      underWay: 1,
      waiting: 2,
      stayed: 0,
      startedAt: at(-60_000),
      ...plain,
    },
  };
}

describe('a site', () => {
  it('counts each Capp that is there, comes or leaves, by how it stands', () => {
    const cards = siteCards(
      facts({ clusters: [aSite('a'), aSite('b')], capps: [ready('shop', 'a'), moving()] }),
    );
    expect(cards['site/a']).toMatchObject({ capps: 2, counts: { good: 1, moving: 1, bad: 0 } });
    expect(cards['site/b']).toMatchObject({ capps: 1, counts: { good: 0, moving: 1 } });
  });

  it('says in words what is wrong with it, and is as bad as that', () => {
    const clusters = [
      aSite('lost', { available: 'Unknown' }),
      aSite('full', { taints: [{ key: 'disk', value: 'full', effect: 'NoSelect' }] }),
      aSite('well'),
    ];
    const addOns = ['lost', 'full', 'well'].map(addOnOf);
    const cards = siteCards(facts({ clusters, addOns }));
    expect(cards['site/lost']).toMatchObject({ tone: 'bad', troubles: ['The hub cannot reach it.'] });
    expect(cards['site/full']).toMatchObject({ tone: 'held', troubles: ['Tainted: disk=full:NoSelect.'] });
    expect(cards['site/well']).toMatchObject({ tone: 'good', troubles: [] });
    expect(siteCards(facts({ clusters: [aSite('bare')] }))['site/bare']?.troubles).toEqual([
      'It has no add-on cappstan, so it runs no Capps.',
    ]);
  });

  it('with a Capp that fails is no good site', () => {
    const failing = ready('shop', 'a', {
      conditions: [aCondition('Placed', 'True', 'Chosen'), aCondition('Ready', 'False', 'RolloutFailed')],
    });
    const cards = siteCards(facts({ clusters: [aSite('a')], addOns: [addOnOf('a')], capps: [failing] }));
    expect(cards['site/a']).toMatchObject({ tone: 'bad', counts: { bad: 1 } });
  });

  it('with a taint or a silent agent is as bad as its worst Capp', () => {
    const failing = ready('shop', 'a', {
      conditions: [aCondition('Placed', 'True', 'Chosen'), aCondition('Ready', 'False', 'RolloutFailed')],
    });
    const clusters = [aSite('a', { taints: [{ key: 'disk', value: 'full', effect: 'NoSelect' }] })];
    const cards = siteCards(facts({ clusters, addOns: [addOnOf('a')], capps: [failing] }));
    expect(cards['site/a']).toMatchObject({ tone: 'bad', troubles: ['Tainted: disk=full:NoSelect.'] });
  });

  it('shows no figure that has expired', () => {
    const clusters = [aSite('a'), aSite('b')];
    const cards = siteCards(facts({ clusters, scores: [score('a', at(1)), score('b', at(-1))] }));
    expect([cards['site/a']?.cpu, cards['site/b']?.cpu]).toEqual([40, null]);
  });

  it('is known by name alone to who may not read ManagedClusters, and offers them no drain', () => {
    const cards = siteCards(facts({ hidesSites: true, capps: [ready('shop', 'a')] }));
    expect(cards).toEqual({
      'site/a': expect.objectContaining({
        tone: 'unknown',
        state: 'Unknown',
        capps: 1,
        acts: [],
        troubles: [],
      }),
    });
  });

  it('offers a drain to who may order one, and none where there is one', () => {
    const clusters = [aSite('a'), aSite('b')];
    const cards = siteCards(facts({ clusters, drains: [aDrain('b')] }));
    expect(cards['site/a']?.acts.map(({ act }) => act)).toEqual(['drain']);
    expect(cards['site/b']).toMatchObject({ acts: [], drain: { isOver: false, share: 0.5 } });
    // What a killed plan has left is no drain.
    const left = aDrain('b', { phase: 'Planned' }, { dryRun: true });
    const marked = { ...left, metadata: { ...left.metadata, annotations: { [ENDS_AFTER]: '300' } } };
    const acts = (drain: Drain) => siteCards(facts({ clusters, drains: [drain] }))['site/b']?.acts.length;
    expect([acts(left), acts(marked)]).toEqual([0, 1]);
    const viewer = siteCards(facts({ clusters, may: () => false }));
    expect(viewer['site/a']?.acts).toEqual([]);
  });
});

test('what would be lost with a site is asked by who may read all that the answer rests on, and by nobody else', () => {
  const clusters = [aSite('a')];
  const asks = (may: (verb: string, plural: string, namespace: string | null) => boolean) =>
    siteCards(facts({ clusters, may }))['site/a']?.maySuppose;
  expect(asks(() => true)).toBe(true);
  expect(asks((_verb, plural) => plural !== 'rcsconfigs')).toBe(false);
  // In one namespace is not enough: the answer is about all Capps of the site.
  expect(asks((_verb, _plural, namespace) => namespace !== null)).toBe(false);
});

describe('a drain', () => {
  it('says when it is done at the pace until now, and nothing before the first has moved', () => {
    const lines = drainLines(facts({ drains: [aDrain('a'), aDrain('b', { moved: 0 })] }));
    // Three have moved in a minute, so three more take another one.
    expect(lines['drain/a']?.doneAt).toBe(at(60_000));
    expect(lines['drain/b']?.doneAt).toBeNull();
  });

  it('offers what may be done to it: nothing to a viewer, no pause of a dry run', () => {
    const acts = (drain: Drain, may = () => true) =>
      drainLines(facts({ drains: [drain], may }))[`drain/${drain.metadata.name}`]?.acts.map(({ act }) => act);
    expect(acts(aDrain('a'))).toEqual(['pause-drain', 'stop-drain']);
    expect(acts(aDrain('a', {}, { paused: true }))).toEqual(['resume-drain', 'stop-drain']);
    expect(acts(aDrain('a', { phase: 'Planned' }, { dryRun: true }))).not.toContain('pause-drain');
    expect(acts(aDrain('a'), () => false)).toEqual([]);
  });
});

describe('a Capp in a line', () => {
  it('is looked at once for each of its versions', () => {
    const capp = ready('shop', 'a');
    expect(appLineOf(capp)).toBe(appLineOf(capp));
    expect(appLines(facts({ capps: [capp] }))).toEqual({
      'app/apps/shop': expect.objectContaining({ tone: 'good', says: '', sites: ['a'] }),
    });
  });

  it('is unknown, and not ready, while nobody on the site can say how it is', () => {
    const silent = ready('shop', 'a', {
      conditions: [
        aCondition('Placed', 'True', 'Chosen'),
        aCondition('Ready', 'True', 'Ready'),
        aCondition('Available', 'Unknown', 'AgentSilent', 'last seen at 2026-01-01T00:00:00Z'),
      ],
    });
    expect(appLineOf(silent)).toMatchObject({ tone: 'unknown' });
  });

  it('that the hub has not looked at says so', () => {
    const { status: _none, ...fresh } = ready('shop', 'a');
    expect(appLineOf(fresh)).toMatchObject({
      phase: 'New',
      tone: 'busy',
      says: 'The hub has not looked at it yet.',
    });
  });
});

describe('a search', () => {
  const all = facts({ clusters: [aSite('shop-site')], capps: [ready('shop', 'a'), ready('workshop', 'b')] });

  it('finds names first that begin with the text, then others, then sites and hostnames', () => {
    expect(hitsFor('SHOP', all).map(({ kind, name }) => [kind, name])).toEqual([
      ['Capp', 'apps/shop'],
      ['site', 'shop-site'],
      ['Capp', 'apps/workshop'],
    ]);
    expect(hitsFor('on b', all).map(({ href }) => href)).toEqual(['/apps/apps/workshop']);
  });

  it('finds nothing for no text, and 20 at most', () => {
    expect(hitsFor('  ', all)).toEqual([]);
    const many = facts({ capps: Array.from({ length: 50 }, (_, one) => ready(`shop-${one}`, 'a')) });
    expect(hitsFor('shop', many)).toHaveLength(20);
  });
});
