// How a hub shows itself to a server of somebody else's: pure.
import type { Findings } from './refused.ts';
import { named } from './fields.ts';

/** Paths. Without `ca` the machine's authorities count. */
export interface ClientTls {
  readonly ca?: string;
  readonly pair?: { readonly cert: string; readonly key: string };
}

interface Fields {
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

/** Of the fields of that section. Half of a pair is refused by its name. */
export function pairOf(
  section: 'etcd' | 'temporal',
  { caFile, certFile, keyFile }: Fields,
  { refusals }: Findings,
): ClientTls {
  const ca = caFile === undefined ? {} : { ca: caFile };
  if (certFile !== undefined && keyFile !== undefined)
    return { ...ca, pair: { cert: certFile, key: keyFile } };
  if (certFile === keyFile) return ca;
  const [has, lacks] = certFile === undefined ? ['keyFile', 'certFile'] : ['certFile', 'keyFile'];
  refusals.push(
    `${named(`${section}.${has}`)} is given without ${named(`${section}.${lacks}`)}. Give both, or neither.`,
  );
  return ca;
}
