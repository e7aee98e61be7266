// What Knative refuses, with what the refusal of a hub says.
import { ANNOTATIONS } from './annotations.ts';
import { CONTAINERS } from './containers.ts';
import type { Refused } from './examples.ts';
import { PROBES } from './probes.ts';
import { VOLUMES } from './volumes.ts';

export const REFUSED: readonly Refused[] = [...CONTAINERS, ...VOLUMES, ...PROBES, ...ANNOTATIONS].map(
  ([title, template, field, words]) => ({
    title,
    template,
    field,
    words,
  }),
);
