// Certificate requests as OCM's agents make them, and as others might.
import { randomUUID, webcrypto } from 'node:crypto';
import { CLUSTER_NAME, type SigningRequest } from '../../../../crds/join/signing-request.ts';
import { x509, type Extension } from '../../../../tls/x509.ts';

const GROUP = 'system:open-cluster-management';

export interface Asked {
  /** As it stands in the label. */
  readonly cluster: string;
  readonly commonName?: string;
  readonly organizations?: readonly string[];
  readonly extensions?: Extension[];
  readonly usages?: readonly string[];
  readonly signerName?: string;
  /** Behind the subject, such as `, OU=x`. */
  readonly more?: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' };

function freshKeys(isExtractable: boolean) {
  return webcrypto.subtle.generateKey(ALGORITHM, isExtractable, ['sign', 'verify']);
}

/** PEM. */
export async function requestPem(asked: Asked): Promise<string> {
  return pemWith(await freshKeys(false), asked);
}

/** PEM. Go puts all organizations into one part of the name. */
async function pemWith(
  keys: Awaited<ReturnType<typeof freshKeys>>,
  {
    cluster,
    commonName = `${GROUP}:${cluster}:agent-1`,
    organizations = [`${GROUP}:${cluster}`, `${GROUP}:managed-clusters`],
    extensions,
    more = '',
  }: Asked,
): Promise<string> {
  const groups = organizations.map((one) => `O=${one}`).join('+');
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: [groups, `CN=${commonName}`].filter((part) => part !== '').join(', ') + more,
    keys,
    signingAlgorithm: { ...ALGORITHM, hash: 'SHA-256' },
    ...(extensions === undefined ? {} : { extensions }),
  });
  return `${request.toString('pem').trim()}\n`;
}

export async function signingRequest(asked: Asked): Promise<SigningRequest> {
  return around(await requestPem(asked), asked);
}

/** With the key (PEM), for who is to use the certificate. */
export async function requestWithKey(
  asked: Asked,
): Promise<{ readonly request: SigningRequest; readonly key: string }> {
  const keys = await freshKeys(true);
  const bytes = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = `-----BEGIN PRIVATE KEY-----\n${bytes.toString('base64')}\n-----END PRIVATE KEY-----\n`;
  return { request: around(await pemWith(keys, asked), asked), key };
}

function around(pem: string, asked: Asked): SigningRequest {
  const { cluster, usages = ['digital signature', 'key encipherment', 'client auth'] } = asked;
  return {
    // OCM's agents leave the end of the name to the API server.
    metadata: { name: `${cluster}-${randomUUID()}`, labels: { [CLUSTER_NAME]: cluster } },
    spec: {
      request: Buffer.from(pem).toString('base64'),
      signerName: asked.signerName ?? 'kubernetes.io/kube-apiserver-client',
      usages,
    },
  };
}
