// What Helm and kustomize put out.
import type { PublicFiles } from './file.ts';

export const RENDERED: PublicFiles = {
  'a chart: values that are null, in maps and in lists': {
    text: `---
# Source: demo/templates/serviceaccount.yaml
apiVersion: v1
kind: ServiceAccount
metadata:
  name: demo
  namespace: @ns@
  labels:
    helm.sh/chart: demo-0.1.0
    app.kubernetes.io/version: "1.16"
  annotations:
automountServiceAccountToken: true
---
# Source: demo/templates/deployment.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: demo
  namespace: "@ns@"
  annotations: {}
spec:
  replicas:
  revisionHistoryLimit: null
  selector:
    matchLabels:
      app.kubernetes.io/name: demo
  template:
    metadata:
      annotations:
        checksum/config: 6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b
      labels:
        app.kubernetes.io/name: demo
    spec:
      imagePullSecrets:
      serviceAccountName: demo
      securityContext:
        {}
      containers:
        - name: demo
          securityContext:
            null
          image: "nginx:1.16.0"
          imagePullPolicy:
          ports:
            - name: http
              containerPort: 80
              protocol: TCP
          env:
          livenessProbe:
          resources:
            limits: {cpu: null, memory: 128Mi}
            requests: {cpu: 100m, memory: null}
      nodeSelector:
      affinity: null
      tolerations: ~
---
# Source: demo/templates/hpa.yaml
---
# Source: demo/templates/tests/test-connection.yaml
apiVersion: v1
kind: Pod
metadata:
  name: "demo-test-connection"
  namespace: @ns@
  annotations:
    "helm.sh/hook": test
spec:
  containers:
    - name: wget
      image: busybox
      command: ['wget']
      args: ['demo:80']
  restartPolicy: Never
`,
  },
  'kustomize: names with a hash, quotes around what is none, sorted keys': {
    text: `apiVersion: v1
data:
  altGreeting: Good Morning!
  enableRisky: "false"
  "on": "y"
  octal: "0644"
  version: "1.10"
kind: ConfigMap
metadata:
  annotations:
    note: Hello, I am staging!
  name: staging-the-map-5276h4th55
  namespace: @ns@
---
apiVersion: v1
data:
  password: c2VjcmV0LXBhc3N3b3Jk
  tls.crt: |
    LS0tLS1CRUdJTiBDRVJU
    SUZJQ0FURS0tLS0t
kind: Secret
metadata:
  name: staging-pass-h6kf8b5m6k
  namespace: @ns@
type: Opaque
`,
  },
};
