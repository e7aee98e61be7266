// Jobs, scaling, networks, quotas.
import type { PublicFiles } from './file.ts';

export const POLICIES: PublicFiles = {
  'the digits of pi, with a time to live': {
    text: `apiVersion: batch/v1
kind: Job
metadata: {name: pi, namespace: @ns@}
spec:
  ttlSecondsAfterFinished: 100
  template:
    spec:
      containers:
      - name: pi
        image: perl:5.34.0
        command: ["perl",  "-Mbignum=bpi", "-wle", "print bpi(2000)"]
      restartPolicy: Never
  backoffLimit: 4
`,
    leftOut: ['ttlSecondsAfterFinished'],
  },
  'a CronJob with its schedule in quotes and its words folded': {
    text: `apiVersion: batch/v1
kind: CronJob
metadata: {name: hello, namespace: @ns@}
spec:
  schedule: "*/1 * * * *"
  timeZone: Etc/UTC
  concurrencyPolicy: Forbid
  successfulJobsHistoryLimit: 0
  jobTemplate:
    spec:
      template:
        spec:
          containers:
          - name: hello
            image: busybox:1.28
            args:
            - /bin/sh
            - -c
            - date; echo Hello from the
              Kubernetes cluster
          restartPolicy: OnFailure
`,
  },
  'a schedule that begins with a star, without quotes': {
    text: `apiVersion: batch/v1
kind: CronJob
metadata: {name: hello, namespace: @ns@}
spec:
  schedule: */5 * * * *
`,
    refused: 'line 5: a value that begins with * needs quotes around it',
  },
  'a schedule that begins with a digit, without quotes': {
    text: `apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly, namespace: @ns@}
spec:
  schedule: 0 3 * * 0-6
  suspend: yes
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}}}
`,
  },
  'an Indexed Job with a rule for its failures': {
    text: `apiVersion: batch/v1
kind: Job
metadata: {name: indexed, namespace: @ns@}
spec:
  completions: 5
  parallelism: 3
  completionMode: Indexed
  backoffLimitPerIndex: 1
  maxFailedIndexes: 5
  podFailurePolicy:
    rules:
    - action: FailJob
      onExitCodes: {containerName: main, operator: In, values: [42]}
    - action: Ignore
      onPodConditions: [{type: DisruptionTarget}]
  template:
    spec:
      restartPolicy: Never
      containers: [{name: main, image: busybox}]
`,
  },
  'autoscalers of both versions': {
    text: `apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: {name: php-apache, namespace: @ns@}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: php-apache}
  minReplicas: 1
  maxReplicas: 10
  targetCPUUtilizationPercentage: 50
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: custom, namespace: @ns@}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: php-apache}
  maxReplicas: 10
  metrics:
  - type: Resource
    resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}
  - type: Object
    object:
      metric: {name: requests-per-second}
      describedObject: {apiVersion: networking.k8s.io/v1, kind: Ingress, name: main-route}
      target: {type: Value, value: 10k}
  behavior:
    scaleDown: {stabilizationWindowSeconds: 0, policies: [{type: Percent, value: 100, periodSeconds: 15}]}
`,
  },
  'networks: nothing in, everything out, and ranges of ports': {
    text: `---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: default-deny-ingress, namespace: @ns@}
spec:
  podSelector: {}
  policyTypes:
  - Ingress
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: allow-all-egress, namespace: @ns@}
spec: {podSelector: {}, egress: [{}], policyTypes: [Egress]}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: both, namespace: @ns@}
spec:
  podSelector: {matchLabels: {role: db}}
  ingress:
  - from:
    - ipBlock: {cidr: 172.17.0.0/16, except: [172.17.1.0/24]}
    - namespaceSelector: {matchLabels: {project: myproject}}
      podSelector: {}
    ports: [{protocol: TCP, port: 6379}, {port: http}]
  egress: [{to: [{ipBlock: {cidr: 10.0.0.0/24}}], ports: [{port: 32000, endPort: 32768}]}]
`,
  },
  'Ingresses: a path that is rewritten, a backend by default, certificates': {
    text: String.raw`apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: minimal-ingress
  namespace: @ns@
  annotations:
    nginx.ingress.kubernetes.io/rewrite-target: /$2
    nginx.ingress.kubernetes.io/ssl-redirect: "false"
spec:
  ingressClassName: nginx-example
  tls: [{hosts: [https-example.foo.com], secretName: testsecret-tls}]
  defaultBackend: {resource: {apiGroup: k8s.example.com, kind: StorageBucket, name: static-assets}}
  rules:
  - host: "*.foo.com"
    http:
      paths:
      - path: /something(/|$)(.*)
        pathType: ImplementationSpecific
        backend: {service: {name: test, port: {number: 80}}}
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: nginx-@ns@, annotations: {ingressclass.kubernetes.io/is-default-class: "false"}}
spec: {controller: k8s.io/ingress-nginx}
`,
  },
  'an Ingress of a version that Kubernetes has removed': {
    text: `apiVersion: extensions/v1beta1
kind: Ingress
metadata: {name: former, namespace: @ns@}
spec: {rules: [{http: {paths: [{path: /, backend: {serviceName: test, servicePort: 80}}]}}]}
`,
    refused: 'Kubernetes serves no Ingress of extensions/v1beta1 any more: write networking.k8s.io/v1',
  },
  'a Deployment of a version that Kubernetes has removed': {
    text: `apiVersion: apps/v1beta2
kind: Deployment
metadata: {name: former, namespace: @ns@}
spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}}
`,
    refused: 'Kubernetes serves no Deployment of apps/v1beta2 any more: write apps/v1',
  },
  'a PodSecurityPolicy, which is gone without a successor': {
    text: `apiVersion: policy/v1beta1
kind: PodSecurityPolicy
metadata: {name: psp-@ns@}
spec: {privileged: false, seLinux: {rule: RunAsAny}, runAsUser: {rule: RunAsAny}, fsGroup: {rule: RunAsAny}, supplementalGroups: {rule: RunAsAny}}
`,
    refused: 'Kubernetes serves no PodSecurityPolicy any more: leave it out',
  },
  'quotas and limits': {
    text: `apiVersion: v1
kind: ResourceQuota
metadata: {name: pods-high, namespace: @ns@}
spec:
  hard: {cpu: "1000", memory: 200Gi, pods: 10, requests.nvidia.com/gpu: 4, count/deployments.apps: "2"}
  scopeSelector: {matchExpressions: [{operator: In, scopeName: PriorityClass, values: [high]}]}
---
apiVersion: v1
kind: LimitRange
metadata: {name: limits, namespace: @ns@}
spec:
  limits:
  - type: Container
    default: {memory: 512Mi, cpu: 1}
    defaultRequest: {memory: 256Mi, cpu: .25}
    max: {memory: 2e9}
  - {type: PersistentVolumeClaim, min: {storage: 1Gi}}
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high-@ns@}
value: 1000000
globalDefault: false
preemptionPolicy: Never
description: "This priority class should be used for XYZ service pods only."
`,
  },
};
