{{/*
As whom OCM's work agent applies the works of Capps (crds/ocm/executors.ts makes the same name). No ServiceAccount is made: rights are bound to
the name alone, so that nobody can run as it. Takes the hub's id.
*/}}
{{- define "cappstan.cappsExecutor" -}}
cappstan-capps-{{ include "cappstan.shortId" . }}
{{- end }}

{{/* Ten hex digits for a hub's id, in the names of what each hub brings to a site (crds/ocm/executors.ts makes the same). */}}
{{- define "cappstan.shortId" -}}
{{ sha256sum . | trunc 10 }}
{{- end }}

{{/*
Exactly what works of Capps consist of (activities/hub/ship/render). OCM asks for get, create, update and patch of each object, and for delete of
what goes with the work; the Namespace stays. Takes hub, namespace, labels, annotations, sealing.
*/}}
{{- define "cappstan.cappsExecutorRights" -}}
{{- $name := include "cappstan.cappsExecutor" .hub }}
- apiVersion: rbac.authorization.k8s.io/v1
  kind: ClusterRole
  metadata:
    name: {{ $name }}
    labels:
      {{- toYaml .labels | nindent 6 }}
    annotations:
      {{- toYaml .annotations | nindent 6 }}
  rules:
    - apiGroups: ['']
      resources: [namespaces]
      verbs: [get, create, update, patch]
    - apiGroups: ['']
      resources: [secrets, configmaps]
      verbs: [get, create, update, patch, delete]
    - apiGroups: [rbac.authorization.k8s.io]
      resources: [roles, rolebindings]
      verbs: [get, create, update, patch, delete]
    - apiGroups: [rcs.dana.io]
      resources: [capps{{ if .sealing }}, cappsecrets{{ end }}]
      verbs: [get, create, update, patch, delete]
    # What those Roles give to log readers and to the site operator: nobody gives what they do not have.
    - apiGroups: ['']
      resources: [pods/log]
      verbs: [get, list, watch]
    - apiGroups: ['']
      resources: [pods]
      verbs: [get, list]
    - apiGroups: ['']
      resources: [serviceaccounts]
      verbs: [use]
- apiVersion: rbac.authorization.k8s.io/v1
  kind: ClusterRoleBinding
  metadata:
    name: {{ $name }}
    labels:
      {{- toYaml .labels | nindent 6 }}
    annotations:
      {{- toYaml .annotations | nindent 6 }}
  roleRef:
    apiGroup: rbac.authorization.k8s.io
    kind: ClusterRole
    name: {{ $name }}
  subjects:
    - kind: ServiceAccount
      name: {{ $name }}
      namespace: {{ .namespace }}
{{- end }}
