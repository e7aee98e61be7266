{{/*
ValidatingAdmissionPolicies for sites, as manifests of the add-on. They need no process. The API server's defaults are written out, because
OCM's work agent compares its manifests with the live objects and would otherwise update them each time.
*/}}

{{/*
The hub's identity on its sites: hubId, so that a rebuilt hub can keep its identity; else the uid of kube-system.
*/}}
{{- define "cappstan.hubId" -}}
{{- default (dig "metadata" "uid" "" (lookup "v1" "Namespace" "" "kube-system")) .Values.hubId }}
{{- end }}

{{/* The place of the record of the site's hubs: the same for all of them, wherever they install their agents. */}}
{{- define "cappstan.recordPlace" -}}
open-cluster-management-agent-addon
{{- end }}

{{/* What a work of a Capp brings into its Namespace. */}}
{{- define "cappstan.broughtByWorks" -}}
- { apiGroups: [''], resources: [secrets, configmaps], operations: [CREATE, UPDATE] }
- { apiGroups: [rbac.authorization.k8s.io], resources: [roles, rolebindings], operations: [CREATE, UPDATE] }
- { apiGroups: [rcs.dana.io], resources: [capps, cappsecrets], operations: [CREATE, UPDATE] }
{{- end }}

{{/*
An admission policy and its binding. Each hub of a site brings policies of its own, with its short id in their names: the values of two hubs may
differ, and then the policies of both count. Takes name, rules (each apiGroups, resources, operations), validations (each expression, message), and if
need be short (the hub's short id), failurePolicy, paramKind, paramRef, objectSelector, match, variables.
*/}}
{{- define "cappstan.policy" -}}
{{- $name := printf "%s%s" .name (ternary "" (printf "-%s" .short) (empty .short)) }}
- apiVersion: admissionregistration.k8s.io/v1
  kind: ValidatingAdmissionPolicy
  metadata:
    name: {{ $name }}
    annotations:
      addon.open-cluster-management.io/deletion-orphan: ''
  spec:
    failurePolicy: {{ default "Fail" .failurePolicy }}
    {{- with .paramKind }}
    paramKind:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    matchConstraints:
      matchPolicy: Equivalent
      namespaceSelector: {}
      objectSelector:
        {{- toYaml (default dict .objectSelector) | nindent 8 }}
      resourceRules:
        {{- range .rules }}
        - apiGroups: {{ toJson .apiGroups }}
          apiVersions: ['*']
          operations: {{ toJson .operations }}
          resources: {{ toJson .resources }}
          scope: '*'
        {{- end }}
    {{- with .match }}
    matchConditions:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    {{- with .variables }}
    variables:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    validations:
      {{- range .validations }}
      - expression: {{ .expression | toJson }}
        messageExpression: {{ .message | toJson }}
        reason: Forbidden
      {{- end }}
- apiVersion: admissionregistration.k8s.io/v1
  kind: ValidatingAdmissionPolicyBinding
  metadata:
    name: {{ $name }}
    annotations:
      addon.open-cluster-management.io/deletion-orphan: ''
  spec:
    policyName: {{ $name }}
    {{- with .paramRef }}
    paramRef:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    validationActions: [Deny]
{{- end }}

{{/* CEL that says whether an object (`object` or `oldObject`) has a label with that value. Takes object, name, value. */}}
{{- define "cappstan.hasLabel" -}}
(has({{ .object }}.metadata.labels) && '{{ .name }}' in {{ .object }}.metadata.labels && {{ .object }}.metadata.labels['{{ .name }}'] == '{{ .value }}')
{{- end }}

{{/* CEL that says whether a work of a Capp owns an object: OCM names the owner `<hash of the hub>-<work>`. Takes the object's name in CEL. */}}
{{- define "cappstan.hasOwner" -}}
(has({{ . }}.metadata.ownerReferences) && {{ . }}.metadata.ownerReferences.exists(o, o.kind == 'AppliedManifestWork' && o.name.contains('-mw-create-')))
{{- end }}

{{/*
Objects that somebody made on the site are neither changed nor deleted by a work. DELETE is included, because OCM's work agent deletes a
Secret to change its type.
*/}}
{{- define "cappstan.guardOfOthers" -}}
{{- $owned := "request.operation == 'DELETE' ? (request.userInfo.username.matches('%s') && !request.namespace.startsWith('open-cluster-management') && request.namespace != '%s') : %s" }}
{{- $ours := "%s || %s || (request.operation == 'DELETE' && has(oldObject.metadata.ownerReferences) && oldObject.metadata.ownerReferences.exists(o, o.kind == 'AppliedManifestWork'))" }}
{{- $label := dict "object" "oldObject" "name" "rcs.dana.io/managed-by" "value" "rcs" }}
{{- $said := "request.kind.kind + ' ' + request.namespace + '/' + request.name + ' already exists on this site and does not belong to Cappstan, so it is left unchanged. Rename one of them, or hand it over: kubectl -n ' + request.namespace + ' label ' + request.resource.resource + ' ' + request.name + ' rcs.dana.io/managed-by=rcs'" }}
{{- include "cappstan.policy" (dict
  "name" "cappstan-not-ours-v1" "short" .short
  "rules" (list
    (dict "apiGroups" (list "") "resources" (list "secrets" "configmaps") "operations" (list "UPDATE" "DELETE"))
    (dict "apiGroups" (list "rbac.authorization.k8s.io") "resources" (list "roles" "rolebindings") "operations" (list "UPDATE"))
    (dict "apiGroups" (list "rcs.dana.io") "resources" (list "capps") "operations" (list "UPDATE")))
  "match" (list (dict "name" "a-work-takes-it" "expression" (printf $owned .guard.workAgents .installNamespace (include "cappstan.hasOwner" "object"))))
  "validations" (list (dict
    "expression" (printf $ours (include "cappstan.hasLabel" $label) (include "cappstan.hasOwner" "oldObject"))
    "message" $said))) }}
{{- end }}

{{/*
Capps of a hub go where a work made the Namespace, where the site's admins have opened it, and where Capps of a hub ran before the site operator
recorded that (crds/open-namespace.ts). Without that record, which the site operator makes when it begins, everything passes. A work must not open a
Namespace that it has not made.
*/}}
{{- define "cappstan.guardOfNamespaces" -}}
{{- $takes := printf "%s && (request.operation == 'CREATE' || !%s || request.userInfo.username.matches('%s'))" (include "cappstan.hasOwner" "object") (include "cappstan.hasOwner" "oldObject") .guard.workAgents }}
{{- $labels := "(has(%[1]s.metadata.labels) ? %[1]s.metadata.labels : {})" }}
{{- $rules := include "cappstan.broughtByWorks" . | fromYamlArray }}
{{- include "cappstan.policy" (dict
  "name" "cappstan-open-namespaces-v1" "short" .short
  "paramKind" (dict "apiVersion" "v1" "kind" "ConfigMap")
  "paramRef" (dict "name" "cappstan-namespaces" "namespace" .installNamespace "parameterNotFoundAction" "Allow")
  "rules" $rules
  "match" (list (dict "name" "a-work-brings-it" "expression" $takes))
  "variables" (list
    (dict "name" "labels" "expression" (printf $labels "namespaceObject"))
    (dict "name" "recorded" "expression" "has(params.data) && request.namespace in params.data && params.data[request.namespace] == string(dyn(namespaceObject).metadata.uid)"))
  "validations" (list (dict
    "expression" "'rcs.dana.io/hub-capps' in variables.labels ? variables.labels['rcs.dana.io/hub-capps'] == 'allowed' : (variables.recorded || ('rcs.dana.io/managed-by' in variables.labels && variables.labels['rcs.dana.io/managed-by'] == 'rcs'))"
    "message" "'Namespace ' + request.namespace + ' of this site was not made for Capps of a hub. An admin of the site may open it: kubectl label namespace ' + request.namespace + ' rcs.dana.io/hub-capps=allowed' + (has(object.metadata.labels) && 'rcs.dana.io/hub' in object.metadata.labels ? ' rcs.dana.io/hub=' + object.metadata.labels['rcs.dana.io/hub'] : '')"))) }}
{{- $same := printf "(('%%[1]s' in %[1]s) == ('%%[1]s' in %[2]s) && (!('%%[1]s' in %[1]s) || %[1]s['%%[1]s'] == %[2]s['%%[1]s']))" (printf $labels "object") (printf $labels "oldObject") }}
{{- $opens := printf "'rcs.dana.io/hub-capps' in %[1]s || 'rcs.dana.io/other-hubs' in %[1]s" (printf $labels "object") }}
{{ include "cappstan.policy" (dict
  "name" "cappstan-works-open-none-v1" "short" .short
  "rules" (list (dict "apiGroups" (list "") "resources" (list "namespaces") "operations" (list "CREATE" "UPDATE")))
  "match" (list (dict "name" "the-work-agent" "expression" (printf "request.userInfo.username.matches('%s')" .guard.workAgents)))
  "validations" (list (dict
    "expression" (printf "request.operation == 'CREATE' ? !(%s) : (%s && %s && %s && %s)" $opens (printf $same "rcs.dana.io/hub-capps") (printf $same "rcs.dana.io/other-hubs") (printf $same "rcs.dana.io/hub") (printf $same "rcs.dana.io/managed-by"))
    "message" "'A work opens no Namespace to Capps: an admin of the site sets the labels rcs.dana.io/hub-capps and other-hubs of ' + object.metadata.name + ', and rcs.dana.io/hub and managed-by stay as they are.'"))) }}
{{- end }}

{{/*
Which hub a request is of, in CEL: `mine`. The record cappstan-hub of the site says it by the user of OCM's work agent, `<namespace>.<name>`; an agent
that it does not name is the first hub's, unless that hub's is named. Empty for everybody else, and for an agent of nobody.
*/}}
{{- define "cappstan.hubOfAgent" -}}
- name: isAgent
  expression: request.userInfo.username.matches('{{ .guard.workAgents }}')
- name: agent
  expression: request.userInfo.username.replace('system:serviceaccount:', '').replace(':', '.')
- name: mine
  expression: >-
    string(!variables.isAgent ? '' : variables.agent in params.data ? params.data[variables.agent] :
    params.data.exists(key, key != 'hub' && params.data[key] == params.data.hub) ? '' : params.data.hub)
{{- end }}

{{/*
Several hubs on a site: each object with the label of a hub is that hub's (docs/decisions/0095), as long as the record names the hub. When a site was
handed over (0033), the former hub's agent may still change and delete what it has there, and every other agent may take it over. What all need, and
is there once, has the label rcs.dana.io/hub-part=shared: the hub of the record keeps it, and when that hub's add-on is gone, the hub that comes first.
That an add-on is there is seen by a right that nobody can use.
*/}}
{{- define "cappstan.guardOfHub" -}}
{{- $label := "rcs.dana.io/hub" }}
{{- $of := printf "(has(%%[1]s.metadata.labels) && '%s' in %%[1]s.metadata.labels ? %%[1]s.metadata.labels['%s'] : '')" $label $label }}
{{- $isShared := "(has(%[1]s.metadata.labels) && 'rcs.dana.io/hub-part' in %[1]s.metadata.labels && %[1]s.metadata.labels['rcs.dana.io/hub-part'] == 'shared')" }}
{{- $isHere := printf "authorizer.serviceAccount('%s', 'cappstan-hubs').group('rcs.dana.io').resource('hubs').name(%%[1]s).check('keep').allowed()" (include "cappstan.recordPlace" .) }}
{{- $patch := printf "kubectl -n %s patch configmap cappstan-hub --type merge -p " (include "cappstan.recordPlace" .) }}
{{- include "cappstan.policy" (dict
  "name" "cappstan-one-hub-v2" "short" .short
  "paramKind" (dict "apiVersion" "v1" "kind" "ConfigMap")
  "paramRef" (dict "name" "cappstan-hub" "namespace" (include "cappstan.recordPlace" .) "parameterNotFoundAction" "Allow")
  "objectSelector" (dict "matchExpressions" (list (dict "key" $label "operator" "Exists")))
  "rules" (list (dict "apiGroups" (list "*") "resources" (list "*") "operations" (list "CREATE" "UPDATE" "DELETE")))
  "variables" (concat (include "cappstan.hubOfAgent" . | fromYamlArray) (list
    (dict "name" "now" "expression" (printf "string(object == null ? '' : %s)" (printf $of "object")))
    (dict "name" "before" "expression" (printf "string(oldObject == null ? '' : %s)" (printf $of "oldObject")))
    (dict "name" "isFree" "expression" "variables.before != '' && !params.data.exists(key, params.data[key] == variables.before)")
    (dict "name" "isShared" "expression" (printf "variables.before == '' ? object != null && %s : %s" (printf $isShared "object") (printf $isShared "oldObject")))
    (dict "name" "letIn" "expression" (printf "string('%s\\'{\"data\":{\"' + variables.agent + '\":\"' + variables.now + '\"}}\\'')" $patch))
    (dict "name" "mayKeep" "expression" (printf "variables.mine == params.data.hub || (!%s && (variables.before in ['', variables.mine] || !%s))" (printf $isHere "params.data.hub") (printf $isHere "variables.before")))))
  "validations" (list
    (dict
      "expression" "variables.isAgent ? variables.now in ['', variables.mine] || (variables.isFree && variables.now == variables.before) : variables.now in ['', variables.before] || params.data.exists(key, params.data[key] == variables.now)"
      "message" "'This site belongs to the Cappstan hub ' + params.data.hub + ', and ' + request.kind.kind + ' ' + request.name + ' is of hub ' + variables.now + '. ' + (!variables.isAgent ? 'Only OCM brings what is of a hub.' : variables.agent in params.data ? 'Its agent ' + variables.agent + ' is let in for hub ' + params.data[variables.agent] + '. If that id is wrong, correct it on the site: ' + variables.letIn : 'Take the site out of one of them; or let that hub in as well, on the site: ' + variables.letIn + ' (and name the agent of ' + params.data.hub + ' in the same way, so that no third agent counts as its: docs/hubs.md)')")
    (dict
      "expression" "!variables.isAgent || variables.before in ['', variables.mine] || variables.isFree || (variables.isShared && variables.mayKeep)"
      "message" "request.kind.kind + ' ' + request.name + ' of this site belongs to the Cappstan hub ' + variables.before + '; take another name, or another site.'")
    (dict
      "expression" "!variables.isAgent || !variables.isShared || variables.mayKeep"
      "message" "request.kind.kind + ' ' + request.name + ' is there once for all hubs of this site, and belongs to the Cappstan hub ' + params.data.hub + '.'"))) }}
{{ include "cappstan.policy" (dict
  "name" "cappstan-hub-record-v1" "short" .short
  "rules" (list (dict "apiGroups" (list "") "resources" (list "configmaps") "operations" (list "CREATE" "UPDATE" "DELETE")))
  "match" (list (dict "name" "the-work-agent" "expression" (printf "request.namespace in ['%s', '%s'] && request.name in ['cappstan-hub', 'cappstan-namespaces'] && request.userInfo.username.matches('%s')" (include "cappstan.recordPlace" .) .installNamespace .guard.workAgents)))
  "validations" (list (dict
    "expression" "request.operation == 'CREATE' && request.name == 'cappstan-hub' && object.data.size() == 1"
    "message" "'Which hubs this site has, and what they may use, only an admin of the site says: ConfigMap ' + request.name + ' stays as it is.'"))) }}
{{- /*
Of an object that another hub has, cappstan-one-hub speaks. A Namespace that no work of a Capp has made may be a Bundle's of any of the hubs: opened
without a label that says whose it is, it takes nothing new, and what the first hub has there may change.
*/}}
{{ include "cappstan.policy" (dict
  "name" "cappstan-own-namespaces-v1" "short" .short
  "paramKind" (dict "apiVersion" "v1" "kind" "ConfigMap")
  "paramRef" (dict "name" "cappstan-hub" "namespace" (include "cappstan.recordPlace" .) "parameterNotFoundAction" "Allow")
  "rules" (include "cappstan.broughtByWorks" . | fromYamlArray)
  "match" (list (dict "name" "a-work-brings-it" "expression" (printf "request.userInfo.username.matches('%s') && (request.resource.resource == 'capps' || %s)" .guard.workAgents (include "cappstan.hasOwner" "object"))))
  "variables" (concat (include "cappstan.hubOfAgent" . | fromYamlArray) (list
    (dict "name" "labels" "expression" "has(namespaceObject.metadata.labels) ? namespaceObject.metadata.labels : {}")
    (dict "name" "before" "expression" (printf "string(oldObject == null ? '' : %s)" (printf $of "oldObject")))
    (dict "name" "hasOwner" "expression" (printf "'%[1]s' in variables.labels && params.data.exists(key, params.data[key] == variables.labels['%[1]s'])" $label))
    (dict "name" "isOpened" "expression" "'rcs.dana.io/hub-capps' in variables.labels && variables.labels['rcs.dana.io/hub-capps'] == 'allowed'")
    (dict "name" "isMade" "expression" "'rcs.dana.io/managed-by' in variables.labels && variables.labels['rcs.dana.io/managed-by'] == 'rcs'")
    (dict "name" "isUndecided" "expression" "!variables.hasOwner && !variables.isMade && params.data.exists(key, params.data[key] != params.data.hub) && (variables.isOpened || variables.mine != params.data.hub)")
    (dict "name" "owner" "expression" (printf "variables.hasOwner ? variables.labels['%[1]s'] : params.data.hub" $label))
    (dict "name" "letsAllIn" "expression" "'rcs.dana.io/other-hubs' in variables.labels && variables.labels['rcs.dana.io/other-hubs'] == 'allowed'")))
  "validations" (list
    (dict
      "expression" "variables.owner == variables.mine || !(variables.before in ['', variables.mine]) || variables.isUndecided || variables.letsAllIn"
      "message" "'Namespace ' + request.namespace + ' of this site belongs to the Cappstan hub ' + variables.owner + ', whose Secrets are there. Use another namespace, or another site; or an admin of the site lets Capps of other hubs in: kubectl label namespace ' + request.namespace + ' rcs.dana.io/other-hubs=allowed'")
    (dict
      "expression" "!variables.isUndecided || !(variables.before in ['', variables.mine]) || (request.operation == 'UPDATE' && variables.mine == params.data.hub) || variables.letsAllIn"
      "message" (printf "'Namespace ' + request.namespace + ' of this site bears the label of no hub that this site has, and may hold Secrets of another one. Use another namespace, or another site; or an admin of the site looks whose it is, and says so: kubectl label namespace ' + request.namespace + ' rcs.dana.io/hub-capps=allowed %s=' + variables.mine + ' --overwrite'" $label)))) }}
{{- end }}

{{/*
Restricts the site operator's token to the objects that the site operator creates. Reserved namespaces are in crds/reserved-namespaces.ts. A
Capp's work grants the operator the verb "use" on the ServiceAccounts as which the Capp's pods may run.
*/}}
{{- define "cappstan.guardOfOperator" -}}
{{- $isOperator := dict "name" "the-site-operator" "expression" (printf "request.userInfo.username == 'system:serviceaccount:%s:cappstan-site'" .installNamespace) }}
{{- $own := "(has(%[1]s.metadata.labels) && 'rcs.dana.io/managed-by' in %[1]s.metadata.labels && %[1]s.metadata.labels['rcs.dana.io/managed-by'] == 'capp') || (has(%[1]s.metadata.ownerReferences) && %[1]s.metadata.ownerReferences.exists(o, o.kind == 'Capp' && o.apiVersion.startsWith('rcs.dana.io/')))" }}
{{- $both := "has(object.metadata.labels) && 'rcs.dana.io/managed-by' in object.metadata.labels && object.metadata.labels['rcs.dana.io/managed-by'] == 'capp' && 'rcs.dana.io/parent-capp' in object.metadata.labels && has(object.metadata.ownerReferences) && object.metadata.ownerReferences.exists(o, o.kind == 'Capp' && o.apiVersion.startsWith('rcs.dana.io/') && o.name == object.metadata.labels['rcs.dana.io/parent-capp'])" }}
{{- $reserved := list "kube-*" "openshift" "openshift-*" "open-cluster-management*" "knative-*" "kourier-system" "cert-manager*" "container-app-operator*" "capp-operator-system" "nfspvc-operator-system" "crossplane-system" "istio-system" "cappstan*" }}
{{- $reserved = concat $reserved .root.Values.reservedNamespaces (list .root.Release.Namespace .installNamespace) | uniq }}
{{- $system := printf "request.namespace.matches('^(%s)$')" (join "|" $reserved | replace "*" ".*") }}
{{- $account := "object.spec.template.spec.serviceAccountName" }}
{{- $names := "has(%[1]s.spec) && has(%[1]s.spec.template) && has(%[1]s.spec.template.spec) && has(%[1]s.spec.template.spec.serviceAccountName)" }}
{{- $runsAs := printf "%s && !(%s in ['', 'default'])" (printf $names "object") $account }}
{{- /* An unchanged work of the Go operator grants nothing, so an existing Service keeps its ServiceAccount. */ -}}
{{- $ranAs := printf "oldObject != null && %s && oldObject.spec.template.spec.serviceAccountName == %s" (printf $names "oldObject") $account }}
{{- $capps := dict "apiGroups" (list "serving.knative.dev") "resources" (list "services" "domainmappings") }}
{{- $volumes := dict "apiGroups" (list "nfspvc.dana.io") "resources" (list "nfspvcs") }}
{{- $logging := dict "apiGroups" (list "logging.banzaicloud.io") "resources" (list "syslogngflows" "syslogngoutputs") }}
{{- $certificates := dict "apiGroups" (list "cert-manager.io") "resources" (list "certificates") }}
{{- $records := dict "apiGroups" (list "record.dns-v2.m.crossplane.io") "resources" (list "cnamerecords") }}
{{- $rules := list }}
{{- $revisions := dict "apiGroups" (list "rcs.dana.io") "resources" (list "capprevisions") }}
{{- $sources := dict "apiGroups" (list "sources.knative.dev") "resources" (list "pingsources" "kafkasources") }}
{{- range list $capps $volumes $certificates $records $logging $revisions $sources }}
{{- $rules = append $rules (merge (dict "operations" (list "CREATE" "UPDATE" "DELETE")) .) }}
{{- end }}
{{- include "cappstan.policy" (dict
  "name" "cappstan-site-makes-v1" "short" .short
  "rules" $rules
  "match" (list $isOperator)
  "validations" (list
    (dict
      "expression" (printf "request.operation == 'DELETE' || (%s)" $both)
      "message" "'The site operator makes only what belongs to a Capp: ' + request.kind.kind + ' ' + request.namespace + '/' + request.name + ' does not say which.'")
    (dict
      "expression" (printf "oldObject == null || %s" (printf $own "oldObject"))
      "message" "request.kind.kind + ' ' + request.namespace + '/' + request.name + ' is not of a Capp, so the site operator leaves it as it is.'")
    (dict
      "expression" (printf "request.operation != 'CREATE' || !%s" $system)
      "message" "'The site operator makes nothing in ' + request.namespace + ': no Capp can be there.'")
    (dict
      "expression" (printf "request.operation == 'DELETE' || request.resource.resource != 'services' || !(%s) || (%s) || authorizer.group('').resource('serviceaccounts').namespace(request.namespace).name(%s).check('use').allowed()" $runsAs $ranAs $account)
      "message" (printf "'No Capp in ' + request.namespace + ' runs as ServiceAccount ' + %s + '.'" $account)))) }}
{{ include "cappstan.policy" (dict
  "name" "cappstan-site-records-v1" "short" .short
  "rules" (list (dict "apiGroups" (list "events.k8s.io" "") "resources" (list "events") "operations" (list "CREATE" "UPDATE")))
  "match" (list $isOperator)
  "validations" (list (dict
    "expression" "has(object.regarding) && has(object.regarding.kind) && ((object.regarding.kind == 'Capp' && object.regarding.apiVersion.startsWith('rcs.dana.io/')) || (object.regarding.kind == 'ConfigMap' && object.metadata.namespace == 'capp-operator-system' && object.regarding.name in ['autoscale-defaults', 'dns-config']))"
    "message" "'The site operator records events on Capps, and on the ConfigMaps of capp-operator-system that a CappConfig supersedes, alone.'"))) }}
{{- $finalizers := "(has(%[1]s.metadata.finalizers) ? %[1]s.metadata.finalizers : [])" }}
{{- $same := "(has(object.metadata.%[1]s) ? object.metadata.%[1]s : {}) == (has(oldObject.metadata.%[1]s) ? oldObject.metadata.%[1]s : {})" }}
{{- $besides := printf "%s.filter(f, f != 'rcs.dana.io/dns-record')" $finalizers }}
{{ include "cappstan.policy" (dict
  "name" "cappstan-site-releases-v1" "short" .short
  "rules" (list (dict "apiGroups" (list "rcs.dana.io") "resources" (list "capps") "operations" (list "CREATE" "UPDATE" "DELETE")))
  "match" (list $isOperator)
  "validations" (list (dict
    "expression" (printf "request.operation == 'UPDATE' && object.spec == oldObject.spec && %s && %s && (%[3]s == %[4]s || %[3]s == %[4]s.filter(f, f != 'dana.io/capp-cleanup'))" (printf $same "labels") (printf $same "annotations") (printf $besides "object") (printf $besides "oldObject"))
    "message" "'The site operator changes nothing of a Capp but its status and the finalizer rcs.dana.io/dns-record, and releases the finalizer dana.io/capp-cleanup.'"))) }}
{{- /* The cluster-scoped record of a Capp names that Capp. One of container-app-operator (without a uid) may also only be made to observe. */}}
{{- $observes := "(has(%[1]s.spec) && has(%[1]s.spec.managementPolicies) && %[1]s.spec.managementPolicies == ['Observe'])" }}
{{- $named := "(has(%[1]s.metadata.labels) && 'rcs.dana.io/parent-capp' in %[1]s.metadata.labels && 'rcs.dana.io/parent-capp-ns' in %[1]s.metadata.labels)" }}
{{- $ofCapp := include "cappstan.hasLabel" (dict "object" "oldObject" "name" "rcs.dana.io/managed-by" "value" "capp") }}
{{- $ofUid := "(has(%[1]s.metadata.labels) && 'rcs.dana.io/capp-uid' in %[1]s.metadata.labels)" }}
{{- $names := printf "%s && %s && %s" (include "cappstan.hasLabel" (dict "object" "object" "name" "rcs.dana.io/managed-by" "value" "capp")) (printf $named "object") (printf $ofUid "object") }}
{{- $keeps := "(!has(oldObject.metadata.labels) || !('%[1]s' in oldObject.metadata.labels) || oldObject.metadata.labels['%[1]s'] == object.metadata.labels['%[1]s'])" }}
{{- $onlyObserves := printf "%s && has(object.spec.forProvider) == has(oldObject.spec.forProvider) && (!has(object.spec.forProvider) || object.spec.forProvider == oldObject.spec.forProvider)" (printf $observes "object") }}
{{ include "cappstan.policy" (dict
  "name" "cappstan-site-gives-way-v1" "short" .short
  "rules" (list (dict "apiGroups" (list "record.dns.crossplane.io") "resources" (list "cnamerecords") "operations" (list "CREATE" "UPDATE" "DELETE")))
  "match" (list $isOperator)
  "validations" (list
    (dict
      "expression" (printf "oldObject == null || %s || %s" $ofCapp (printf $ofUid "oldObject"))
      "message" "'CNAMERecord ' + request.name + ' is not of a Capp, so the site operator leaves it as it is.'")
    (dict
      "expression" (printf "request.operation != 'CREATE' || (%s)" $names)
      "message" "'The site operator makes only what belongs to a Capp: CNAMERecord ' + object.metadata.name + ' does not say which.'")
    (dict
      "expression" (printf "request.operation != 'CREATE' || !(%s) || !object.metadata.labels['rcs.dana.io/parent-capp-ns'].matches('^(%s)$')" (printf $named "object") (join "|" $reserved | replace "*" ".*"))
      "message" "'The site operator makes nothing for ' + object.metadata.labels['rcs.dana.io/parent-capp-ns'] + ': no Capp can be there.'")
    (dict
      "expression" (printf "request.operation != 'UPDATE' || (%s) || (%s && %s && %s)" $onlyObserves $names (printf $keeps "rcs.dana.io/parent-capp") (printf $keeps "rcs.dana.io/parent-capp-ns"))
      "message" "'The site operator changes a CNAMERecord only for the Capp that it is of, or to observe alone: ' + request.name + ' stays as it is.'")
    (dict
      "expression" (printf "request.operation != 'DELETE' || %s || %s" (printf $observes "oldObject") (printf $named "oldObject"))
      "message" "'The site operator deletes a CNAMERecord that names no Capp only when it observes alone: ' + request.name + ' stays as it is.'"))) }}
{{- if and .root.Values.addon.sealing.install (not .root.Values.site.alone) }}
{{- /*
Secrets: its own one with the site's keys, and those that a CappSecret opens into. A patch that changes nothing is how it asks whether a Secret is
Cappstan's. Neither a token of a ServiceAccount nor one of kubeadm is a Secret of a Capp.
*/}}
{{- $isKeys := printf "(request.namespace == '%s' && request.name == 'cappstan-sealing')" .installNamespace }}
{{- $isOurs := include "cappstan.hasLabel" (dict "object" "%[1]s" "name" "rcs.dana.io/managed-by" "value" "rcs") }}
{{- $isOpened := "(has(object.metadata.ownerReferences) && object.metadata.ownerReferences.exists(o, o.kind == 'CappSecret' && o.apiVersion.startsWith('rcs.dana.io/') && o.name == object.metadata.name))" }}
{{- $isToken := "(has(object.type) && object.type in ['kubernetes.io/service-account-token', 'bootstrap.kubernetes.io/token'])" }}
{{ include "cappstan.policy" (dict
  "name" "cappstan-site-opens-v1" "short" .short
  "rules" (list (dict "apiGroups" (list "") "resources" (list "secrets") "operations" (list "CREATE" "UPDATE" "DELETE")))
  "match" (list $isOperator)
  "validations" (list
    (dict
      "expression" (printf "oldObject == null || %s || (request.operation == 'UPDATE' && %s)" (printf $isOurs "oldObject") $isKeys)
      "message" "'Secret ' + request.namespace + '/' + request.name + ' does not belong to Cappstan, so the site operator leaves it as it is.'")
    (dict
      "expression" (printf "request.operation == 'DELETE' || %s || (%s && (%s || object == oldObject) && !%s)" $isKeys (printf $isOurs "object") $isOpened $isToken)
      "message" "'The site operator makes only Secrets that a CappSecret of their name has brought: ' + request.namespace + '/' + object.metadata.name + ' does not say so.'")
    (dict
      "expression" (printf "request.operation != 'CREATE' || %s || !%s" $isKeys $system)
      "message" "'The site operator makes no Secret in ' + request.namespace + ': no Capp can be there.'"))) }}
{{ include "cappstan.policy" (dict
  "name" "cappstan-site-claims-v1" "short" .short
  "rules" (list (dict "apiGroups" (list "cluster.open-cluster-management.io") "resources" (list "clusterclaims") "operations" (list "CREATE" "UPDATE" "DELETE")))
  "match" (list $isOperator)
  "validations" (list (dict
    "expression" "request.operation != 'DELETE' && object.metadata.name == 'sealing.cappstan.dana.io'"
    "message" "'The site operator claims the key to which Secrets are sealed, and nothing else.'"))) }}
{{- end }}
{{ include "cappstan.policy" (dict
  "name" "cappstan-site-counts-v1" "short" .short
  "rules" (list (dict "apiGroups" (list "") "resources" (list "resourcequotas") "operations" (list "CREATE" "UPDATE" "DELETE")))
  "match" (list $isOperator)
  "validations" (list
    (dict
      "expression" "request.name == 'cappstan-count' || (request.operation != 'DELETE' && object.metadata.name == 'cappstan-count')"
      "message" "'The site operator makes and deletes only the ResourceQuota cappstan-count.'")
    (dict
      "expression" (printf "request.operation == 'DELETE' || %s" (include "cappstan.hasLabel" (dict "object" "namespaceObject" "name" "rcs.dana.io/managed-by" "value" "rcs")))
      "message" "'Namespace ' + request.namespace + ' was not made by Cappstan, so the site operator counts nothing there.'")
    (dict
      "expression" "request.operation == 'DELETE' || object.spec.hard.all(name, name.startsWith('count/') && quantity(string(object.spec.hard[name])).compareTo(quantity('1000000000')) >= 0)"
      "message" "'The ResourceQuota cappstan-count counts objects and limits nothing.'"))) }}
{{ include "cappstan.policy" (dict
  "name" "cappstan-site-notes-v1" "short" .short
  "rules" (list (dict "apiGroups" (list "") "resources" (list "configmaps") "operations" (list "CREATE" "UPDATE" "DELETE")))
  "match" (list $isOperator)
  "validations" (list (dict
    "expression" "request.operation == 'CREATE' && object.metadata.name == 'cappstan-namespaces'"
    "message" "'The site operator makes only the ConfigMap cappstan-namespaces, once.'"))) }}
{{ include "cappstan.policy" (dict
  "name" "cappstan-site-removes-v1" "short" .short
  "rules" (list (dict "apiGroups" (list "") "resources" (list "namespaces") "operations" (list "DELETE")))
  "match" (list $isOperator)
  "validations" (list (dict
    "expression" (include "cappstan.hasLabel" (dict "object" "oldObject" "name" "rcs.dana.io/managed-by" "value" "rcs"))
    "message" "'Namespace ' + request.name + ' was not made by Cappstan, so the site operator does not remove it.'"))) }}
{{/* Ignore: while the kind Capp is not served, namespaces of others can still be deleted. */}}
{{- include "cappstan.policy" (dict
  "name" "cappstan-site-keeps-v1" "short" .short
  "failurePolicy" "Ignore"
  "paramKind" (dict "apiVersion" "rcs.dana.io/v1alpha1" "kind" "Capp")
  "paramRef" (dict "selector" dict "parameterNotFoundAction" "Allow")
  "rules" (list (dict "apiGroups" (list "") "resources" (list "namespaces") "operations" (list "DELETE")))
  "match" (list $isOperator)
  "validations" (list (dict
    "expression" "false"
    "message" "'Namespace ' + request.name + ' holds Capp ' + params.metadata.name + ', so the site operator does not remove it.'"))) }}
{{- end }}
