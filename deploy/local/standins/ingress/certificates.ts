// The certificates by which the ingress stand-in answers with TLS: Secrets that Ingresses name.
//
// A Secret is read when somebody asks for its host, so that a renewed one counts at once.
import { createSecureContext, type SecureContext } from 'node:tls';
import { SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { IngressTls } from './ingress-object.ts';

/**
 * Null while there is no such Secret, or none with a certificate and its key. Throws what the client throws,
 * and for a certificate that does not fit its key.
 */
export function certificates(kube: Pick<Kube, 'get'>): (tls: IngressTls) => Promise<SecureContext | null> {
  const known = new Map<string, { readonly version: string; readonly context: SecureContext }>();
  return async ({ secretNamespace: namespace, secretName: name }) => {
    const secret = await kube.get<Secret>(SECRET, { namespace, name });
    const { 'tls.crt': cert = '', 'tls.key': key = '' } = secret?.data ?? {};
    if (secret === null || cert === '' || key === '') return null;
    const { uid = '', resourceVersion = '' } = secret.metadata;
    const version = `${uid}/${resourceVersion}`;
    const before = known.get(`${namespace}/${name}`);
    if (before?.version === version) return before.context;
    const context = createSecureContext({
      cert: Buffer.from(cert, 'base64'),
      key: Buffer.from(key, 'base64'),
    });
    known.set(`${namespace}/${name}`, { version, context });
    return context;
  };
}
