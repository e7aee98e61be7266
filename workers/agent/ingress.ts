// Where the agent finds the ingress of its site, for the checks of apps.
import { z } from 'zod';
import type { OwnIngress } from '../../activities/agent/verify/ingress.ts';

const address = (port: string) =>
  z
    .string()
    .regex(/^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9][-A-Za-z0-9.]*):[1-9][0-9]{0,4}$/)
    .optional()
    .describe(
      `host:port at which the site's ingress answers ${port}, for checks of apps; empty for dnsConfig.cname of the CappConfig`,
    );

export const INGRESS = {
  INGRESS_HTTP: address('http'),
  INGRESS_HTTPS: address('https'),
} as const;

export function ingressIn(config: z.infer<z.ZodObject<typeof INGRESS>>): OwnIngress {
  return { http: config.INGRESS_HTTP ?? null, https: config.INGRESS_HTTPS ?? null };
}
