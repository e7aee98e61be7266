// What `kubectl capp sites` says of each site, and `history` of a Capp.
import type { Capp } from '../../../../crds/capp/capp.ts';
import type { ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import { addressOf } from '../../../../cli/commands/capp/ui.ts';
import { sitesText } from '../../../../cli/commands/sites.ts';
import { historyOf } from '../../../../cli/explain/capp/history.ts';
import { SITE_WORDS } from '../../../../cli/explain/site-words.ts';
import { agentsIn, sitesFrom, type ShownSiteFacts } from '../../../../cli/explain/sites.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { MINUTE, NOW } from '../../../support/builders/states.ts';
import { NO_COLOURS } from '../../../support/builders/process/terminals.ts';

const at = (ms: number): string => new Date(NOW + ms).toISOString();

function aSite(
  name: string,
  plain: { available?: 'True' | 'Unknown'; accepted?: boolean } = {},
): ManagedCluster {
  const { available = 'True', accepted = true } = plain;
  const condition = {
    type: 'ManagedClusterConditionAvailable',
    status: available,
    lastTransitionTime: at(-MINUTE),
  };
  return {
    metadata: { name, creationTimestamp: at(-5 * MINUTE) },
    spec: { hubAcceptsClient: accepted, taints: [{ key: 'gpu', value: 'a', effect: 'NoSelect' }] },
    status: { conditions: [condition] },
  };
}

function aCappOn(site: string, available?: { reason: string; message: string }): Capp {
  const conditions =
    available === undefined
      ? []
      : [{ type: 'Available', status: 'Unknown' as const, ...available, lastTransitionTime: at(-MINUTE) }];
  return { ...aCapp(), status: { applicationLinks: { site }, conditions } };
}

const score = (site: string, validUntil: string, name = 'rcs-score') => ({
  metadata: { namespace: site, name },
  status: { scores: [{ name: 'cpuAvailable', value: 40 }], validUntil },
});

const sites = (facts: Partial<ShownSiteFacts>) =>
  sitesFrom({ clusters: [], addOns: [], scores: [], capps: [], agents: [], ...facts }, SITE_WORDS, NOW);

describe('sites', () => {
  it('are listed by name, without the hub, with the Capps that serve there', () => {
    const clusters = [aSite('site-2'), aSite('local-cluster'), aSite('site-1')];
    const capps = [aCappOn('site-1'), aCappOn('site-1'), aCappOn('gone')];
    expect(sites({ clusters, capps }).map(({ name, capps: count }) => [name, count])).toEqual([
      ['site-1', 2],
      ['site-2', 0],
    ]);
  });

  it('that cannot be reached, are not accepted or leave say so, and since when', () => {
    const leaving = aSite('c');
    const clusters = [
      aSite('a', { available: 'Unknown' }),
      aSite('b', { accepted: false }),
      { ...leaving, metadata: { ...leaving.metadata, deletionTimestamp: at(0) } },
      { metadata: { name: 'd' }, spec: { hubAcceptsClient: true } },
    ];
    expect(sites({ clusters }).map(({ state, since }) => [state, since])).toEqual([
      ['Unreachable', at(-MINUTE)],
      ['NotAccepted', at(-5 * MINUTE)],
      ['Leaving', at(0)],
      ['Unknown', null],
    ]);
  });

  it('have figures only while these count, and an agent that answers only with fresh ones', () => {
    const clusters = [aSite('site-1'), aSite('site-2'), aSite('site-3')];
    const scores = [score('site-1', at(MINUTE)), score('site-2', at(-MINUTE))];
    expect(sites({ clusters, scores }).map(({ cpu, memory, agent }) => [cpu, memory, agent.is])).toEqual([
      [40, null, 'Answers'],
      [null, null, 'Unknown'],
      [null, null, 'Unknown'],
    ]);
  });

  it('have the agent that the bridge has published, and a silent one although its figures are still fresh', () => {
    const clusters = [aSite('site-1'), aSite('site-2'), aSite('site-3')];
    const scores = [score('site-2', at(MINUTE))];
    const agents = [
      { site: 'site-1', state: 'Polling' as const },
      { site: 'site-2', state: 'Silent' as const, lastSeen: at(-MINUTE) },
      { site: 'site-3', state: 'Silent' as const },
    ];
    const found = sites({ clusters, scores, agents });
    expect(found.map(({ agent }) => agent)).toEqual([
      { is: 'Answers' },
      { is: 'Silent', lastSeen: at(-MINUTE) },
      { is: 'Silent', lastSeen: null },
    ]);
    const text = sitesText(found, { isWide: false, now: NOW, colours: NO_COLOURS });
    expect(text).toMatch(/site-2 .+ Silent, seen 60s ago /);
    expect(text).toMatch(/site-3 .+ Silent  /);
  });

  it('have none of the agents that were published before Temporal stopped to answer', () => {
    const agents = [{ site: 'site-1', state: 'Polling' as const }];
    const temporal = { reachable: true, since: at(0), namespace: 'default' };
    expect(agentsIn({ temporal, agents })).toEqual(agents);
    expect(agentsIn({ temporal: { ...temporal, reachable: false }, agents })).toEqual([]);
    expect(agentsIn({})).toEqual([]);
  });

  it('have a silent agent where the hub says so of a Capp, with the time when it was last seen', () => {
    const silent = { reason: 'AgentSilent', message: `No agent answers; last seen at ${at(-MINUTE)}.` };
    const [site] = sites({
      clusters: [aSite('site-1')],
      capps: [aCappOn('site-1', silent)],
      scores: [score('site-1', at(MINUTE))],
    });
    expect(site?.agent).toEqual({ is: 'Silent', lastSeen: at(-MINUTE) });
  });

  it('have an add-on that is there, is not available, or is missing', () => {
    const addOn = (namespace: string, status: 'True' | 'False') => ({
      metadata: { namespace, name: 'cappstan' },
      status: { conditions: [{ type: 'Available', status }] },
    });
    const clusters = [aSite('a'), aSite('b'), aSite('c')];
    expect(
      sites({ clusters, addOns: [addOn('a', 'True'), addOn('b', 'False')] }).map((one) => one.addOn),
    ).toEqual(['Available', 'Unavailable', 'Missing']);
  });

  it('are a line each', () => {
    const found = sites({ clusters: [aSite('site-1')], scores: [score('site-1', at(MINUTE))] });
    expect(sitesText(found, { isWide: true, now: NOW, colours: NO_COLOURS })).toBe(
      `SITE     STATE   CAPPS   CPU   MEMORY   AGENT     TAINTS           SINCE   ADD-ON    SCORED UNTIL               VERSION
site-1   Ready   0       40    -        Answers   gpu=a:NoSelect   60s     Missing   ${at(MINUTE)}   -`,
    );
  });
});

test('history has placements, the last move, events and the creation, newest first', () => {
  const capp = aCapp();
  const excluded = [{ reason: 'Avoided', count: 3, examples: ['site-3'] }];
  const found = historyOf(
    {
      ...capp,
      metadata: { ...capp.metadata, creationTimestamp: at(-9 * MINUTE) },
      status: {
        decisions: [{ at: at(-8 * MINUTE), cluster: 'site-1', reason: 'Chosen', candidates: [], excluded }],
        migration: {
          lastMove: {
            from: 'site-1',
            to: 'site-2',
            result: 'Moved',
            reason: 'Tainted',
            endedAt: at(-MINUTE),
          },
        },
      },
    },
    [
      {
        lastTimestamp: null,
        eventTime: at(-2 * MINUTE),
        reason: 'MigrationStarted',
        message: 'From site-1.',
      },
      { lastTimestamp: at(0), eventTime: null, reason: 'Ready', message: 'Ready.' },
      { reason: 'Timeless' },
    ],
  );
  expect(found.map(({ what, reason, text }) => [what, reason, text])).toEqual([
    ['event', 'Ready', 'Ready.'],
    ['move', 'Moved', 'From site-1 to site-2, because its site was tainted NoSelect.'],
    ['event', 'MigrationStarted', 'From site-1.'],
    ['placement', 'Chosen', 'site-1: 0 could take it, 3 were left out'],
    ['created', '', 'Somebody created the Capp'],
  ]);
});

test('history says of one site that it was left out, and of a revision who wrote it and what it changed', () => {
  const excluded = [{ reason: 'Avoided', count: 1, examples: ['site-3'] }];
  const decisions = [{ at: at(0), cluster: 'site-1', reason: 'Chosen', candidates: [], excluded }];
  const rollback = {
    id: 'a',
    to: 1,
    generation: 3,
    result: 'RolledBack',
    by: 'ann',
    why: 'it leaks',
    at: at(-1),
  };
  const revision = (revisionNumber: number, cappSpec: object, annotations: Record<string, string>) => ({
    metadata: { name: `app-0000${revisionNumber}`, creationTimestamp: at(revisionNumber - 9), annotations },
    spec: { revisionNumber, cappTemplate: { cappSpec, labels: {}, annotations: {} } },
  });
  const revisions = [
    revision(3, { site: 'a', scale: [1] }, { 'rcs.dana.io/rolled-back-to': '1' }),
    revision(2, { site: 'b', scale: [1, 2], new: true }, { 'rcs.dana.io/last-updated-by': 'ann' }),
    revision(1, { site: 'a', scale: [1] }, {}),
  ];
  const capp = { ...aCapp(), status: { decisions, rollback } } as Capp;
  expect(historyOf(capp, [], revisions).map(({ text }) => text)).toEqual([
    'site-1: 0 could take it, 1 was left out',
    'ann rolled back to revision 1: it leaks',
    'Generation 3 was shipped: the spec of revision 1 again',
    'Generation 2 was shipped, written by ann: spec.new, spec.scale, spec.site',
    'Generation 1 was shipped',
  ]);
});

test("the address of a workflow in Temporal's UI has the id in one piece", () => {
  expect(addressOf('http://ui.example/', 'default', 'capp/team-a/hello')).toBe(
    'http://ui.example/namespaces/default/workflows/capp%2Fteam-a%2Fhello',
  );
});
