// One watch with many waiters: who asks hears of news about exactly what was asked, once, and not of what passes by itself.
import { feed, type Patience } from '../../activities/agent/feed.ts';
import type { Capp } from '../../crds/capp.ts';
import { ROLLOUT } from '../../crds/labels.ts';
import type { Cache } from '../../kube/cache.ts';
import type { Change } from '../../kube/store.ts';
import type { Question } from '../../workflows/ports.ts';
import { aCapp } from '../support/capps.ts';

const NAME = { namespace: 'apps', name: 'app' };
const NEVER: Patience = { unobservedMs: 3_600_000, settleMs: 3_600_000 };
const SOON: Patience = { unobservedMs: 1, settleMs: 1 };
const asked = (plain: Partial<Question> = {}): Question => ({ stamp: 'stamp-1', known: null, statusHash: null, ...plain });

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
  const condition = { type: 'Ready', status: STATUS[reason], reason, message: '', lastTransitionTime: '2026-03-01T12:00:00Z' };
  return { ...capp, status: { observedGeneration: 1, conditions: [condition] } };
}

/** A cache that a test fills by hand; only what the feed asks of one. */
function site(...capps: Capp[]) {
  const objects = new Map(capps.map((capp) => [capp.metadata.name, capp]));
  const listeners = new Set<(change: Change<Capp>) => void>();
  const cache = {
    get: ({ name }: { name: string }) => objects.get(name),
    subscribe: (listener: (change: Change<Capp>) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return {
    cache: cache as unknown as Cache<Capp>,
    listeners,
    put: (object: Capp): void => {
      objects.set(object.metadata.name, object);
      for (const listener of listeners) listener({ type: 'Modified', object, previous: object, initial: false });
    },
  };
}

function asking(place: ReturnType<typeof site>, question: Question, { patience = NEVER, isServed = true } = {}) {
  const controller = new AbortController();
  const one = feed(place.cache, () => isServed, patience);
  const heard: string[] = [];
  const answer = one.next(NAME, question, controller.signal).then(
    ({ finding }) => void heard.push(`${finding.verdict} ${finding.reason}`),
    (error: unknown) => void heard.push(String(error)),
  );
  const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  return { answer, heard, feed: one, stop: (): void => controller.abort(new Error('stopped')), now: () => turn().then(() => heard) };
}

test.each<[string, string, Word, Question]>([
  ['Ready', 'Ready Ready', 'Ready', asked()],
  ['that it failed', 'Failed RolloutFailed', 'RolloutFailed', asked()],
  ['Ready, when it was on its way', 'Ready Ready', 'Ready', asked({ known: { verdict: 'Progressing', reason: 'Deploying' } })],
  ['Ready, when it was Ready for another reason', 'Ready Ready', 'Ready', asked({ known: { verdict: 'Ready', reason: 'Disabled' } })],
])('who asks is told %s at once', async (_name, said, word, question) => {
  const { answer, heard } = asking(site(onSite(word)), question);
  await answer;
  expect(heard).toEqual([said]);
});

test.each<[string, Capp, Question, Capp]>([
  ['what is known already', onSite('RolloutFailed'), asked({ known: { verdict: 'Failed', reason: 'RolloutFailed' } }), onSite('Ready')],
  ['another stamp', onSite('Ready', { stamp: 'stamp-0' }), asked(), onSite('Ready')],
  ['what was not observed yet', onSite(null), asked(), onSite('Ready')],
  ['a moment on its way', onSite('Deploying'), asked(), onSite('Ready')],
  ['another Capp', onSite('Ready', { name: 'other' }), asked(), onSite('Ready')],
])('who asks is not told of %s, but of what comes next', async (_name, before, question, after) => {
  const place = site(before);
  const { answer, heard, now } = asking(place, question);
  expect(await now()).toEqual([]);
  place.put(after);
  await answer;
  expect(heard).toEqual(['Ready Ready']);
});

test.each<[string, string, Capp[], boolean]>([
  ['is on its way for a while', 'Progressing Deploying', [onSite('Deploying')], true],
  ['is looked at by nobody', 'Progressing NoSiteOperator', [onSite(null)], true],
  ['cannot be there, for the site knows no Capps', 'Progressing NoSiteOperator', [], false],
])('who asks is told when patience runs out: the Capp %s', async (_name, said, capps, isServed) => {
  const { answer, heard } = asking(site(...capps), asked(), { patience: SOON, isServed });
  await answer;
  expect(heard).toEqual([said]);
});

test('a Capp that has not arrived is waited for without a word', async () => {
  const { heard, now, stop, answer } = asking(site(), asked(), { patience: SOON });
  await now();
  await now();
  expect(heard).toEqual([]);
  stop();
  await answer;
});

test('a reason that changes begins a new patience, and one that is known none', async () => {
  const place = site(onSite('Deploying'));
  const { answer, heard } = asking(place, asked({ known: { verdict: 'Progressing', reason: 'Deploying' } }), { patience: SOON });
  place.put(onSite('Pulling'));
  await answer;
  expect(heard).toEqual(['Progressing Pulling']);
});

test('who no longer asks is let go, and costs nothing', async () => {
  const place = site(onSite('Deploying'));
  const { answer, heard, feed: one, stop } = asking(place, asked());
  expect([one.isAwaited(NAME), one.isAwaited({ namespace: 'apps', name: 'other' }), place.listeners.size]).toEqual([true, false, 1]);
  stop();
  await answer;
  expect([heard, one.isAwaited(NAME), place.listeners.size]).toEqual([['Error: stopped'], false, 0]);
});

test('two who ask are both told', async () => {
  const place = site(onSite('Deploying'));
  const one = feed(place.cache, () => true, NEVER);
  const { signal } = new AbortController();
  const both = [one.next(NAME, asked(), signal), one.next(NAME, asked(), signal)];
  place.put(onSite('Ready'));
  const verdicts = (await Promise.all(both)).map(({ finding }) => finding.verdict);
  expect([verdicts, one.isAwaited(NAME), place.listeners.size]).toEqual([['Ready', 'Ready'], false, 0]);
});

test('a look says what is there now', () => {
  const one = feed(site(onSite('Ready')).cache, () => true);
  expect(one.look(NAME)?.finding.verdict).toBe('Ready');
  expect(one.look({ namespace: 'apps', name: 'other' })).toBeNull();
});
