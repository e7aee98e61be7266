// The certificate of a Capp's hostname, as cert-manager's Certificate.
import type { Capp } from '../../crds/capp/capp.ts';
import { CERTIFICATE, type CertificateObject } from '../../crds/kubernetes/certificate.ts';
import { tlsSecretOf } from '../../crds/capp/tls-secret.ts';
import { conditionOf } from '../../crds/kubernetes/core.ts';
import { SEEN_BY_INGRESS } from '../../crds/labels.ts';
import type { SiteIssuer, SiteConfig } from '../config/capp-config.ts';
import { ensureAll } from '../objects/ensure-all.ts';
import { SiteFault } from '../objects/fault.ts';
import { isOwn, ownerOf, ownLabels } from '../objects/owned.ts';
import type { OperatedSite } from '../watched.ts';

/** A certificate has no room for a longer common name; a cut one would be no name of the certificate. */
const LONGEST_COMMON_NAME = 64;

export function secretNameOf(name: string): string {
  return `${name}-tls`;
}

/** `name` is the Capp's route name. */
export function certificate(capp: Capp, name: string, issuerRef: SiteIssuer): CertificateObject {
  const { namespace } = capp.metadata;
  return {
    apiVersion: CERTIFICATE.apiVersion,
    kind: CERTIFICATE.kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: ownLabels(capp),
      ownerReferences: [ownerOf(capp)],
    },
    spec: {
      ...(name.length > LONGEST_COMMON_NAME ? {} : { commonName: name }),
      dnsNames: [name],
      privateKey: { algorithm: 'RSA', encoding: 'PKCS1', size: 4096 },
      issuerRef: { ...issuerRef },
      secretName: secretNameOf(name),
      secretTemplate: { labels: { [SEEN_BY_INGRESS]: '' } },
    },
  };
}

/** Whether cert-manager says that the Secret of this Certificate is there and good. */
export function isIssued({ metadata, status }: CertificateObject): boolean {
  const ready = conditionOf(status?.conditions, 'Ready');
  const { observedGeneration = metadata.generation } = ready ?? {};
  return ready?.status === 'True' && observedGeneration === metadata.generation;
}

/** The Capp's own Certificate of this name, as its cache has it. */
export function certificateOf(
  { watched }: Pick<OperatedSite, 'watched'>,
  capp: Capp,
  name: string,
): CertificateObject | null {
  const { namespace = '' } = capp.metadata;
  const found = watched.certificates.served() ? watched.certificates.get({ namespace, name }) : undefined;
  return found !== undefined && isOwn(found.metadata, capp) ? found : null;
}

/**
 * `name` is the Capp's route name, null for one that asks for none or may not have it. None is issued for a
 * Capp that brings its own Secret. Also removes the
 * Certificates that the Capp does not name any more; the Secret of one stays, as cert-manager leaves it.
 * Throws as `ensureAll` does, and a SiteFault, with nothing changed, where the CappConfig names no issuer. A
 * repeat writes nothing.
 */
export async function claimCertificate(
  { kube, watched }: Pick<OperatedSite, 'kube' | 'watched'>,
  capp: Capp,
  name: string | null,
  { dns: { issuer } }: Pick<SiteConfig, 'dns'>,
): Promise<void> {
  const isAsked =
    capp.spec.routeSpec?.tlsEnabled === true && tlsSecretOf(capp.spec) === null && name !== null;
  if (isAsked && issuer === null)
    throw new SiteFault(
      'NoIssuer',
      "The site's CappConfig does not say who issues certificates: its dnsConfig.issuerRef needs name, kind and group.",
    );
  const absent =
    'This site does not serve Certificate, so there is none for the hostname. Install cert-manager on it.';
  await ensureAll(kube, {
    capp,
    resource: CERTIFICATE,
    known: watched.certificates,
    objects: isAsked && issuer !== null ? [certificate(capp, name, issuer)] : [],
    absent,
  });
}
