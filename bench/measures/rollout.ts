// The time from a Capp to its ManifestWork, one at a time. The Capp refers to no other object.
//
// Usage: node bench/measures/rollout.ts [samples]
import { measure } from '../measure.ts';
import { oneAtATime } from '../load/one-at-a-time.ts';
import { DISABLED } from '../load/testbed.ts';

await measure('rollout', 100, (testbed, count) => oneAtATime(testbed, count, DISABLED));
