// What the reader is told where it runs on this machine, on the local stack and on a hub of its own: by which
// way it goes to sites, and how the hub's API server comes to it.
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';

export interface ReaderWay {
  /** The https address of cluster-proxy's user server. */
  readonly userServer: string;
  /** The absolute path of the authority (PEM) of that server's certificate. */
  readonly authority: string;
}

const NAME = 'cappstan-reader';
const API_SERVICE: Resource = {
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  plural: 'apiservices',
  namespaced: false,
};
const SERVED_BY_READER = { namespace: null, name: 'v1alpha1.reach.rcs.dana.io' };

/** Of the chart; empty without the reader. */
export function readerValues(reader: ReaderWay | null): Readonly<Record<string, string>> {
  if (reader === null) return {};
  return {
    'reader.install': 'true',
    'reader.replicas': '1',
    'reader.userServer.url': reader.userServer,
    // No Pod mounts it: the process here reads the file itself.
    'reader.userServer.caSecretName': 'authority-of-cluster-proxy',
  };
}

/** No kube-proxy runs here: the reader's Service leads to this machine by its name, at the reader's port. */
export function atThisMachine(object: KubeObject, port: number): KubeObject {
  const { kind, metadata } = object;
  if (kind === 'Service' && metadata.name === NAME)
    return { ...object, spec: { type: 'ExternalName', externalName: 'localhost' } } as KubeObject;
  if (kind !== 'APIService' || metadata.name !== SERVED_BY_READER.name) return object;
  const { spec } = object as { spec?: { service?: object } };
  return { ...object, spec: { ...spec, service: { ...spec?.service, port } } } as KubeObject;
}

/**
 * Of a reader that ran before and does not any more: while nobody answers for an API, an API server finishes
 * no deletion of a namespace. Safe to repeat.
 */
export async function withdrawReader(kube: Kube): Promise<void> {
  if ((await kube.getMetadata(API_SERVICE, SERVED_BY_READER)) !== null)
    await kube.remove(API_SERVICE, SERVED_BY_READER);
}
