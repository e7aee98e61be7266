// ConfigMaps and Secrets, and what is odd about a file as a whole.
import type { PublicFiles } from './file.ts';

export const DATA: PublicFiles = {
  'Secrets: text, base64 with line breaks, a registry, a certificate': {
    text: `apiVersion: v1
kind: Secret
metadata: {name: basic, namespace: @ns@}
type: kubernetes.io/basic-auth
stringData:
  username: admin # required field for kubernetes.io/basic-auth
  password: "t0p-Secret"
---
apiVersion: v1
kind: Secret
metadata: {name: registry, namespace: @ns@}
type: kubernetes.io/dockerconfigjson
data:
  .dockerconfigjson: |
    eyJhdXRocyI6eyJodHRwczovL2V4YW1wbGUvdjEvIjp7ImF1dGgiOiJvcGVu
    c2VzYW1lIn19fQ==
---
apiVersion: v1
kind: Secret
metadata: {name: both, namespace: @ns@}
data: {a: YQ==, b: Yg==}
stringData: {b: from-text, c: ""}
immutable: false
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings.v1.0, namespace: @ns@}
immutable: true
data: {player_initial_lives: "3", game.properties: "enemy.types=aliens,monsters\\nplayer.maximum-lives=5\\n"}
binaryData: {logo: iVBORw0KGgo=}
`,
  },
  'a ConfigMap with a number that has no quotes': {
    text: `apiVersion: v1
kind: ConfigMap
metadata: {name: numbers, namespace: @ns@}
data: {replicas: 3}
`,
    refused: 'with a value in data, key replicas, that is no text: put it in quotes',
  },
  'a Secret whose data are no base64': {
    text: `apiVersion: v1
kind: Secret
metadata: {name: plain, namespace: @ns@}
data: {password: hunter2!}
`,
    refused: 'key password, that is not in base64: encode it, or write it in stringData',
  },
  'keys without a value': {
    text: `apiVersion: v1
kind: ConfigMap
metadata: {name: empty, namespace: @ns@}
data:
  WITHOUT:
  EMPTY: ""
  TILDE: ~
---
apiVersion: v1
kind: Secret
metadata: {name: empty, namespace: @ns@}
data: {without: , empty: ""}
stringData: {without-text: null, empty-text: ""}
---
apiVersion: v1
kind: Pod
metadata: {name: empty, namespace: @ns@, labels: , annotations: null}
spec:
  nodeSelector: {without: }
  containers: [{name: a, image: a, env: [{name: A, value: }, {name: B, value: null, valueFrom: null}], resources: {limits: {cpu: }}}]
`,
  },
  'base64 that is folded into one line, with a blank where the lines meet': {
    text: `apiVersion: v1
kind: Secret
metadata: {name: folded, namespace: @ns@}
data:
  key: >-
    c2VjcmV0
    c2VjcmV0
`,
    refused: 'key key, that is not in base64: encode it',
  },
  'a label without a value': {
    text: `apiVersion: v1
kind: ConfigMap
metadata: {name: labelled, namespace: @ns@, labels: {app: }}
`,
    refused: 'with a value in metadata.labels, key app, that is no text: leave it out, or write ""',
    isTakenByKubectl: true,
  },
  'a label that is a number, and one that is true': {
    text: `apiVersion: v1
kind: ConfigMap
metadata: {name: labelled, namespace: @ns@, labels: {version: 1.10, live: true}}
`,
    refused: 'with a value in metadata.labels, key version, that is no text: put it in quotes',
  },
  'a name that is made up by the server': {
    text: `apiVersion: batch/v1
kind: Job
metadata: {generateName: db-migrate-, namespace: @ns@}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}}
`,
    refused: 'metadata.generateName, of which each apply would make another: give it metadata.name',
  },
  'anchors beside the object, as files for Compose have them': {
    text: `x-env: &env
  - {name: A, value: "1"}
apiVersion: v1
kind: Pod
metadata: {name: anchored, namespace: @ns@}
spec: {containers: [{name: a, image: a, env: *env}]}
`,
    refused: 'x-env: field not declared in schema',
  },
  'anchors and merge keys within an object': {
    text: `apiVersion: v1
kind: Pod
metadata:
  name: merged
  namespace: @ns@
  labels: &labels {app: merged, tier: web}
  annotations: {<<: *labels, tier: "other", empty: ""}
spec:
  containers:
  - &base {name: one, image: "example/app:1", env: [{name: A, value: "1"}]}
  - {<<: *base, name: two}
`,
  },
  'tabs that indent': {
    text: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n\tname: tabs\n\tnamespace: @ns@\n',
    refused: 'line 4: ',
  },
  'tabs behind values, carriage returns, and a mark before each document': {
    text: '\uFEFFapiVersion: v1\r\nkind: ConfigMap\t\r\nmetadata: {name: windows, namespace: @ns@}\r\ndata:\r\n  a: |\r\n    one\r\n    two\r\n---\r\n\uFEFFapiVersion: v1\r\nkind: ServiceAccount\r\nmetadata:\r\n  name: windows\r\n  namespace: @ns@\r\n',
  },
  'very long lines, and what is beyond ASCII': {
    text: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: long, namespace: @ns@, annotations: {grüße: "x"}}\n`,
    refused: 'metadata.annotations: Invalid',
  },
  'a very long line, and texts beyond ASCII': {
    text: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: long, namespace: @ns@, annotations: {said: "Grüße 👋 \\u00e9 \\x41"}}\ndata: {long: "${'x'.repeat(100_000)}", words: ${'many words '.repeat(2_000)}end}\n`,
  },
  'numbers in the spellings of YAML 1.1': {
    text: `apiVersion: apps/v1
kind: Deployment
metadata: {name: spelled, namespace: @ns@}
spec:
  replicas: 0x2
  minReadySeconds: 1_0
  progressDeadlineSeconds: 6e2
  revisionHistoryLimit: 010
  selector: {matchLabels: {app: spelled}}
  template:
    metadata: {labels: {app: spelled}, annotations: {at: 12:30:45, day: 2001-12-14}}
    spec:
      terminationGracePeriodSeconds: +30
      containers:
      - {name: a, image: a, ports: [{containerPort: 8080.0}], securityContext: {runAsUser: 0b1010, privileged: no}}
`,
  },
  'a key twice': {
    text: `apiVersion: v1
kind: ConfigMap
metadata: {name: doubled, namespace: @ns@}
data:
  a: "1"
data:
  b: "2"
`,
    refused: 'line 6: a key stands twice in its map',
    isTakenByKubectl: true,
  },
  'an object in JSON': {
    text: `{
  "kind": "ConfigMap", "apiVersion": "v1",
  "metadata": {"name": "json", "namespace": "@ns@"},
  "data": {"a": "\\u0041\\/b", "b": ""}
}
{"kind": "ServiceAccount", "apiVersion": "v1", "metadata": {"name": "json", "namespace": "@ns@"}}
`,
  },
  'what is left of a template': {
    text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-config
  namespace: @ns@
`,
    refused:
      'line 4: the line has {{: put the value in quotes, or, if a chart renders the file, ship what that renders',
  },
  'a Kustomization, which is no object': {
    text: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [deployment.yaml]
`,
    refused: 'is a Kustomization, which kubectl kustomize reads: ship what that prints',
  },
  'the values of a chart': {
    text: 'replicaCount: 1\nimage:\n  repository: nginx\n',
    refused: 'has no apiVersion or no kind',
  },
};
