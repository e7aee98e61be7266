// Reads whom the hub's API server lets speak for others, as every aggregated API server does.
import { CONFIG_MAP, type ConfigMap } from '../../crds/kubernetes/core.ts';
import type { Kube } from '../../kube/client.ts';
import type { FrontProxy } from './caller.ts';

/** Everybody's, by Role kube-system/extension-apiserver-authentication-reader. */
const KEY = { namespace: 'kube-system', name: 'extension-apiserver-authentication' } as const;

/** Throws ApiError, and an Error that says what to do where the API server names no front proxy. */
export async function frontProxy(kube: Kube): Promise<FrontProxy> {
  const found = await kube.get<ConfigMap>(CONFIG_MAP, KEY);
  return frontProxyIn(found?.data ?? {});
}

/** Pure. Its values are lists as JSON. */
export function frontProxyIn(data: Readonly<Record<string, string>>): FrontProxy {
  const ca = data['requestheader-client-ca-file'] ?? '';
  if (!ca.includes('-----BEGIN CERTIFICATE-----'))
    throw new Error(
      "The hub's API server has no aggregation layer: start it with --requestheader-client-ca-file and --proxy-client-cert-file, see docs/logs.md",
    );
  const lower = (name: string): string[] => listIn(data[name]).map((one) => one.toLowerCase());
  return {
    ca,
    names: listIn(data['requestheader-allowed-names']),
    userHeaders: lower('requestheader-username-headers'),
    groupHeaders: lower('requestheader-group-headers'),
    uidHeaders: lower('requestheader-uid-headers'),
    extraPrefixes: lower('requestheader-extra-headers-prefix'),
  };
}

function listIn(text: string | undefined): string[] {
  const parsed: unknown = JSON.parse(text === undefined || text === '' ? '[]' : text);
  return Array.isArray(parsed) ? parsed.filter((one) => typeof one === 'string') : [];
}
