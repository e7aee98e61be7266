// With what a hub was started last: kept beside its data, so that a backup has it, and written as the file
// that starts a restored one.
import { join } from 'node:path';
import { stringify } from 'yaml';
import { readJson, writeJson } from '../../local/supervise/json-file.ts';
import type { HubConfig } from '../config/config.ts';

/** Its content is what `cappstan hub --config` reads. */
export const CONFIG_FILE = 'ocmconfig.yaml';

/** With what the names of a given authority's files begin among the certificates of a restored hub. */
export const GIVEN = 'given-';

function fileIn(directory: string): string {
  return join(directory, 'state', 'config.json');
}

/** `externalHostname` is where sites have found it: it stays though the machine is another. */
export function rememberConfig(config: HubConfig, externalHostname: string): void {
  const apiServer = { ...config.apiServer, externalHostname };
  writeJson(fileIn(config.dataDirectory), { ...config, apiServer } satisfies HubConfig);
}

/** Null: the hub was never started by a program that keeps it. */
export function configuredIn(directory: string): Promise<HubConfig | null> {
  return readJson<HubConfig>(fileIn(directory));
}

/** The file that starts the same hub from another directory. `authority` are paths; null: the hub's own. */
export function configFileOf(
  config: HubConfig,
  directory: string,
  authority: HubConfig['apiServer']['authority'],
): string {
  const { apiServer, bindAddress, etcd, gateway, image } = config;
  return stringify({
    dataDirectory: directory,
    bindAddress,
    apiserver: {
      externalHostname: apiServer.externalHostname,
      port: apiServer.port,
      ...(authority === null ? {} : { caFile: authority.cert, caKeyFile: authority.key }),
    },
    etcd: { mode: etcd.mode, prefix: etcd.prefix },
    gateway: { port: gateway.port },
    ...(image === null ? {} : { image: imageText(image) }),
  });
}

function imageText({ repository, tag, digest }: NonNullable<HubConfig['image']>): string {
  return `${repository}${tag === '' ? '' : `:${tag}`}${digest === '' ? '' : `@${digest}`}`;
}
