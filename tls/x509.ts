// @peculiar/x509, loaded: what makes certificates, which Node's own crypto can only read.
//
// Its injection container (tsyringe) wants the reflect-metadata polyfill, for constructor types that the
// library never declares. Answering "none" is enough, and spares a dependency.
import { webcrypto } from 'node:crypto';

const none = { getMetadata: () => undefined, getOwnMetadata: () => undefined };

for (const [name, value] of Object.entries(none)) {
  if (!Reflect.has(Reflect, name))
    Object.defineProperty(Reflect, name, { value, configurable: true, writable: true });
}

// Not a static import, which would come before what stands above.
export const x509 = await import('@peculiar/x509');

x509.cryptoProvider.set(webcrypto);

export type { Extension, JsonGeneralName, X509Certificate } from '@peculiar/x509';
