// Certificates that can be seen without reading a Secret, and when they end. Pure.
import { X509Certificate } from 'node:crypto';
import { WEBHOOK } from './kinds.ts';
import type { DoctorFacts } from './facts.ts';

export interface CertificateEnding {
  /** Whose certificate it is, and what for. */
  readonly of: string;
  /** RFC 3339. */
  readonly ends: string;
}

/** All certificates in a PEM text; null if one cannot be read, or there is none. */
export function certificatesIn(pem: string): X509Certificate[] | null {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  try {
    return blocks.length === 0 ? null : blocks.map((block) => new X509Certificate(block));
  } catch {
    return null;
  }
}

/**
 * Your own, the authority of the API server, and those that it trusts of the webhook and of the reader; each
 * once.
 */
export function endingsIn(
  { validating, mutating, apiServices }: Pick<DoctorFacts, 'validating' | 'mutating' | 'apiServices'>,
  own: Readonly<Partial<Record<'cert' | 'ca', Pem>>>,
): CertificateEnding[] {
  const trusted = [...(validating ?? []), ...(mutating ?? [])]
    .filter(({ metadata }) => metadata.name === WEBHOOK)
    .flatMap(({ webhooks = [] }) => webhooks.map(({ clientConfig }) => clientConfig.caBundle ?? ''));
  const all: CertificateEnding[] = [
    ...endingsOf('your client certificate', textOf(own.cert)),
    ...endingsOf('the authority of the API server, in your kubeconfig', textOf(own.ca)),
    ...trusted.flatMap((bundle) =>
      endingsOf(
        'the authority of the webhook, which the API server trusts',
        Buffer.from(bundle, 'base64').toString(),
      ),
    ),
    ...(apiServices ?? []).flatMap(({ spec }) =>
      endingsOf(
        'the authority of the reader, which the API server trusts',
        Buffer.from(spec?.caBundle ?? '', 'base64').toString(),
      ),
    ),
  ];
  const once = new Map(all.map((one) => [`${one.of} ${one.ends}`, one]));
  return [...once.values()];
}

function endingsOf(of: string, pem: string): CertificateEnding[] {
  return (certificatesIn(pem) ?? []).map(({ validTo }) => ({ of, ends: new Date(validTo).toISOString() }));
}

/** As the options of a TLS connection have it. */
type Pem = Uint8Array | string | readonly (Uint8Array | string)[] | undefined;

function textOf(pem: Pem): string {
  const parts = typeof pem === 'string' || pem instanceof Uint8Array ? [pem] : (pem ?? []);
  return parts.map((part) => Buffer.from(part).toString()).join('\n');
}
