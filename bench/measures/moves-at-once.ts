// How fast a tainted site is left when the drain lets everybody go at once: what the hub can do, whatever the sites can take.
//
// Usage: node bench/measures/moves-at-once.ts [Capps]
import { leave } from '../leaving.ts';
import { measure } from '../measure.ts';

await measure('moves-at-once', 300, (stage, count) => leave(stage, count, { width: 1000, perTarget: 1000, ratePerSecond: 500 }));
