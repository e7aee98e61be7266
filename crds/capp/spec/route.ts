// How a Capp is reached: the field `routeSpec`.
import { z } from 'zod';

const text = (max: number) => z.string().max(max);

const TrafficTarget = z.looseObject({}).describe('Accepted as in v0.3.6, where nothing reads it.');

export const RouteSpec = z.object({
  hostname: text(254).describe('The name under which the Capp answers, besides its own.').exactOptional(),
  tlsEnabled: z.boolean().describe('Serves the hostname with a certificate.').exactOptional(),
  routeTimeoutSeconds: z.int().min(0).describe('How long one request may take.').exactOptional(),
  trafficTarget: TrafficTarget.exactOptional(),
  tlsSecret: text(253)
    .describe(
      'The Secret with the certificate of the hostname (type kubernetes.io/tls), where tlsEnabled is set. Empty: one is issued.',
    )
    .exactOptional(),
});
