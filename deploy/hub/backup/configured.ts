// With what a hub was started last: kept beside its data, so that a backup has it, and written as the file
// that starts a restored one.
import { join } from 'node:path';
import { stringify } from 'yaml';
import { readJson, writeJson } from '../../local/supervise/json-file.ts';
import type { HubConfig } from '../config/config.ts';
import type { ExternalTemporal } from '../config/temporal.ts';

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

/** What was given as files from elsewhere: the field, its name in a backup, and its path. */
export function givenFiles({ apiServer, temporal }: Pick<HubConfig, 'apiServer' | 'temporal'>): readonly {
  readonly field: string;
  readonly name: string;
  readonly path: string;
}[] {
  const tls = temporalTlsOf(temporal);
  return [
    { field: 'apiserver.caFile', name: 'ca.crt', path: apiServer.authority?.cert },
    { field: 'apiserver.caKeyFile', name: 'ca.key', path: apiServer.authority?.key },
    { field: 'temporal.caFile', name: 'temporal-ca.crt', path: tls?.ca },
    { field: 'temporal.certFile', name: 'temporal.crt', path: tls?.pair?.cert },
    { field: 'temporal.keyFile', name: 'temporal.key', path: tls?.pair?.key },
  ].flatMap(({ path, ...more }) => (path === undefined ? [] : [{ ...more, path }]));
}

/** Before there was an external Temporal, nothing was kept of it. */
function temporalTlsOf(temporal: HubConfig['temporal'] | undefined) {
  return temporal?.mode === 'external' ? temporal.tls : null;
}

/** The file that starts the same hub from another directory. `at` says where a given file is by then. */
export function configFileOf(config: HubConfig, directory: string, at: (name: string) => string): string {
  const { apiServer, bindAddress, etcd, temporal, gateway, publish, notifications, sealing, image } = config;
  const given = (section: string): Record<string, string> =>
    Object.fromEntries(
      givenFiles(config)
        .filter(({ field }) => field.startsWith(section))
        .map(({ field, name }) => [field.slice(section.length), at(name)]),
    );
  return stringify({
    dataDirectory: directory,
    bindAddress,
    apiserver: {
      externalHostname: apiServer.externalHostname,
      port: apiServer.port,
      ...present({ externalPort: apiServer.externalPort }),
      ...given('apiserver.'),
    },
    etcd: { mode: etcd.mode, prefix: etcd.prefix },
    ...(temporal?.mode === 'external' ? { temporal: { ...placeOf(temporal), ...given('temporal.') } } : {}),
    ...(temporal?.mode === 'embed' && temporal.ui ? { temporal: { ui: 'on' } } : {}),
    gateway: {
      port: gateway.port,
      ...present({ externalHostname: gateway.externalHostname, externalPort: gateway.externalPort }),
    },
    ...(publish ? { publish: publishedTo(publish) } : {}),
    ...metalOf(config),
    // Earlier programs did not keep it.
    ...((notifications as boolean | undefined) === true ? { notifications: 'on' } : {}),
    ...readerFields(config),
    ...argoFields(config),
    ...((sealing as boolean | undefined) === true ? { sealing: 'on' } : {}),
    ...(image === null ? {} : { image: imageText(image) }),
  });
}

/** The way to the other cluster stays where it was: it is no file of this hub. */
function publishedTo({ secret, kubeconfig }: NonNullable<HubConfig['publish']>): object {
  return { secret: `${secret.namespace}/${secret.name}`, kubeconfigFile: kubeconfig };
}

/** Earlier programs did not keep it. */
function metalOf({
  provisionNamespaces = [],
  provisionClusterSets = [],
}: Partial<Pick<HubConfig, 'provisionNamespaces' | 'provisionClusterSets'>>): object {
  const lists = Object.entries({ provisionNamespaces, provisionClusterSets });
  const given = lists.filter(([, names]) => names.length > 0);
  return given.length === 0 ? {} : { metal: Object.fromEntries(given) };
}

/** Earlier programs did not keep it. The authority is no file of this hub: it stays where it was. */
function readerFields({ reader }: Pick<HubConfig, 'reader'>): object {
  if (!reader) return {};
  return { reader: { userServer: reader.userServer, userServerCaFile: reader.authority } };
}

/** The same. */
function argoFields({ argo }: Pick<HubConfig, 'argo'>): object {
  if (!argo) return {};
  const { namespace, account, userServer, authority } = argo;
  return { argocd: { namespace, account, userServer, userServerCaFile: authority } };
}

/** Earlier programs kept less. */
function present<T>(fields: Readonly<Record<string, T | null | undefined>>): object {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}

function placeOf({ mode, address, namespace, tls }: ExternalTemporal): Record<string, string> {
  const name = tls?.serverName ?? null;
  return { mode, address, namespace, ...(name === null ? {} : { serverName: name }) };
}

function imageText({ repository, tag, digest }: NonNullable<HubConfig['image']>): string {
  return `${repository}${tag === '' ? '' : `:${tag}`}${digest === '' ? '' : `@${digest}`}`;
}
