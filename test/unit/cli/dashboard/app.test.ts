// What the page is told of one Capp, and of what waits for a person.
import { KINDS } from '../../../../cli/dashboard/feed/kinds.ts';
import { appView } from '../../../../cli/dashboard/view/app.ts';
import { changesSince } from '../../../../cli/dashboard/view/seen.ts';
import { waitingFor } from '../../../../cli/dashboard/view/waiting.ts';
import { aCondition, at, facts, ready } from '../../../support/builders/facts.ts';

const decision = {
  at: at(-5),
  cluster: 'a',
  reason: 'Chosen',
  placement: 'all',
  candidates: [
    { cluster: 'a', score: 82, capps: 4 },
    { cluster: 'b', score: 12, capps: 1 },
    { cluster: 'c', score: 71, capps: 1 },
  ],
  excluded: [{ reason: 'Unfit', count: 9, examples: ['d'], failed: 'gpu In (a100)' }],
};

test('it says what the command why says, until when, and what helps', () => {
  const capp = ready('shop', 'a', {
    conditions: [
      aCondition('Placed', 'True', 'Chosen'),
      aCondition('Ready', 'False', 'RolloutFailed', `must be Ready by ${at(60_000)}`),
    ],
  });
  expect(appView(capp, facts())).toMatchObject({
    headline: 'apps/shop is on a.',
    findings: [{ reason: 'RolloutFailed', until: at(60_000), command: 'kubectl -n apps edit capp shop' }],
    tone: 'bad',
    readySince: null,
  });
});

test('a move may go to the sites that the newest choice could have taken, the best first', () => {
  const [move] = appView(ready('shop', 'a', { decisions: [decision] }), facts()).acts;
  expect(move).toMatchObject({
    act: 'move',
    choice: { options: ['c', 'b'] },
    command: 'kubectl capp move shop {what} -n apps',
  });
});

test('a viewer is offered nothing, nor is anybody for a Capp that is being deleted', () => {
  expect(appView(ready('shop', 'a'), { ...facts(), may: () => false }).acts).toEqual([]);
  const capp = ready('shop', 'a');
  const going = { ...capp, metadata: { ...capp.metadata, deletionTimestamp: at(-1) } };
  expect(appView(going, facts()).acts).toEqual([]);
});

test('a paused Capp may be resumed, and no other', () => {
  const capp = ready('shop', 'a');
  const paused = { ...capp, metadata: { ...capp.metadata, annotations: { 'rcs.dana.io/paused': 'true' } } };
  expect(appView(paused, facts()).acts.map(({ act }) => act)).toEqual(['move', 'resume']);
  expect(appView(capp, facts()).acts.map(({ act }) => act)).toEqual(['move', 'pause']);
});

describe('what a sheet was opened on is not so any more, and it is said what of it', () => {
  const capp = ready('shop', 'a');
  const { metadata, status } = capp;
  const since = (now: typeof capp) => changesSince(appView(capp, facts()).seen, appView(now, facts()).seen);
  const annotated = (annotations: Record<string, string>) => ({
    ...capp,
    metadata: { ...metadata, annotations },
  });
  const withStatus = (more: object) => ({ ...capp, status: { ...status, ...more } });

  it.each([
    [
      'its spec',
      { ...capp, metadata: { ...metadata, generation: 2 } },
      'its spec was edited: generation 2, and 1 then',
    ],
    [
      'which object it is',
      { ...capp, metadata: { ...metadata, uid: 'another' } },
      'what had this name was deleted, and something else has it now',
    ],
    [
      'where it is',
      withStatus({ sites: [{ clusterName: 'b', role: 'Serving' }] }),
      'it is on b, and was on a then',
    ],
    [
      'its last move',
      withStatus({ migration: { lastMove: { endedAt: at(0) } } }),
      `a move of it ended at ${at(0)}`,
    ],
    ['who asked for a move', annotated({ 'rcs.dana.io/migrate': '#1' }), 'somebody has asked for a move'],
    ['who forced a move', annotated({ 'rcs.dana.io/force': 'b#1' }), 'somebody has asked for a move'],
    ['whether it is paused', annotated({ 'rcs.dana.io/paused': 'true' }), 'it was paused'],
  ])('%s', (_what, now, says) => {
    expect(since(now as typeof capp)).toEqual([says]);
  });

  it('but how Ready it is changes all the time, and nothing that was decided with it', () => {
    expect(since(withStatus({ conditions: [aCondition('Ready', 'False', 'RolloutFailed')] }))).toEqual([]);
  });

  it('and a page that does not say what it has seen is not believed', () => {
    const now = appView(capp, facts()).seen;
    for (const odd of ['', 'uid/1', '[]', 'null'])
      expect(changesSince(odd, now)).toEqual(['the page did not say what was seen of it']);
  });
});

test('a move says what it does to users by the strategy of the Capp', () => {
  const moveOf = (strategy: 'Recreate' | 'MakeBeforeBreak') => {
    const capp = ready('shop', 'a', { decisions: [decision] });
    const spec = { ...capp.spec, migration: { strategy } } as typeof capp.spec;
    return appView({ ...capp, spec }, facts()).acts.find(({ act }) => act === 'move');
  };
  const recreated = moveOf('Recreate')?.says;
  expect(recreated).toContain('The copy on a is removed first');
  expect(recreated).toContain('nobody is served');
  expect(recreated).not.toContain('stays where it is');
  expect(moveOf('MakeBeforeBreak')?.says).toContain('A second copy starts on the other site.');
});

test('what is kept of a Capp tells how it moves and by which checks, and nothing of its containers', () => {
  const capp = ready('shop', 'a');
  const migration = { strategy: 'Recreate', verify: [{ name: 'x', http: { path: '/healthz' } }] };
  const configurationSpec = { template: { spec: { containers: [{ image: 'canary-value' }] } } };
  const spec = { ...capp.spec, migration, configurationSpec };
  const kept = KINDS.capps.transform?.({ ...capp, spec } as never);
  expect(kept?.spec).toMatchObject({ migration });
  expect(JSON.stringify(kept)).not.toContain('canary-value');
});

test('a Capp with a past may be rolled back, with a reason and with what would change beside it', () => {
  const capp = ready('shop', 'a');
  const actsOf = (generation: number) =>
    appView({ ...capp, metadata: { ...capp.metadata, generation } }, facts()).acts;
  expect(actsOf(1).map(({ act }) => act)).toEqual(['move', 'pause']);
  expect(actsOf(2).find(({ act }) => act === 'rollback')).toMatchObject({
    takesReason: true,
    plan: 'rollback',
    command: 'kubectl capp rollback shop --to={what} --reason={why} -n apps',
  });
});

test('the tree leads from the Capp to its Pods, on the site where it serves', () => {
  const conditions = [{ type: 'Ready', status: 'True' }];
  const capp = ready('shop', 'a', {
    sites: [
      { clusterName: 'a', role: 'Leaving' },
      { clusterName: 'b', role: 'Coming' },
    ],
    knativeObjectStatus: { conditions },
    revisions: [{ name: 'shop-00002', revisionsStatus: { conditions, actualReplicas: 3 } }],
  });
  const { tree } = appView(capp, facts());
  const lines: string[] = [];
  const walk = (branch: typeof tree, depth: number): void => {
    lines.push(`${'  '.repeat(depth)}${branch.kind} ${branch.name} on ${branch.on}: ${branch.says}`);
    for (const one of branch.branches) walk(one, depth + 1);
  };
  walk(tree, 0);
  expect(lines).toEqual([
    'Capp apps/shop on hub: generation 1, Ready',
    '  ManifestWork mw-create-apps-shop on hub: Applied',
    '    Capp apps/shop on a: Available',
    '      Service (Knative) shop on a: Ready',
    '        Revision shop-00002 on a: Ready, 3 of 3 Pods',
    '  ManifestWork mw-create-apps-shop on hub: coming by a move',
    '    Capp apps/shop on b: its own status is not mirrored',
  ]);
});

test('a status that somebody filled with anything makes no view fail', () => {
  const odd = { conditions: 'none', a: [1, null] } as never;
  const capp = ready('shop', 'a', {
    knativeObjectStatus: odd,
    revisions: [{ name: 'x', revisionsStatus: odd }],
    loggingStatus: { conditions: [null, 7, {}] },
  });
  expect(JSON.stringify(appView(capp, facts()).tree)).toContain('says nothing');
});

test('no field of the spec but the hostname reaches the page, and no annotation', () => {
  const capp = ready('shop', 'a');
  const secret = {
    ...capp,
    metadata: { ...capp.metadata, annotations: { note: 'canary-value' } },
    spec: {
      ...capp.spec,
      configurationSpec: {
        template: {
          spec: { containers: [{ name: 'x', image: 'i', env: [{ name: 'A', value: 'canary-value' }] }] },
        },
      },
    },
  };
  expect(JSON.stringify(appView(secret, facts()))).not.toContain('canary-value');
});

test('what only a person can decide waits for who may decide it', () => {
  const capp = ready('shop', 'a', {
    conditions: [aCondition('Migrating', 'False', 'AwaitsConfirmation', 'Say so.')],
  });
  expect(waitingFor(facts({ capps: [capp] }))).toEqual([
    { href: '/apps/apps/shop', name: 'apps/shop', what: 'asks you to confirm', says: 'Say so.' },
  ]);
  expect(waitingFor(facts({ capps: [capp], may: () => false }))).toEqual([]);
});

test('a move that a drain asked for, and one of a Capp of a set, wait for nobody when they are refused', () => {
  const refused = ready('shop', 'a', {
    conditions: [aCondition('Migrating', 'False', 'MoveRefused', 'Pinned: spec.site names a.')],
  });
  const asked = { ...refused.metadata, annotations: { 'rcs.dana.io/migrate': 'b#1' } };
  const ofSet = { ...asked, labels: { 'rcs.dana.io/set': 'shops' } };
  expect(waitingFor(facts({ capps: [refused] }))).toEqual([]);
  expect(waitingFor(facts({ capps: [{ ...refused, metadata: ofSet }] }))).toEqual([]);
  expect(waitingFor(facts({ capps: [{ ...refused, metadata: asked }] }))).toEqual([
    { href: '/apps/apps/shop', name: 'apps/shop', what: 'was not moved', says: 'Pinned: spec.site names a.' },
  ]);
});
