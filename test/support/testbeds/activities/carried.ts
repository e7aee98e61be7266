// A hub with what a Capp may refer to, and what the Capp's work carries of it.
import {
  CONFIG_MAP,
  SECRET,
  SERVICE_ACCOUNT,
  type ConfigMap,
  type Secret,
  type ServiceAccount,
} from '../../../../crds/kubernetes/core.ts';
import type { Manifest } from '../../../../crds/ocm/ocm.ts';
import type { CappRef } from '../../../../workflows/capp/state.ts';
import { APPS, startHub, type HubForTests } from '../hub/hub.ts';

/** A Secret's data with one key. */
export const data = (value: string) => ({ value: btoa(value) });

export interface CarryingHub {
  readonly stage: HubForTests;
  makeSecret(name: string, more?: Partial<Secret>): Promise<unknown>;
  makeConfigMap(name: string, more?: Partial<ConfigMap>): Promise<unknown>;
  /** A ServiceAccount with this pull secret. Returns its resourceVersion. */
  makeAccount(name: string, pullSecret: string): Promise<string>;
  /** What the Capp's work carries. */
  carried(ref: CappRef): Promise<readonly Manifest[]>;
  /** "<kind> <name>" of each of these kinds. */
  namesOf(ref: CappRef, ...kinds: string[]): Promise<string[]>;
}

export async function startCarryingHub(): Promise<CarryingHub> {
  const stage = await startHub();
  const carried = async (ref: CappRef): Promise<readonly Manifest[]> =>
    (await stage.work(ref))?.spec?.workload.manifests ?? [];
  return {
    stage,
    makeSecret: (name, more = { data: data('one') }) =>
      stage.kube.create<Secret>(SECRET, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { namespace: APPS, name },
        ...more,
      }),
    makeConfigMap: (name, more = {}) =>
      stage.kube.create<ConfigMap>(CONFIG_MAP, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { namespace: APPS, name },
        ...more,
      }),
    makeAccount: async (name, pullSecret) => {
      const account: ServiceAccount = {
        metadata: { namespace: APPS, name },
        imagePullSecrets: [{ name: pullSecret }],
      };
      const { metadata } = await stage.kube.create<ServiceAccount>(SERVICE_ACCOUNT, account);
      return metadata.resourceVersion ?? '';
    },
    carried,
    namesOf: async (ref, ...kinds) =>
      (await carried(ref))
        .filter(({ kind }) => kinds.includes(kind))
        .map(({ kind, metadata }) => `${kind} ${metadata.name}`),
  };
}
