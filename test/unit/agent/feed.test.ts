// One watch answers many questions: each answer is news about exactly the stamp that was asked for, given
// once, and not a state that passes by itself.
import { feed, type Patience } from '../../../activities/agent/report/feed.ts';
import { siteCapps } from '../../../activities/agent/report/site-capps.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import { ROLLOUT } from '../../../crds/labels.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KnativeService } from '../../../crds/kubernetes/knative.ts';
import { ApiError } from '../../../kube/failure.ts';
import type { ReportQuestion } from '../../../workflows/ports/agent.ts';
import { unreachable } from '../../../activities/agent/report/verdict.ts';
import { aCapp } from '../../support/builders/capps.ts';
import { fakeCache } from '../../support/builders/process/fake-cache.ts';

const NO_SERVER: Pick<Kube, 'get'> = { get: () => Promise.reject(new Error('nobody need ask it')) };
const failure = (code: number, reason: string): ApiError =>
  new ApiError({ method: 'GET', path: '/apis', code, reason });
const NOT_SERVED = failure(404, 'NotFound');
const AWAY = failure(0, 'Unreachable');
const NAME = { namespace: 'apps', name: 'app' };
const NEVER: Patience = { unobservedMs: 3_600_000, settleMs: 3_600_000 };
const SOON: Patience = { unobservedMs: 1, settleMs: 1 };
const asked = (plain: Partial<ReportQuestion> = {}): ReportQuestion => ({
  stamp: 'stamp-1',
  known: null,
  statusHash: null,
  ...plain,
});

type Word = 'Ready' | 'RolloutFailed' | 'Deploying' | 'Pulling';
const STATUS: Record<Word, 'True' | 'False' | 'Unknown'> = {
  Ready: 'True',
  RolloutFailed: 'False',
  Deploying: 'Unknown',
  Pulling: 'Unknown',
};

function onSite(reason: Word | null, { stamp = 'stamp-1', name = 'app' } = {}): Capp {
  const capp = aCapp({ name, annotations: { [ROLLOUT]: stamp } });
  if (reason === null) return capp;
  const condition = {
    type: 'Ready',
    status: STATUS[reason],
    reason,
    message: '',
    lastTransitionTime: '2026-03-01T12:00:00Z',
  };
  return { ...capp, status: { observedGeneration: 1, conditions: [condition] } };
}

/** A site with these Capps, which an agent's watch has listed. */
function site(...capps: Capp[]) {
  const hand = fakeCache(...capps);
  const seen = siteCapps({
    kube: NO_SERVER,
    capps: hand.cache,
    watchServices: () => fakeCache<KnativeService>().cache,
  });
  const open = new Set<object>();
  const counted =
    <A>(subscribe: (listener: A) => () => void) =>
    (listener: A) => {
      const [mark, end] = [{}, subscribe(listener)];
      open.add(mark);
      return () => (open.delete(mark), end());
    };
  const watched = { ...seen, subscribe: counted(seen.subscribe), onAccess: counted(seen.onAccess) };
  return { ...hand, watched, listening: () => open.size };
}

function asking(place: ReturnType<typeof site>, question: ReportQuestion, { patience = NEVER } = {}) {
  const controller = new AbortController();
  const one = feed(place.watched, patience);
  const heard: string[] = [];
  const answer = one.next(NAME, question, controller.signal).then(
    ({ finding }) => void heard.push(`${finding.verdict} ${finding.reason}`),
    (error: unknown) => void heard.push(String(error)),
  );
  const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  return {
    answer,
    heard,
    feed: one,
    stop: (): void => controller.abort(new Error('stopped')),
    now: () => turn().then(() => heard),
  };
}

test.each<[string, string, Word, ReportQuestion]>([
  ['Ready', 'Ready Ready', 'Ready', asked()],
  ['Failed', 'Failed RolloutFailed', 'RolloutFailed', asked()],
  [
    'Ready after Progressing',
    'Ready Ready',
    'Ready',
    asked({ known: { verdict: 'Progressing', reason: 'Deploying' } }),
  ],
  [
    'Ready after Ready with another reason',
    'Ready Ready',
    'Ready',
    asked({ known: { verdict: 'Ready', reason: 'Disabled' } }),
  ],
])('a question is answered with %s at once', async (_name, said, word, question) => {
  const { answer, heard } = asking(site(onSite(word)), question);
  await answer;
  expect(heard).toEqual([said]);
});

test.each<[string, Capp, ReportQuestion, Capp]>([
  [
    'a verdict that is known already',
    onSite('RolloutFailed'),
    asked({ known: { verdict: 'Failed', reason: 'RolloutFailed' } }),
    onSite('Ready'),
  ],
  ['a verdict about another stamp', onSite('Ready', { stamp: 'stamp-0' }), asked(), onSite('Ready')],
  ['a generation that was not observed yet', onSite(null), asked(), onSite('Ready')],
  ['a rollout that has only just begun', onSite('Deploying'), asked(), onSite('Ready')],
  ['a verdict about another Capp', onSite('Ready', { name: 'other' }), asked(), onSite('Ready')],
])(
  'a question is not answered with %s, but with the next verdict',
  async (_name, before, question, after) => {
    const place = site(before);
    const { answer, heard, now } = asking(place, question);
    expect(await now()).toEqual([]);
    place.put(after);
    await answer;
    expect(heard).toEqual(['Ready Ready']);
  },
);

test.each<[string, string, Capp[], ApiError | null]>([
  ['is still being deployed', 'Progressing Deploying', [onSite('Deploying')], null],
  ['is not observed by any site operator', 'Progressing NoSiteOperator', [onSite(null)], null],
  ['cannot exist because the site does not serve Capps', 'Progressing NoSiteOperator', [], NOT_SERVED],
  ['cannot be read because the API server does not answer', 'Progressing SiteUnreachable', [], AWAY],
  ['was not observed when the API server last answered', 'Progressing SiteUnreachable', [onSite(null)], AWAY],
])(
  'a question is answered with Progressing after a while when the Capp %s',
  async (_name, said, capps, problem) => {
    const place = site(...capps);
    place.fail(problem);
    const { answer, heard } = asking(place, asked(), { patience: SOON });
    await answer;
    expect(heard).toEqual([said]);
  },
);

test('a question about a Capp that has not arrived yet gets no answer', async () => {
  const { heard, now, stop, answer } = asking(site(), asked(), { patience: SOON });
  await now();
  await now();
  expect(heard).toEqual([]);
  stop();
  await answer;
});

test.each<[string, ApiError]>([
  ['after not answering', AWAY],
  ['after not serving Capps', NOT_SERVED],
])('an API server that works again %s does not cause an answer', async (_name, problem) => {
  const place = site();
  const { answer, heard, now, stop } = asking(place, asked(), { patience: { ...NEVER, unobservedMs: 5 } });
  place.fail(problem);
  await now();
  place.fail(null);
  await new Promise((resolve) => void setTimeout(resolve, 20));
  expect(heard).toEqual([]);
  stop();
  await answer;
});

test('a waiting question is answered with SiteUnreachable when the API server stops answering', async () => {
  const place = site();
  const { answer, heard, now } = asking(place, asked(), { patience: SOON });
  expect(await now()).toEqual([]);
  place.fail(AWAY);
  await answer;
  expect(heard).toEqual(['Progressing SiteUnreachable']);
});

test('an app that was healthy counts as healthy while the API server does not answer', () => {
  const seen = site(onSite('Ready'));
  const sight = feed(seen.watched).look(NAME);
  const lost = unreachable(
    'stamp-1',
    sight === null ? null : { ...sight, finding: { ...sight.finding, healthy: true } },
  );
  expect(lost.finding).toMatchObject({ verdict: 'Progressing', reason: 'SiteUnreachable', healthy: true });
});

test('a changed reason is answered after a while, and a known reason is not', async () => {
  const place = site(onSite('Deploying'));
  const { answer, heard } = asking(place, asked({ known: { verdict: 'Progressing', reason: 'Deploying' } }), {
    patience: SOON,
  });
  place.put(onSite('Pulling'));
  await answer;
  expect(heard).toEqual(['Progressing Pulling']);
});

test('a question that is cancelled leaves no subscription behind', async () => {
  const place = site(onSite('Deploying'));
  const { answer, heard, feed: one, stop } = asking(place, asked());
  expect([
    one.isAwaited(NAME),
    one.isAwaited({ namespace: 'apps', name: 'other' }),
    place.listening(),
  ]).toEqual([true, false, 2]);
  stop();
  await answer;
  expect([heard, one.isAwaited(NAME), place.listening()]).toEqual([['Error: stopped'], false, 0]);
});

test('two questions about one Capp are both answered', async () => {
  const place = site(onSite('Deploying'));
  const one = feed(place.watched, NEVER);
  const { signal } = new AbortController();
  const both = [one.next(NAME, asked(), signal), one.next(NAME, asked(), signal)];
  place.put(onSite('Ready'));
  const verdicts = (await Promise.all(both)).map(({ finding }) => finding.verdict);
  expect([verdicts, one.isAwaited(NAME), place.listening()]).toEqual([['Ready', 'Ready'], false, 0]);
});

test('a look returns the present state, and null for an unknown Capp', () => {
  const one = feed(site(onSite('Ready')).watched);
  expect(one.look(NAME)?.finding.verdict).toBe('Ready');
  expect(one.look({ namespace: 'apps', name: 'other' })).toBeNull();
});
