// What a hub's configuration file may hold, as it is written.
import { z } from 'zod';

const text = z.string().min(1, 'must not be empty');
/** Only a shell knows whose home that is, and only where it stands alone. */
export const OF_A_HOME = /^~[\w-]*(?:\/|$)/;
const path = text.refine(
  (given) => !OF_A_HOME.test(given),
  'must be written out: nobody but a shell knows ~',
);
const port = z
  .int('must be a whole number from 1 to 65535')
  .min(1, 'must be a whole number from 1 to 65535')
  .max(65_535, 'must be a whole number from 1 to 65535');

/** Host with port, path, tag, digest. */
export const IMAGE =
  /^(?<repository>(?:[\w.-]+(?::\d+)?\/)?[a-z\d][a-z\d._/-]*)(?=[:@])(?::(?<tag>[\w][\w.-]{0,127}))?(?:@(?<digest>sha256:[a-f\d]{64}))?$/;

/** Empty values count as absent, as in upstream's file. */
export const FILE = z.strictObject({
  dataDirectory: path.optional(),
  bindAddress: z.ipv4('must be an IPv4 address, such as 0.0.0.0 or 127.0.0.1').default('0.0.0.0'),
  apiserver: z
    .strictObject({
      externalHostname: text.optional(),
      port: port.default(9443),
      externalPort: port.optional(),
      caFile: path.optional(),
      caKeyFile: path.optional(),
    })
    .prefault({}),
  etcd: z
    .strictObject({
      mode: z.enum(['embed', 'external'], 'must be "embed" or "external"').default('embed'),
      prefix: z
        .string()
        .regex(/^(?:\/[\w.-]+)+$/, 'must be a path of letters, digits, - and _, such as /registry')
        .default('/registry'),
      servers: z.array(text, 'must be a list of URLs').min(1, 'must name at least one URL').optional(),
      caFile: path.optional(),
      certFile: path.optional(),
      keyFile: path.optional(),
    })
    .prefault({}),
  temporal: z
    .strictObject({
      mode: z.enum(['embed', 'external'], 'must be "embed" or "external"').default('embed'),
      ui: z.enum(['on', 'off'], 'must be "on" or "off"').default('off'),
      address: z
        .string()
        .regex(/^[\w.-]+:\d{1,5}$/, 'must be a host and a port, such as temporal.example:7233')
        .optional(),
      namespace: z
        .string()
        .regex(/^[A-Za-z0-9][\w.-]+$/, 'must be the name of a namespace of Temporal, such as cappstan')
        .optional(),
      caFile: path.optional(),
      certFile: path.optional(),
      keyFile: path.optional(),
      serverName: z
        .string()
        .regex(/^[\w.-]+$/, 'must be a name, such as temporal.example')
        .optional(),
    })
    .prefault({}),
  gateway: z
    .strictObject({
      port: port.default(7443),
      externalHostname: text.optional(),
      externalPort: port.optional(),
    })
    .prefault({}),
  publish: z
    .strictObject({
      secret: z
        .string()
        .regex(/^[a-z\d][a-z\d-]*\/[a-z\d][a-z\d.-]*$/, 'must be namespace/name of a Secret')
        .optional(),
      kubeconfigFile: path.optional(),
    })
    .prefault({}),
  metal: z
    .strictObject({
      provisionNamespaces: z
        .array(
          z.string().regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, 'must be the name of a namespace'),
          'must be a list of namespaces',
        )
        .min(1, 'must name at least one namespace')
        .optional(),
      provisionClusterSets: z
        .array(
          z.string().regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, 'must be the name of a ManagedClusterSet'),
          'must be a list of ManagedClusterSets',
        )
        .optional(),
    })
    .prefault({}),
  notifications: z.enum(['on', 'off'], 'must be "on" or "off"').default('off'),
  reader: z
    .strictObject({
      userServer: z
        .url({ protocol: /^https$/, error: 'must be an https address, such as https://proxy.example:9092' })
        .optional(),
      userServerCaFile: path.optional(),
    })
    .prefault({}),
  argocd: z
    .strictObject({
      namespace: z
        .string()
        .regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, 'must be the name of a namespace')
        .optional(),
      account: z
        .string()
        .regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, 'must be the name of a ManagedServiceAccount')
        .optional(),
      userServer: z
        .url({ protocol: /^https$/, error: 'must be an https address, such as https://proxy.example:9092' })
        .optional(),
      userServerCaFile: path.optional(),
    })
    .prefault({}),
  sealing: z.enum(['on', 'off'], 'must be "on" or "off"').default('off'),
  image: z
    .string()
    .regex(IMAGE, 'must be an image with its tag or digest, such as registry.example/cappstan:0.1.0')
    .optional(),
});

export type FileContent = z.output<typeof FILE>;
