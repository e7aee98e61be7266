// What verdict an agent reads from a Capp on its site, and what it has reported already.
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

/**
 * A Capp on its site, of generation 5 there, which the site operator has observed unless `status` says
 * otherwise.
 */
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
  ['is disabled as spec.state asks', 'True', 'False', 'Ready', false],
  ['fails', 'False', 'False', 'Failed', false],
  ['fails while an earlier revision serves', 'False', 'True', 'Failed', true],
  ['is being deployed', 'Unknown', 'False', 'Progressing', false],
  ['has no Ready condition', null, 'True', 'Progressing', true],
])('a Capp that %s gets its verdict', (_name, ready, serving, verdict, healthy) => {
  const sight = sightOf(onSite(ready, serving));
  expect(sight).toMatchObject({ stamp: STAMP, observed: ready !== null, finding: { verdict, healthy } });
});

test.each<[string, CappStatus]>([
  ['an earlier generation of the site', { observedGeneration: 4 }],
  ['no generation', {}],
])(
  'a status that observed %s gives NotObserved, and a serving revision still counts as healthy',
  (_name, status) => {
    expect(sightOf(onSite('True', 'True', status))).toMatchObject({
      observed: false,
      finding: { verdict: 'Progressing', reason: 'NotObserved', healthy: true },
    });
  },
);

test('a Capp that no hub has shipped is ignored', () => {
  expect(sightOf(aCapp())).toBeNull();
});

test('a Capp that the Go operator has shipped is reported without a stamp', () => {
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
  ['the same stamp', true, STAMP, STAMP],
  ['another stamp', false, 'uid-1/4/hash/one', STAMP],
  ['an adopted stamp and a Capp without a stamp', true, UNSTAMPED, adoptedStamp('uid-1', 3, 'work-1')],
  ['an adopted stamp and a Capp that was shipped since', false, STAMP, adoptedStamp('uid-1', 3, 'work-1')],
  ['a stamp and a Capp without a stamp', false, UNSTAMPED, STAMP],
])('a Capp on the site matches the stamp that was asked for with %s: %s', (_name, is, borne, asked) => {
  expect(isAskedFor(borne, asked)).toBe(is);
});

test('a Capp without status is not observed', () => {
  expect(sightOf(aCapp({ annotations: { [ROLLOUT]: STAMP } }))).toMatchObject({
    observed: false,
    finding: { verdict: 'Progressing', healthy: false },
  });
});

test('a Capp that no site operator observes gets NoSiteOperator and stays healthy if it was', () => {
  const sight = sightOf(onSite('True', 'True', { observedGeneration: 4 }));
  expect(unattended(STAMP, sight).finding).toMatchObject({
    verdict: 'Progressing',
    reason: 'NoSiteOperator',
    healthy: true,
  });
  expect(unattended(STAMP, null).finding).toMatchObject({ reason: 'NoSiteOperator', healthy: false });
});

test('a stamp contains the uid of the Capp on the hub', () => {
  expect(uidOf(STAMP)).toBe('uid-1');
});

describe('an agent that has reported', () => {
  const name = { namespace: 'apps', name: 'app' };
  const sight = (ready: Truth, stamp = STAMP) => {
    const seen = sightOf(onSite(ready, 'True'));
    if (seen === null) throw new Error('not shipped');
    return { ...seen, stamp };
  };

  test.each<[string, boolean, ReturnType<typeof sight>]>([
    ['the same state', false, sight('True')],
    ['another verdict', true, sight('False')],
    ['another stamp', true, sight('True', 'uid-1/4/hash/one')],
  ])('a verdict counts %s as news: %s', (_name, isNews, next) => {
    const news = told();
    news.note(name, sight('True'));
    expect(news.isNews(name, next)).toBe(isNews);
  });

  test('nothing, or has forgotten it, counts every verdict as news', () => {
    const news = told();
    expect(news.isNews(name, sight('True'))).toBe(true);
    news.note(name, sight('True'));
    news.forget(name);
    expect(news.isNews(name, sight('True'))).toBe(true);
  });
});
