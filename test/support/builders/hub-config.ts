// The configuration of a hub as tests read it: a file's text with flags behind it.
import { hubConfig, type HubConfig } from '../../../deploy/hub/config/config.ts';
import { commandLine } from '../../../deploy/hub/config/flags.ts';
import { ConfigRefused } from '../../../deploy/hub/config/refused.ts';

/** The file /etc/hub/ocmconfig.yaml with these flags, for somebody in /home/me. */
export function read(
  text: string | null,
  ...args: string[]
): { config: HubConfig; warnings: readonly string[] } {
  const file = text === null ? null : { path: '/etc/hub/ocmconfig.yaml', text };
  return hubConfig({ file, flags: commandLine(args).values, directory: '/home/me' });
}

/** What is said of a configuration that is refused, sentence by sentence. */
export function refusals(text: string | null, ...args: string[]): readonly string[] {
  try {
    read(text, ...args);
  } catch (error) {
    if (error instanceof ConfigRefused) return error.sentences;
    throw error;
  }
  return [];
}

/** multicluster-controlplane's README, word by word. */
export const SAMPLE = `dataDirectory: "/.ocm"
apiserver:
  externalHostname: "http://abcdefg.com"
  port: 9443
  caFile: "ca.crt"
  caKeyFile: "ca.key"
etcd:
  mode: external
  prefix: "/registry"
  servers:
  - http://etcd-1:2379
  - http://etcd-2:2379
  caFile: "etcd-trusted-ca.crt"
  certFile: "etcd-client.crt"
  keyFile: "etcd-client.key"
`;
