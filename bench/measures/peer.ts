// The Go operator, rcs-ocm-deployer, and Cappstan on one stack in one run, story by story in turn.
//
// Usage: PEER=<built rcs-ocm-deployer> node bench/measures/peer.ts [Capps at once]
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { tenth } from '../../testbed/quantiles.ts';
import { measure } from '../measure.ts';
import { restOf } from '../load/capps-at-rest.ts';
import { storiesOf, type MeasuredStory } from '../peer/stories.ts';
import { asPeer } from '../peer/turns.ts';

interface Compared {
  readonly peer: MeasuredStory;
  readonly ours: MeasuredStory;
  /** Ours to the peer's: below 1, ours is faster. */
  readonly ratio: MeasuredStory;
}

await measure('peer', 300, async (testbed, count) => {
  const binary = resolve(process.env['PEER'] ?? '');
  if (process.env['PEER'] === undefined || !existsSync(binary))
    throw new Error(
      'Set PEER to the path of a built rcs-ocm-deployer: bench/README.md says how to build it.',
    );
  const rest = await restOf(testbed);
  const compared: Record<string, Compared> = {};
  for (const { title, run } of await storiesOf(testbed, rest, count)) {
    const peer = await asPeer(testbed, binary, () => run('peer'));
    const ours = await run('ours');
    compared[title] = { peer, ours, ratio: ratioOf(ours, peer) };
    for (const line of linesOf(title, compared[title])) console.log(line);
  }
  const all = Object.values(compared).flatMap(({ ratio }) => Object.values(ratio));
  return {
    ours: `ratios of ${Math.min(...all)} to ${Math.max(...all)}`,
    figures: { compared },
  };
});

function ratioOf(ours: MeasuredStory, peer: MeasuredStory): MeasuredStory {
  const hundredth = (value: number): number => Math.round(value * 100) / 100;
  return Object.fromEntries(
    Object.entries(ours).map(([what, value]) => [what, hundredth(value / (peer[what] ?? Number.NaN))]),
  );
}

function linesOf(title: string, { peer, ours, ratio }: Compared): string[] {
  return Object.keys(ours).map(
    (what) =>
      `${title}, ${what}: the Go operator ${tenth(peer[what] ?? Number.NaN)}, ours ${tenth(ours[what] ?? Number.NaN)}, ratio ${ratio[what] ?? Number.NaN}`,
  );
}
