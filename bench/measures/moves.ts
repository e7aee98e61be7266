// How fast Capps leave a tainted site through the drain's default lanes.
//
// Usage: node bench/measures/moves.ts [Capps]
import { leave } from '../load/leaving.ts';
import { measure } from '../measure.ts';

await measure('moves', 300, (testbed, count) => leave(testbed, count));
