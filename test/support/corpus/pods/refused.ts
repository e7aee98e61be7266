// What Knative refuses, with what the refusal of a hub says.
import { CONTAINERS } from './containers.ts';
import type { Refused } from './examples.ts';
import { VOLUMES } from './volumes.ts';

export const REFUSED: readonly Refused[] = [...CONTAINERS, ...VOLUMES].map(
  ([title, template, field, words]) => ({
    title,
    template,
    field,
    words,
  }),
);
