// What an API server of a hub is told about its disk: what it encrypts in etcd, and what it writes down of
// who did what.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { writeText } from '../local/supervise/json-file.ts';
import { ConfigRefused } from './config/refused.ts';

/** What may hold values of Secrets, or what users write into their apps. */
const ENCRYPTED = [
  'secrets',
  'manifestworks.work.open-cluster-management.io',
  'manifestworkreplicasets.work.open-cluster-management.io',
  'bundles.rcs.dana.io',
  'bundlerevisions.rcs.dana.io',
  'capps.rcs.dana.io',
  'capprevisions.rcs.dana.io',
  'cappsets.rcs.dana.io',
  'setrevisions.rcs.dana.io',
] as const;

/** No contents, and nothing of what a hub at rest does by itself every few seconds. */
const POLICY = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    { level: 'None', nonResourceURLs: ['/healthz*', '/livez*', '/readyz*', '/version', '/openapi*'] },
    {
      level: 'None',
      resources: [
        { group: 'coordination.k8s.io', resources: ['leases'] },
        { group: '', resources: ['events'] },
        { group: 'events.k8s.io', resources: ['events'] },
      ],
    },
    { level: 'None', verbs: ['watch'] },
    { level: 'Metadata' },
  ],
} as const;

export interface AtRest {
  /** The folder of certificates and keys. */
  readonly certificates: string;
  readonly logs: string;
  /** The hub has stored something before. */
  readonly isOld: boolean;
}

/**
 * Writes both files if they are missing, adds to the first what an earlier version did not encrypt, and
 * returns the API server's flags. Safe to repeat. Throws
 * ConfigRefused when a hub that has stored something has lost its key: a new one reads nothing of it.
 */
export function atRestFlags({ certificates, logs, isOld }: AtRest): string[] {
  const [encryption, policy] = [
    join(certificates, 'encryption.yaml'),
    join(certificates, 'audit-policy.yaml'),
  ];
  if (!existsSync(encryption)) {
    if (isOld)
      throw new ConfigRefused([
        `${encryption} is missing: without the key in it nothing that this hub has stored can be read. Put it back from a backup.`,
      ]);
    writeText(encryption, stringify(encryptionWith(randomBytes(32).toString('base64'))));
  } else encryptMore(encryption);
  writeText(policy, stringify(POLICY));
  return [
    `--encryption-provider-config=${encryption}`,
    `--audit-policy-file=${policy}`,
    `--audit-log-path=${join(logs, 'audit.log')}`,
    '--audit-log-maxage=30',
    '--audit-log-maxbackup=10',
    '--audit-log-maxsize=100',
  ];
}

interface Encryption {
  readonly resources: readonly { readonly resources: readonly string[]; readonly providers: unknown }[];
}

/**
 * The file of an earlier version names fewer kinds: the others are stored with the same keys from now on.
 * What was stored before stays readable, and as it is until it is written again. Throws ConfigRefused when
 * nothing is in it.
 */
function encryptMore(file: string): void {
  const before = parse(readFileSync(file, 'utf8')) as Encryption | null;
  if (before === null)
    throw new ConfigRefused([
      `${file} is empty: without the key in it nothing that this hub has stored can be read. Put it back from a backup.`,
    ]);
  const [first, ...others] = before.resources;
  const named = new Set(before.resources.flatMap(({ resources }) => resources));
  const missing = ENCRYPTED.filter((kind) => !named.has(kind));
  if (first === undefined || missing.length === 0) return;
  const more = { ...first, resources: [...first.resources, ...missing] };
  writeText(file, stringify({ ...before, resources: [more, ...others] }));
}

function encryptionWith(secret: string): object {
  const providers = [{ secretbox: { keys: [{ name: 'key1', secret }] } }, { identity: {} }];
  return {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources: [{ resources: [...ENCRYPTED], providers }],
  };
}
