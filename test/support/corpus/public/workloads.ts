// Deployments and Services, as tutorials and quick starts show them.
import type { PublicFiles } from './file.ts';

export const WORKLOADS: PublicFiles = {
  'a guestbook: a file that begins with dashes and a comment': {
    text: String.raw`
---
# SOURCE: https://example.com/docs/tutorials/guestbook
apiVersion: apps/v1
kind: Deployment
metadata:
  name: redis-leader
  namespace: @ns@
  labels: {app: redis, role: leader, tier: backend}
spec:
  replicas: 1
  selector:
    matchLabels:
      app: redis
  template:
    metadata:
      labels: {app: redis, role: leader, tier: backend}
    spec:
      containers:
      - name: leader
        image: "docker.io/redis:6.0.5"
        resources:
          requests:
            cpu: 100m
            memory: 100Mi
        ports:
        - containerPort: 6379
---

# A document of comments alone
---
apiVersion: v1
kind: Service
metadata: {name: frontend, namespace: @ns@}
spec:
  # if your cluster supports it, uncomment the following to automatically create
  # an external load-balanced IP for the frontend service.
  # type: LoadBalancer
  #type: LoadBalancer
  ports:
    # the port that this service should serve on
  - port: 80
  selector:
    app: guestbook
    tier: frontend
...
`,
  },
  'wordpress: a headless Service, a claim, and a Deployment that is made anew': {
    text: `apiVersion: v1
kind: Service
metadata:
  name: wordpress-mysql
  namespace: @ns@
spec:
  ports:
    - port: 3306
  selector:
    app: wordpress
    tier: mysql
  clusterIP: None
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: mysql-pv-claim
  namespace: @ns@
spec:
  accessModes:
    - ReadWriteOnce
  resources:
    requests:
      storage: 20Gi
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: wordpress-mysql
  namespace: @ns@
spec:
  selector:
    matchLabels:
      app: wordpress
      tier: mysql
  strategy:
    type: Recreate
  template:
    metadata:
      labels:
        app: wordpress
        tier: mysql
    spec:
      containers:
      - image: mysql:8.0
        name: mysql
        env:
        - name: MYSQL_ROOT_PASSWORD
          valueFrom:
            secretKeyRef:
              name: mysql-pass
              key: password
        ports:
        - containerPort: 3306
          name: mysql
        volumeMounts:
        - name: mysql-persistent-storage
          mountPath: /var/lib/mysql
      volumes:
      - name: mysql-persistent-storage
        persistentVolumeClaim:
          claimName: mysql-pv-claim
`,
  },
  'an application as a page of documentation has it, without a namespace': {
    text: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: nginx-deployment
spec:
  selector: {matchLabels: {app: nginx}}
  template:
    metadata: {labels: {app: nginx}}
    spec: {containers: [{name: nginx, image: "nginx:1.14.2"}]}
`,
    refused: 'is Deployment nginx-deployment without metadata.namespace: name the namespace on the site',
    isTakenByKubectl: true,
  },
  'a rolling update in percent and in numbers, probes by the name of a port': {
    text: `apiVersion: apps/v1
kind: Deployment
metadata: {name: goproxy, namespace: @ns@}
spec:
  replicas: 3
  minReadySeconds: 5
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 25%, maxUnavailable: 0}}
  selector: {matchLabels: {app: goproxy}}
  template:
    metadata:
      labels: {app: goproxy}
      annotations: {prometheus.io/scrape: "true", prometheus.io/port: "8080"}
    spec:
      containers:
      - name: goproxy
        image: registry.k8s.io/goproxy:0.1
        ports: [{name: liveness-port, containerPort: 8080, hostPort: 8080}]
        startupProbe: {httpGet: {path: /healthz, port: liveness-port}, failureThreshold: 30}
        readinessProbe: {tcpSocket: {port: 8080}, initialDelaySeconds: 15}
        livenessProbe:
          httpGet:
            path: /healthz
            port: liveness-port
            httpHeaders: [{name: Custom-Header, value: Awesome}]
        lifecycle: {preStop: {exec: {command: ["/bin/sh","-c","nginx -s quit; while killall -0 nginx; do sleep 1; done"]}}}
`,
  },
  'quantities in every spelling': {
    text: `apiVersion: apps/v1
kind: Deployment
metadata: {name: sizes, namespace: @ns@}
spec:
  selector: {matchLabels: {app: sizes}}
  template:
    metadata: {labels: {app: sizes}}
    spec:
      containers:
      - {name: a, image: a, resources: {requests: {cpu: 0.5, memory: 1e3}, limits: {cpu: 1, memory: 128974848}}}
      - {name: b, image: b, resources: {requests: {cpu: "0.10", memory: 129e6}, limits: {cpu: 2000m, memory: 124Mi}}}
      - {name: c, image: c, resources: {requests: {memory: 100m, ephemeral-storage: 1.5Gi}, limits: {memory: 1E}}}
      - {name: d, image: d, resources: {limits: {cpu: .5, nvidia.com/gpu: 1, hugepages-2Mi: 4Mi, memory: 1024}}}
`,
  },
  'one port twice, by TCP and by UDP': {
    text: `apiVersion: v1
kind: Service
metadata: {name: dns, namespace: @ns@, annotations: {prometheus.io/port: "9153"}}
spec:
  selector: {k8s-app: kube-dns}
  ports:
  - {name: dns, port: 53, protocol: UDP}
  - {name: dns-tcp, port: 53, protocol: TCP}
  - {name: metrics, port: 9153, targetPort: http-metrics}
  sessionAffinity: ClientIP
  sessionAffinityConfig: {clientIP: {timeoutSeconds: 3600}}
---
apiVersion: v1
kind: Pod
metadata: {name: dns, namespace: @ns@}
spec:
  containers:
  - {name: dns, image: dns, ports: [{containerPort: 53, protocol: UDP}, {containerPort: 53, protocol: TCP}, {containerPort: 9153}]}
`,
  },
  'Services of other types': {
    text: `apiVersion: v1
kind: Service
metadata: {name: outside, namespace: @ns@}
spec: {type: ExternalName, externalName: my.database.example.com}
---
apiVersion: v1
kind: Service
metadata: {name: without-selector, namespace: @ns@}
spec: {ports: [{protocol: TCP, port: 80, targetPort: 9376, appProtocol: http}]}
---
apiVersion: v1
kind: Endpoints
metadata: {name: without-selector, namespace: @ns@}
subsets: [{addresses: [{ip: 192.0.2.42}], ports: [{port: 9376}]}]
---
apiVersion: v1
kind: Service
metadata:
  name: balanced
  namespace: @ns@
  annotations: {service.beta.kubernetes.io/aws-load-balancer-type: nlb}
spec:
  type: LoadBalancer
  loadBalancerSourceRanges: [130.211.204.1/32]
  externalTrafficPolicy: Local
  allocateLoadBalancerNodePorts: false
  ipFamilyPolicy: PreferDualStack
  selector: {app: balanced}
  ports: [{port: 443, targetPort: https}]
`,
  },
};
