// Which changes on a site have which Capps reconciled.
import { PING_SOURCE } from '../crds/kubernetes/eventing.ts';
import {
  KNATIVE_CONFIGURATION_LABEL,
  KNATIVE_SERVICE_LABEL,
  NFS_PVC,
  DOMAIN_MAPPING,
} from '../crds/kubernetes/knative.ts';
import { RECORDS } from '../crds/dns-record.ts';
import { PARENT_CAPP, PARENT_CAPP_NAMESPACE, CAPP_OF_REVISION } from '../crds/labels.ts';
import { keyTextOf, type KubeObject } from '../kube/resource.ts';
import { hostnamesOf } from '../crds/capp/route-name.ts';
import { sealedNames } from './sealing/awaited.ts';
import { SITE_TIMES } from './times.ts';
import { type OperatedSite, BY_CLAIM, claimKey, optionalKinds } from './watched.ts';

type Add = (key: string, delayMs?: number) => void;

/** Listeners get only changes: what is returned has every Capp that exists reconciled. */
export function listen({ watched, config }: OperatedSite, add: Add): () => void {
  const { capps, services, revisions, nfsPvcs, domainMappings, syslogNgFlows, syslogNgOutputs, pods } =
    watched;
  const all = (): void => {
    for (const capp of capps.list()) add(keyTextOf(capp));
  };
  const addClaimants = (object: KubeObject, kind: string, names: readonly string[]): void => {
    const { namespace = '', labels } = object.metadata;
    addOwner(object, PARENT_CAPP, add, namespace === '' ? labels?.[PARENT_CAPP_NAMESPACE] : namespace);
    for (const capp of names.flatMap((name) => capps.by(BY_CLAIM, claimKey(kind, namespace, name))))
      add(keyTextOf(capp), SITE_TIMES.settle.ms);
  };
  const hostnames = ({ metadata: { name } }: KubeObject): readonly string[] =>
    hostnamesOf(name, config.current()?.dns.zone ?? null);
  capps.subscribe(({ object }) => add(keyTextOf(object)));
  services.subscribe(({ object }) => add(keyTextOf(object)));
  revisions.subscribe(({ object }) => addOwner(object, KNATIVE_CONFIGURATION_LABEL, add));
  pods.subscribe(({ object }) => addOwner(object, KNATIVE_SERVICE_LABEL, add));
  nfsPvcs.subscribe(({ object }) => addClaimants(object, NFS_PVC.kind, [object.metadata.name]));
  watched.cappRevisions.subscribe(({ object }) => addOwner(object, CAPP_OF_REVISION, add));
  for (const kind of [domainMappings, watched.certificates, watched.records])
    kind.subscribe(({ object }) => addClaimants(object, DOMAIN_MAPPING.kind, hostnames(object)));
  watched.clusterRecords.subscribe(({ object }) =>
    addClaimants(object, RECORDS.Cluster.kind, hostnames(object)),
  );
  for (const kind of [watched.pingSources, watched.kafkaSources])
    kind.subscribe(({ object }) => addClaimants(object, PING_SOURCE.kind, [object.metadata.name]));
  for (const kind of [syslogNgFlows, syslogNgOutputs])
    kind.subscribe(({ object }) => add(keyTextOf(object), SITE_TIMES.settle.ms));
  watched.cappSecrets.subscribe(({ object: { metadata } }) => {
    for (const capp of capps.list(metadata.namespace))
      if (sealedNames(capp).includes(metadata.name)) add(keyTextOf(capp));
  });
  watched.namespaces.subscribe(({ object }) => {
    for (const capp of capps.list(object.metadata.name)) add(keyTextOf(capp), SITE_TIMES.settle.ms);
  });
  for (const kind of optionalKinds(watched)) kind.onServed(all);
  config.onChange(all);
  watched.features.onChange(all);
  return all;
}

function addOwner(
  { metadata }: KubeObject,
  label: string,
  add: Add,
  namespace = metadata.namespace ?? '',
): void {
  const name = metadata.labels?.[label];
  if (name !== undefined) add(`${namespace}/${name}`, SITE_TIMES.settle.ms);
}
