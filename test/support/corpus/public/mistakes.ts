// What people write by mistake, and what a site or a hub says of it.
import type { PublicFiles } from './file.ts';

export const MISTAKES: PublicFiles = {
  'a variable that is named twice': {
    text: `apiVersion: apps/v1
kind: Deployment
metadata: {name: twice, namespace: @ns@}
spec:
  selector: {matchLabels: {app: twice}}
  template:
    metadata: {labels: {app: twice}}
    spec:
      containers:
      - name: app
        image: app
        env:
        - {name: LOG_LEVEL, value: info}
        - {name: REGION, value: eu}
        - {name: LOG_LEVEL, value: debug}
`,
    refused:
      'spec.template.spec.containers[name].env: duplicate entries for key [name]. Leave one of these entries out.',
    isTakenByKubectl: true,
  },
  'a variable without a name': {
    text: `apiVersion: v1
kind: Pod
metadata: {name: nameless, namespace: @ns@}
spec: {containers: [{name: app, image: app, env: [{value: "1"}]}]}
`,
    refused: 'spec.containers[0].env[0].name: Required value. Write each field that is required.',
  },
  'a port that is named twice': {
    text: `apiVersion: v1
kind: Pod
metadata: {name: ports, namespace: @ns@}
spec: {containers: [{name: app, image: app, ports: [{containerPort: 80}, {containerPort: 80, name: http}]}]}
`,
    refused: 'duplicate entries for key [containerPort,protocol]. Leave one of these entries out.',
    isTakenByKubectl: true,
  },
  'a list of containers that is empty': {
    text: `apiVersion: v1
kind: Pod
metadata: {name: hollow, namespace: @ns@}
spec: {containers: }
`,
    refused: 'spec.containers: Required',
  },
  'a Namespace that is missing': {
    text: `apiVersion: v1
kind: ConfigMap
metadata: {name: lost, namespace: nowhere-@ns@}
`,
    refused: 'not found. Ship that Namespace, too, or have it made on the site.',
  },
  'a number for a variable, without quotes': {
    text: `apiVersion: apps/v1
kind: Deployment
metadata: {name: number, namespace: @ns@}
spec:
  selector: {matchLabels: {app: number}}
  template:
    metadata: {labels: {app: number}}
    spec:
      containers:
      - name: app
        image: app
        env: [{name: PORT, value: 8080}]
`,
    refused: 'Put the value in quotes.',
  },
  'a yes for a variable, without quotes': {
    text: `apiVersion: v1
kind: Pod
metadata: {name: truth, namespace: @ns@}
spec:
  containers:
  - name: app
    image: app
    env: [{name: DEBUG, value: yes}]
`,
    refused: 'Put the value in quotes.',
  },
  'a field that is misspelt': {
    text: `apiVersion: apps/v1
kind: Deployment
metadata: {name: misspelt, namespace: @ns@}
spec:
  replicas: 2
  selector: {matchLabels: {app: misspelt}}
  template:
    metadata: {labels: {app: misspelt}}
    spec:
      containers: [{name: app, image: app, imagePullpolicy: Always}]
`,
    refused: 'imagePullpolicy: field not declared in schema',
  },
  'a field at the wrong place': {
    text: `apiVersion: apps/v1
kind: Deployment
metadata: {name: displaced, namespace: @ns@}
replicas: 2
spec:
  selector: {matchLabels: {app: displaced}}
  template:
    metadata: {labels: {app: displaced}}
    spec: {containers: [{name: app, image: app}]}
`,
    refused: 'replicas: field not declared in schema',
  },
  'a number in quotes where a number is asked for': {
    text: `apiVersion: apps/v1
kind: Deployment
metadata: {name: quoted, namespace: @ns@}
spec:
  replicas: "2"
  selector: {matchLabels: {app: quoted}}
  template:
    metadata: {labels: {app: quoted}}
    spec: {containers: [{name: app, image: app}]}
`,
    refused: 'spec.replicas: expected numeric. Write the value without quotes.',
  },
  'a map where a list is asked for': {
    text: `apiVersion: v1
kind: Service
metadata: {name: mapped, namespace: @ns@}
spec:
  selector: {app: mapped}
  ports:
    port: 80
`,
    refused: 'spec.ports: expected list. Write a list there: begin each entry with a dash.',
  },
  'a list where a map is asked for': {
    text: `apiVersion: v1
kind: Service
metadata: {name: listed, namespace: @ns@}
spec:
  selector: [app: listed]
  ports: [{port: 80}]
`,
    refused: 'spec.selector: expected map. Write a map there',
  },
  'a port in quotes, which is a name then': {
    text: `apiVersion: v1
kind: Service
metadata: {name: named, namespace: @ns@}
spec: {selector: {app: named}, ports: [{port: 80, targetPort: "8080"}]}
`,
    refused: 'spec.ports[0].targetPort: Invalid',
  },
  'more requested than the limit': {
    text: `apiVersion: v1
kind: Pod
metadata: {name: greedy, namespace: @ns@}
spec: {containers: [{name: a, image: a, resources: {requests: {memory: 1G}, limits: {memory: 1Mi}}}]}
`,
    refused: 'spec.containers[0].resources.requests: Invalid',
  },
  'a name in capital letters': {
    text: `apiVersion: v1
kind: Service
metadata: {name: My_Service, namespace: @ns@}
spec: {selector: {app: a}, ports: [{port: 80}]}
`,
    refused: 'metadata.name: Invalid',
  },
  'a Service whose name begins with a digit': {
    text: `apiVersion: v1
kind: Service
metadata: {name: 1web, namespace: @ns@}
spec: {selector: {app: a}, ports: [{port: 80}]}
`,
    refused: 'Begin it with a lower-case letter, and write lower-case letters of ASCII, digits and - alone.',
  },
  'a label with a version that has a plus': {
    text: `apiVersion: v1
kind: ConfigMap
metadata: {name: plus, namespace: @ns@, labels: {helm.sh/chart: a-0.1.0+b}}
`,
    refused: 'Write it with letters of ASCII, digits, - _ and . alone.',
  },
  'a finalizer that stands twice': {
    text: `apiVersion: v1
kind: ConfigMap
metadata: {name: final, namespace: @ns@, finalizers: [example.com/a, example.com/a]}
`,
    refused: 'metadata.finalizers: duplicate entries for key []. Leave one of these entries out.',
    isTakenByKubectl: true,
  },
  'a type that no Service has': {
    text: `apiVersion: v1
kind: Service
metadata: {name: typed, namespace: @ns@}
spec: {type: Loadbalancer, selector: {app: a}, ports: [{port: 80}]}
`,
    refused: 'spec.type: Unsupported',
  },
  'a selector that the template does not have': {
    text: `apiVersion: apps/v1
kind: Deployment
metadata: {name: unselected, namespace: @ns@}
spec:
  selector: {matchLabels: {app: other}}
  template:
    metadata: {labels: {app: unselected}}
    spec: {containers: [{name: app, image: app}]}
`,
    refused: 'spec.template.metadata.labels: Invalid',
  },
};
