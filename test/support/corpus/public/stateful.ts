// What keeps data or runs on each node, and Pods by themselves.
import type { PublicFiles } from './file.ts';

export const STATEFUL: PublicFiles = {
  'cassandra: claims of its own, and a StorageClass in the same file': {
    text: `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: cassandra
  namespace: @ns@
  labels: {app: cassandra}
spec:
  serviceName: cassandra
  replicas: 3
  selector: {matchLabels: {app: cassandra}}
  template:
    metadata: {labels: {app: cassandra}}
    spec:
      terminationGracePeriodSeconds: 500
      containers:
      - name: cassandra
        image: gcr.io/google-samples/cassandra:v13
        imagePullPolicy: Always
        ports: [{containerPort: 7000, name: intra-node}, {containerPort: 9042, name: cql}]
        resources: {limits: {cpu: "500m", memory: 1Gi}, requests: {cpu: "500m", memory: 1Gi}}
        securityContext: {capabilities: {add: [IPC_LOCK]}}
        env:
          - {name: MAX_HEAP_SIZE, value: 512M}
          - name: POD_IP
            valueFrom: {fieldRef: {fieldPath: status.podIP}}
        volumeMounts: [{name: cassandra-data, mountPath: /cassandra_data}]
  # These are converted to volume claims by the controller
  volumeClaimTemplates:
  - metadata: {name: cassandra-data}
    spec:
      accessModes: [ "ReadWriteOnce" ]
      storageClassName: fast
      resources: {requests: {storage: 1Gi}}
---
kind: StorageClass
apiVersion: storage.k8s.io/v1
metadata: {name: fast-@ns@}
provisioner: example.com/minikube-hostpath
parameters: {type: pd-ssd}
allowVolumeExpansion: true
mountOptions: [discard]
`,
  },
  'zookeeper: a budget, anti-affinity, and a command with a backslash at line ends': {
    text: String.raw`apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: zk-pdb, namespace: @ns@}
spec:
  selector: {matchLabels: {app: zk}}
  maxUnavailable: 1
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: zk, namespace: @ns@}
spec:
  selector: {matchLabels: {app: zk}}
  serviceName: zk-hs
  replicas: 3
  updateStrategy: {type: RollingUpdate}
  podManagementPolicy: OrderedReady
  template:
    metadata: {labels: {app: zk}}
    spec:
      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            - labelSelector:
                matchExpressions: [{key: app, operator: In, values: [zk]}]
              topologyKey: "kubernetes.io/hostname"
      containers:
      - name: kubernetes-zookeeper
        image: "registry.k8s.io/kubernetes-zookeeper:1.0-3.4.10"
        command:
        - sh
        - -c
        - "start-zookeeper \
          --servers=3 \
          --data_dir=/var/lib/zookeeper/data \
          --log_level=INFO"
        readinessProbe: {exec: {command: [sh, -c, "zookeeper-ready 2181"]}, initialDelaySeconds: 10}
      securityContext: {runAsUser: 1000, fsGroup: 1000}
`,
  },
  'mysql: scripts in block scalars with dollars, quotes and a here-document': {
    text: String.raw`apiVersion: v1
kind: ConfigMap
metadata: {name: mysql, namespace: @ns@}
data:
  primary.cnf: |
    # Apply this config only on the primary.
    [mysqld]
    log-bin
  init.sh: |-
    set -ex
    [[ $HOSTNAME =~ -([0-9]+)$ ]] || exit 1
    ordinal=$((100 + 1))
    echo [mysqld] > /mnt/conf.d/server-id.cnf
    mysql -h 127.0.0.1 \
          -e "$(<change_master_to.sql.in), \
              MASTER_HOST='mysql-0.mysql';" || exit 1
    cat <<EOF
    ---
    not: a document
    EOF
  folded: >+
    one
    line

    and another

  empty: ""
`,
  },
  'fluentd: tolerations without an effect, and paths of the host': {
    text: `apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: fluentd-elasticsearch
  namespace: @ns@
  labels: {k8s-app: fluentd-logging}
spec:
  selector: {matchLabels: {name: fluentd-elasticsearch}}
  template:
    metadata: {labels: {name: fluentd-elasticsearch}}
    spec:
      tolerations:
      - key: node-role.kubernetes.io/control-plane
        operator: Exists
        effect: NoSchedule
      - operator: Exists
      containers:
      - name: fluentd-elasticsearch
        image: quay.io/fluentd_elasticsearch/fluentd:v5.0.1
        volumeMounts: [{name: varlog, mountPath: /var/log}]
      terminationGracePeriodSeconds: 30
      volumes:
      - name: varlog
        hostPath:
          path: /var/log
`,
  },
  'flannel: a privileged Namespace, a network in JSON, and a node by its operating system': {
    text: `---
kind: Namespace
apiVersion: v1
metadata:
  name: flannel-@ns@
  labels: {k8s-app: flannel, pod-security.kubernetes.io/enforce: privileged}
---
kind: ConfigMap
apiVersion: v1
metadata: {name: kube-flannel-cfg, namespace: flannel-@ns@, labels: {tier: node}}
data:
  net-conf.json: |
    {
      "Network": "10.244.0.0/16",
      "EnableNFTables": false,
      "Backend": {
        "Type": "vxlan"
      }
    }
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: kube-flannel-ds, namespace: flannel-@ns@}
spec:
  selector: {matchLabels: {app: flannel}}
  template:
    metadata: {labels: {tier: node, app: flannel}}
    spec:
      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms:
            - matchExpressions:
              - {key: kubernetes.io/os, operator: In, values: [linux]}
      hostNetwork: true
      priorityClassName: system-node-critical
      initContainers:
      - {name: install-cni, image: flannel, command: [cp], args: [-f, /etc/kube-flannel/cni-conf.json, /etc/cni/net.d/10-flannel.conflist]}
      containers:
      - name: kube-flannel
        image: flannel
        args: ["--ip-masq", "--kube-subnet-mgr"]
        securityContext: {privileged: false, capabilities: {add: ["NET_ADMIN", "NET_RAW"]}}
        env: [{name: EVENT_QUEUE_DEPTH, value: "5000"}]
      volumes:
      - {name: xtables-lock, hostPath: {path: /run/xtables.lock, type: FileOrCreate}}
`,
  },
  'a Pod with a sidecar, projected volumes and modes in octal': {
    text: `apiVersion: v1
kind: Pod
metadata: {name: pod, namespace: @ns@}
spec:
  restartPolicy: OnFailure
  automountServiceAccountToken: false
  dnsPolicy: "None"
  dnsConfig: {nameservers: [192.0.2.1], options: [{name: ndots, value: "2"}]}
  hostAliases: [{ip: "127.0.0.1", hostnames: [foo.local]}]
  initContainers:
  - {name: logshipper, image: alpine:latest, restartPolicy: Always, command: [sh, -c, "tail -F /opt/logs.txt"]}
  containers:
  - name: app
    image: alpine:latest
    stdin: on
    tty: true
    volumeMounts: [{name: all-in-one, mountPath: /projected, readOnly: true}]
  volumes:
  - name: all-in-one
    projected:
      defaultMode: 0400
      sources:
      - secret: {name: mysecret, items: [{key: username, path: my-group/my-username, mode: 511}]}
      - downwardAPI: {items: [{path: labels, fieldRef: {fieldPath: metadata.labels}}]}
      - serviceAccountToken: {path: token, expirationSeconds: 7200}
  - {name: scratch, emptyDir: {medium: Memory, sizeLimit: 0.5Gi}}
  - {name: dev, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}}
`,
  },
  'a volume of one node and the claim that is bound to it by name': {
    text: `apiVersion: v1
kind: PersistentVolume
metadata: {name: local-pv-@ns@}
spec:
  capacity: {storage: 100Gi}
  volumeMode: Filesystem
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Delete
  storageClassName: local-storage
  local: {path: /mnt/disks/ssd1}
  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [example-node]}]}]}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: foo-pvc, namespace: @ns@}
spec:
  storageClassName: "" # Empty string must be explicitly set otherwise default StorageClass will be set
  volumeName: foo-pv
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 1e9}}
`,
  },
};
