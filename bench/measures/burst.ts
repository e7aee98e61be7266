// How long many Capps made at once take until each has its ManifestWork, while the sites' agents are held still.
//
// Usage: node bench/measures/burst.ts [Capps]
import { measure } from '../measure.ts';
import { pauseAgents } from '../paused-agents.ts';
import { tenth } from '../quantiles.ts';
import { DISABLED, numbered } from '../stage.ts';

await measure('burst', 600, async (stage, count) => {
  const warm = numbered('warm', 20);
  for (const name of warm) await stage.create(name, DISABLED);
  await stage.allReady(warm);
  await pauseAgents(stage);
  const names = numbered('burst', count);
  const begun = performance.now();
  const [, seen] = await Promise.all([Promise.all(names.map((name) => stage.create(name, DISABLED))), stage.worksOf(names)]);
  const after = seen.map((at) => (at - begun) / 1000).toSorted((a, b) => a - b);
  const seconds = tenth(after.at(-1) ?? Number.NaN);
  const perSecond = tenth(count / seconds);
  return {
    ours: `${count} in ${seconds} s, ${perSecond} a second`,
    figures: { capps: count, seconds, perSecond, seenAfterSeconds: after },
  };
});
