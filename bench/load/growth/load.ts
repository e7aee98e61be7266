// What the parts of the measure of growth work on.
import type { SmallestObject } from '../smallest-objects.ts';
import type { Smallest } from '../smallest-workflows.ts';
import type { Testbed } from '../testbed.ts';
import type { Population } from './population.ts';

export interface Load {
  readonly testbed: Testbed;
  readonly population: Population;
  readonly smallest: Smallest;
  readonly object: SmallestObject;
}
