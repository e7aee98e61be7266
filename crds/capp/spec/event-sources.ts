// What sends events to a Capp, as later versions of container-app-operator spell it.
import { z } from 'zod';
import { rules } from '../../definitions/rules.ts';

const text = (max: number) => z.string().max(max);

const PingSource = z
  .object({
    schedule: text(255).default('* * * * *').describe('When, as cron writes it.'),
    data: text(16_384).describe('What is sent: a JSON object.').exactOptional(),
  })
  .describe('Sends the same event by a schedule.');

const KafkaSource = z
  .object({
    bootstrapServers: z.array(text(255)).min(1).max(32),
    topics: z.array(text(255)).min(1).max(32),
    consumerGroup: text(255)
      .describe('Counts when the source is made; it cannot be changed.')
      .exactOptional(),
    consumers: z.int().min(1).max(1000).describe('How many read at a time. Default 1.').exactOptional(),
    tls: z
      .boolean()
      .describe(
        'Whether the connection to the brokers is encrypted, by the authorities that the site trusts. Default false, as upstream.',
      )
      .exactOptional(),
    secretRef: z
      .object({ name: text(253).min(1) })
      .describe('A Secret with the keys "user", "password" and "sasl.mechanism".'),
  })
  .describe('Sends each record of Kafka topics.');

export const EventSource = z
  .object({
    name: z
      .string()
      .min(1)
      .max(63)
      .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
      .describe('Its object on the site is named after the Capp and this.'),
    uri: text(1024).regex(/^\//).describe('Path of the requests; begins with /.').exactOptional(),
    pingSourceConfiguration: PingSource.exactOptional(),
    kafkaSourceConfiguration: KafkaSource.exactOptional(),
  })
  .meta(
    rules([
      'has(self.pingSourceConfiguration) != has(self.kafkaSourceConfiguration)',
      'a source has either pingSourceConfiguration or kafkaSourceConfiguration: write one of them',
    ]),
  );
export type EventSource = z.infer<typeof EventSource>;

export const EventSourcesSpec = z
  .object({
    sources: z
      .array(EventSource)
      .max(64)
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] })
      .exactOptional(),
  })
  .describe('What sends events to it.');
