// What an agent tells of a Capp's hostname: what its site lacks to answer for it, and when that is news.
import { feed } from '../../../activities/agent/report/feed.ts';
import { sightOf } from '../../../activities/agent/report/verdict.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import { ROLLOUT } from '../../../crds/labels.ts';
import { readAnswer } from '../../../workflows/parse/answer.ts';
import type { ReportQuestion } from '../../../workflows/ports/agent.ts';
import { aCapp } from '../../support/builders/capps.ts';
import { fakeCache } from '../../support/builders/process/fake-cache.ts';

type Truth = 'True' | 'False' | 'Unknown';
type Parts = Readonly<Record<string, readonly [Truth, string]>>;

const READY: Parts = { Ready: ['True', 'Ready'] };
const MAPPED: Parts = { ...READY, RouteReady: ['True', 'Mapped'] };
const UNMAPPED: Parts = { ...READY, RouteReady: ['Unknown', 'NotMapped'] };
const UNISSUED: Parts = { ...MAPPED, CertificateReady: ['Unknown', 'NotIssued'] };
const PROVIDED: Parts = { ...MAPPED, CertificateReady: ['True', 'Provided'] };

function onSite(parts: Parts, observedGeneration = 1): Capp {
  const conditions = Object.entries(parts).map(([type, [status, reason]]) => ({
    type,
    status,
    reason,
    message: `It is ${reason}.`,
    lastTransitionTime: '2026-03-01T12:00:00Z',
  }));
  return {
    ...aCapp({ annotations: { [ROLLOUT]: 'stamp-1' } }),
    status: { observedGeneration, conditions },
  };
}

test.each<[string, Parts, string | undefined]>([
  ['asks for no hostname', READY, undefined],
  ['is answered for', MAPPED, undefined],
  ['has no route yet', UNMAPPED, 'NotMapped'],
  ['has a route and no certificate', UNISSUED, 'NotIssued'],
  ['has neither', { ...UNISSUED, ...UNMAPPED }, 'NotMapped'],
  ['has both', PROVIDED, undefined],
  ['is disabled', { ...UNMAPPED, Ready: ['True', 'Disabled'] }, undefined],
  ['is not Ready', { ...UNISSUED, Ready: ['Unknown', 'Deploying'] }, undefined],
])('of a Capp that %s the agent tells what its site lacks', (_, parts, reason) => {
  expect(sightOf(onSite(parts))?.finding.hostname?.reason).toBe(reason);
});

test('a status of an earlier generation says nothing of the hostname', () => {
  expect(sightOf(onSite(UNISSUED, 0))?.finding).not.toHaveProperty('hostname');
});

const NEVER = { unobservedMs: 3_600_000, settleMs: 3_600_000 };
const known = (hostname?: string): ReportQuestion => ({
  stamp: 'stamp-1',
  known: { verdict: 'Ready', reason: 'Ready', ...(hostname === undefined ? {} : { hostname }) },
  statusHash: null,
});

/** What is answered at once to a question about a Capp on the site. */
async function answered(
  parts: Parts,
  question: ReportQuestion,
  settleMs = NEVER.settleMs,
): Promise<string | null> {
  const controller = new AbortController();
  const { cache } = fakeCache(onSite(parts));
  const site = { ...cache, access: () => 'Open' as const, onAccess: () => () => undefined };
  const answer = feed(site, { ...NEVER, settleMs }).next(
    { namespace: 'apps', name: 'app' },
    question,
    controller.signal,
  );
  const late = new Promise<null>((resolve) => void setTimeout(() => resolve(null), 50));
  const sight = await Promise.race([answer, late]);
  controller.abort(new Error('asked long enough'));
  await answer.catch(() => undefined);
  return sight === null ? null : `${sight.finding.verdict} ${sight.finding.hostname?.reason ?? 'complete'}`;
}

test.each<[string, Parts, ReportQuestion, string | null]>([
  ['a certificate that has come is told at once', PROVIDED, known('NotIssued'), 'Ready complete'],
  ['a certificate that is gone is told at once', UNISSUED, known(), 'Ready NotIssued'],
  ['what is known to be lacking is not told again', UNISSUED, known('NotIssued'), null],
  ['another reason why it is lacking is not told at once', UNISSUED, known('NotMapped'), null],
  [
    'a Capp that becomes Ready is told without waiting for its hostname',
    UNISSUED,
    { stamp: 'stamp-1', known: null, statusHash: null },
    'Ready NotIssued',
  ],
])('%s', async (_, parts, question, said) => {
  expect(await answered(parts, question)).toBe(said);
});

test('another reason why it is lacking is told after a while', async () => {
  expect(await answered(UNISSUED, known('NotMapped'), 1)).toBe('Ready NotIssued');
});

test.each<[string, unknown, unknown]>([
  ['is read', { reason: 'NotIssued', message: 'Not yet.' }, { reason: 'NotIssued', message: 'Not yet.' }],
  ['of another shape is left out', { reason: 'not a reason', message: 'x' }, undefined],
  [
    'is bounded',
    { reason: 'NotIssued', message: 'x'.repeat(9_999) },
    { reason: 'NotIssued', message: `${'x'.repeat(253)}…` },
  ],
])('what an agent tells of a hostname %s', (_, hostname, read) => {
  const finding = {
    verdict: 'Ready',
    healthy: true,
    reason: 'Ready',
    message: '',
    statusHash: 'a',
    hostname,
  };
  expect(readAnswer({ finding, mirror: null })?.finding.hostname).toEqual(read);
});
