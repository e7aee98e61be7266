// Which Temporal a hub works with: pure.
import type { Findings } from './refused.ts';
import { named } from './fields.ts';
import type { FileContent } from './file.ts';
import { pairOf, type ClientTls } from './pair.ts';

export type HubTemporalConfig =
  /** `ui`: its web interface runs, and asks nobody who they are. */
  { readonly mode: 'embed'; readonly ui: boolean } | ExternalTemporal;

export interface ExternalTemporal {
  readonly mode: 'external';
  /** host:port. */
  readonly address: string;
  readonly namespace: string;
  /** Null: without TLS. `serverName` is that in its certificate; null: the host of the address. */
  readonly tls: (ClientTls & { readonly serverName: string | null }) | null;
}

type Fields = FileContent['temporal'];

const ONLY_EXTERNAL = ['address', 'namespace', 'caFile', 'certFile', 'keyFile', 'serverName'] as const;
/** Any of these means TLS. */
const OF_TLS = ['caFile', 'certFile', 'keyFile'] as const;

export function temporalOf(fields: Fields, findings: Findings): HubTemporalConfig {
  const { mode, address, namespace = 'default', serverName } = fields;
  if (mode === 'embed') {
    for (const name of ONLY_EXTERNAL)
      if (fields[name] !== undefined)
        findings.warnings.push(
          `${named(`temporal.${name}`)} is not used, because ${named('temporal.mode')} is embed. For a Temporal of yours, set it to external.`,
        );
    return { mode, ui: fields.ui === 'on' };
  }
  if (fields.ui === 'on')
    findings.warnings.push(
      `${named('temporal.ui')} is not used, because ${named('temporal.mode')} is external: the web interface is that of your Temporal.`,
    );
  if (address === undefined)
    findings.refusals.push(
      `${named('temporal.address')} is missing. Give host and port of your Temporal, such as temporal.example:7233.`,
    );
  const place = { mode, address: address ?? '', namespace } as const;
  if (!OF_TLS.some((name) => fields[name] !== undefined)) {
    if (serverName !== undefined)
      findings.refusals.push(
        `${named('temporal.serverName')} is given without ${named('temporal.caFile')}: without TLS there is no certificate. Give both, or neither.`,
      );
    findings.warnings.push(
      `Temporal is spoken to without TLS at ${place.address}: whoever reaches it can end this hub's workflows and read their histories. Give ${named('temporal.caFile')}.`,
    );
    return { ...place, tls: null };
  }
  return { ...place, tls: { ...pairOf('temporal', fields, findings), serverName: serverName ?? null } };
}
