// An upgrade of 834d80a in the middle of a rollout: what it has written stays as it is, and the rest follows
// in order, by the real turns of this version on what that one stored.
import { jest } from '@jest/globals';
import { CONTENT, livedTurns } from '../../../support/testbeds/fleet/lived-turns.ts';

const SITES = ['a', 'b', 'c', 'd', 'e', 'f'];
/** So many digits had the name of a revision. */
const DIGITS = { CappSet: 10, Bundle: 12 } as const;
const TURN_MS = 15_000;

beforeEach(() => void jest.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') }));
afterEach(() => void jest.useRealTimers());

/** What that version would have stored in its place. */
function storedWith(digits: number): <T>(stored: T) => T {
  const long = new RegExp(`\\b([0-9a-f]{${digits}})[0-9a-f]{${32 - digits}}\\b`, 'g');
  return (stored) => JSON.parse(JSON.stringify(stored).replaceAll(long, '$1')) as typeof stored;
}

describe.each(['CappSet', 'Bundle'] as const)('a %s', (kind) => {
  test('of which half of the sites had the revision gets it on the others one by one, and the first half is not written', async () => {
    const lived = livedTurns(kind, SITES, { strategy: { maxConcurrent: '100%' } });
    await lived.live(4 * TURN_MS);
    lived.edit({ ...CONTENT[kind]('two'), strategy: { maxConcurrent: 1, soakSeconds: 60 } });
    while (lived.on('two').length < 3) await lived.live(TURN_MS);
    const before = lived.writes();
    const { revision = '' } = lived.status() as { readonly revision?: string };
    lived.rewrite(storedWith(DIGITS[kind]));
    expect(lived.status()).toMatchObject({ rollout: { revision: revision.slice(0, DIGITS[kind]) } });
    const given: (readonly string[])[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      await lived.live(TURN_MS);
      given.push(lived.on('two'));
    }
    expect([...new Set(given.map((sites) => sites.join('')))]).toEqual(
      expect.arrayContaining(['abcd', 'abcde', 'abcdef']),
    );
    expect(given.at(-1)).toEqual(SITES);
    expect(lived.writes()).toEqual({ ...before, d: 2, e: 2, f: 2 });
    expect(lived.status()).toMatchObject({ rollout: { revision, settled: revision } });
  });
});
