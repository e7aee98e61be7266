// The user data of a host: the user's template with the host's names in it, and the line by which its cluster
// joins. It is in a Secret beside the host for as long as Metal³ has not read it, and nowhere else.
import { MANAGED_BY } from '../../../../crds/labels.ts';
import { JOINS_BY, MANAGED_BY_SIP, PROVISIONED_FOR } from '../../../../crds/metal/labels.ts';
import type { Secret } from '../../../../crds/kubernetes/core.ts';
import { BARE_METAL_HOST, type BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';

/** The key that Metal³ reads. */
const KEY = 'userData';
const MOST_BYTES = 262_144;

export function userDataKey({ metadata }: Pick<BareMetalHost, 'metadata'>): {
  readonly namespace: string;
  readonly name: string;
} {
  return { namespace: metadata.namespace ?? '', name: `${metadata.name}-cappstan-userdata` };
}

/** What is wrong with the user's Secret, without a full stop; or the text. Nothing of it is ever said. */
export function templateIn(
  secret: Pick<Secret, 'data' | 'metadata'> | null,
  name: string,
): { readonly fault: string } | { readonly text: string } {
  if (secret === null) return { fault: `Secret ${name} is not there` };
  const { annotations, labels } = secret.metadata;
  if (annotations?.[PROVISIONED_FOR] !== undefined || labels?.[MANAGED_BY] !== undefined)
    return { fault: `Secret ${name} is no template, since Cappstan has made it` };
  const data = secret.data?.[KEY] ?? '';
  if (data === '') return { fault: `Secret ${name} has no key ${KEY}` };
  const text = Buffer.from(data, 'base64').toString('utf8');
  return text.length > MOST_BYTES
    ? { fault: `${KEY} of Secret ${name} is longer than ${MOST_BYTES / 1_024} KiB` }
    : { text };
}

export interface Filled {
  readonly CLUSTER_NAME: string;
  readonly HOST_NAME: string;
  readonly ROLE: string;
  /** Empty for all hosts but the one that joins. */
  readonly JOIN_LINE: string;
}

/** Only these four are replaced: a template is mostly shell, which has variables of its own. */
export function fill(template: string, filled: Filled): string {
  return template.replaceAll(
    /\$\{(CLUSTER_NAME|HOST_NAME|ROLE|JOIN_LINE)\}/g,
    (_all, name: string) => filled[name as keyof Filled],
  );
}

/** It goes with the BareMetalHost. */
export function userDataSecret(
  host: BareMetalHost,
  { uid, token, text }: { readonly uid: string; readonly token: string | null; readonly text: string },
): Secret {
  const { apiVersion, kind } = BARE_METAL_HOST;
  const { name, uid: hostUid = '' } = host.metadata;
  return {
    metadata: {
      ...userDataKey(host),
      labels: { [MANAGED_BY]: MANAGED_BY_SIP },
      annotations: { [PROVISIONED_FOR]: uid, ...(token === null ? {} : { [JOINS_BY]: token }) },
      ownerReferences: [{ apiVersion, kind, name, uid: hostUid }],
    },
    type: 'Opaque',
    data: { [KEY]: Buffer.from(text).toString('base64') },
  };
}
