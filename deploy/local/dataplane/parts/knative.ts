// Knative's parts of the data plane: activator, autoscalers, webhook, and the controller of Kourier.
import type { DataplanePart, PartService } from './part.ts';
import { SYSTEM_NAMESPACE } from '../../kubernetes/knative.ts';
import { toolPath } from '../../programs/tools.ts';
import type { Tool } from '../../programs/modules.ts';
import { KOURIER_NAMESPACE, WEBHOOK_PORT, XDS_PORT } from './settings.ts';

/** Every part, but Envoy, which needs the address of Kourier's controller. */
export function knativeParts(kubeconfig: string): readonly DataplanePart[] {
  const part = (name: Tool, port: number, more: More = {}): DataplanePart => ({
    name,
    port,
    services: more.services ?? [],
    program: (ip) => ({
      command: toolPath(name),
      env: { ...environment(name, kubeconfig), ...more.env, POD_IP: ip },
    }),
  });
  return [
    part('autoscaler', 8080, { services: [AUTOSCALER] }),
    part('autoscaler-hpa', PROFILING_PORT),
    part('activator', 8012, { services: [ACTIVATOR], env: { GOGC: '500' } }),
    part('knative-webhook', WEBHOOK_PORT, {
      env: { WEBHOOK_NAME: 'webhook', WEBHOOK_PORT: String(WEBHOOK_PORT) },
    }),
    part('kourier', XDS_PORT, { env: { KOURIER_GATEWAY_NAMESPACE: KOURIER_NAMESPACE } }),
  ];
}

interface More {
  readonly services?: readonly PartService[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Where sharedmain of knative.dev/pkg answers questions about the process; nothing else listens there. */
const PROFILING_PORT = 8008;

const AUTOSCALER: PartService = {
  namespace: SYSTEM_NAMESPACE,
  name: 'autoscaler',
  ports: [{ name: 'http', port: 8080, targetPort: 8080 }],
};
const ACTIVATOR: PartService = {
  namespace: SYSTEM_NAMESPACE,
  name: 'activator-service',
  ports: [
    { name: 'http', port: 80, targetPort: 8012 },
    { name: 'http2', port: 81, targetPort: 8013 },
  ],
};

function environment(name: string, kubeconfig: string): Record<string, string> {
  return {
    KUBECONFIG: kubeconfig,
    SYSTEM_NAMESPACE,
    POD_NAMESPACE: SYSTEM_NAMESPACE,
    POD_NAME: `${name}-0`,
    CONFIG_LOGGING_NAME: 'config-logging',
    CONFIG_OBSERVABILITY_NAME: 'config-observability',
    CONFIG_LEADERELECTION_NAME: 'config-leader-election',
    METRICS_DOMAIN: 'knative.dev/internal/serving',
    KUBE_API_QPS: '200',
    KUBE_API_BURST: '200',
  };
}
