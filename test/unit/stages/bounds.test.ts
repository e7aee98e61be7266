// What bounds a rollout: how long a lost site has time, how many sites have no Ready copy because of us, and
// what a window or a person's retry still counts for.
import { stagesOf } from '../../../workflows/stages/membership.ts';
import { retry } from '../../../workflows/stages/rollout.ts';
import { settle } from '../../../workflows/stages/gates.ts';
import { opensAt } from '../../../workflows/stages/windows.ts';
import { asked, first, plan, STRATEGY } from '../../support/builders/fleet/checked-stage.ts';
import {
  aRollout,
  aStrategy,
  AT_NEW,
  aTarget,
  CANARY,
  DEADLINE,
  planned,
  SETTLED,
  targets,
  written,
} from '../../support/builders/fleet/rollouts.ts';
import { NOW } from '../../support/builders/states.ts';

const SHUT = [{ days: ['Sun' as const], from: '01:00', to: '01:01', timeZone: 'UTC' }];
const LOST = { ...AT_NEW, reachable: false } as const;

describe('a site that is lost with the revision of an open stage', () => {
  const until = (changes: object) => planned([aTarget('s1', { ...LOST, ...changes })]).hold?.until;

  test('and was Ready, has its deadline since then, or since it was Ready where nobody knows that', () => {
    expect(until({ lostSince: NOW - 1_000 })).toBe(NOW - 1_000 + DEADLINE);
    expect(until({ lostSince: NOW - 90_000 })).toBe(AT_NEW.since + DEADLINE);
    expect(until({})).toBe(AT_NEW.since + DEADLINE);
  });

  test('and was not Ready, has no more time than it had', () => {
    expect(until({ verdict: 'Progressing', lostSince: NOW })).toBe(AT_NEW.since + DEADLINE);
  });
});

test.each([
  ['was Ready', { verdict: 'Ready' }, null],
  ['is only not seen to be Ready', { verdict: 'Progressing', isUnseen: true }, null],
  ['was not Ready', { verdict: 'Progressing' }, 'SitesFailed'],
] as const)('of a stage that has passed, a lost site that %s counts as before', (_what, changes, reason) => {
  const lost = aTarget('s1', { ...LOST, ...changes, since: NOW - DEADLINE });
  const { hold } = planned([lost, aTarget('s2', AT_NEW)], { rollout: { closed: ['all'] } });
  expect(hold?.reason ?? null).toBe(reason);
});

test('the soak is that of the site that became Ready last', () => {
  const since = [NOW - 50_000, NOW - 10_000, NOW - 30_000];
  const sites = since.map((at, index) => aTarget(`s${index}`, { ...AT_NEW, since: at }));
  expect(planned(sites, { strategy: { soakSeconds: 20 } }).hold).toMatchObject({
    reason: 'Soaking',
    until: NOW + 10_000,
  });
});

test('a settled revision is not done while a site that came back has it not, and forgets what was retried', () => {
  const back = planned([aTarget('s1', AT_NEW), aTarget('s2')], { rollout: SETTLED });
  expect(back).toMatchObject({ done: false, hold: { reason: 'SitesUnderWay' } });
  expect(settle({ ...SETTLED, retries: { s1: NOW } }).retries).toEqual({});
});

test('outside of a window a site that lacks its copy because of us keeps its place before a first copy', () => {
  const broken = aTarget('s1', { revision: 'halfway', verdict: 'Failed' });
  const given = [broken, aTarget('s2', { revision: null, verdict: 'Progressing' })];
  const of = (maxConcurrent: number) =>
    written(
      planned(given, { strategy: { maxConcurrent, windows: SHUT }, rollout: { halfway: ['halfway'] } }),
    );
  expect([of(1), of(2)]).toEqual([[], ['s2=new']]);
});

test('a site of a stage that has passed waits for a window, too, also while another stage asks', () => {
  const stages = [
    { name: 'asks', sites: { matchLabels: CANARY }, approval: 'Required' as const },
    { name: 'passed', sites: { count: 1 } },
  ];
  const given = [aTarget('c1', { labels: CANARY }), aTarget('s1')];
  const of = (windows?: typeof SHUT) =>
    planned(given, {
      strategy: { stages, ...(windows === undefined ? {} : { windows }) },
      rollout: { closed: ['passed'] },
    });
  expect(written(of())).toEqual(['s1=new']);
  expect(written(of(SHUT))).toEqual([]);
  // Somebody looks when it opens, whatever is asked.
  expect(of(SHUT)).toMatchObject({ hold: { reason: 'AwaitsApproval' }, wakeAt: opensAt(SHUT, NOW) });
});

test('beside what was lost on sites that are no longer selected, no more first copies come at once than may', () => {
  const lost = aTarget('gone', { ...LOST, verdict: 'Progressing', isUnselected: true });
  const none = { revision: null, verdict: 'Progressing' } as const;
  const given = [lost, ...['n1', 'n2', 'n3'].map((name) => aTarget(name, none))];
  const next = planned(given, { strategy: { maxConcurrent: 2 }, rollout: { settled: null } });
  expect(written(next)).toEqual(['n1=new', 'n2=new']);
});

test('a retry of all sites has the checks made once more on each', () => {
  const passed = first({ verification: { ...asked(), result: { verdict: 'Passed', at: NOW, says: '' } } });
  const again = plan([passed], { rollout: { retries: { '*': NOW } } });
  expect(again.verify).toMatchObject([{ cluster: 's1', round: expect.stringContaining(`/${NOW}`) }]);
});

test('a site of the stage itself that cannot be reached is not what its checks protect', () => {
  const off = first({ isDisabled: true, isToBeDisabled: true });
  const away = first({ reachable: false, revision: 'old' }, 's2');
  const behind = aTarget('s9', { isToBeDisabled: true });
  expect(written(planned([off, away, behind], { strategy: STRATEGY }))).toEqual(['s9=new']);
});

test('a share of a stage is of the sites that match, and not of all', () => {
  const canaries = targets(4, { labels: CANARY });
  const others = ['a', 'b', 'c', 'd'].map((name) => aTarget(name));
  const strategy = aStrategy({ stages: [{ name: 'half', sites: { matchLabels: CANARY, percent: 50 } }] });
  const [half] = stagesOf({ targets: [...canaries, ...others], strategy, seed: 'uid-1' });
  expect(half?.sites).toHaveLength(2);
});

test('however often people retry one site after the other, a rollout stays small', () => {
  let rollout = aRollout();
  for (const { cluster } of targets(120)) rollout = retry(rollout, [cluster], NOW);
  expect(Object.keys(rollout.retries).length).toBeLessThanOrEqual(51);
});
