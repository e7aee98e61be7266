// Where a Capp's output goes: a SyslogNGOutput for the destination, and a SyslogNGFlow for what leads there.
import type { Capp } from '../../crds/capp/capp.ts';
import { KNATIVE_CONFIGURATION_LABEL } from '../../crds/kubernetes/knative.ts';
import { SYSLOG_NG_FLOW, SYSLOG_NG_OUTPUT, type SyslogNgObject } from '../../crds/kubernetes/logging.ts';
import type { Resource } from '../../kube/resource.ts';
import { ensureAll } from '../objects/ensure-all.ts';
import { ownerOf, ownLabels } from '../objects/owned.ts';
import type { OperatedSite } from '../watched.ts';

/** The key of the Secret that logSpec.passwordSecret names. */
const PASSWORD_KEY = 'elastic';
/** What syslog-ng writes: every field of the record, as JSON. */
const WHOLE_RECORD = '$(format-json --subkeys json# --key-delimiter #)';
const STREAM_RECORD = '--subkeys json# --key-delimiter # --exclude DATE --key ISODATE @timestamp=${ISODATE}';

/** Takes a normalised Capp; null for one that sends its output nowhere. */
export function syslogNgOutput(capp: Capp): SyslogNgObject | null {
  const { type, host, index, user, passwordSecret, sslVerify = false } = capp.spec.logSpec ?? {};
  if (type === undefined) return null;
  const destination = {
    url: host,
    user,
    password: { valueFrom: { secretKeyRef: { name: passwordSecret, key: PASSWORD_KEY } } },
    tls: { peer_verify: sslVerify, ssl_version: 'tlsv1_2' },
  };
  const spec =
    type === 'elastic'
      ? { elasticsearch: { ...destination, index, template: WHOLE_RECORD } }
      : { 'elasticsearch-datastream': { ...destination, record: STREAM_RECORD } };
  return objectOf(capp, SYSLOG_NG_OUTPUT, spec);
}

/** Of the site's records, those of this Capp's Pods. Null as `syslogNgOutput`. */
export function syslogNgFlow(capp: Capp): SyslogNgObject | null {
  const { name } = capp.metadata;
  if (capp.spec.logSpec?.type === undefined) return null;
  return objectOf(capp, SYSLOG_NG_FLOW, {
    match: {
      regexp: {
        pattern: name,
        type: 'string',
        value: `json#kubernetes#labels#${KNATIVE_CONFIGURATION_LABEL}`,
      },
    },
    localOutputRefs: [name],
  });
}

function objectOf(capp: Capp, { apiVersion, kind }: Resource, spec: object): SyslogNgObject {
  const { name, namespace } = capp.metadata;
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: ownLabels(capp),
      ownerReferences: [ownerOf(capp)],
    },
    spec: { ...spec },
  };
}

/** The output first, which the flow refers to. Throws as `ensureAll` does. A repeat writes nothing. */
export async function claimLogging(
  { kube, watched }: Pick<OperatedSite, 'kube' | 'watched'>,
  capp: Capp,
): Promise<void> {
  const kinds = [
    { resource: SYSLOG_NG_OUTPUT, known: watched.syslogNgOutputs, object: syslogNgOutput(capp) },
    { resource: SYSLOG_NG_FLOW, known: watched.syslogNgFlows, object: syslogNgFlow(capp) },
  ];
  for (const { resource, known, object } of kinds) {
    const objects = object === null ? [] : [object];
    const absent = `This site does not serve ${resource.kind}, so it ships no logs. Install the logging operator on it.`;
    await ensureAll(kube, { capp, resource, known, objects, absent });
  }
}
