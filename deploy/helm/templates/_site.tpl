{{/*
The site operator as a list of manifests: the add-on brings them to the sites of a hub, and a release with site.alone to its own cluster. Takes root,
namespace, env (a list), labels, and if need be annotations, nodeSelector, tolerations.
*/}}
{{- define "cappstan.siteOperator" -}}
- apiVersion: rbac.authorization.k8s.io/v1
  kind: ClusterRole
  metadata:
    labels:
      {{- toYaml .labels | nindent 6 }}
    name: cappstan-site
    {{- with .annotations }}
    annotations:
      {{- toYaml . | nindent 6 }}
    {{- end }}
  rules:
    - apiGroups: [rcs.dana.io]
      resources: [capps, cappconfigs]
      verbs: [list, watch]
    - apiGroups: [rcs.dana.io]
      resources: [capps/status]
      verbs: [patch]
    # Only for finalizers: to release that of container-app-operator, and to set and release ours for a cluster-scoped DNS record. The
    # policies of the add-on hold it to that.
    - apiGroups: [rcs.dana.io]
      resources: [capps]
      verbs: [patch]
    - apiGroups: [rcs.dana.io]
      resources: [capprevisions]
      verbs: [get, list, watch, create, delete]
    # Secrets that come sealed.
    - apiGroups: [rcs.dana.io]
      resources: [cappsecrets]
      verbs: [list, watch]
    {{- if and .root.Values.addon.sealing.install (not .root.Values.site.alone) }}
    # The Secrets that they open into. No right to get, list or watch Secrets: by a patch that only asks for a label the operator sees one
    # that is Cappstan's, and the policy cappstan-site-opens of the add-on refuses every other.
    - apiGroups: [rcs.dana.io]
      resources: [cappsecrets/status]
      verbs: [patch]
    # Where a garbage collector asks for it before an object may have an owner.
    - apiGroups: [rcs.dana.io]
      resources: [cappsecrets/finalizers]
      verbs: [update]
    - apiGroups: ['']
      resources: [secrets]
      verbs: [create, patch, delete]
    # To which key hubs are to seal.
    - apiGroups: [cluster.open-cluster-management.io]
      resources: [clusterclaims]
      verbs: [create]
    - apiGroups: [cluster.open-cluster-management.io]
      resources: [clusterclaims]
      resourceNames: [sealing.cappstan.dana.io]
      verbs: [get, patch]
    {{- end }}
    - apiGroups: [serving.knative.dev]
      resources: [services, domainmappings]
      verbs: [list, watch, create, patch, delete]
    - apiGroups: [serving.knative.dev]
      resources: [revisions]
      verbs: [list, watch]
    - apiGroups: [nfspvc.dana.io]
      resources: [nfspvcs]
      verbs: [list, watch, create, patch, delete]
    - apiGroups: [sources.knative.dev]
      resources: [pingsources, kafkasources]
      verbs: [list, watch, create, patch, delete]
    # No right to read the Secrets of these certificates: that one is Ready says that its Secret is there.
    - apiGroups: [cert-manager.io]
      resources: [certificates]
      verbs: [list, watch, create, patch, delete]
    # DNS records of Capps that no hub has shipped: namespaced, or cluster-scoped where only that kind is served. With get, one of
    # container-app-operator is found that must give way. The policies of the add-on hold it to records of Capps.
    - apiGroups: [record.dns-v2.m.crossplane.io]
      resources: [cnamerecords]
      verbs: [list, watch, create, patch, delete]
    - apiGroups: [record.dns.crossplane.io]
      resources: [cnamerecords]
      verbs: [get, list, watch, create, patch, delete]
    - apiGroups: [logging.banzaicloud.io]
      resources: [syslogngflows, syslogngoutputs]
      verbs: [list, watch, create, patch, delete]
    - apiGroups: ['']
      resources: [pods]
      verbs: [list, watch]
    - apiGroups: [events.k8s.io]
      resources: [events]
      verbs: [create]
    # A namespace that the hub created is removed once it holds nothing at all, of any kind. Kubernetes counts for us what is there,
    # by a ResourceQuota that limits nothing, so that this account may read neither Secrets nor any other kind.
    - apiGroups: ['']
      resources: [namespaces]
      verbs: [get, list, watch, delete]
    - apiGroups: ['']
      resources: [resourcequotas]
      verbs: [get, list, create, delete]
    - apiGroups: ['']
      resources: [configmaps]
      resourceNames: [kube-root-ca.crt]
      verbs: [get]
    # What container-app-operator was configured by before its CappConfig: it counts where there is none.
    - apiGroups: ['']
      resources: [configmaps]
      resourceNames: [autoscale-defaults, dns-config]
      verbs: [list, watch]
    # Which fields of Pods Knative takes on this site.
    - apiGroups: ['']
      resources: [configmaps]
      resourceNames: [config-features]
      verbs: [list, watch]
    - apiGroups: ['']
      resources: [serviceaccounts]
      resourceNames: [default]
      verbs: [get]
# Its record of the Namespaces in which Capps of a hub ran before it asked, which it can make once and never change; and the keys to which
# Secrets are sealed.
- apiVersion: rbac.authorization.k8s.io/v1
  kind: Role
  metadata:
    labels:
      {{- toYaml .labels | nindent 6 }}
    name: cappstan-site
    namespace: {{ .namespace }}
    {{- with .annotations }}
    annotations:
      {{- toYaml . | nindent 6 }}
    {{- end }}
  rules:
    - apiGroups: ['']
      resources: [configmaps]
      resourceNames: [cappstan-namespaces]
      verbs: [get]
    - apiGroups: ['']
      resources: [configmaps]
      verbs: [create]
    {{- if and .root.Values.addon.sealing.install (not .root.Values.site.alone) }}
    - apiGroups: ['']
      resources: [secrets]
      resourceNames: [cappstan-sealing]
      verbs: [get]
    {{- end }}
- apiVersion: rbac.authorization.k8s.io/v1
  kind: RoleBinding
  metadata:
    labels:
      {{- toYaml .labels | nindent 6 }}
    name: cappstan-site
    namespace: {{ .namespace }}
    {{- with .annotations }}
    annotations:
      {{- toYaml . | nindent 6 }}
    {{- end }}
  roleRef:
    apiGroup: rbac.authorization.k8s.io
    kind: Role
    name: cappstan-site
  subjects:
    - kind: ServiceAccount
      name: cappstan-site
      namespace: {{ .namespace }}
{{ include "cappstan.identity" (dict "name" "cappstan-site" "namespace" .namespace "annotations" .annotations "labels" .labels) }}
- apiVersion: apps/v1
  kind: Deployment
  metadata:
    labels:
      {{- toYaml .labels | nindent 6 }}
    name: cappstan-site
    namespace: {{ .namespace }}
    {{- with .annotations }}
    annotations:
      {{- toYaml . | nindent 6 }}
    {{- end }}
  spec:
    {{- $site := .root.Values.addon.site }}
    {{- include "cappstan.deploymentSpec" (dict "root" .root "name" "cappstan-site" "container" "site" "main" "workers/site/main.js"
      "heapMiB" $site.heapMiB "semiSpaceMiB" 2 "frugal" true
      "temporal" false "replicas" 1 "resources" $site.resources "nodeSelector" .nodeSelector "tolerations" .tolerations
      "env" (concat .env (list (dict "name" "SITE_NAMESPACE" "value" .namespace)) (include "cappstan.reservedEnv" .root | fromYamlArray))) | nindent 4 }}
{{- end }}
