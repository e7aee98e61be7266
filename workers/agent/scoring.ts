// What an agent's score rests on: bounds under the Go add-on's names, and where its operators keep figures of
// their own.
import { z } from 'zod';
import type { FigureBounds } from '../../activities/agent/score/figures.ts';
import type { Scoring } from '../../activities/agent/score/measure.ts';

const amount = z.string().regex(/^\d+(\.\d+)?$/);

export const SCORING = {
  MIN_CPU_COUNT: amount
    .default('0')
    .describe('the free cores, as a number, at or below which cpuAvailable is -100'),
  MAX_CPU_COUNT: amount
    .optional()
    .describe(
      'the free cores, as a number, at or above which cpuAvailable is 100; empty for all that there are',
    ),
  MIN_MEMORY_BYTES: amount
    .default('0')
    .describe('the free bytes, as a number, at or below which memAvailable is -100'),
  MAX_MEMORY_BYTES: amount
    .optional()
    .describe(
      'the free bytes, as a number, at or above which memAvailable is 100; empty for all that there are',
    ),
  SCORE_CONFIGMAP: z
    .string()
    .regex(/^[a-z0-9][-a-z0-9]*\/[a-z0-9][-a-z0-9.]*$/)
    .optional()
    .describe('namespace/name of a ConfigMap on this site with custom scores'),
  SCORE_URL: z
    .string()
    .regex(/^https?:\/\/[^\s@]+$/)
    .optional()
    .describe('an http or https URL on this site, without credentials, that answers with custom scores'),
} as const;

/** Throws an Error that names the variables when a maximum is not above its minimum. */
export function scoringOf(config: z.infer<z.ZodObject<typeof SCORING>>): Scoring {
  const [namespace = '', name] = config.SCORE_CONFIGMAP?.split('/') ?? [];
  return {
    bounds: {
      cpu: boundsOf(config, 'MIN_CPU_COUNT', 'MAX_CPU_COUNT'),
      memory: boundsOf(config, 'MIN_MEMORY_BYTES', 'MAX_MEMORY_BYTES'),
    },
    extras: { configMap: name === undefined ? null : { namespace, name }, url: config.SCORE_URL ?? null },
  };
}

type Bound = 'MIN_CPU_COUNT' | 'MAX_CPU_COUNT' | 'MIN_MEMORY_BYTES' | 'MAX_MEMORY_BYTES';

function boundsOf(
  config: Readonly<Partial<Record<Bound, string | undefined>>>,
  lower: Bound,
  upper: Bound,
): FigureBounds {
  const min = Number(config[lower]);
  const max = config[upper] === undefined ? null : Number(config[upper]);
  if (max !== null && max <= min)
    throw new Error(
      `${upper} is not above ${lower}: set it to more, or leave it empty for all that the site has`,
    );
  return { min, max };
}
