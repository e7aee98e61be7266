// What the bridge publishes of Temporal: the same answers are never written twice, whatever the time.
import type { PublishedLook } from '../../../bridge/published/look.ts';
import { problemOf } from '../../../bridge/published/look.ts';
import { agentsOf } from '../../../bridge/published/agents.ts';
import { publisher } from '../../../bridge/published/publish.ts';
import { reportOf, type SeenAgent } from '../../../bridge/published/report.ts';
import { HubStatusReport, type HubStatus } from '../../../crds/hub/hub-status.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { MINUTE, NOW } from '../../support/builders/states.ts';

const OWN = { namespace: 'default', ui: 'https://temporal.test', version: '1.2' };
const UP = {
  reachable: true,
  missingSearchAttributes: [],
  polled: { '1.2-3': NOW },
  currentBuild: '1.2-3',
} satisfies PublishedLook;
const DOWN: PublishedLook = { reachable: false, problem: 'Unreachable' };
const iso = (time: number): string => new Date(time).toISOString();
const PUBLISHED: HubStatusReport = {
  temporal: { reachable: true, since: iso(NOW), namespace: 'default', ui: 'https://temporal.test' },
  missingSearchAttributes: [],
  hubWorkers: { polling: true, current: '1.2-3' },
  bridge: '1.2',
  agents: [{ site: 'site-1', state: 'Polling' }],
};

describe('what is published', () => {
  const seen = (look: PublishedLook, agents: Record<string, SeenAgent> = {}, now = NOW) => ({
    look,
    agents,
    now,
  });
  const polling = { isSilent: false, polledAt: NOW };

  it('is what Temporal says, in an order of its own, and fits the schema', () => {
    const report = reportOf({}, seen(UP, { 'site-1': polling }), OWN);
    expect(report).toEqual(PUBLISHED);
    expect(HubStatusReport.parse(report)).toEqual(report);
    const two = reportOf({}, seen(UP, { b: polling, a: polling }), OWN);
    expect(two.agents?.map(({ site }) => site)).toEqual(['a', 'b']);
  });

  it('stays as it is while only the times of polls change', () => {
    const later = { ...UP, polled: { '1.2-3': NOW + 9 * MINUTE } };
    const agents = { 'site-1': { isSilent: false, polledAt: NOW + 9 * MINUTE } };
    expect(reportOf(PUBLISHED, seen(later, agents, NOW + 9 * MINUTE), OWN)).toEqual(PUBLISHED);
  });

  it('keeps what was known while Temporal does not answer, and says since when', () => {
    const report = reportOf(PUBLISHED, seen(DOWN, {}, NOW + 1), OWN);
    const temporal = { ...PUBLISHED.temporal, reachable: false, since: iso(NOW + 1), problem: 'Unreachable' };
    expect(report).toEqual({ ...PUBLISHED, temporal });
    expect(reportOf(report, seen(DOWN, {}, NOW + MINUTE), OWN)).toEqual(report);
    expect(reportOf(report, seen(UP, { 'site-1': polling }, NOW + 2), OWN).temporal).toEqual({
      ...PUBLISHED.temporal,
      since: iso(NOW + 2),
    });
  });

  it('says of hub workers whether one polls, and which builds besides the current one', () => {
    const of = (polled: Record<string, number>) => reportOf({}, seen({ ...UP, polled }), OWN).hubWorkers;
    expect(of({})).toEqual({ polling: false, current: '1.2-3' });
    expect(of({ '1.2-3': NOW - 3 * MINUTE })).toEqual({ polling: false, current: '1.2-3' });
    expect(of({ '1.2-3': NOW, '1.1-2': NOW, '1.0-1': NOW - 3 * MINUTE })).toEqual({
      polling: true,
      current: '1.2-3',
      others: ['1.1-2'],
    });
    expect(reportOf({}, seen({ ...UP, polled: { '': NOW }, currentBuild: null }), OWN).hubWorkers).toEqual({
      polling: true,
    });
  });

  it('keeps the missing search attributes while Temporal does not say', () => {
    const silent = { ...UP, missingSearchAttributes: null } as PublishedLook;
    const before = { ...PUBLISHED, missingSearchAttributes: ['CappSite'] };
    expect(reportOf(before, seen(silent), OWN).missingSearchAttributes).toEqual(['CappSite']);
    expect(reportOf({}, seen(silent), OWN)).not.toHaveProperty('missingSearchAttributes');
  });

  it('says when a silent agent was last seen, by the later of two bridges', () => {
    const silent = (polledAt: number | null) => ({ 'site-1': { isSilent: true, polledAt } });
    const first = reportOf(PUBLISHED, seen(UP, silent(NOW)), OWN);
    expect(first.agents).toEqual([{ site: 'site-1', state: 'Silent', lastSeen: iso(NOW) }]);
    for (const older of [null, NOW - MINUTE])
      expect(reportOf(first, seen(UP, silent(older)), OWN)).toEqual(first);
    expect(reportOf(first, seen(UP, silent(NOW + 1)), OWN).agents?.[0]?.lastSeen).toBe(iso(NOW + 1));
    expect(reportOf({}, seen(UP, silent(null)), OWN).agents).toEqual([{ site: 'site-1', state: 'Silent' }]);
  });
});

test.each([
  [5, 'NoNamespace'],
  [7, 'Refused'],
  [16, 'Refused'],
  [14, 'Unreachable'],
  [4, 'Unreachable'],
])('the gRPC code %d means %s', (code, problem) => {
  expect(problemOf(Object.assign(new Error('no'), { code }))).toBe(problem);
});

/** A hub with at most one HubStatus, which counts what is written. */
function aHub() {
  const written: string[] = [];
  let object: HubStatus | null = null;
  const kube = {
    get: async () => object,
    create: async (_kind: unknown, made: KubeObject) => {
      written.push('create');
      object = made as HubStatus;
      return object;
    },
    apply: async (_kind: unknown, { status }: { status?: HubStatusReport }) => {
      written.push('apply');
      object = { ...(object as HubStatus), status: JSON.parse(JSON.stringify(status)) as HubStatusReport };
      return object;
    },
  };
  return { kube: kube as never, written, status: () => object?.status };
}

describe('the publisher', () => {
  it('writes once what stays the same, also after it has started again', async () => {
    const hub = aHub();
    let now = NOW;
    const begin = () =>
      publisher({
        kube: hub.kube,
        look: async () => ({ ...UP, polled: { '1.2-3': now } }),
        agents: async () => ({ 'site-1': { isSilent: false, polledAt: now } }),
        own: OWN,
        now: () => now,
      });
    for (const publish of [begin(), begin()])
      for (let count = 0; count < 5; count += 1) {
        await publish();
        now += MINUTE / 2;
      }
    expect(hub.written).toEqual(['create', 'apply']);
    expect(hub.status()).toEqual(PUBLISHED);
  });

  it('says that Temporal does not answer after two looks in a row, and once', async () => {
    const hub = aHub();
    let seen: PublishedLook = UP;
    const publish = publisher({
      kube: hub.kube,
      look: async () => seen,
      agents: async () => ({}),
      own: OWN,
      now: () => NOW,
    });
    await publish();
    seen = DOWN;
    await publish();
    expect(hub.status()?.temporal?.reachable).toBe(true);
    for (let count = 0; count < 3; count += 1) await publish();
    expect(hub.status()?.temporal).toMatchObject({ reachable: false, problem: 'Unreachable' });
    expect(hub.written).toEqual(['create', 'apply', 'apply']);
  });
});

describe('the agents', () => {
  const setting = (...sites: string[]) => {
    const objects = sites.map((namespace) => ({ metadata: { namespace, name: 'cappstan' } }));
    const polls = new Map<string, number | null | 'fails'>();
    const look = agentsOf({
      watched: { agents: { list: () => objects } } as never,
      lastPoll: async (site) => {
        const poll = polls.get(site) ?? null;
        if (poll === 'fails') throw new Error('Temporal is away');
        return poll;
      },
      silentAfterMs: 5 * MINUTE,
    });
    return { polls, objects, look: (now: number, known = new Map<string, SeenAgent>()) => look(known, now) };
  };

  it('poll, or are silent after five minutes, also where no Capp is', async () => {
    const { polls, look } = setting('site-1', 'site-2');
    polls.set('site-1', NOW);
    expect(await look(NOW)).toEqual({ 'site-1': { isSilent: false, polledAt: NOW } });
    polls.set('site-1', null);
    expect(await look(NOW + 6 * MINUTE)).toEqual({
      'site-1': { isSilent: true, polledAt: NOW },
      'site-2': { isSilent: true, polledAt: null },
    });
  });

  it('are as they were published until this process knows better, or cannot know', async () => {
    const { polls, look } = setting('site-1');
    const known = new Map([['site-1', { isSilent: true, polledAt: NOW - 60 * MINUTE }]]);
    expect(await look(NOW, known)).toEqual(Object.fromEntries(known));
    polls.set('site-1', 'fails');
    expect(await look(NOW + 9 * MINUTE, known)).toEqual(Object.fromEntries(known));
  });

  it('of sites that have left are forgotten', async () => {
    const { polls, objects, look } = setting('site-1');
    polls.set('site-1', NOW);
    await look(NOW);
    objects.pop();
    expect(await look(NOW)).toEqual({});
  });
});
