// The simulator's rule of stages that draw their sites, where a superseded revision begins once more, and
// where sites become fewer.
import type { Copy, Fleet } from '../../support/simulator/fleet/lived.ts';
import { TermRules } from '../../support/simulator/fleet/term-rules.ts';
import type { Witness } from '../../support/simulator/fleet/witness.ts';

const copy = (site: string, revision: string, at: number) =>
  ({ site, isGoing: false, written: { revision, at } }) as unknown as Copy;

interface Told {
  /** How many sites the stage draws. */
  readonly sites?: object;
  /** When site a got the revision, which began at 1,000,000. */
  readonly at?: number;
  /** Those of today; a moment ago all were. */
  readonly selected?: readonly string[];
}

const ALL = ['a', 'b', 'c', 'd', 'e', 'f'];

/** What the rule says when site c gets the revision, which b was given just now, and a had before. */
function saysOf(proven: readonly string[], told: Told = {}): () => void {
  const { sites = { count: 1 }, at = 500_000, selected = ALL } = told;
  const stages = [{ name: 'first', sites }];
  const rollout = { revision: 'new', settled: 'old', direction: 'Forward', begunAt: 1_000_000 };
  const fleet = { metadata: {}, spec: { strategy: { stages, soakSeconds: 0 } }, status: { rollout } };
  const had = copy('a', 'new', at);
  const fail = ({ message }: { message: string }): never => {
    throw new Error(message);
  };
  const world = { fail, tally: { note: () => undefined } };
  const witness = {
    world,
    now: 0,
    joinedAt: -Infinity,
    fleet: () => fleet,
    copies: () => [had, copy('b', 'new', 1_500_000)],
    selected: () => selected,
    selectedOfLate: () => ALL,
    isMember: () => true,
    isLostWith: () => false,
    wasUnselected: () => false,
    wasReady: (site: string) => proven.includes(site),
  };
  const rules = new TermRules(witness as unknown as Witness);
  rules.changed(null, fleet as unknown as Fleet);
  witness.now = 2_000_000;
  return () => rules.advances(copy('c', 'new', 2_000_000), copy('c', 'old', 0));
}

test('a site that had the revision before excuses no other one, unless it is proven', () => {
  expect(saysOf([])).toThrow(/those that were drawn are not proven/);
  expect(saysOf(['a'])).not.toThrow();
});

test('of fewer sites than a moment ago fewer are drawn, and only these must be proven', () => {
  const drawn = { sites: { percent: 20 }, at: 1_200_000 };
  expect(saysOf(['a'], drawn)).toThrow(/those that were drawn are not proven/);
  const fewer = { ...drawn, selected: ['a', 'b', 'c', 'd', 'e'] };
  expect(saysOf(['a'], fewer)).not.toThrow();
  expect(saysOf([], fewer)).toThrow(/those that were drawn are not proven/);
});
