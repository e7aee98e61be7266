// How a Capp is reached: the field `routeSpec`.
import { z } from 'zod';
import { filled, rules } from '../../definitions/rules.ts';

const text = (max: number) => z.string().max(max);

const TrafficTarget = z.looseObject({}).describe('Accepted as in v0.3.6, where nothing reads it.');

export const RouteSpec = z
  .object({
    hostname: text(254).describe('The name under which the Capp answers, besides its own.').exactOptional(),
    tlsEnabled: z.boolean().exactOptional(),
    routeTimeoutSeconds: z.int().min(0).describe('How long one request may take.').exactOptional(),
    trafficTarget: TrafficTarget.exactOptional(),
    tlsSecret: text(253)
      .describe('Accepted from older manifests: the name of the secret is derived from the hostname.')
      .exactOptional(),
  })
  .meta(
    rules([
      `!has(self.tlsEnabled) || !self.tlsEnabled || (${filled('hostname')})`,
      'tlsEnabled needs a hostname',
      '.hostname',
    ]),
  );
