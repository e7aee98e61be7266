// What the configuration files of Temporal's production servers have in common: each is one cluster of one
// process, on loopback.

export const HOST = '127.0.0.1';

export const MEMBERSHIP = { maxJoinDuration: '30s', broadcastAddress: HOST } as const;

/** `address` is the front door's; `dynamic` the path of the dynamic configuration. */
export function aloneAt(address: string, dynamic: string): object {
  return {
    log: { stdout: true, level: 'warn' },
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: address },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    dynamicConfigClient: { filepath: dynamic, pollInterval: '10s' },
  };
}
