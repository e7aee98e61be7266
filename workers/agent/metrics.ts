// Where the agent finds its credentials for the Prometheus of its site, for the checks of apps.
import { z } from 'zod';

export const METRICS = {
  PROMETHEUS_KEY: z
    .string()
    .min(1)
    .optional()
    .describe(
      'path of the folder with `token`, or `username` and `password`, and `ca.crt` if need be, for the Prometheus that the CappConfig names; without them it is asked without credentials',
    ),
} as const;

export function metricsKeyIn({ PROMETHEUS_KEY }: z.infer<z.ZodObject<typeof METRICS>>): string | null {
  return PROMETHEUS_KEY ?? null;
}
