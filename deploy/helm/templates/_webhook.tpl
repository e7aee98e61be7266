{{/* What the webhook's account may do on a hub and on a site, besides its certificate. */}}
{{- define "cappstan.webhookRulesOnHub" -}}
- apiGroups: [rcs.dana.io]
  resources: [capps, drains, rcsconfigs]
  verbs: [list, watch]
# A rollback puts the spec of one of them into the write that asks for it.
- apiGroups: [rcs.dana.io]
  resources: [capprevisions]
  verbs: [get]
# What the plan of a CappSet or a Bundle rests on is read when somebody asks for one.
- apiGroups: [rcs.dana.io]
  resources: [setrevisions, bundlerevisions]
  verbs: [get]
- apiGroups: [cluster.open-cluster-management.io]
  resources: [placementdecisions]
  verbs: [list]
# The uid of the hub itself.
- apiGroups: ['']
  resources: [namespaces]
  resourceNames: [kube-system]
  verbs: [get]
# It watches only the metadata of clusters.
- apiGroups: [cluster.open-cluster-management.io]
  resources: [placements, managedclusters, managedclustersets, managedclustersetbindings]
  verbs: [list, watch]
{{- end }}

{{- define "cappstan.webhookRulesOnSite" -}}
- apiGroups: [rcs.dana.io]
  resources: [capps, cappconfigs]
  verbs: [list, watch]
# What counts where there is no CappConfig.
- apiGroups: ['']
  resources: [configmaps]
  resourceNames: [autoscale-defaults, dns-config]
  verbs: [list, watch]
- apiGroups: [rcs.dana.io]
  resources: [capprevisions]
  verbs: [get]
{{- end }}

{{/* The webhook's process: all but what it is asked about. Takes root, side (hub or site), env (a list). */}}
{{- define "cappstan.webhookProcess" -}}
{{- $root := .root }}
{{- $name := "cappstan-webhook" }}
{{- $namespace := $root.Release.Namespace }}
{{- with $root.Values.webhook }}
{{- $hosts := list (printf "%s.%s.svc" $name $namespace) }}
{{- with .url }}
{{- $hosts = append $hosts (urlParse .).hostname }}
{{- end }}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ $name }}
  namespace: {{ $namespace }}
  labels:
    {{- include "cappstan.labels" $root | nindent 4 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {{ $name }}
  labels:
    {{- include "cappstan.labels" $root | nindent 4 }}
rules:
  {{- include (printf "cappstan.webhookRulesOn%s" (title $.side)) $root | nindent 2 }}
  {{- if not .certificate.secretName }}
  # To say who signed its certificate.
  - apiGroups: [admissionregistration.k8s.io]
    resources: [mutatingwebhookconfigurations, validatingwebhookconfigurations]
    resourceNames: [{{ $name }}]
    verbs: [get, patch]
  {{- end }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: {{ $name }}
  labels:
    {{- include "cappstan.labels" $root | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: {{ $name }}
subjects:
  - kind: ServiceAccount
    name: {{ $name }}
    namespace: {{ $namespace }}
{{- if not .certificate.secretName }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: {{ $name }}
  namespace: {{ $namespace }}
  labels:
    {{- include "cappstan.labels" $root | nindent 4 }}
rules:
  - apiGroups: ['']
    resources: [secrets]
    resourceNames: [cappstan-webhook-certificate]
    verbs: [get, patch]
  # RBAC cannot name what is not there yet.
  - apiGroups: ['']
    resources: [secrets]
    verbs: [create]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: {{ $name }}
  namespace: {{ $namespace }}
  labels:
    {{- include "cappstan.labels" $root | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: {{ $name }}
subjects:
  - kind: ServiceAccount
    name: {{ $name }}
    namespace: {{ $namespace }}
{{- end }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ $name }}
  namespace: {{ $namespace }}
  labels:
    {{- include "cappstan.labels" $root | nindent 4 }}
spec:
  selector:
    app: {{ $name }}
  ports:
    - port: 443
      targetPort: webhook
---
{{- if gt (int .replicas) 1 }}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  namespace: {{ $namespace }}
  labels:
    {{- include "cappstan.labels" $root | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      app: {{ $name }}
---
{{- end }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  namespace: {{ $namespace }}
  labels:
    {{- include "cappstan.labels" $root | nindent 4 }}
spec:
  {{- $env := list
    (dict "name" "LOG_LEVEL" "value" $root.Values.logLevel)
    (dict "name" "NAMESPACE" "value" $namespace)
    (dict "name" "WEBHOOK_ADDRESS" "value" "0.0.0.0:9443")
    (dict "name" "WEBHOOK_HOSTS" "value" (join "," $hosts))
    (dict "name" "CLUSTER_DOMAIN" "value" .clusterDomain) }}
  {{- $env = concat $env $.env (include "cappstan.reservedEnv" $root | fromYamlArray) }}
  {{- if .certificate.secretName }}
  {{- $env = concat $env (list
    (dict "name" "TLS_CERT_FILE" "value" "/var/run/certificate/tls.crt")
    (dict "name" "TLS_KEY_FILE" "value" "/var/run/certificate/tls.key")) }}
  {{- end }}
  {{- if .clients.secretName }}
  {{- $env = append $env (dict "name" "CLIENT_CA_FILE" "value" "/var/run/clients/ca.crt") }}
  {{- with .clients.names }}{{ $env = append $env (dict "name" "CLIENT_NAMES" "value" (join "," .)) }}{{ end }}
  {{- end }}
  {{- include "cappstan.deploymentSpec" (dict "root" $root "name" $name "container" "webhook" "main" "workers/webhook/main.js"
    "heapMiB" .heapMiB "frugal" true
    "temporal" false "replicas" .replicas "resources" .resources "port" 9443 "certificate" .certificate.secretName
    "clients" .clients.secretName "farewell" 5
    "nodeSelector" $root.Values.nodeSelector "tolerations" $root.Values.tolerations "env" $env) | nindent 2 }}
{{- end }}
{{- end }}

{{/*
Whether something of a Capp changes that Knative reads beside its spec: an annotation in any of its spellings, a label where the Capp
names its revision. Each by name: a walk through all annotations takes the API server seconds where there are tens of thousands.
*/}}
{{- define "cappstan.knativeReads" -}}
object.metadata.?labels[?"networking.knative.dev/visibility"] != oldObject.metadata.?labels[?"networking.knative.dev/visibility"] ||
(object.metadata.?labels != oldObject.metadata.?labels && object.spec.?configurationSpec.?template.?metadata.?name.hasValue()) ||
{{ include "cappstan.knativeAnnotations" . | fromYamlArray | toJson }}.exists(name,
object.metadata.?annotations[?name] != oldObject.metadata.?annotations[?name])
{{- end }}

{{/* As crds/knative/capp-annotations.ts has them. */}}
{{- define "cappstan.knativeAnnotations" -}}
- autoscaling.knative.dev/activation-scale
- autoscaling.knative.dev/class
- autoscaling.knative.dev/initial-scale
- autoscaling.knative.dev/initialScale
- autoscaling.knative.dev/max-scale
- autoscaling.knative.dev/maxScale
- autoscaling.knative.dev/metric
- autoscaling.knative.dev/metric-aggregation-algorithm
- autoscaling.knative.dev/metricAggregationAlgorithm
- autoscaling.knative.dev/min-scale
- autoscaling.knative.dev/minScale
- autoscaling.knative.dev/panic-threshold-percentage
- autoscaling.knative.dev/panic-window-percentage
- autoscaling.knative.dev/panicThresholdPercentage
- autoscaling.knative.dev/panicWindowPercentage
- autoscaling.knative.dev/scale-down-delay
- autoscaling.knative.dev/scale-to-zero-pod-retention-period
- autoscaling.knative.dev/scaleDownDelay
- autoscaling.knative.dev/scaleToZeroPodRetentionPeriod
- autoscaling.knative.dev/target
- autoscaling.knative.dev/target-burst-capacity
- autoscaling.knative.dev/target-utilization-percentage
- autoscaling.knative.dev/targetBurstCapacity
- autoscaling.knative.dev/targetUtilizationPercentage
- autoscaling.knative.dev/window
- networking.knative.dev/disable-auto-tls
- networking.knative.dev/disable-external-domain-tls
- networking.knative.dev/disableAutoTLS
- networking.knative.dev/http-protocol
- networking.knative.dev/httpOption
- networking.knative.dev/ingress-class
- networking.knative.dev/ingress.class
- networking.knative.dev/visibility
- queue.sidecar.serving.knative.dev/cpu-resource-limit
- queue.sidecar.serving.knative.dev/cpu-resource-request
- queue.sidecar.serving.knative.dev/ephemeral-storage-resource-limit
- queue.sidecar.serving.knative.dev/ephemeral-storage-resource-request
- queue.sidecar.serving.knative.dev/memory-resource-limit
- queue.sidecar.serving.knative.dev/memory-resource-request
- queue.sidecar.serving.knative.dev/resource-percentage
- queue.sidecar.serving.knative.dev/resourcePercentage
- serving.knative.dev/creator
- serving.knative.dev/lastModifier
- serving.knative.dev/progress-deadline
- serving.knative.dev/rollout-duration
- serving.knative.dev/rolloutDuration
{{- end }}
