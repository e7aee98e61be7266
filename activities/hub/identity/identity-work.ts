// The work that brings a site's agent its token and the authority of the gateway's certificate: pure.
import {
  ENDS_AT,
  FORM,
  IDENTITY_FORM,
  identitySecret,
  IDENTITY_WORK,
  MADE_AT,
} from '../../../crds/hub/agent-identity.ts';
import { HUB, MANAGED_BY, MANAGED_BY_HUB } from '../../../crds/labels.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import type { KubeObject } from '../../../kube/resource.ts';

/** Times are in milliseconds since the epoch. */
export interface Token {
  readonly text: string;
  readonly madeAt: number;
  readonly endsAt: number;
}

export interface IdentityWork {
  readonly cluster: string;
  readonly hubId: string;
  readonly siteNamespace: string;
  readonly token: Token;
  /** PEM; empty for the authorities that Node knows. */
  readonly trusted: string;
}

/** The Secret has `token` and, unless Node's own authorities do, `ca.crt`. */
export function identityWork({ cluster, hubId, siteNamespace, token, trusted }: IdentityWork): KubeObject {
  const { apiVersion, kind } = MANIFEST_WORK;
  const labels = { [MANAGED_BY]: MANAGED_BY_HUB };
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: siteNamespace, name: identitySecret(hubId), labels: { ...labels, [HUB]: hubId } },
    type: 'Opaque',
    data: {
      token: base64(token.text),
      ...(trusted === '' ? {} : { 'ca.crt': base64(trusted) }),
    },
  };
  const annotations = {
    [MADE_AT]: String(token.madeAt),
    [ENDS_AT]: String(token.endsAt),
    [IDENTITY_FORM]: FORM,
  };
  return {
    apiVersion,
    kind,
    metadata: { namespace: cluster, name: IDENTITY_WORK, labels, annotations },
    spec: { workload: { manifests: [secret] } },
  } as KubeObject;
}

/** Whether a work brings its token as the hub's agents have it now. */
export function bringsTo({ metadata, spec }: ManifestWork, hubId: string): boolean {
  const isThere = spec?.workload.manifests?.[0]?.metadata.name === identitySecret(hubId);
  return isThere && metadata?.annotations?.[IDENTITY_FORM] === FORM;
}

/** The authority that a work brings, PEM; empty if none. */
export function trustIn({ spec }: ManifestWork): string {
  const [secret] = spec?.workload?.manifests ?? [];
  const data = (secret?.['data'] ?? {}) as Readonly<Record<string, string | undefined>>;
  return Buffer.from(data['ca.crt'] ?? '', 'base64').toString('utf8');
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
