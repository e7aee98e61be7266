// Rights, webhooks, definitions and objects of kinds that others define.
import type { PublicFiles } from './file.ts';

export const ROLES: PublicFiles = {
  'roles: colons in names, an aggregation with empty rules, rights beside resources': {
    text: `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: "@ns@:aggregated-metrics-reader"
  labels:
    rbac.authorization.k8s.io/aggregate-to-view: "true"
rules:
- apiGroups: ["metrics.k8s.io"]
  resources: ["pods", "nodes"]
  verbs: ["get", "list", "watch"]
- nonResourceURLs: ["/healthz", "/healthz/*"] # '*' in a nonResourceURL is a suffix glob match
  verbs: ["get", "post"]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: "@ns@-monitoring"
aggregationRule:
  clusterRoleSelectors:
  - matchLabels:
      rbac.example.com/aggregate-to-monitoring: "true"
rules: [] # The control plane automatically fills in the rules
---
kind: Role
apiVersion: rbac.authorization.k8s.io/v1
metadata: {name: "leader-locking.nfs", namespace: @ns@}
rules:
  - apiGroups: [""] # "" indicates the core API group
    resources: [configmaps]
    resourceNames: ["my-configmap"]
    verbs: ["update", "get"]
---
apiVersion: rbac.authorization.k8s.io/v1
# This role binding allows "jane" to read pods in the "default" namespace.
kind: RoleBinding
metadata: {name: read-pods, namespace: @ns@}
subjects:
- {kind: User, name: "jane@example.com", apiGroup: rbac.authorization.k8s.io}
- {kind: ServiceAccount, name: default, namespace: kube-system}
- {kind: Group, name: "system:serviceaccounts:@ns@"}
roleRef: {kind: Role, name: leader-locking.nfs, apiGroup: rbac.authorization.k8s.io}
`,
  },
  'a ClusterRole with a namespace, as charts write it': {
    text: `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: "@ns@-reader", namespace: @ns@}
rules: [{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: "@ns@-reader", namespace: @ns@}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: "@ns@-reader"}
subjects: [{kind: ServiceAccount, name: default, namespace: @ns@}]
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: puller, namespace: @ns@}
imagePullSecrets: [{name: myregistrykey}]
secrets: [{name: old-token}]
`,
  },
  'a binding whose account has no namespace': {
    text: `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: "@ns@-nowhere"}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
subjects: [{kind: ServiceAccount, name: default}]
`,
    refused: 'subjects[0].namespace: Required',
  },
  'metrics-server: an APIService, and webhooks with bundles that are not there yet': {
    text: `apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata:
  name: v1beta1.@ns@.metrics.example.com
spec:
  group: "@ns@.metrics.example.com"
  groupPriorityMinimum: 100
  insecureSkipTLSVerify: true
  service: {name: metrics-server, namespace: @ns@}
  version: v1beta1
  versionPriority: 100
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: "@ns@.admission.example.com"}
webhooks:
- name: validate.nginx.ingress.kubernetes.io
  matchPolicy: Equivalent
  rules: [{apiGroups: [networking.example.com], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [ingresses]}]
  failurePolicy: Ignore
  sideEffects: None
  admissionReviewVersions: [v1]
  clientConfig:
    caBundle: Cg==
    service: {namespace: @ns@, name: controller-admission, path: /networking/v1/ingresses}
`,
  },
  'crontabs: a definition and an object of it in one file': {
    text: `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  # name must match the spec fields below, and be in the form: <plural>.<group>
  name: crontabs.@ns@.example.com
  creationTimestamp: null
spec:
  group: "@ns@.example.com"
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                cronSpec: {type: string, pattern: '^(\\d+|\\*)(/\\d+)?(\\s+(\\d+|\\*)(/\\d+)?){4}$'}
                image: {type: string}
                replicas: {type: integer, minimum: 1, default: 3}
                settings: {type: object, x-kubernetes-preserve-unknown-fields: true}
      additionalPrinterColumns:
      - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
  scope: Namespaced
  names:
    plural: crontabs
    singular: crontab
    kind: CronTab
    shortNames:
    - ct
status:
  acceptedNames: {kind: "", plural: ""}
  conditions: []
  storedVersions: []
---
apiVersion: "@ns@.example.com/v1"
kind: CronTab
metadata:
  name: my-new-cron-object
  namespace: @ns@
spec:
  cronSpec: "* * * * */5"
  image: my-awesome-cron-image
  settings: {on: yes, mode: 0755, big: 12345678901234567, none: null, date: 2001-12-14, "1": one}
`,
  },
  'cert-manager: an issuer, a certificate with durations, and a request by annotation': {
    text: `apiVersion: cert-manager.io/v1
kind: ClusterIssuer
metadata:
  name: letsencrypt-@ns@
spec:
  acme:
    server: https://acme-staging-v02.api.letsencrypt.org/directory
    email: user@example.com
    privateKeySecretRef: {name: letsencrypt-staging}
    solvers:
    - http01: {ingress: {ingressClassName: nginx}}
---
apiVersion: cert-manager.io/v1
kind: Certificate
metadata: {name: example-com, namespace: @ns@}
spec:
  secretName: example-com-tls
  duration: 2160h0m0s # 90d
  renewBefore: 360h0m0s # 15d
  isCA: false
  privateKey: {algorithm: RSA, encoding: PKCS1, size: 2048}
  usages: [server auth, client auth]
  dnsNames: [example.com, "*.example.com"]
  ipAddresses: [192.168.0.5]
  issuerRef: {name: ca-issuer, kind: Issuer, group: cert-manager.io}
`,
  },
  'Argo CD and Prometheus: finalizers, expressions, and what other programs replace': {
    text: String.raw`apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: guestbook
  namespace: @ns@
  finalizers:
    - resources-finalizer.argocd.argoproj.io
spec:
  project: default
  source: {repoURL: "https://github.com/argoproj/argocd-example-apps.git", targetRevision: HEAD, path: guestbook}
  destination: {server: "https://kubernetes.default.svc", namespace: guestbook}
  ignoreDifferences:
  - {group: apps, kind: Deployment, jqPathExpressions: ['.spec.template.spec.initContainers[] | select(.name == "injected")']}
---
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata: {name: rules, namespace: @ns@, labels: {role: alert-rules}}
spec:
  groups:
  - name: ./example.rules
    rules:
    - alert: ExampleAlert
      expr: |
        histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket{job="api"}[5m]))) > 1
      for: 5m
      labels: {severity: page}
      annotations:
        summary: "{{ $labels.instance }} of {{ $labels.job }}: {{ $value | humanizePercentage }}"
`,
  },
};
