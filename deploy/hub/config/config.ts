// A hub's configuration, from a file and flags: pure. Everything that is wrong is said at once.
import { resolve } from 'node:path';
import type { z } from 'zod';
import { argoOf, type HubArgoConfig } from './argo.ts';
import { closest } from './closest.ts';
import { fileContent } from './content.ts';
import { etcdOf, type EtcdConfig } from './etcd.ts';
import { temporalOf, type HubTemporalConfig } from './temporal.ts';
import { FIELDS, named } from './fields.ts';
import { FILE, IMAGE, OF_A_HOME, type FileContent } from './file.ts';
import { hostnameOf } from './hostname.ts';
import { readerOf, type HubReaderConfig } from './reader.ts';
import { ConfigRefused, type Findings } from './refused.ts';

/** Where a hub's data is if nobody says. multicluster-controlplane takes /.ocm. */
export const DATA_DIRECTORY = '/var/lib/cappstan';

/** All paths are absolute. */
export interface HubConfig {
  readonly dataDirectory: string;
  /** IPv4. */
  readonly bindAddress: string;
  readonly apiServer: {
    /** A name or an address; null for the machine's own. */
    readonly externalHostname: string | null;
    readonly port: number;
    /** Null: `port`. */
    readonly externalPort: number | null;
    /** Paths; null: the hub makes an authority. */
    readonly authority: { readonly cert: string; readonly key: string } | null;
  };
  readonly etcd: EtcdConfig;
  readonly temporal: HubTemporalConfig;
  readonly gateway: {
    readonly port: number;
    /** Null: the API server's. */
    readonly externalHostname: string | null;
    /** Null: `port`. */
    readonly externalPort: number | null;
  };
  /** Who gets the administrator's kubeconfig: a Secret of the cluster to which the file leads. */
  readonly publish: {
    readonly secret: { readonly namespace: string; readonly name: string };
    readonly kubeconfig: string;
  } | null;
  /** Namespaces whose SIPClusters may make sites of BareMetalHosts; without any, no host is reserved. */
  readonly provisionNamespaces: readonly string[];
  /** ManagedClusterSets that these sites may join beside the default one. */
  readonly provisionClusterSets: readonly string[];
  /** Whether the notifier runs. */
  readonly notifications: boolean;
  /** By which way the reader goes to sites. Of a hub that an earlier program has begun it may be missing. */
  readonly reader: HubReaderConfig | null;
  /** Where the registrar runs. Of a hub that an earlier program has begun it may be missing. */
  readonly argo: HubArgoConfig | null;
  /** Whether sites can open sealed Secrets. Of a hub that an earlier program has begun it may be missing. */
  readonly sealing: boolean;
  /** Null: the chart's default. Empty: that part was not given. */
  readonly image: { readonly repository: string; readonly tag: string; readonly digest: string } | null;
}

export interface GivenConfig {
  /** `path` is absolute. */
  readonly file: { readonly path: string; readonly text: string } | null;
  /** By the field's path. They win over the file. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** Where paths of flags begin. */
  readonly directory: string;
}

/** Throws ConfigRefused, with a sentence for each thing that is wrong. */
export function hubConfig(given: GivenConfig): {
  readonly config: HubConfig;
  readonly warnings: readonly string[];
} {
  const content = withFlags(
    given.file === null ? {} : fileContent(given.file, `dataDirectory: ${DATA_DIRECTORY}`),
    given,
  );
  const read = FILE.safeParse(content);
  if (!read.success)
    throw new ConfigRefused(read.error.issues.flatMap((issue) => sentencesOf(issue, content, given)));
  const findings: Findings = { refusals: [], warnings: [] };
  const config = configOf(read.data, findings);
  if (findings.refusals.length > 0) throw new ConfigRefused(findings.refusals);
  return { config, warnings: findings.warnings };
}

function configOf(
  {
    dataDirectory,
    bindAddress,
    apiserver,
    etcd,
    temporal,
    gateway,
    publish,
    metal,
    notifications,
    reader,
    argocd,
    sealing,
    image,
  }: FileContent,
  findings: Findings,
): HubConfig {
  if (apiserver.port === gateway.port)
    findings.refusals.push(
      `${named('apiserver.port')} and ${named('gateway.port')} are both ${gateway.port}. Give one of them another port.`,
    );
  if (metal.provisionClusterSets !== undefined && metal.provisionNamespaces === undefined)
    findings.refusals.push(
      `${named('metal.provisionClusterSets')} is given without ${named('metal.provisionNamespaces')}: no site is made of hosts then, and joins them. Give both, or neither.`,
    );
  return {
    dataDirectory: dataDirectory ?? DATA_DIRECTORY,
    bindAddress,
    apiServer: {
      externalHostname: hostnameOf('apiserver', apiserver.externalHostname, findings),
      port: apiserver.port,
      externalPort: apiserver.externalPort ?? null,
      authority: authorityOf(apiserver, findings),
    },
    etcd: etcdOf(etcd, findings),
    temporal: temporalOf(temporal, findings),
    gateway: {
      port: gateway.port,
      externalHostname: hostnameOf('gateway', gateway.externalHostname, findings),
      externalPort: gateway.externalPort ?? null,
    },
    publish: publishOf(publish, findings),
    provisionNamespaces: metal.provisionNamespaces ?? [],
    provisionClusterSets: metal.provisionClusterSets ?? [],
    notifications: notifications === 'on',
    reader: readerOf(reader, findings),
    argo: argoOf(argocd, findings),
    sealing: sealing === 'on',
    image: image === undefined ? null : imageOf(image),
  };
}

function publishOf(
  { secret, kubeconfigFile }: FileContent['publish'],
  { refusals }: Findings,
): HubConfig['publish'] {
  if (secret !== undefined && kubeconfigFile !== undefined) {
    const [namespace = '', name = ''] = secret.split('/');
    return { secret: { namespace, name }, kubeconfig: kubeconfigFile };
  }
  if (secret === kubeconfigFile) return null;
  const [has, lacks] = secret === undefined ? ['kubeconfigFile', 'secret'] : ['secret', 'kubeconfigFile'];
  refusals.push(
    `${named(`publish.${has}`)} is given without ${named(`publish.${lacks}`)}. Give both, or neither.`,
  );
  return null;
}

function imageOf(text: string): HubConfig['image'] {
  const { repository = '', tag = '', digest = '' } = IMAGE.exec(text)?.groups ?? {};
  return { repository, tag, digest };
}

function authorityOf(
  { caFile, caKeyFile }: FileContent['apiserver'],
  { refusals }: Findings,
): HubConfig['apiServer']['authority'] {
  if (caFile !== undefined && caKeyFile !== undefined) return { cert: caFile, key: caKeyFile };
  if (caFile === undefined && caKeyFile === undefined) return null;
  const [has, lacks] =
    caFile === undefined
      ? ['apiserver.caKeyFile', 'apiserver.caFile']
      : ['apiserver.caFile', 'apiserver.caKeyFile'];
  refusals.push(
    `${named(has)} is given without ${named(lacks)}. Give both for an authority of your own, or neither for one that the hub makes.`,
  );
  return null;
}

type Tree = Record<string, unknown>;

/** What is empty in the file counts as absent, and its paths become absolute. */
function withFlags(content: Readonly<Record<string, unknown>>, given: GivenConfig): Tree {
  const all = withoutEmpty(content);
  for (const { path, isPath = false } of FIELDS) {
    const [first = '', second] = path.split('.');
    const isInFlags = Object.hasOwn(given.flags, path);
    const place = second === undefined ? all : mappingAt(all, first, isInFlags);
    const name = second ?? first;
    if (place === null) continue;
    if (isInFlags) place[name] = given.flags[path];
    const value = place[name];
    if (isPath && typeof value === 'string' && value !== '' && !OF_A_HOME.test(value))
      place[name] = resolve(beginOf(path, given), value);
  }
  return all;
}

/** Where a path in that field begins. */
function beginOf(path: string, { file, flags, directory }: GivenConfig): string {
  return Object.hasOwn(flags, path) ? directory : resolve(file?.path ?? directory, '..');
}

/** Null when it is absent and not `needed`, or no mapping, which the schema refuses. */
function mappingAt(all: Tree, name: string, needed: boolean): Tree | null {
  if (needed) all[name] ??= {};
  const place = all[name];
  return typeof place === 'object' && place !== null && !Array.isArray(place) ? (place as Tree) : null;
}

function withoutEmpty(content: Readonly<Record<string, unknown>>): Tree {
  const kept = Object.entries(content).filter(([, value]) => value !== null && value !== '');
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      typeof value === 'object' && !Array.isArray(value) ? withoutEmpty(value as Tree) : value,
    ]),
  );
}

function sentencesOf(issue: z.core.$ZodIssue, content: Tree, given: GivenConfig): string[] {
  const path = issue.path.filter((part) => typeof part === 'string').join('.');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => {
      const field = path === '' ? key : `${path}.${key}`;
      return `${field} is no field of the configuration. ${closest(
        field,
        FIELDS.map((one) => one.path),
      )}`;
    });
  const value = issue.path.reduce<unknown>((at, part) => (at as Tree | undefined)?.[part as string], content);
  const said = issue.message.startsWith('must') ? issue.message : `must be ${expected(issue)}`;
  const meant =
    issue.code === 'custom' && typeof value === 'string' && OF_A_HOME.test(value)
      ? ` If a directory is called so, as an earlier version took it, give ./${value}: ${resolve(beginOf(path, given), value)}.`
      : '';
  return [`${named(path)} ${said}. It is ${JSON.stringify(value)}.${meant}`];
}

function expected(issue: z.core.$ZodIssue): string {
  const kind = issue.code === 'invalid_type' ? issue.expected : 'of another kind';
  return kind === 'object' ? 'a mapping of fields' : kind === 'string' ? 'text' : kind;
}
