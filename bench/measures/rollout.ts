// How long it takes from a Capp to its ManifestWork, one at a time, with nothing referred to.
//
// Usage: node bench/measures/rollout.ts [samples]
import { measure } from '../measure.ts';
import { oneAtATime } from '../load/one-at-a-time.ts';
import { DISABLED } from '../load/testbed.ts';

await measure('rollout', 100, (stage, count) => oneAtATime(stage, count, DISABLED));
