{{- define "hub.labels" -}}
app.kubernetes.io/name: cappstan-hub
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "hub.selector" -}}
app.kubernetes.io/name: cappstan-hub
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- /* Where multicluster-controlplane has it. There is one in a namespace, so a namespace has one hub. */}}
{{- define "hub.secret" -}}
multicluster-controlplane-kubeconfig
{{- end }}

{{- define "hub.image" -}}
{{- $image := .Values.image -}}
{{- printf "%s:%s" $image.repository (default .Chart.AppVersion $image.tag) }}{{ with $image.digest }}@{{ . }}{{ end }}
{{- end }}

{{- /* The Service of the hub, inside the cluster. */}}
{{- define "hub.inside" -}}
{{ .Release.Name }}.{{ .Release.Namespace }}.svc
{{- end }}

{{- define "hub.host" -}}
{{ default (include "hub.inside" .) .Values.apiserver.externalHostname }}
{{- end }}

{{- /* As the hub reads a name with a scheme (deploy/hub/config/hostname.ts). */}}
{{- define "hub.bare" -}}
{{ regexReplaceAll "/$" (regexReplaceAll "^[A-Za-z][A-Za-z0-9+.-]*://" . "") "" }}
{{- end }}

{{- define "hub.port" -}}
{{- $values := .Values -}}
{{- $port := ternary $values.nodeport.port (ternary 443 9443 $values.route.enabled) $values.nodeport.enabled -}}
{{- default $port $values.apiserver.externalPort | int }}
{{- end }}

{{- define "hub.gatewayPort" -}}
{{- $values := .Values -}}
{{- $port := ternary $values.nodeport.gatewayPort (ternary 443 7443 $values.route.enabled) $values.nodeport.enabled -}}
{{- default $port $values.gateway.externalPort | int }}
{{- end }}

{{- /* What does not go together, by the names of the values. */}}
{{- define "hub.check" -}}
{{- $values := .Values -}}
{{- if $values.enableSelfManagement }}{{ fail "enableSelfManagement is declined: an agent needs all rights in this cluster, and this release has none outside its namespace. Join this cluster as any other: cappstan token, then cappstan join (docs/hub.md)" }}{{ end -}}
{{- if $values.enableDelegatingAuthentication }}{{ fail "enableDelegatingAuthentication is declined: who is known to this cluster's API server would be known to the hub, and asking it needs a ClusterRoleBinding that releases would share. Give people certificates or ServiceAccounts of the hub" }}{{ end -}}
{{- $open := list -}}
{{- range $name := list "loadbalancer" "nodeport" "route" }}{{ if (index $values $name).enabled }}{{ $open = append $open (printf "%s.enabled" $name) }}{{ end }}{{ end -}}
{{- if gt (len $open) 1 }}{{ fail (printf "%s exclude each other: set one of them" (join " and " $open)) }}{{ end -}}
{{- if and $open (not $values.apiserver.externalHostname) }}{{ fail (printf "apiserver.externalHostname must be set with %s: it is in the hub's certificate, and in what sites are told" (first $open)) }}{{ end -}}
{{- if and $values.route.enabled (not $values.gateway.externalHostname) }}{{ fail "gateway.externalHostname must be set with route.enabled: a route is known by its name, and the API server has the other one" }}{{ end -}}
{{- if and $values.nodeport.enabled (eq (int $values.nodeport.port) (int $values.nodeport.gatewayPort)) }}{{ fail "nodeport.port and nodeport.gatewayPort are the same: give one of them another port" }}{{ end -}}
{{- include "hub.pair" (list "apiserver.ca" $values.apiserver.ca "apiserver.cakey" $values.apiserver.cakey) -}}
{{- include "hub.pair" (list "etcd.cert" $values.etcd.cert "etcd.certkey" $values.etcd.certkey) -}}
{{- include "hub.pair" (list "temporal.cert" $values.temporal.cert "temporal.certkey" $values.temporal.certkey) -}}
{{- include "hub.pair" (list "reader.userServer" $values.reader.userServer "reader.ca" $values.reader.ca) -}}
{{- if and (eq $values.etcd.mode "external") (not $values.etcd.servers) }}{{ fail "etcd.servers must be set with etcd.mode=external: URLs, such as https://etcd-1:2379" }}{{ end -}}
{{- if and (eq $values.temporal.mode "external") (not $values.temporal.address) }}{{ fail "temporal.address must be set with temporal.mode=external: host:port" }}{{ end -}}
{{- range $name := list "etcd" "temporal" }}
{{- $given := index $values $name -}}
{{- if and (eq $given.mode "embed") (or $given.ca $given.cert $given.servers $given.address) }}{{ fail (printf "%s.mode is embed, and settings of an external one are given: set %s.mode=external, or leave them out" $name $name) }}{{ end -}}
{{- end }}
{{- end }}

{{- define "hub.pair" -}}
{{- $one := trim (index . 1) -}}
{{- $other := trim (index . 3) -}}
{{- if and $one (not $other) }}{{ fail (printf "%s is given without %s: give both, or neither" (index . 0) (index . 2)) }}{{ end -}}
{{- if and $other (not $one) }}{{ fail (printf "%s is given without %s: give both, or neither" (index . 2) (index . 0)) }}{{ end -}}
{{- end }}

{{- /* What was given by --set-file, by the name of its file: YAML. */}}
{{- define "hub.given" -}}
{{- $values := .Values -}}
{{- $files := dict
  "apiserver-ca.crt" $values.apiserver.ca "apiserver-ca.key" $values.apiserver.cakey
  "etcd-ca.crt" $values.etcd.ca "etcd.crt" $values.etcd.cert "etcd.key" $values.etcd.certkey
  "temporal-ca.crt" $values.temporal.ca "temporal.crt" $values.temporal.cert "temporal.key" $values.temporal.certkey
  "reader-ca.crt" $values.reader.ca -}}
{{- range $name, $content := $files }}
{{- if trim $content }}
{{ $name }}: {{ $content | b64enc | quote }}
{{- end }}
{{- end }}
{{- end }}

{{- /* What `cappstan hub` reads. Paths are relative to it. */}}
{{- define "hub.config" -}}
{{- $values := .Values -}}
apiserver:
  externalHostname: {{ include "hub.host" . | quote }}
  port: 9443
  externalPort: {{ include "hub.port" . }}
  {{- if trim $values.apiserver.ca }}
  caFile: apiserver-ca.crt
  caKeyFile: apiserver-ca.key
  {{- end }}
etcd:
  mode: {{ $values.etcd.mode }}
  prefix: {{ $values.etcd.prefix | quote }}
  {{- if eq $values.etcd.mode "external" }}
  servers:
    {{- toYaml $values.etcd.servers | nindent 4 }}
  {{- if trim $values.etcd.ca }}
  caFile: etcd-ca.crt
  {{- end }}
  {{- if trim $values.etcd.cert }}
  certFile: etcd.crt
  keyFile: etcd.key
  {{- end }}
  {{- end }}
temporal:
  mode: {{ $values.temporal.mode }}
  {{- if eq $values.temporal.mode "external" }}
  address: {{ $values.temporal.address | quote }}
  namespace: {{ $values.temporal.namespace | quote }}
  {{- with $values.temporal.serverName }}
  serverName: {{ . | quote }}
  {{- end }}
  {{- if trim $values.temporal.ca }}
  caFile: temporal-ca.crt
  {{- end }}
  {{- if trim $values.temporal.cert }}
  certFile: temporal.crt
  keyFile: temporal.key
  {{- end }}
  {{- end }}
gateway:
  port: 7443
  externalHostname: {{ default (include "hub.host" .) $values.gateway.externalHostname | quote }}
  externalPort: {{ include "hub.gatewayPort" . }}
publish:
  secret: {{ .Release.Namespace }}/{{ include "hub.secret" . }}
  kubeconfigFile: host.kubeconfig
{{- with $values.reader.userServer }}
reader:
  userServer: {{ . | quote }}
  userServerCaFile: reader-ca.crt
{{- end }}
{{- with $values.siteImage }}
image: {{ . | quote }}
{{- end }}
{{- end }}
