// What `kubectl create --dry-run` and `kubectl get -o yaml` print.
import type { PublicFiles } from './file.ts';

export const PRINTED: PublicFiles = {
  'kubectl create: fields that are null or empty': {
    text: `apiVersion: apps/v1
kind: Deployment
metadata:
  creationTimestamp: null
  labels:
    app: created
  name: created
  namespace: @ns@
spec:
  replicas: 1
  selector:
    matchLabels:
      app: created
  strategy: {}
  template:
    metadata:
      creationTimestamp: null
      labels:
        app: created
    spec:
      containers:
      - image: nginx
        name: nginx
        resources: {}
status: {}
---
apiVersion: v1
kind: Service
metadata:
  creationTimestamp: null
  name: created
  namespace: @ns@
spec:
  ports: [{name: 80-80, port: 80, protocol: TCP, targetPort: 80}]
  selector: {app: created}
  type: ClusterIP
status:
  loadBalancer: {}
`,
  },
  'a List, as kubectl get prints several objects': {
    text: `apiVersion: v1
items:
- apiVersion: v1
  data: {key: value}
  kind: ConfigMap
  metadata:
    creationTimestamp: "2024-01-01T00:00:00Z"
    name: listed
    namespace: @ns@
    resourceVersion: "12345"
    uid: 3b1c7d6e-5a4f-4b2c-9d8e-7f6a5b4c3d2e
- {apiVersion: v1, kind: ServiceAccount, metadata: {name: listed, namespace: @ns@}}
kind: List
metadata:
  resourceVersion: ""
  selfLink: ""
`,
  },
  'a Deployment, as kubectl get prints it': {
    text: `apiVersion: apps/v1
kind: Deployment
metadata:
  annotations:
    deployment.kubernetes.io/revision: "3"
    kubectl.kubernetes.io/last-applied-configuration: |
      {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"annotations":{},"name":"exported"},"spec":{}}
  creationTimestamp: "2024-01-01T00:00:00Z"
  generation: 3
  name: exported
  namespace: @ns@
  managedFields:
  - {apiVersion: apps/v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:replicas": {}}}, manager: kubectl, operation: Update, time: "2024-01-01T00:00:00Z"}
  ownerReferences:
  - {apiVersion: example.com/v1, kind: App, name: app, uid: 11111111-2222-3333-4444-555555555555}
  resourceVersion: "987654"
  selfLink: /apis/apps/v1/namespaces/x/deployments/exported
  uid: 0e7a1b2c-3d4e-5f60-7182-93a4b5c6d7e8
spec:
  progressDeadlineSeconds: 600
  replicas: 2
  revisionHistoryLimit: 10
  selector: {matchLabels: {app: exported}}
  strategy: {rollingUpdate: {maxSurge: 25%, maxUnavailable: 25%}, type: RollingUpdate}
  template:
    metadata: {creationTimestamp: null, labels: {app: exported}}
    spec:
      containers:
      - {image: nginx, imagePullPolicy: Always, name: nginx, resources: {}, terminationMessagePath: /dev/termination-log, terminationMessagePolicy: File}
      dnsPolicy: ClusterFirst
      restartPolicy: Always
      schedulerName: default-scheduler
      securityContext: {}
      terminationGracePeriodSeconds: 30
status:
  availableReplicas: 2
  conditions:
  - {lastTransitionTime: "2024-01-01T00:00:00Z", message: ok, reason: MinimumReplicasAvailable, status: "True", type: Available}
`,
    leftOut: ['deployment.kubernetes.io/revision'],
  },
  'a Service, as kubectl get prints it, with an address of its cluster': {
    text: `apiVersion: v1
kind: Service
metadata:
  creationTimestamp: "2024-01-01T00:00:00Z"
  name: exported
  namespace: @ns@
  resourceVersion: "77"
  uid: 0e7a1b2c-3d4e-5f60-7182-93a4b5c6d7e9
spec:
  clusterIP: 10.96.213.7
  clusterIPs: [10.96.213.7]
  internalTrafficPolicy: Cluster
  ipFamilies: [IPv4]
  ipFamilyPolicy: SingleStack
  ports: [{nodePort: 30123, port: 80, protocol: TCP, targetPort: 8080}]
  selector: {app: exported}
  sessionAffinity: None
  type: NodePort
status: {loadBalancer: {}}
`,
    refused: 'Leave spec.clusterIP and spec.clusterIPs out: each site gives a Service its own.',
  },
  'a Job, as kubectl get prints it, with the labels of its controller': {
    text: `apiVersion: batch/v1
kind: Job
metadata:
  labels: {batch.kubernetes.io/controller-uid: 3b1c7d6e-5a4f-4b2c-9d8e-7f6a5b4c3d2e, controller-uid: 3b1c7d6e-5a4f-4b2c-9d8e-7f6a5b4c3d2e, job-name: exported}
  name: exported
  namespace: @ns@
spec:
  backoffLimit: 6
  selector: {matchLabels: {batch.kubernetes.io/controller-uid: 3b1c7d6e-5a4f-4b2c-9d8e-7f6a5b4c3d2e}}
  template:
    metadata:
      labels: {batch.kubernetes.io/controller-uid: 3b1c7d6e-5a4f-4b2c-9d8e-7f6a5b4c3d2e, controller-uid: 3b1c7d6e-5a4f-4b2c-9d8e-7f6a5b4c3d2e, job-name: exported}
    spec: {containers: [{image: a, name: a}], restartPolicy: Never}
status: {succeeded: 1}
`,
    refused: 'Leave out spec.selector and the labels with controller-uid',
  },
  'a claim, as kubectl get prints it': {
    text: `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  annotations:
    pv.kubernetes.io/bind-completed: "yes"
    pv.kubernetes.io/bound-by-controller: "yes"
    volume.beta.kubernetes.io/storage-provisioner: example.com/hostpath
  finalizers: [kubernetes.io/pvc-protection]
  name: exported
  namespace: @ns@
spec:
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 1Gi}}
  storageClassName: standard
  volumeMode: Filesystem
  volumeName: pvc-3b1c7d6e-5a4f-4b2c-9d8e-7f6a5b4c3d2e
status: {phase: Bound}
`,
    leftOut: [
      'pv.kubernetes.io/bind-completed',
      'pv.kubernetes.io/bound-by-controller',
      'volume.beta.kubernetes.io/storage-provisioner',
    ],
  },
};
