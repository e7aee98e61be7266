// Quiet stories in which one write goes wrong: every rule holds, and all ends as it does without a fault.
// `make simulate EVERY=1` lets each write go wrong in every way; here are two of the ways for each.
import { breachIn, casesOf, partOf, taleOf } from '../../support/simulator/every/every.ts';
import { FAULT_KINDS } from '../../support/simulator/every/faults.ts';
import { live, type Life } from '../../support/simulator/every/live.ts';
import { TALES } from '../../support/simulator/every/tales.ts';

const NAMES = Object.keys(TALES);

async function faultless(tale: string): Promise<Life> {
  const life = await live(taleOf(tale), null);
  expect(life.breach).toBeNull();
  return life;
}

test.each(NAMES)(
  '%s ends as it should, whichever of its writes goes wrong',
  async (tale) => {
    const life = await faultless(tale);
    const breaches: string[] = [];
    for (const one of partOf(casesOf(tale, life.writes))) {
      const breach = await breachIn(one, life);
      if (breach !== null) breaches.push(`EVERY=${one.name}: ${breach}`);
    }
    expect(breaches).toEqual([]);
  },
  300_000,
);

test('each way of going wrong is tried here, and each write', async () => {
  const kinds = new Set<string>();
  for (const tale of NAMES) {
    const { writes } = await faultless(tale);
    const part = partOf(casesOf(tale, writes));
    expect(new Set(part.map(({ at }) => at[0])).size).toBe(writes.length);
    for (const { kind } of part) kinds.add(kind);
  }
  expect([...kinds].toSorted()).toEqual(FAULT_KINDS.toSorted());
}, 300_000);

test('a story has the same writes twice, and writes something', async () => {
  for (const tale of ['move', 'set-undone']) {
    const [one, other] = [await faultless(tale), await faultless(tale)];
    expect(one.writes.length).toBeGreaterThan(10);
    expect(other).toEqual(one);
  }
}, 60_000);

/** What each story is about, by what there is in the end. */
test.each([
  ['rollout', 'site-1 team/a ', 'a.zone.example leads to site-1'],
  ['evacuation', 'site-2 team/a ', 'a.zone.example leads to site-2'],
  ['move', 'site-3 team/a ', 'a.zone.example leads to site-3'],
  ['recreation', 'site-3 team/b ', 'b.zone.example leads to site-3'],
  ['drain', 'site-2 team/b ', 'site-3 team/d '],
  ['set-stages', 'site-1 team/many-site-1 ', 'app:2'],
  ['set-checked', 'site-1 team/many-site-1 ', 'app:2'],
  ['set-undone', 'site-3 team/many-site-3 ', '"direction":"Back"'],
  ['bundle-undone', 'site-3 bundle-team.many Ready', '"direction":"Back"'],
])('%s comes to its end', async (tale, ...wanted) => {
  const { end } = await faultless(tale);
  for (const text of wanted) expect(end).toContain(text);
});

test.each(['deletion', 'set-removal', 'bundle-removal'])('%s leaves nothing', async (tale) => {
  const { end } = await faultless(tale);
  expect(end.split('\n').filter((line) => /^(manifestworks|capps|site-\d|\w+\/team)/.test(line))).toEqual([]);
});
