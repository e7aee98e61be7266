// Where a hub keeps its objects: pure.
import type { Findings } from './refused.ts';
import { named } from './fields.ts';
import type { FileContent } from './file.ts';
import { pairOf, type ClientTls } from './pair.ts';

export type EtcdConfig =
  | { readonly mode: 'embed'; readonly prefix: string }
  | {
      readonly mode: 'external';
      readonly prefix: string;
      /** URLs, all https or all http. */
      readonly servers: readonly string[];
      /** Null for http. */
      readonly tls: ClientTls | null;
    };

type Fields = FileContent['etcd'];

/** Upstream's default. */
const SERVER = 'http://127.0.0.1:2379';
const ONLY_EXTERNAL = ['servers', 'caFile', 'certFile', 'keyFile'] as const;

export function etcdOf(fields: Fields, findings: Findings): EtcdConfig {
  const { mode, prefix, servers = [SERVER] } = fields;
  if (mode === 'embed') {
    for (const name of ONLY_EXTERNAL)
      if (fields[name] !== undefined)
        findings.warnings.push(
          `${named(`etcd.${name}`)} is not used, because ${named('etcd.mode')} is embed. For an etcd of yours, set it to external.`,
        );
    return { mode, prefix };
  }
  for (const server of servers) checkServer(server, findings);
  const plain = servers.filter((server) => server.startsWith('http://'));
  if (plain.length > 0 && plain.length < servers.length)
    findings.refusals.push(`${named('etcd.servers')} mixes http and https. Give all servers by https.`);
  if (plain.length > 0) warnOfPlain(plain, fields, findings);
  const tls = pairOf('etcd', fields, findings);
  return { mode, prefix, servers, tls: plain.length > 0 ? null : tls };
}

function checkServer(server: string, { refusals }: Findings): void {
  const url = URL.parse(server);
  const isUrl = url !== null && ['http:', 'https:'].includes(url.protocol) && url.hostname !== '';
  const isBare = isUrl && url.pathname === '/' && url.username === '' && url.search === '';
  // Of the port that is usual a URL does not keep that it was given.
  if (isBare && /:\d+\/?$/.test(server)) return;
  refusals.push(
    `${named('etcd.servers')} must hold URLs with a port and nothing behind it, such as https://etcd-1:2379. One is "${isUrl && url.username !== '' ? 'a URL with a user name' : server}".`,
  );
}

function warnOfPlain(
  plain: readonly string[],
  { caFile, certFile, keyFile }: Fields,
  { warnings }: Findings,
): void {
  const unused = [caFile, certFile, keyFile].some((file) => file !== undefined)
    ? ' Its certificates are not used.'
    : '';
  warnings.push(
    `etcd is spoken to without TLS at ${plain.join(', ')}: whoever reaches it can read and change all of this hub.${unused} Give https in ${named('etcd.servers')}.`,
  );
}
