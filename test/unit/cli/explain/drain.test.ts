// What `kubectl capp drain` and `plan` show of a Drain, and which Drain their flags stand for.
import { Command } from 'commander';
import { specFrom, withSpec } from '../../../../cli/commands/drain/flags.ts';
import { shareOf } from '../../../../cli/explain/drain.ts';
import { stayAdvice } from '../../../../cli/explain/reasons/stay.ts';
import { drainView } from '../../../../cli/hub/objects/drains.ts';
import { programFor } from '../../../../cli/program.ts';
import { endSentence, planText, progressLine, progressLines, staysText } from '../../../../cli/show/drain.ts';
import { DrainSpec, type Drain } from '../../../../crds/drain/drain.ts';
import type { DrainStatus } from '../../../../crds/drain/status.ts';
import { aTerminal, NO_COLOURS } from '../../../support/builders/process/terminals.ts';

const SEEN: DrainStatus = { observedGeneration: 1, phase: 'Draining' };
const aDrain = (status?: DrainStatus, spec: Partial<DrainSpec> = {}): Drain => ({
  apiVersion: 'rcs.dana.io/v1alpha1',
  kind: 'Drain',
  metadata: { name: 'site-1', generation: 1 },
  spec: DrainSpec.parse(spec),
  ...(status === undefined ? {} : { status }),
});
const view = (status?: DrainStatus, spec?: Partial<DrainSpec>) => drainView(aDrain(status, spec));
const UNDER_WAY = view({
  ...SEEN,
  waiting: 5,
  underWay: 2,
  moved: 3,
  stayed: 3,
  targets: [{ site: 'site-2', capps: 2 }],
  reasons: [
    { reason: 'Pinned', capps: 2 },
    { reason: 'Paused', capps: 1 },
  ],
});

describe('the progress of a drain', () => {
  it('is a line in a pipe', () => {
    expect(progressLine(UNDER_WAY)).toBe(
      'Draining: 3 of 10 Capps moved; on their way: 2; waiting: 5; staying: 3 (Pinned 2, Paused 1)',
    );
  });

  it('is a bar in a terminal, with where Capps go and who stays, cut to its width', () => {
    const lines = progressLines(UNDER_WAY, { width: 80, colours: NO_COLOURS });
    expect(lines).toEqual([
      `site-1 ${'█'.repeat(9)}${'░'.repeat(21)} 3 of 10 Capps moved`,
      'on their way: 2 (site-2 2)',
      'waiting: 5   staying: 3 (Pinned 2, Paused 1)',
    ]);
    for (const line of progressLines(UNDER_WAY, { width: 20, colours: NO_COLOURS }))
      expect(line.length).toBeLessThanOrEqual(20);
  });

  it.each([
    ['nobody has looked at', undefined, {}],
    ['has only been planned so far', { observedGeneration: 1, phase: 'Planned' }, {}],
  ] as const)('of a Drain that %s says so', (_, status, spec) => {
    const line = progressLine(view(status, spec));
    expect(line).toBe('The hub has not looked at the Drain yet.');
  });

  it.each([
    [0, { waiting: 3 }, false],
    [0.5, { waiting: 1, moved: 1 }, false],
    [1, { moved: 2 }, true],
    [1, {}, true],
    [0, {}, false],
  ])('has a share of %d', (share, counts, isOver) => {
    expect(shareOf({ ...view({ ...SEEN, ...counts }), isOver })).toBe(share);
  });

  it('says when it is paused', () => {
    const [head] = progressLines(view({ ...SEEN, phase: 'Paused' }), { width: 80, colours: NO_COLOURS });
    expect(head).toMatch(/, paused$/);
  });
});

describe('the end of a drain', () => {
  it.each([
    [{ phase: 'Done', moved: 1 }, 'site-1 is empty: 1 Capp moved.'],
    [
      { phase: 'Done', moved: 2, stayed: 1 },
      'The drain of site-1 has ended: 2 Capps moved, and 1 Capp stays there.',
    ],
    [
      { phase: 'Stopped', moved: 2 },
      'Somebody stopped the drain of site-1 through Temporal after 2 Capps moved. Every Capp keeps its copies.',
    ],
  ] as const)('is said in a sentence: %j', (status, sentence) => {
    expect(endSentence(view({ observedGeneration: 1, ...status }))).toBe(sentence);
  });

  it('names who stays, why, and what helps', () => {
    const stays = Array.from({ length: 12 }, (_, index) => ({ capp: `apps/a${index}`, reason: 'Paused' }));
    const found = view({ ...SEEN, stayed: 14, stays });
    expect(staysText(found, false)).toContain(
      'apps/a0   Paused   Let it go on: kubectl capp resume apps/a0.',
    );
    expect(staysText(found, false)).toMatch(/apps\/a9 [^]*and 4 more, of which -o wide names 2\.$/);
    expect(staysText(found, true)).toMatch(/apps\/a11 [^]*and 2 more\.$/);
  });
});

test('a plan says who would go where, who would stay, and that nothing has been changed', () => {
  const planned = view(
    {
      observedGeneration: 1,
      phase: 'Planned',
      waiting: 2,
      stayed: 1,
      targets: [{ site: 'site-2', capps: 2 }],
      going: ['a', 'b'].map((name) => ({ capp: `apps/${name}`, site: 'site-2' })),
      stays: [{ capp: 'apps/c', reason: 'Pinned' }],
    },
    { dryRun: true },
  );
  expect(planText(planned, { isWide: false, colours: NO_COLOURS }).split('\n')).toEqual([
    'A drain of site-1 would move 2 Capps, and 1 would stay. Nothing has been changed.',
    '',
    'TO       CAPPS',
    'site-2   2',
    '',
    'FIRST TO GO   TO',
    'apps/a        site-2',
    'apps/b        site-2',
    '',
    'STAYS    REASON   WHAT HELPS',
    'apps/c   Pinned   Change spec.site, which names this site; where a CappSet has written it, the sites of the set: kubectl capp why apps/c.',
  ]);
});

describe('of a Capp that stays', () => {
  const ABOUT = { capp: 'apps/a', site: 'site-1' };
  it('it is said what helps, with a command of the program where there is one', () => {
    const { root } = programFor('kubectl capp', aTerminal().terminal);
    const commands = new Set(root.commands.map((command) => command.name()));
    const reasons = [
      'CoolDown until 2026-03-01T12:10:00Z',
      ...'Paused Pinned Manual NoCandidate NoDecision StillLeaving OtherCopy Deleting NoCapp Gone'.split(' '),
      ...'Overdue Other Failed Cancelled AwaitsConfirmation NotMoving Sunspots constructor'.split(' '),
    ];
    for (const reason of reasons) {
      const advice = stayAdvice(reason, ABOUT);
      expect(advice).toMatch(/^\S.+\.$/);
      expect(advice).not.toMatch(/[{}]/);
      const [, command] = /kubectl capp (\w+)/.exec(advice) ?? [];
      if (command !== undefined) expect(commands).toContain(command);
    }
    expect(stayAdvice('CoolDown until 2026-03-01T12:10:00Z', ABOUT)).toBe(
      'Wait until then, or move it: kubectl capp move apps/a.',
    );
  });
});

describe('the flags', () => {
  const read = (...args: string[]) => {
    const command = withSpec(new Command().exitOverride().configureOutput({ writeErr: () => undefined }));
    return specFrom(command.parse(args, { from: 'user' }).opts());
  };
  it('say only what they name', () => {
    expect(read()).toEqual({});
    expect(read('--width', '7', '--per-target', '3', '--rate', '2', '--reason', 'new kernels')).toEqual({
      width: 7,
      perTarget: 3,
      ratePerSecond: 2,
      reason: 'new kernels',
    });
    expect(read('--priority', 'shop=100', '--priority', 'shop/cart=-5')).toEqual({
      priorities: [
        { namespace: 'shop', name: '', priority: 100 },
        { namespace: 'shop', name: 'cart', priority: -5 },
      ],
    });
  });
  it.each([['--width=0'], ['--rate=-1'], ['--priority=shop'], ['--priority=shop=many'], ['--priority==1']])(
    'are refused when they mean nothing: %s',
    (flag) => {
      expect(() => read(flag)).toThrow(/invalid/);
    },
  );
});
