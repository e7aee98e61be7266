// What an agent reads from one snapshot of a site's Capp, and what it has told already.
import { told } from '../../../activities/agent/ring/told.ts';
import { sightOf, unattended } from '../../../activities/agent/report/verdict.ts';
import { adoptedStamp, isAskedFor, uidOf, UNSTAMPED } from '../../../workflows/types/stamp.ts';
import type { CappStatus } from '../../../crds/capp/status.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import { MANAGED_BY, MANAGED_BY_HUB, ROLLOUT } from '../../../crds/labels.ts';
import { aCapp } from '../../support/builders/capps.ts';

const STAMP = 'uid-1/3/hash/one';
const AT = '2026-03-01T12:00:00Z';
type Truth = 'True' | 'False' | 'Unknown';

/** A site's Capp of generation 5 there, which its operator has observed unless told otherwise. */
function onSite(
  ready: Truth | null,
  serving: Truth | null,
  status: CappStatus = { observedGeneration: 5 },
): Capp {
  const is = (type: string, truth: Truth, reason: string) => ({
    type,
    status: truth,
    reason,
    message: `It is ${reason}.`,
    lastTransitionTime: AT,
  });
  const conditions = [
    ...(ready === null
      ? []
      : [is('Ready', ready, ready === 'True' ? 'Ready' : ready === 'False' ? 'RolloutFailed' : 'Deploying')]),
    ...(serving === null
      ? []
      : [is('Serving', serving, serving === 'True' ? 'RevisionServes' : 'NothingServes')]),
  ];
  return {
    ...aCapp({ annotations: { [ROLLOUT]: STAMP }, generation: 5 }),
    status: { conditions, ...status },
  };
}

test.each<[string, Truth | null, Truth | null, string, boolean]>([
  ['serves its newest generation', 'True', 'True', 'Ready', true],
  ['is disabled as asked', 'True', 'False', 'Ready', false],
  ['cannot serve', 'False', 'False', 'Failed', false],
  ['cannot serve, but an earlier revision does', 'False', 'True', 'Failed', true],
  ['is on its way', 'Unknown', 'False', 'Progressing', false],
  ['has no Ready condition', null, 'True', 'Progressing', true],
])('a Capp that %s', (_name, ready, serving, verdict, healthy) => {
  const sight = sightOf(onSite(ready, serving));
  expect(sight).toMatchObject({ stamp: STAMP, observed: ready !== null, finding: { verdict, healthy } });
});

test.each<[string, CappStatus]>([
  ['an earlier generation of the site', { observedGeneration: 4 }],
  ['no generation', {}],
])(
  'what was observed of %s is no verdict on this one, but a revision that serves still does',
  (_name, status) => {
    expect(sightOf(onSite('True', 'True', status))).toMatchObject({
      observed: false,
      finding: { verdict: 'Progressing', reason: 'NotObserved', healthy: true },
    });
  },
);

test('a Capp that no hub has shipped is none of ours', () => {
  expect(sightOf(aCapp())).toBeNull();
});

test('a Capp that the Go operator has shipped is known by its name, and bears no stamp', () => {
  const capp = onSite('True', 'True');
  const { [ROLLOUT]: _stamp, ...annotations } = capp.metadata.annotations ?? {};
  const shipped = {
    ...capp,
    metadata: { ...capp.metadata, annotations, labels: { [MANAGED_BY]: MANAGED_BY_HUB } },
  };
  expect(sightOf(shipped)).toMatchObject({
    stamp: UNSTAMPED,
    observed: true,
    finding: { verdict: 'Ready', healthy: true },
  });
  expect(uidOf(UNSTAMPED)).toBe('');
});

test.each<[string, boolean, string, string]>([
  ['itself', true, STAMP, STAMP],
  ['another', false, 'uid-1/4/hash/one', STAMP],
  ['what was taken over, by what bears none', true, UNSTAMPED, adoptedStamp('uid-1', 3, 'work-1')],
  ['what was taken over, by what was shipped since', false, STAMP, adoptedStamp('uid-1', 3, 'work-1')],
  ['what was shipped, by what bears none', false, UNSTAMPED, STAMP],
])('a question about a stamp is answered for %s: %s', (_name, is, borne, asked) => {
  expect(isAskedFor(borne, asked)).toBe(is);
});

test('a Capp without status is not observed', () => {
  expect(sightOf(aCapp({ annotations: { [ROLLOUT]: STAMP } }))).toMatchObject({
    observed: false,
    finding: { verdict: 'Progressing', healthy: false },
  });
});

test('what nobody looks at says so, and keeps that it serves', () => {
  const sight = sightOf(onSite('True', 'True', { observedGeneration: 4 }));
  expect(unattended(STAMP, sight).finding).toMatchObject({
    verdict: 'Progressing',
    reason: 'NoSiteOperator',
    healthy: true,
  });
  expect(unattended(STAMP, null).finding).toMatchObject({ reason: 'NoSiteOperator', healthy: false });
});

test('a stamp names the uid of the hub', () => {
  expect(uidOf(STAMP)).toBe('uid-1');
});

describe('an agent that has told', () => {
  const name = { namespace: 'apps', name: 'app' };
  const sight = (ready: Truth, stamp = STAMP) => {
    const seen = sightOf(onSite(ready, 'True'));
    if (seen === null) throw new Error('not shipped');
    return { ...seen, stamp };
  };

  test.each<[string, boolean, ReturnType<typeof sight>]>([
    ['the same', false, sight('True')],
    ['another verdict', true, sight('False')],
    ['another stamp', true, sight('True', 'uid-1/4/hash/one')],
  ])('something hears %s as news: %s', (_name, isNews, next) => {
    const news = told();
    news.note(name, sight('True'));
    expect(news.isNews(name, next)).toBe(isNews);
  });

  test('nothing, or has forgotten it, hears everything as news', () => {
    const news = told();
    expect(news.isNews(name, sight('True'))).toBe(true);
    news.note(name, sight('True'));
    news.forget(name);
    expect(news.isNews(name, sight('True'))).toBe(true);
  });
});
