// A state that somebody else has written begins a workflow only if every part of it is what it must be. Every
// field is replaced by values of every other shape.
import { readState } from '../../../workflows/parse/start.ts';
import { nextStep } from '../../../workflows/capp/next/next-step.ts';
import { conditionsOf } from '../../../workflows/capp/conditions/conditions.ts';
import { aCopy, aFinding, aLeave, aMove, aPlacedState, CAPP, NOW } from '../../support/builders/states.ts';

const ID = 'capp/apps/app';
const REQUEST = {
  source: 'migrate',
  id: '1',
  to: 'site-2',
  by: 'you',
  why: 'because',
  force: false,
  planned: 'site-2',
} as const;
const said = { reason: 'Chosen', message: 'Placement all decided for site-1' } as const;

/** Every optional part is there. */
const WHOLE = aPlacedState({
  due: ['spec', 'work'],
  minimumVersions: { Capp: '7' },
  copies: {
    'site-1': aCopy({
      finding: aFinding('Ready', { hostname: { reason: 'Waits', message: 'for a record' } as never }),
      askedAt: NOW,
      seenAt: NOW,
      found: true,
      isSole: true,
      silentSince: NOW,
      absentSince: NOW,
      failedRemoval: { until: NOW, tries: 1, reason: 'Unconfirmed', message: 'the agent is silent' } as never,
    }),
    'site-2': aCopy({ silentSince: NOW, absentSince: NOW }),
  },
  leaving: { 'site-3': { since: NOW, lookedAtRing: 1, lost: 'Unreachable', givenUp: false } as never },
  request: REQUEST,
  handled: {
    source: 'signal',
    id: '1',
    outcome: 'Refused',
    reason: 'NoDecision',
    message: '',
    asked: { via: 'Annotation', by: 'you' } as never,
  },
  pin: 'site-1',
  stays: said,
  unreachable: ['site-3'],
  awaySince: { 'site-3': NOW },
  leave: { ...aLeave(), request: REQUEST, permit: { askedAt: NOW, answer: 'Go' } },
  move: { ...aMove(), request: REQUEST },
  lastMove: {
    from: 'site-2',
    to: 'site-1',
    reason: 'Asked',
    result: 'Moved',
    message: '',
    since: NOW,
    at: NOW,
    request: '1',
  },
  movedAt: NOW,
  avoid: { 'site-3': NOW },
  refused: said,
  backoff: { until: NOW, tries: 1, ringsHeard: 1, behindSince: NOW },
  awaitedBy: { 'site-1': { since: NOW, request: '1' } },
  placedFor: '',
  annotated: { migrate: '1', force: '1' },
  published: 'a',
  mirrored: 'b',
  pausedBy: 'you',
});

type Path = readonly string[];

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, one]) => pathsIn(one, [...path, key]))];
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce((found, key) => (found as Record<string, unknown>)[key], value);
}

function withValue(value: unknown, [key, ...rest]: Path, replacement: unknown): unknown {
  if (key === undefined) return replacement;
  const copy: Record<string, unknown> = Array.isArray(value)
    ? ([...(value as unknown[])] as never)
    : { ...(value as object) };
  copy[key] = withValue(copy[key], rest, replacement);
  return copy;
}

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
};
const VALUES = [
  7,
  -1,
  1.5,
  true,
  '',
  'x',
  '../../kube-system',
  'x'.repeat(20_000),
  [],
  [7],
  {},
  { a: 7 },
  null,
];

/** `capp` and `version` have tests of their own. */
const PATHS = pathsIn(WHOLE).filter(
  ([first]) => first !== undefined && first !== 'capp' && first !== 'version',
);

test('a whole state is read whole', () => {
  expect(readState(structuredClone(WHOLE), ID)).toEqual(WHOLE);
});

test.each(PATHS.map((path) => [path.join('.'), path] as const))(
  '%s is not read in another shape',
  (_name, path) => {
    const before = valueAt(WHOLE, path);
    for (const value of VALUES) {
      const read = readState(withValue(WHOLE, path, value), ID);
      expect(read?.capp.name).toBe('app');
      if (read?.unreadable === 1) continue;
      // A record may be empty, and some fields may be null; nothing else may change its kind.
      const kinds = [kindOf(before), ...(value === null ? ['null'] : [])];
      expect({ value, kind: kindOf(value), kinds }).toMatchObject({
        kinds: expect.arrayContaining([kindOf(value)]),
      });
      expect(JSON.stringify(read).length).toBeLessThan(30_000);
      expect(() => [nextStep(read as never, NOW), conditionsOf(read as never, NOW)]).not.toThrow();
    }
  },
);

test.each<[string, object]>([
  ['a site that is a path', { serving: '../kube-system' }],
  ['a pin that is a path', { pin: 'a/b' }],
  ['a copy on a site that is no name', { copies: { 'a/../b': aCopy() } }],
  ['a move to what is no name', { move: { ...aMove(), to: 'A B' } }],
  ['a reason that nobody gives', { leave: { ...aLeave(), reason: 'Because' } }],
  ['force by a message', { request: { ...REQUEST, source: 'signal', force: true } }],
  [
    'force within a leave',
    { leave: { ...aLeave(), request: { ...REQUEST, source: 'update', force: true } } },
  ],
  [
    'more sites than anybody has',
    { unreachable: Array.from({ length: 1_001 }, (_, index) => `site-${index}`) },
  ],
])('with %s it begins by its name alone', (_what, forged) => {
  const read = readState({ ...WHOLE, ...forged }, ID);
  expect(read).toMatchObject({ unreadable: 1, serving: null, capp: { ...CAPP, uid: '' } });
});
