// The fields of a hub's configuration, each with its flag. docs/hub.md shows them.
//
// `dataDirectory`, `apiserver` and `etcd` are those of multicluster-controlplane's ocmconfig.yaml.
import { z } from 'zod';

export interface Setting {
  /** In the file. */
  readonly path: string;
  /** On the command line. */
  readonly flag: string;
  readonly about: string;
  /** It names a file or a directory. */
  readonly isPath?: true;
}

export const FIELDS: readonly Setting[] = [
  {
    path: 'dataDirectory',
    flag: '--data-dir',
    about: 'where certificates, data and logs are; /var/lib/cappstan if not given',
    isPath: true,
  },
  {
    path: 'bindAddress',
    flag: '--bind-address',
    about: 'the IPv4 address on which API server and gateway listen',
  },
  {
    path: 'apiserver.externalHostname',
    flag: '--external-hostname',
    about: 'the name or address at which people and sites reach the hub',
  },
  { path: 'apiserver.port', flag: '--port', about: 'the port of the API server; 9443 if not given' },
  {
    path: 'apiserver.externalPort',
    flag: '--external-port',
    about: 'the port at which they reach it; that of the API server if not given',
  },
  {
    path: 'apiserver.caFile',
    flag: '--ca-file',
    about: 'the authority of the certificates, PEM',
    isPath: true,
  },
  { path: 'apiserver.caKeyFile', flag: '--ca-key-file', about: 'its key, PEM', isPath: true },
  { path: 'etcd.mode', flag: '--etcd-mode', about: 'embed or external' },
  { path: 'etcd.prefix', flag: '--etcd-prefix', about: 'before all keys; /registry if not given' },
  { path: 'etcd.servers', flag: '--etcd-servers', about: 'of an external etcd, separated by commas' },
  {
    path: 'etcd.caFile',
    flag: '--etcd-ca-file',
    about: 'the authority of an external etcd, PEM',
    isPath: true,
  },
  { path: 'etcd.certFile', flag: '--etcd-cert-file', about: 'our certificate there, PEM', isPath: true },
  { path: 'etcd.keyFile', flag: '--etcd-key-file', about: 'its key, PEM', isPath: true },
  { path: 'temporal.mode', flag: '--temporal-mode', about: 'embed or external' },
  { path: 'temporal.address', flag: '--temporal-address', about: 'of an external Temporal, host:port' },
  {
    path: 'temporal.namespace',
    flag: '--temporal-namespace',
    about: 'of this hub alone, there; default if not given',
  },
  {
    path: 'temporal.caFile',
    flag: '--temporal-ca-file',
    about: 'the authority of an external Temporal, PEM',
    isPath: true,
  },
  {
    path: 'temporal.certFile',
    flag: '--temporal-cert-file',
    about: 'our certificate there, PEM',
    isPath: true,
  },
  { path: 'temporal.keyFile', flag: '--temporal-key-file', about: 'its key, PEM', isPath: true },
  {
    path: 'temporal.serverName',
    flag: '--temporal-server-name',
    about: 'the name in its certificate, if the address is another',
  },
  {
    path: 'gateway.port',
    flag: '--gateway-port',
    about: 'the port at which agents of sites come in; 7443 if not given',
  },
  {
    path: 'gateway.externalHostname',
    flag: '--gateway-external-hostname',
    about: 'the name at which agents reach it; that of the API server if not given',
  },
  {
    path: 'gateway.externalPort',
    flag: '--gateway-external-port',
    about: 'the port at which they reach it; its own if not given',
  },
  {
    path: 'publish.secret',
    flag: '--publish-secret',
    about: 'namespace/name of a Secret of another cluster that gets the kubeconfig',
  },
  {
    path: 'publish.kubeconfigFile',
    flag: '--publish-kubeconfig',
    about: 'the way to that cluster',
    isPath: true,
  },
  {
    path: 'metal.provisionNamespaces',
    flag: '--metal-namespaces',
    about: 'namespaces whose SIPClusters may make sites of hosts, separated by commas',
  },
  {
    path: 'metal.provisionClusterSets',
    flag: '--metal-cluster-sets',
    about: 'clustersets that these sites may join beside the default one, separated by commas',
  },
  {
    path: 'notifications',
    flag: '--notifications',
    about: 'on: the notifier runs, and tells people by webhooks; off if not given',
  },
  {
    path: 'sealing',
    flag: '--sealing',
    about: 'on: sites can open Secrets that come sealed; off if not given',
  },
  { path: 'image', flag: '--image', about: 'of Cappstan, from where sites pull it: name:tag, name@sha256:…' },
];

/** `apiserver.port (--port)`: how messages name a field. */
export function named(path: string): string {
  const flag = FIELDS.find((field) => field.path === path)?.flag;
  return flag === undefined ? path : `${path} (${flag})`;
}

const text = z.string().min(1, 'must not be empty');
const port = z
  .int('must be a whole number from 1 to 65535')
  .min(1, 'must be a whole number from 1 to 65535')
  .max(65_535, 'must be a whole number from 1 to 65535');

/** Host with port, path, tag, digest. */
export const IMAGE =
  /^(?<repository>(?:[\w.-]+(?::\d+)?\/)?[a-z\d][a-z\d._/-]*)(?=[:@])(?::(?<tag>[\w][\w.-]{0,127}))?(?:@(?<digest>sha256:[a-f\d]{64}))?$/;

/** What the file may hold, as it is written. Empty values count as absent, as in upstream's file. */
export const FILE = z.strictObject({
  dataDirectory: text.optional(),
  bindAddress: z.ipv4('must be an IPv4 address, such as 0.0.0.0 or 127.0.0.1').default('0.0.0.0'),
  apiserver: z
    .strictObject({
      externalHostname: text.optional(),
      port: port.default(9443),
      externalPort: port.optional(),
      caFile: text.optional(),
      caKeyFile: text.optional(),
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
      caFile: text.optional(),
      certFile: text.optional(),
      keyFile: text.optional(),
    })
    .prefault({}),
  temporal: z
    .strictObject({
      mode: z.enum(['embed', 'external'], 'must be "embed" or "external"').default('embed'),
      address: z
        .string()
        .regex(/^[\w.-]+:\d{1,5}$/, 'must be a host and a port, such as temporal.example:7233')
        .optional(),
      namespace: z
        .string()
        .regex(/^[A-Za-z0-9][\w.-]+$/, 'must be the name of a namespace of Temporal, such as cappstan')
        .optional(),
      caFile: text.optional(),
      certFile: text.optional(),
      keyFile: text.optional(),
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
      kubeconfigFile: text.optional(),
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
  sealing: z.enum(['on', 'off'], 'must be "on" or "off"').default('off'),
  image: z
    .string()
    .regex(IMAGE, 'must be an image with its tag or digest, such as registry.example/cappstan:0.1.0')
    .optional(),
});

export type FileContent = z.output<typeof FILE>;
