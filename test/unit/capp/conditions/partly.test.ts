// A Capp that is Ready on its site, which has not taken all that travels with it, in words that tell of no
// refusal: until the deadline that may pass, and then it is said. A run of an earlier build publishes as it
// did.
import { noteChanges, PART_TOLD } from '../../../../workflows/capp/changes.ts';
import { conditionsOf } from '../../../../workflows/capp/conditions/conditions.ts';
import { fingerprintOf, publicationOf } from '../../../../workflows/capp/conditions/publication.ts';
import type { CappLife } from '../../../../workflows/capp/life.ts';
import { rest } from '../../../../workflows/capp/steps/wait.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import type { Copy, WorkFacts } from '../../../../workflows/types/copy.ts';
import { newsOfCapp } from '../../../../notify/news/capp.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { aFinding, aPlacedState, MINUTE, NOW } from '../../../support/builders/states.ts';

const DEADLINE = NOW + 9 * MINUTE;
const WORK: WorkFacts = {
  uid: 'w',
  applied: 'False',
  reason: 'AppliedManifestWorkFailed',
  withMore: true,
};
const REFUSED: WorkFacts = { ...WORK, refused: { reason: 'NotOurs', message: 'Secret db' } };

function partly(copy: Partial<Copy> = {}, plain: Partial<State> = {}): State {
  return aPlacedState(plain, { finding: aFinding(), work: WORK, deadline: DEADLINE, ...copy });
}

function said(state: State, at: number): string[] {
  const found = conditionsOf(state, at).filter(({ type }) => ['Ready', 'Applied', 'Stalled'].includes(type));
  return found.map(({ type, status, reason }) => `${type} ${status} ${reason}`);
}

test('until its deadline it is not known for refused, and then it is, and counts as Stalled', () => {
  expect(said(partly(), DEADLINE - 1)).toEqual([
    'Ready Unknown Rejected',
    'Applied Unknown Rejected',
    'Stalled False Progressing',
  ]);
  expect(said(partly(), DEADLINE)).toEqual([
    'Ready False Rejected',
    'Applied False Rejected',
    'Stalled True DeadlinePassed',
  ]);
});

test('after its deadline people are told of it', () => {
  const conditions = conditionsOf(partly(), DEADLINE).map((one) => ({ ...one, lastTransitionTime: '' }));
  const news = newsOfCapp({ ...aCapp({}), status: { conditions } });
  expect(news.map(({ topic }) => topic)).toEqual(['AppStuck']);
});

test.each<[string, Partial<Copy>, string[]]>([
  [
    'whose rollout has failed says so first',
    { finding: aFinding('Failed') },
    ['Ready False RolloutFailed', 'Applied True Applied', 'Stalled True DeadlinePassed'],
  ],
  [
    'of which something is refused is not late, for it was Ready in time',
    { work: REFUSED },
    ['Ready False NotOurs', 'Applied False NotOurs', 'Stalled False Progressing'],
  ],
  [
    'of which OCM has reported nothing is not late either',
    { work: { ...WORK, applied: 'Unknown' }, silentSince: NOW },
    ['Ready Unknown AgentSilent', 'Applied True Applied', 'Stalled False Progressing'],
  ],
])('a Capp %s', (_what, copy, expected) => {
  expect(said(partly(copy), DEADLINE)).toEqual(expected);
});

describe('a run that began before that was told', () => {
  const former = { tellsFailure: true, tellsPart: false };
  const whole = partly({ work: { ...WORK, applied: 'True' } });

  test.each([DEADLINE - 1, DEADLINE])('publishes as it did', (at) => {
    expect(fingerprintOf(partly(), at, former)).toBe(fingerprintOf(whole, at, former));
    const known = { ...partly(), published: fingerprintOf(whole, at, former) };
    const telling = { record: null, news: null, at };
    expect(publicationOf(known, { ...telling, ...former })).toBeNull();
    expect(publicationOf(known, { ...telling, tellsFailure: true })).not.toBeNull();
  });

  test('publishes it once it has noted that', () => {
    expect(fingerprintOf(partly(), NOW)).not.toBe(fingerprintOf(whole, NOW));
    expect(fingerprintOf(partly(), DEADLINE)).not.toBe(fingerprintOf(partly(), NOW));
  });
});

const unread = { work: { ...WORK, applied: 'Unknown' as const } };

test.each<[string, State, readonly string[]]>([
  ['of which the site has not all', partly(), [PART_TOLD]],
  ['that is Ready, and whose work is to be read again', partly(unread, { due: ['work'] }), [PART_TOLD]],
  ['that is Ready, and of whose work nothing was said', partly(unread), []],
  [
    'that comes up, and whose work is to be read',
    partly({ ...unread, finding: null }, { due: ['work'] }),
    [],
  ],
  ['that is alone in its work', partly({ work: { ...WORK, withMore: undefined } as never }), []],
])('a run of a Capp %s notes what its history needs', (_what, state, expected) => {
  const noted = new Set<string>();
  noteChanges({ runtime: { now: () => NOW, patched: () => true } as never, noted }, state);
  expect([...noted]).toEqual(expected);
});

/** Until when a rest waits, in milliseconds. */
async function restOf(state: State, until: number | null, noted: readonly string[] = [PART_TOLD]) {
  const waits: (number | null)[] = [];
  const wait = (_woken: unknown, most?: { ms: number }): Promise<void> =>
    Promise.resolve(void waits.push(most?.ms ?? null));
  const life = {
    state: {
      ...state,
      published: fingerprintOf(state, NOW, { tellsFailure: false, tellsPart: noted.length > 0 }),
    },
    runtime: { now: () => NOW, isLong: () => false, until: wait, patched: () => false },
    noted: new Set(noted),
    agent: { asking: () => [], hasNews: () => false },
    verifier: { follow: () => undefined, hasNews: () => false },
    record: null,
    unpublished: null,
  } as unknown as CappLife;
  await rest(life, until);
  return waits;
}

test('a rest ends at the deadline at the latest, so that it is said then', async () => {
  expect(await restOf(partly(), null)).toEqual([9 * MINUTE]);
  expect(await restOf(partly(), NOW + MINUTE)).toEqual([MINUTE]);
  expect(await restOf(partly(), NOW + 60 * MINUTE)).toEqual([9 * MINUTE]);
  expect(await restOf(partly({ deadline: NOW }), null)).toEqual([null]);
});

test('a rest of a run that has not noted that, or of a Capp of which the site has all, ends as it did', async () => {
  expect(await restOf(partly(), null, [])).toEqual([null]);
  expect(await restOf(partly({ work: { ...WORK, applied: 'True' } }), null)).toEqual([null]);
});
