// The fields of a hub's configuration, each with its flag. docs/hub.md shows them.
//
// `dataDirectory`, `apiserver` and `etcd` are those of multicluster-controlplane's ocmconfig.yaml.
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
  {
    path: 'temporal.ui',
    flag: '--temporal-ui',
    about: 'on: everybody on this machine can read workflows in a browser; off if not given',
  },
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
    path: 'reader.userServer',
    flag: '--reader-user-server',
    about:
      'the https address of cluster-proxy’s user server: the reader runs, and people read logs and Pods; it does not if not given',
  },
  {
    path: 'reader.userServerCaFile',
    flag: '--reader-user-server-ca-file',
    about: 'the authority of its certificate, PEM',
    isPath: true,
  },
  {
    path: 'argocd.namespace',
    flag: '--argocd-namespace',
    about: 'of the hub’s Argo CD: the registrar runs, and makes sites its clusters; it does not if not given',
  },
  {
    path: 'argocd.account',
    flag: '--argocd-account',
    about: 'the ManagedServiceAccount of each site with which Argo CD works there; argocd if not given',
  },
  {
    path: 'argocd.userServer',
    flag: '--argocd-user-server',
    about: 'the https address at which Argo CD reaches cluster-proxy’s user server',
  },
  {
    path: 'argocd.userServerCaFile',
    flag: '--argocd-user-server-ca-file',
    about: 'the authority of its certificate, PEM',
    isPath: true,
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
