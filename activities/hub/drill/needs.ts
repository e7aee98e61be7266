// What a Capp asks of a site: pods with their requests, images, and kinds that not every site serves. Pure.
import type { Capp } from '../../../crds/capp/capp.ts';
import { tlsSecretOf } from '../../../crds/capp/tls-secret.ts';
import { askingPod, type AskingContainer } from '../../../crds/kubernetes/asking-pod.ts';
import type { PodContainer } from '../../../crds/kubernetes/core.ts';
import { limitOf, requestOf } from '../../../crds/kubernetes/pod-requests.ts';
import type { PodNeeds } from '../../../workflows/drill/port.ts';
import type { SiteKind } from '../../../workflows/types/inspection.ts';

/**
 * Thousandths of a core that the queue-proxy beside each app asks for, unless a site says otherwise
 * (knative.dev/serving v0.50, config-deployment, queue-sidecar-cpu-request).
 */
const QUEUE_PROXY_CPU = 25;

/** Takes a normalised Capp. Throws an Error that names what cannot be read. */
export function needsOf(capp: Capp): PodNeeds {
  const { state, scaleSpec, configurationSpec } = capp.spec;
  const { containers, initContainers } = askingPod(configurationSpec.template.spec);
  const pod = {
    spec: { containers: containers.map(asDefaulted), initContainers: initContainers.map(asDefaulted) },
  };
  const { cpu, memory } = requestOf(pod);
  const limits = limitOf(pod);
  const images = [...containers, ...initContainers].flatMap(({ image }) => image ?? []);
  return {
    pods: state === 'disabled' ? 0 : Math.max(1, scaleSpec?.minReplicas ?? 1),
    cpu: milli(cpu) + QUEUE_PROXY_CPU,
    memory: Math.ceil(memory),
    limitCpu: milli(limits.cpu),
    limitMemory: Math.ceil(limits.memory),
    images: [...new Set(images)],
    kinds: kindsOf(capp),
  };
}

/** Rounded up, but for what is as good as whole: 0.1 has no exact value. */
function milli(cores: number): number {
  return Math.max(0, Math.ceil(cores * 1_000 - 1e-6));
}

/** A request that is not set is the limit, as an API server fills it in. */
function asDefaulted({ name, resources = {}, restartPolicy }: AskingContainer): PodContainer {
  const limits = plain(resources.limits);
  const requests = { ...limits, ...plain(resources.requests) };
  return {
    name,
    resources: { requests, limits },
    ...(restartPolicy === undefined ? {} : { restartPolicy }),
  };
}

function plain({ cpu, memory }: { readonly cpu?: string; readonly memory?: string } = {}): Record<
  string,
  string
> {
  return { ...(cpu === undefined ? {} : { cpu }), ...(memory === undefined ? {} : { memory }) };
}

function kindsOf({ spec }: Capp): SiteKind[] {
  const { routeSpec = {}, volumesSpec, logSpec, eventSourcesSpec } = spec;
  const sources = eventSourcesSpec?.sources ?? [];
  const hasCertificate =
    routeSpec.tlsEnabled === true && (routeSpec.hostname ?? '') !== '' && tlsSecretOf(spec) === null;
  const wanted: Readonly<Record<SiteKind, boolean>> = {
    Service: true,
    NfsPvc: (volumesSpec?.nfsVolumes ?? []).length > 0,
    PingSource: sources.some(({ pingSourceConfiguration }) => pingSourceConfiguration !== undefined),
    KafkaSource: sources.some(({ kafkaSourceConfiguration }) => kafkaSourceConfiguration !== undefined),
    Certificate: hasCertificate,
    SyslogNGFlow: logSpec !== undefined,
  };
  return (Object.keys(wanted) as SiteKind[]).filter((kind) => wanted[kind]);
}
