// How fast a tainted site is left through the drain's own lanes.
//
// Usage: node bench/measures/moves.ts [Capps]
import { leave } from '../load/leaving.ts';
import { measure } from '../measure.ts';

await measure('moves', 300, (stage, count) => leave(stage, count));
