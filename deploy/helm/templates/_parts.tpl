{{/* Names do not depend on the release, because CRDs and the add-on exist once per hub. */}}

{{- define "cappstan.labels" -}}
app.kubernetes.io/name: cappstan
app.kubernetes.io/part-of: cappstan
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}

{{/* The processes of this release, as the label `app` of their Pods has them. */}}
{{- define "cappstan.apps" -}}
{{- $apps := list "cappstan-bridge" "cappstan-hub" "cappstan-webhook" }}
{{- if .Values.gateway.install }}{{ $apps = append $apps "cappstan-gateway" }}{{ end }}
{{- if .Values.notifications.install }}{{ $apps = append $apps "cappstan-notifier" }}{{ end }}
{{- if .Values.reader.install }}{{ $apps = append $apps "cappstan-reader" }}{{ end }}
{{- if .Values.argocd.install }}{{ $apps = append $apps "cappstan-registrar" }}{{ end }}
{{- if .Values.site.alone }}{{ $apps = list "cappstan-site" "cappstan-webhook" }}{{ end -}}
[{{ sortAlpha $apps | join ", " }}]
{{- end }}

{{/*
"true" if an object does not exist or belongs to this release; objects of others are not changed. Without a cluster
(helm template) nothing exists. Takes root, apiVersion, kind, namespace, name.
*/}}
{{- define "cappstan.isOurs" -}}
{{- $found := lookup .apiVersion .kind .namespace .name }}
{{- $annotations := dig "metadata" "annotations" dict $found }}
{{- $owner := list (get $annotations "meta.helm.sh/release-name") (get $annotations "meta.helm.sh/release-namespace") }}
{{- if or (not $found) (deepEqual $owner (list .root.Release.Name .root.Release.Namespace)) }}true{{ end }}
{{- end }}

{{/* The image of all processes, also of those on sites. The digest decides; the tag beside it is for people. */}}
{{- define "cappstan.image" -}}
{{- $image := .Values.image }}
{{- $image.repository }}:{{ default .Chart.AppVersion $image.tag }}{{ with $image.digest }}@{{ . }}{{ end }}
{{- end }}

{{/*
A Deployment's spec. Takes root, name (of app and ServiceAccount), container, main, env (a list), temporal (whether it speaks to Temporal),
replicas, resources, and if need be heapMiB, semiSpaceMiB, frugal, nodeSelector, tolerations, port (a further one, named as the container), certificate (a Secret
whose tls.crt and tls.key it serves with), clients (a Secret whose ca.crt has signed the certificates of those it answers), authorities (a Secret whose ca.crt it trusts beside those that everybody trusts), identity (a Secret by which the gateway knows it, once it is there), proxy (a Secret of the site with the proxy on the way to the hub, if there is one), prometheus (a Secret of the site with the credentials for its Prometheus, if there are some), farewell (seconds between its
removal from the Service and SIGTERM).
*/}}
{{- define "cappstan.deploymentSpec" -}}
{{- $values := .root.Values }}
{{- $tls := and .temporal (not .identity) $values.temporal.tls.secretName }}
{{- $volumes := list }}
{{- if $tls }}{{ $volumes = append $volumes (dict "name" "temporal-tls" "path" "/var/run/temporal-tls" "secret" (dict "secretName" $tls)) }}{{ end }}
{{- with .certificate }}{{ $volumes = append $volumes (dict "name" "certificate" "path" "/var/run/certificate" "secret" (dict "secretName" .)) }}{{ end }}
{{- with .clients }}{{ $volumes = append $volumes (dict "name" "clients" "path" "/var/run/clients" "secret" (dict "secretName" .)) }}{{ end }}
{{- with .authorities }}{{ $volumes = append $volumes (dict "name" "authorities" "path" "/var/run/authorities" "secret" (dict "secretName" .)) }}{{ end }}
{{- with .identity }}{{ $volumes = append $volumes (dict "name" "identity" "path" "/var/run/identity" "secret" (dict "secretName" . "optional" true)) }}{{ end }}
{{- with .proxy }}{{ $volumes = append $volumes (dict "name" "proxy" "path" "/var/run/proxy" "secret" (dict "secretName" . "optional" true)) }}{{ end }}
{{- with .prometheus }}{{ $volumes = append $volumes (dict "name" "prometheus" "path" "/var/run/prometheus" "secret" (dict "secretName" . "optional" true)) }}{{ end }}
replicas: {{ .replicas }}
selector:
  matchLabels:
    app: {{ .name }}
template:
  metadata:
    labels:
      app: {{ .name }}
  spec:
    serviceAccountName: {{ .name }}
    terminationGracePeriodSeconds: 30
    {{- with $values.image.pullSecrets }}
    imagePullSecrets:
      {{- range . }}
      - name: {{ . }}
      {{- end }}
    {{- end }}
    {{- with .nodeSelector }}
    nodeSelector:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    {{- with .tolerations }}
    tolerations:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    securityContext:
      runAsNonRoot: true
      seccompProfile:
        type: RuntimeDefault
    containers:
      - name: {{ .container }}
        image: {{ include "cappstan.image" .root | quote }}
        imagePullPolicy: {{ $values.image.pullPolicy }}
        command:
          - node
          {{- with .heapMiB }}
          - --max-old-space-size={{ int . }}
          # What has just been made is looked through sooner: less memory, and no slower.
          - --max-semi-space-size={{ int (default 8 $.semiSpaceMiB) }}
          {{- end }}
          {{- if .frugal }}
          # It works in short bursts: what it no longer needs is given back sooner, at the price of speed that it has to spare.
          - --optimize-for-size
          {{- end }}
          {{- if .identity }}
          # gRPC's library sends the gateway's address as the name of its server. Where that is an IP address, Node would warn at each start.
          - --disable-warning=DEP0123
          {{- end }}
          - {{ .main }}
        env:
          {{- toYaml .env | nindent 10 }}
          - name: HEALTH_ADDRESS
            value: 0.0.0.0:8081
          - name: METRICS_ADDRESS
            value: 0.0.0.0:9464
          {{- if .temporal }}
          # For the C library: Temporal's core asks it for memory in many threads, and it would keep an arena for each of them.
          - { name: MALLOC_ARENA_MAX, value: '2' }
          - { name: MALLOC_TRIM_THRESHOLD_, value: '131072' }
          - { name: MALLOC_MMAP_THRESHOLD_, value: '131072' }
          {{- end }}
          {{- if and $tls $values.temporal.tls.ca }}
          - name: TEMPORAL_TLS_CA
            value: /var/run/temporal-tls/ca.crt
          {{- end }}
          {{- if and $tls $values.temporal.tls.clientCertificate }}
          - name: TEMPORAL_TLS_CERT
            value: /var/run/temporal-tls/tls.crt
          - name: TEMPORAL_TLS_KEY
            value: /var/run/temporal-tls/tls.key
          {{- end }}
          {{- if .identity }}
          - name: GATEWAY_IDENTITY
            value: /var/run/identity
          {{- end }}
          {{- if .proxy }}
          - name: HUB_PROXY
            value: /var/run/proxy
          {{- end }}
          {{- if .prometheus }}
          - name: PROMETHEUS_KEY
            value: /var/run/prometheus
          {{- end }}
        ports:
          - name: health
            containerPort: 8081
          {{- with .port }}
          - name: {{ $.container }}
            containerPort: {{ . }}
          {{- end }}
          - name: metrics
            containerPort: 9464
        {{- with .farewell }}
        lifecycle:
          preStop:
            sleep: { seconds: {{ . }} }
        {{- end }}
        # A first list of a large cluster, or an API server that is away, takes its time: five minutes before a restart is tried.
        startupProbe:
          httpGet: { path: /healthz, port: health }
          periodSeconds: 5
          failureThreshold: 60
        readinessProbe:
          httpGet: { path: /healthz, port: health }
          periodSeconds: 10
        livenessProbe:
          httpGet: { path: /healthz, port: health }
          periodSeconds: 20
          timeoutSeconds: 5
          failureThreshold: 3
        resources:
          {{- toYaml .resources | nindent 10 }}
        securityContext:
          allowPrivilegeEscalation: false
          readOnlyRootFilesystem: true
          capabilities:
            drop: [ALL]
        {{- with $volumes }}
        volumeMounts:
          {{- range . }}
          - name: {{ .name }}
            mountPath: {{ .path }}
            readOnly: true
          {{- end }}
        {{- end }}
    {{- with $volumes }}
    volumes:
      {{- range . }}
      - name: {{ .name }}
        secret:
          {{- toYaml .secret | nindent 10 }}
      {{- end }}
    {{- end }}
{{- end }}

{{/* ServiceAccount and ClusterRoleBinding of a process on a site. Takes name (also the ClusterRole's), namespace, annotations (a map, may be empty). */}}
{{- define "cappstan.identity" -}}
- apiVersion: v1
  kind: ServiceAccount
  metadata:
    name: {{ .name }}
    namespace: {{ .namespace }}
    {{- with .labels }}
    labels:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    {{- with .annotations }}
    annotations:
      {{- toYaml . | nindent 6 }}
    {{- end }}
- apiVersion: rbac.authorization.k8s.io/v1
  kind: ClusterRoleBinding
  metadata:
    name: {{ .name }}
    {{- with .labels }}
    labels:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    {{- with .annotations }}
    annotations:
      {{- toYaml . | nindent 6 }}
    {{- end }}
  roleRef:
    apiGroup: rbac.authorization.k8s.io
    kind: ClusterRole
    name: {{ .name }}
  subjects:
    - kind: ServiceAccount
      name: {{ .name }}
      namespace: {{ .namespace }}
{{- end }}

{{- define "cappstan.temporalAddress" -}}
{{- required "temporal.address must be set: host:port of the Temporal frontend" .Values.temporal.address }}
{{- end }}

{{- define "cappstan.hubEnv" -}}
- { name: LOG_LEVEL, value: {{ .Values.logLevel | quote }} }
- { name: TEMPORAL_ADDRESS, value: {{ include "cappstan.temporalAddress" . | quote }} }
- { name: TEMPORAL_NAMESPACE, value: {{ .Values.temporal.namespace | quote }} }
{{ include "cappstan.configEnv" . }}
{{- end }}

{{/* The Secret whose ca.crt agents trust at the gateway: for who ships it to sites, and for who sees to it that this is done. */}}
{{- define "cappstan.gatewayEnv" -}}
{{- if .Values.gateway.install }}
- { name: GATEWAY_CERTIFICATE, value: {{ printf "%s/%s" .Release.Namespace (default "cappstan-gateway-certificate" .Values.gateway.certificate.secretName) | quote }} }
{{- end }}
{{- end }}

{{/* The build of the hub workers. The newest build gets the workflow tasks, and the bridge resets a failing workflow once per build. */}}
{{- define "cappstan.buildEnv" -}}
- { name: BUILD_NAME, value: {{ .Values.image.tag | default .Chart.AppVersion | toString | replace "-" "." | trunc 63 | quote }} }
- { name: BUILD_REVISION, value: {{ .Release.Revision | toString | quote }} }
{{- end }}

{{- define "cappstan.uiEnv" -}}
{{- with .Values.temporal.ui }}
- { name: TEMPORAL_UI, value: {{ . | quote }} }
{{- end }}
{{- end }}

{{- define "cappstan.configEnv" -}}
- { name: RCS_CONFIG_NAMESPACE, value: {{ .Values.config.namespace | quote }} }
- { name: RCS_CONFIG_NAME, value: {{ .Values.config.name | quote }} }
{{- end }}

{{/* Namespaces in which no Capp may run: reservedNamespaces, and those of our processes on the hub and on sites. */}}
{{- define "cappstan.reservedEnv" -}}
- name: RESERVED_NAMESPACES
  value: {{ concat .Values.reservedNamespaces (list .Release.Namespace .Values.addon.installNamespace) | uniq | join "," | quote }}
{{- end }}

{{/* The fields that all our webhooks share. Takes root, path, resource, operations. Without caBundle, the webhook adds its own CA. */}}
{{- define "cappstan.webhook" -}}
{{- $webhook := .root.Values.webhook }}
clientConfig:
  {{- if $webhook.url }}
  url: {{ printf "%s%s" $webhook.url .path | quote }}
  {{- else }}
  service:
    name: cappstan-webhook
    namespace: {{ .root.Release.Namespace }}
    path: {{ .path }}
  {{- end }}
  {{- with $webhook.certificate.caBundle }}
  caBundle: {{ . }}
  {{- end }}
rules:
  - apiGroups: [{{ get (dict "managedclusters" "cluster.open-cluster-management.io" "sipclusters" "airship.airshipit.org") .resource | default "rcs.dana.io" }}]
    apiVersions: ['*']
    resources: [{{ .resource }}]
    operations: {{ toJson .operations }}
admissionReviewVersions: [v1]
sideEffects: NoneOnDryRun
timeoutSeconds: 5
{{- end }}

{{/* Egress rules that all of our processes need: DNS, where OpenShift's Pods listen on 5353, and the API server. */}}
{{- define "cappstan.egress" -}}
- ports:
    {{- range list 53 5353 }}
    - { port: {{ . }}, protocol: UDP }
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
{{- with .Values.networkPolicies.egress }}
- ports:
    {{- range .apiServerPorts }}
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
  {{- with .apiServers }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end }}

{{/* Environment of the processes on sites: each name as OCM fills it in, and as DEFAULT_ what counts where OCM has nothing. */}}
{{- define "cappstan.variables" -}}
{{- range $name, $value := . }}
- { name: {{ $name }}, value: {{ printf "{{%s}}" $name | quote }} }
{{- if $value }}
- { name: DEFAULT_{{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}
{{- end }}

{{/* Where agents on sites find Temporal: at the gateway, if there is one. */}}
{{- define "cappstan.agentsAddress" -}}
{{- if .Values.gateway.install -}}
{{- if .Values.addon.temporalAddress }}{{ fail "addon.temporalAddress and gateway.install exclude each other: agents come through the gateway at gateway.address" }}{{ end -}}
{{- required "gateway.address must be set: host:port at which sites reach the gateway" .Values.gateway.address }}
{{- else -}}
{{- default (include "cappstan.temporalAddress" .) .Values.addon.temporalAddress }}
{{- end }}
{{- end }}

{{/* The egress rule to Temporal. Takes root, address. */}}
{{- define "cappstan.egressToTemporal" -}}
{{- with .root.Values.networkPolicies.egress }}
- ports:
    {{- range default (list (splitList ":" $.address | last | int)) .temporalPorts }}
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
  {{- with .temporal }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end }}

{{/* What the add-on brings for its own processes on a site. Takes root, short (the hub's short id), labels. */}}
{{- define "cappstan.sitePolicies" -}}
{{- $addon := .root.Values.addon }}
{{- $policies := .root.Values.networkPolicies }}
{{- $agent := printf "cappstan-agent-%s" .short }}
{{- if $policies.create }}
- apiVersion: networking.k8s.io/v1
  kind: NetworkPolicy
  metadata:
    name: cappstan-{{ .short }}
    labels:
      {{- toYaml .labels | nindent 6 }}
    namespace: {{ $addon.installNamespace }}
    annotations:
      addon.open-cluster-management.io/deletion-orphan: ''
  spec:
    podSelector:
      matchExpressions:
        - key: app
          operator: In
          values: [{{ $agent }}, cappstan-site]
    policyTypes: [Ingress]
{{- if $policies.egress.create }}
- apiVersion: networking.k8s.io/v1
  kind: NetworkPolicy
  metadata:
    name: cappstan-egress-{{ .short }}
    labels:
      {{- toYaml .labels | nindent 6 }}
    namespace: {{ $addon.installNamespace }}
    annotations:
      addon.open-cluster-management.io/deletion-orphan: ''
  spec:
    podSelector:
      matchExpressions:
        - key: app
          operator: In
          values: [{{ $agent }}, cappstan-site]
    policyTypes: [Egress]
    egress:
      {{- include "cappstan.egress" .root | nindent 6 }}
- apiVersion: networking.k8s.io/v1
  kind: NetworkPolicy
  metadata:
    name: {{ $agent }}
    labels:
      {{- toYaml .labels | nindent 6 }}
    namespace: {{ $addon.installNamespace }}
  spec:
    podSelector:
      matchLabels:
        app: {{ $agent }}
    policyTypes: [Egress]
    egress:
      {{- include "cappstan.egressToTemporal" (dict "root" .root "address" (include "cappstan.agentsAddress" .root)) | nindent 6 }}
      {{- with $policies.egress.agents }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* A policy of the hub's API server and its binding. Takes root, name, resource, validations (each expression, message). */}}
{{- define "cappstan.authors" -}}
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: {{ .name }}
  labels:
    {{- include "cappstan.labels" .root | nindent 4 }}
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules:
      - apiGroups: [rcs.dana.io]
        apiVersions: ['*']
        operations: [CREATE, UPDATE]
        resources: [{{ .resource }}]
  matchConditions:
    - name: annotates
      expression: request.operation == "CREATE" || object.metadata.?annotations != oldObject.metadata.?annotations
  variables:
    - name: present
      expression: object.metadata.?annotations.orValue({})
    - name: former
      expression: 'request.operation == "CREATE" ? {} : oldObject.metadata.?annotations.orValue({})'
  validations:
    {{- range .validations }}
    - expression: {{ .expression | toJson }}
      messageExpression: {{ .message | toJson }}
      reason: Forbidden
    {{- end }}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: {{ .name }}
  labels:
    {{- include "cappstan.labels" .root | nindent 4 }}
spec:
  policyName: {{ .name }}
  validationActions: [Deny]
{{- end }}

{{/*
Whether OCM's agents or add-ons of a cluster ask, or whoever joins one.
*/}}
{{- define "cappstan.isCluster" -}}
['system:open-cluster-management:', 'system:bootstrap:', 'system:serviceaccount:open-cluster-management:agent-registration-bootstrap'].exists(prefix, request.userInfo.username.startsWith(prefix))
{{- end }}

{{/*
A policy of the hub's API server against --cascade=orphan, and its binding. Takes root, name, resource, message, and allowed: an
expression that is true where it keeps the copies.
*/}}
{{- define "cappstan.orphans" -}}
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: {{ .name }}
  labels:
    {{- include "cappstan.labels" .root | nindent 4 }}
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules:
      - apiGroups: [rcs.dana.io]
        apiVersions: ['*']
        operations: [DELETE]
        resources: [{{ .resource }}]
  variables:
    - name: status
      expression: oldObject.?status.orValue({})
    # What the request says goes before the finalizer, as the API server has it.
    - name: orphans
      expression: >-
        request.options.?orphanDependents.orValue(false) || request.options.?propagationPolicy.orValue("") == "Orphan" ||
        (!request.options.?orphanDependents.hasValue() && !request.options.?propagationPolicy.hasValue() &&
        oldObject.metadata.?finalizers.orValue([]).exists(one, one == "orphan"))
  validations:
    - expression: {{ printf "!variables.orphans || (%s)" .allowed | toJson }}
      message: {{ .message | toJson }}
      reason: Forbidden
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: {{ .name }}
  labels:
    {{- include "cappstan.labels" .root | nindent 4 }}
spec:
  policyName: {{ .name }}
  validationActions: [Deny]
{{- end }}
