// Knative Services in the style of public samples: what each says below `spec`, `metadata` and `template`.

export interface KnativeSample {
  /** Of the Service: labels and annotations. */
  readonly metadata?: string;
  /** Below `spec`, in YAML. `@name@` stands for the name of the app. */
  readonly spec: string;
  /** Part of what a Capp made of it is refused with; if absent it is taken. */
  readonly refused?: string;
}

const template = (pod: string, metadata = '{}') => `template: {metadata: ${metadata}, spec: ${pod}}`;
const one = (more: string) => `{containers: [{name: app, image: "ghcr.io/knative/app:latest", ${more}}]}`;
const PLAIN = one('ports: [{containerPort: 8080}]');
const annotated = (annotations: string) => template(PLAIN, `{annotations: ${annotations}}`);

export const KNATIVE_SAMPLES: Readonly<Record<string, KnativeSample>> = {
  'hello world, with a variable in quotes': {
    spec: template(one('env: [{name: TARGET, value: "Go Sample v1"}]')),
  },
  'a container without a name, which Knative gives one': {
    spec: template('{containers: [{image: app}]}'),
    refused: 'spec.configurationSpec.template.spec.containers[0].name: Required value',
  },
  'a container without a port': { spec: template(one('args: [serve]')) },
  'a target of concurrency and bounds of scale': {
    spec: annotated(
      '{autoscaling.knative.dev/target: "10", autoscaling.knative.dev/min-scale: "1", autoscaling.knative.dev/maxScale: "3", autoscaling.knative.dev/metric: rps, autoscaling.knative.dev/window: 40s, autoscaling.knative.dev/target-utilization-percentage: "80"}',
    ),
  },
  'a number of scale without quotes': {
    spec: annotated('{autoscaling.knative.dev/min-scale: 1}'),
    refused: 'min-scale',
  },
  'the autoscaler of Kubernetes': {
    spec: annotated(
      '{autoscaling.knative.dev/class: hpa.autoscaling.knative.dev, autoscaling.knative.dev/metric: cpu, autoscaling.knative.dev/target: "100"}',
    ),
  },
  'a private app': {
    metadata: '{labels: {networking.knative.dev/visibility: cluster-local}}',
    spec: template(PLAIN),
  },
  'hard limits of concurrency and time': {
    spec: `template: {spec: {containerConcurrency: 50, timeoutSeconds: 300, responseStartTimeoutSeconds: 150, idleTimeoutSeconds: 60, containers: [{name: app, image: app}]}}`,
  },
  'HTTP/2 by the name of a port': { spec: template(one('ports: [{name: h2c, containerPort: 8080}]')) },
  'probes by path, without a port': {
    spec: template(
      one(
        'readinessProbe: {httpGet: {path: /healthz}}, livenessProbe: {exec: {command: [cat, /tmp/healthy]}, periodSeconds: 5}',
      ),
    ),
  },
  'variables and files of ConfigMaps and Secrets': {
    spec: template(
      '{volumes: [{name: all, projected: {sources: [{secret: {name: s}}, {configMap: {name: c, items: [{key: k, path: p}]}}]}}], containers: [{name: app, image: app, envFrom: [{configMapRef: {name: c, optional: true}}], env: [{name: KEY, valueFrom: {secretKeyRef: {name: s, key: key}}}], volumeMounts: [{name: all, mountPath: /etc/all, readOnly: true}]}]}',
    ),
  },
  'a sidecar and a container that begins': {
    spec: template(
      '{initContainers: [{name: init, image: busybox, command: [sh, -c, "exit 0"]}], containers: [{name: app, image: app, ports: [{containerPort: 8882}]}, {name: side, image: side, env: [{name: PORT2, value: "1"}]}]}',
    ),
  },
  'a revision that is named': { spec: template(PLAIN, '{name: "@name@-first"}') },
  'a revision named as another app': {
    spec: template(PLAIN, '{name: helloworld-go-first}'),
    refused: 'spec.configurationSpec.template.metadata.name',
  },
  'traffic to two revisions': {
    spec: `traffic: [{tag: current, revisionName: "@name@-first", percent: 100}, {tag: latest, latestRevision: true, percent: 0}]\n${template(PLAIN)}`,
    refused: 'spec.configurationSpec.traffic',
  },
  'the variable PORT': {
    spec: template(one('env: [{name: PORT, value: "8080"}]')),
    refused: 'spec.configurationSpec.template.spec.containers[0].env[0]',
  },
  'a number for a variable': {
    spec: template(one('env: [{name: RETRIES, value: 3}]')),
    refused: 'spec.configurationSpec.template.spec.containers[0].env[0].value',
  },
  'replicas, which a Deployment has': {
    spec: `replicas: 3\n${template(PLAIN)}`,
    refused: 'spec.configurationSpec.replicas',
  },
  'a restartPolicy, which a Pod has': {
    spec: template('{restartPolicy: Always, containers: [{name: app, image: app}]}'),
    refused: 'spec.configurationSpec.template.spec.restartPolicy',
  },
  'what Cloud Run exports': {
    metadata:
      '{labels: {cloud.googleapis.com/location: europe-west1}, annotations: {run.googleapis.com/ingress: all, run.googleapis.com/client-name: gcloud}}',
    spec: `template: {metadata: {labels: {run.googleapis.com/startupProbeType: Default}, annotations: {autoscaling.knative.dev/maxScale: "100", run.googleapis.com/startup-cpu-boost: "true"}}, spec: {containerConcurrency: 80, timeoutSeconds: 300, serviceAccountName: 123-compute@developer.gserviceaccount.com, containers: [{name: app, image: app, ports: [{name: http1, containerPort: 8080}], resources: {limits: {cpu: 1000m, memory: 512Mi}}}]}}`,
    refused: 'spec.configurationSpec.template.spec.serviceAccountName',
  },
  'what kubectl get prints': {
    metadata:
      '{annotations: {serving.knative.dev/creator: admin, serving.knative.dev/lastModifier: admin}, uid: 0e7a1b2c-3d4e-5f60-7182-93a4b5c6d7e8, generation: 2}',
    spec: `template: {metadata: {creationTimestamp: null}, spec: {containerConcurrency: 0, enableServiceLinks: false, timeoutSeconds: 300, containers: [{name: user-container, image: app, readinessProbe: {successThreshold: 1, tcpSocket: {port: 0}}, resources: {}}]}}`,
    refused: 'metadata.annotations[serving.knative.dev/creator]',
  },
};
