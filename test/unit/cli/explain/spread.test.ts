// What `kubectl capp why` says of a CappSet or a Bundle that is not Ready everywhere.
import type { Bundle } from '../../../../crds/bundle/bundle.ts';
import type { Condition } from '../../../../crds/capp/conditions.ts';
import type { CappSetStatus } from '../../../../crds/set/status.ts';
import { ownRevisions } from '../../../../cli/hub/objects/sets.ts';
import { setHistoryOf } from '../../../../cli/explain/set/history.ts';
import { explainBundle, explainSet } from '../../../../cli/explain/set/spread.ts';
import { spreadText } from '../../../../cli/show/spread.ts';
import { JUST_BEGUN } from '../../../support/builders/fleet/rollouts.ts';
import { aSet } from '../../../support/builders/fleet/sets.ts';
import { NO_COLOURS } from '../../../support/builders/process/terminals.ts';

const NOW = Date.parse('2026-03-01T12:05:00Z');

function aCondition(
  type: string,
  status: 'True' | 'False',
  reason: string,
  message = 'It says so.',
): Condition {
  return { type, status, reason, message, lastTransitionTime: '2026-03-01T12:00:00Z' };
}

function setSaying(status: CappSetStatus) {
  const set = aSet('shop', {}, 'retail');
  return { ...set, metadata: { ...set.metadata, generation: 3 }, status };
}

const why = (status: CappSetStatus): string =>
  spreadText(explainSet(setSaying(status)), { now: NOW, colours: NO_COLOURS });

const KNOWN = { observedGeneration: 3, revision: 'abc', readySites: '1/4' };

test('of a set it says what the rollout waits for, until when, and why each failing site fails, by reason', () => {
  const message = 'The sites of stage canary are Ready, and must stay so until 2026-03-01T12:10:00Z.';
  expect(
    why({
      ...KNOWN,
      conditions: [
        aCondition('Ready', 'False', 'Soaking', `1 of 4 sites are Ready at revision abc. ${message}`),
        aCondition('Progressing', 'True', 'Soaking', message),
        aCondition('Stalled', 'False', 'Progressing'),
      ],
      failing: [
        { site: 'site-2', capp: 'shop-site-2', reason: 'RolloutFailed', message: 'It crashes.' },
        { site: 'site-3', capp: 'shop-site-3', reason: 'NameTaken', message: 'Another Capp has the name.' },
        { site: 'site-4', capp: 'shop-site-4', reason: 'RolloutFailed', message: 'It crashes here, too.' },
      ],
    }),
  ).toBe(`CappSet retail/shop is Ready on 1/4 sites at revision abc.

Progressing=True (Soaking), since 5m
  means  The sites of the stage are Ready, and must stay so for a while.
  says   The sites of stage canary are Ready, and must stay so until 2026-03-01T12:10:00Z.
  until  2026-03-01T12:10:00Z (in 5m)
  helps  Wait, or lower soakSeconds of the stage.
  run    kubectl capp rollout status shop -n retail

RolloutFailed, 2 times
  means  The newest revision cannot serve: its container exits or cannot start.
  helps  Correct the Capp; the message has the site's words.
  run    kubectl capp why shop-site-2 -n retail
SITE     WHAT          SAYS
site-2   shop-site-2   It crashes.
site-4   shop-site-4   It crashes here, too.

NameTaken, 1 site
  means  A Capp that is not of the set already has the name, and is not taken over.
  helps  Delete or rename that Capp, and then retry.
  run    kubectl capp rollout retry shop site-3 -n retail
SITE     WHAT          SAYS
site-3   shop-site-3   Another Capp has the name.`);
});

test('of a set that is as asked it says that nothing is missing', () => {
  const conditions = [
    aCondition('Ready', 'True', 'SitesReady'),
    aCondition('Progressing', 'False', 'Done'),
    aCondition('Stalled', 'False', 'Progressing'),
  ];
  expect(why({ ...KNOWN, readySites: '4/4', conditions })).toBe(
    'CappSet retail/shop is Ready on 4/4 sites at revision abc, and nothing is missing.',
  );
});

test('what the hub says of an earlier generation is not taken for news of this one', () => {
  const conditions = [aCondition('Ready', 'True', 'SitesReady')];
  expect(why({ ...KNOWN, observedGeneration: 2, conditions })).toMatch(
    /abc\.\nThe hub has not looked at its newest generation yet\./,
  );
  expect(explainSet(setSaying({})).isCurrent).toBe(false);
});

test('a pause that somebody asked for is said although nothing is stalled', () => {
  const conditions = [
    aCondition('Ready', 'False', 'Paused'),
    aCondition('Progressing', 'False', 'Paused'),
    aCondition('Stalled', 'False', 'Progressing'),
  ];
  const { findings } = explainSet(setSaying({ ...KNOWN, conditions }));
  expect(findings.map(({ reason, command }) => [reason, command])).toEqual([
    ['Paused', 'kubectl capp rollout resume shop -n retail'],
  ]);
});

test('of a Bundle it names each object that fails, with its site', () => {
  const bundle = {
    metadata: { namespace: 'platform', name: 'base', generation: 1 },
    spec: {},
    status: {
      observedGeneration: 1,
      revision: 'abc',
      readyOfSites: '1/2',
      conditions: [
        aCondition('Ready', 'False', 'NotAllowed'),
        aCondition('Progressing', 'False', 'NotAllowed'),
        aCondition('Stalled', 'True', 'NotAllowed', 'ConfigMap one on site-2: forbidden.'),
      ],
      failing: [
        {
          cluster: 'site-2',
          kind: 'ConfigMap',
          name: 'one',
          condition: 'Applied',
          reason: 'NotAllowed',
          message: 'forbidden',
        },
      ],
    },
  } as unknown as Bundle;
  const text = spreadText(explainBundle(bundle), { now: NOW, colours: NO_COLOURS });
  expect(text).toMatch(
    /^Bundle platform\/base is Ready on 1\/2 sites at revision abc\.\n\nStalled=True \(NotAllowed\)/,
  );
  expect(text.match(/NotAllowed\), since/g)).toHaveLength(1);
  expect(text).toMatch(/site-2 +ConfigMap one +forbidden$/);
});

test('the history of a set has its revisions with who wrote them and what they changed, and who asked for what', () => {
  const revision = (name: string, at: string, image: string, by?: string) => ({
    metadata: {
      name: `shop-${name}`,
      creationTimestamp: at,
      ...(by === undefined ? {} : { annotations: { 'rcs.dana.io/last-updated-by': by } }),
    },
    spec: {
      revision: name,
      template: { spec: { configurationSpec: { template: { spec: { containers: [{ image }] } } } } },
    },
  });
  const rollout = { ...JUST_BEGUN, revision: 'new', settled: 'old' };
  const asked = [{ what: 'approve', request: 'rest#new', by: 'bob', at: '2026-03-01T12:02:00Z' }];
  const history = setHistoryOf(
    setSaying({ rollout, asked: [...asked, { what: 'abort', request: 'x#y' }] }),
    [],
    [
      revision('new', '2026-03-01T12:01:00Z', 'v2', 'alice'),
      revision('old', '2026-03-01T11:00:00Z', 'v1'),
    ] as never,
  );
  expect(history.map(({ what, reason, text }) => [what, reason, text])).toEqual([
    ['request', 'approve', 'bob approved a stage (rest#new)'],
    ['revision', 'new', 'Revision new was begun, written by alice: containers[0].image. It is under way.'],
    ['revision', 'old', 'Revision old was begun. It is settled.'],
  ]);
});

test('of revisions of the same second the one that was made later is the newer one', () => {
  const uid = 'uid-1';
  const made = (name: string, resourceVersion: string) => ({
    metadata: {
      name,
      resourceVersion,
      creationTimestamp: '2026-03-01T12:00:00Z',
      ownerReferences: [{ uid }],
    },
  });
  const all = [made('a', '9'), made('b', '11'), made('c', '10')] as never[];
  const ordered = ownRevisions(all, { metadata: { name: 'shop', uid } });
  expect(ordered.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual([
    'b',
    'c',
    'a',
  ]);
});
