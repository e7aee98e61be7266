// The condition of a Capp's certificate. It never blocks a rollout.
import type { Capp } from '../../crds/capp/capp.ts';
import { tlsSecretOf } from '../../crds/capp/tls-secret.ts';
import type { CertificateObject } from '../../crds/kubernetes/certificate.ts';
import { conditionOf } from '../../crds/kubernetes/core.ts';
import type { ReadyPart } from '../status/ready.ts';
import { isPrivate } from '../../crds/knative/visibility.ts';
import { isIssued } from './certificate.ts';
import { routeNameOf } from './name.ts';
import { certificateIn, mappingOf, NOT_QUALIFIED, type SeenRoute } from './status.ts';

/** Of what cert-manager says. */
const LONGEST = 200;

/**
 * Null for a Capp that asks for no certificate. One may come from elsewhere: from Knative itself, or from the
 * Go operator before us.
 */
export function certificateReady(capp: Capp, seen: SeenRoute): ReadyPart | null {
  const { tlsEnabled = false, hostname = '' } = capp.spec.routeSpec ?? {};
  if (!tlsEnabled || hostname === '' || isPrivate(capp)) return null;
  const name = routeNameOf(capp, seen.zone);
  if (name === null) return certificate('False', 'NotQualified', NOT_QUALIFIED);
  const secret = tlsSecretOf(capp.spec);
  return secret === null ? ofIssuer(capp, name, seen) : ofSecret(capp, name, { seen, secret });
}

function ofIssuer(capp: Capp, name: string, seen: SeenRoute): ReadyPart {
  const { url = '' } = mappingOf(capp, seen)?.status ?? {};
  const own = certificateIn(capp, seen);
  const isServed = url.startsWith('https://');
  if (isServed && (own === undefined || isIssued(own)))
    return certificate('True', 'Provided', `The site has a certificate for ${url}${untilOf(own)}.`);
  const fault = seen.certificateFault ?? (seen.fault?.reason === 'HostnameRefused' ? seen.fault : null);
  if (fault !== null) return certificate('False', fault.reason, fault.message);
  if (own !== undefined && isIssued(own))
    return certificate(
      'Unknown',
      'NotMapped',
      `The certificate for ${name} is issued, and Knative does not use it yet.`,
    );
  return notIssued(name, own);
}

/** The site operator may not read Secrets: that Knative answers with it shows that it is there and good. */
function ofSecret(
  capp: Capp,
  name: string,
  { seen, secret }: { readonly seen: SeenRoute; readonly secret: string },
): ReadyPart {
  const { url = '', conditions } = mappingOf(capp, seen)?.status ?? {};
  const from = `Secret ${secret} (spec.routeSpec.tlsSecret)`;
  if (url.startsWith('https://') && conditionOf(conditions, 'Ready')?.status === 'True')
    return certificate('True', 'Provided', `The site answers for ${url} with the certificate in ${from}.`);
  if (seen.fault !== null) return certificate('False', seen.fault.reason, seen.fault.message);
  return certificate(
    'Unknown',
    'NotMapped',
    `Knative does not answer for ${name} with ${from} yet. It needs to be in namespace ${capp.metadata.namespace ?? ''} of the site, of type kubernetes.io/tls, with tls.crt and tls.key.`,
  );
}

/** cert-manager says in `Issuing` whether it is trying, and in `Ready` what the Secret is worth meanwhile. */
function notIssued(name: string, own: CertificateObject | undefined): ReadyPart {
  const issuing = conditionOf(own?.status?.conditions, 'Issuing');
  const ready = conditionOf(own?.status?.conditions, 'Ready');
  const isRefused = issuing?.status === 'False' && issuing.reason === 'Failed';
  const said = isRefused ? issuing : ready;
  const why = said === undefined ? 'cert-manager has not looked at it yet' : cut(said.message);
  const status = isRefused || ready?.reason === 'Expired' ? 'False' : 'Unknown';
  return certificate(status, 'NotIssued', `The certificate for ${name} is not issued: ${why}.`);
}

function cut(message = 'it does not say why'): string {
  const words = message.replace(/\.$/, '');
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}

function untilOf(own: CertificateObject | undefined): string {
  const { notAfter } = own?.status ?? {};
  return notAfter === undefined ? '' : `, valid until ${notAfter}`;
}

function certificate(status: ReadyPart['status'], reason: ReadyPart['reason'], message: string): ReadyPart {
  return { type: 'CertificateReady', status, reason, message };
}
