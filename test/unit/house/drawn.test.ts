// The simulator's rule of stages that draw their sites, where a superseded revision begins once more.
import type { Copy, Fleet } from '../../support/simulator/fleet/lived.ts';
import { TermRules } from '../../support/simulator/fleet/term-rules.ts';
import type { Witness } from '../../support/simulator/fleet/witness.ts';

const copy = (site: string, revision: string, at: number) =>
  ({ site, isGoing: false, written: { revision, at } }) as unknown as Copy;

/** What the rule says when site c gets the revision, which b was given just now, and a had before. */
function saysOf(proven: readonly string[]): () => void {
  const stages = [{ name: 'first', sites: { count: 1 } }];
  const rollout = { revision: 'new', settled: 'old', direction: 'Forward', begunAt: 1_000_000 };
  const fleet = { metadata: {}, spec: { strategy: { stages, soakSeconds: 0 } }, status: { rollout } };
  const had = copy('a', 'new', 500_000);
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
    selectedOfLate: () => ['a', 'b', 'c'],
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
