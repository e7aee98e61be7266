// What helps when a site refuses a manifest, by the words of API servers and of OCM.
import { refusalOf } from '../../../../../activities/hub/bundle/status/refusals.ts';
import { APPLY_FAILED } from '../../../../support/builders/fleet/bundles.ts';

const TYPED = 'failed to create typed patch object (apps/web; apps/v1, Kind=Deployment): ';
const INVALID = 'Deployment.apps "web" is invalid: ';
const of = (words: string, meta: object = {}) =>
  refusalOf({ kind: 'Deployment', name: 'web', namespace: 'apps', ...meta }, `${APPLY_FAILED}${words}`)
    .message;

test.each<[words: string, message: string]>([
  [
    `${TYPED}.spec.template.spec.containers[name="app"].env: duplicate entries for key [name="A"]`,
    "The site's API server refuses it: spec.template.spec.containers[name].env: duplicate entries for key [name]. Leave one of these entries out.",
  ],
  [
    `${TYPED}.spec.users: duplicate entries for key [password="canary-1"]`,
    "The site's API server refuses it: spec.users: duplicate entries for key [password]. Leave one of these entries out.",
  ],
  // Those from here to the next such line are what an API server said.
  [
    'failed to create typed patch object (default/c; /v1, Kind=ConfigMap): .metadata.finalizers: duplicate entries for key [="x/canary"]',
    "The site's API server refuses it: metadata.finalizers: duplicate entries for key []. Leave one of these entries out.",
  ],
  [
    'failed to create typed patch object (default/p; /v1, Kind=Pod): .spec.containers[name="canary words"].env[name="B"].value: expected string, got &value.valueUnstructured{Value:1}',
    "The site's API server refuses it: spec.containers[name].env[name].value: expected string. Put the value in quotes.",
  ],
  [
    `Service "1web" is invalid: metadata.name: Invalid value: "1web": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
    "The site's API server refuses it: metadata.name: Invalid. The status of the ManifestWork has its words. Begin it with a lower-case letter, and write lower-case letters of ASCII, digits and - alone.",
  ],
  [
    `ConfigMap "c" is invalid: metadata.labels: Invalid value: "a+b": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
    "The site's API server refuses it: metadata.labels: Invalid. The status of the ManifestWork has its words. Write it with letters of ASCII, digits, - _ and . alone.",
  ],
  [
    `${INVALID}spec.template.spec.containers[0].env[0].name: Invalid value: "A=B": a valid environment variable name must consist only of printable ASCII characters other than '='`,
    "The site's API server refuses it: spec.template.spec.containers[0].env[0].name: Invalid. The status of the ManifestWork has its words. Write it with letters of ASCII, digits, - _ and . alone.",
  ],
  // Values that are made up to come through.
  [
    `${TYPED}.spec.users[name="a].canary: expected string"].more: expected list, got x`,
    "The site's API server refuses it: spec.users[name].more: expected list. Write a list there: begin each entry with a dash.",
  ],
  [
    `${TYPED}.spec.users[name="canary"]: cannot be so`,
    "The site's API server refuses it: a field is not as its kind wants it. The status of the ManifestWork has its words.",
  ],
  [
    `${TYPED}.spec.replicas: expected numeric (int or float), got string`,
    "The site's API server refuses it: spec.replicas: expected numeric. Write the value without quotes.",
  ],
  [
    `${TYPED}.spec.ports: expected list, got &{map[port:80]}`,
    "The site's API server refuses it: spec.ports: expected list. Write a list there: begin each entry with a dash.",
  ],
  [
    `${TYPED}.spec.selector: expected map, got &{[a]}`,
    "The site's API server refuses it: spec.selector: expected map. Write a map there: a key and a value in each line, without a dash.",
  ],
  [
    `${INVALID}spec.template.metadata.labels: Invalid value: {"app":"canary-9"}: \`selector\` does not match template \`labels\``,
    "The site's API server refuses it: spec.template.metadata.labels: Invalid. The status of the ManifestWork has its words. Give the labels of the template what spec.selector asks for.",
  ],
  [
    'Service "web" is invalid: spec.clusterIPs: Invalid value: ["10.96.1.7"]: failed to allocate IP 10.96.1.7: the provided IP is already allocated',
    "The site's API server refuses it: spec.clusterIPs: Invalid. The status of the ManifestWork has its words. Leave spec.clusterIP and spec.clusterIPs out: each site gives a Service its own.",
  ],
  [
    'Service "web" is invalid: spec.ports[0].nodePort: Invalid value: 30123: provided port is already allocated',
    "The site's API server refuses it: spec.ports[0].nodePort: Invalid. The status of the ManifestWork has its words. Leave nodePort out, or take one that is free on the site.",
  ],
  [
    `${INVALID}spec.template.spec.containers[0].resources.requests: Invalid value: "1G": must be less than or equal to memory limit of 1Mi`,
    "The site's API server refuses it: spec.template.spec.containers[0].resources.requests: Invalid. The status of the ManifestWork has its words. Lower what is requested, or raise the limit.",
  ],
  [
    'ConfigMap "web" is invalid: metadata.annotations: Invalid value: "canary-ü": name part must consist of alphanumeric characters',
    "The site's API server refuses it: metadata.annotations: Invalid. The status of the ManifestWork has its words. Write it with letters of ASCII, digits, - _ and . alone.",
  ],
  [
    'Service "My_Web" is invalid: metadata.name: Invalid value: "My_Web": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters',
    "The site's API server refuses it: metadata.name: Invalid. The status of the ManifestWork has its words. Write it with lower-case letters of ASCII, digits and - alone.",
  ],
  [
    'ClusterRoleBinding "web" is invalid: subjects[0].namespace: Required value',
    'ClusterRoleBinding "web" is invalid: subjects[0].namespace: Required value. Write each field that is required.',
  ],
])('of %s it says what to write', (words, message) => {
  expect(of(words)).toBe(message);
});

test('of several faults, of which the first begins with a bracket, the remedy is never cut', () => {
  const long = (name: string) => `spec.template.metadata.labels[${name}]: Invalid value: {}: must be 'x'`;
  const words = `Job.batch "web" is invalid: [${long('a'.repeat(80))}, ${long('b'.repeat(80))}, spec.selector: Invalid value: {}: \`selector\` not auto-generated]`;
  const message = of(words, { kind: 'Job' });
  expect(message).toMatch(/^The site's API server refuses it: spec\.template\.metadata\.labels\[aaa/);
  expect(message).toMatch(
    /…\. Leave out spec\.selector and the labels with controller-uid: each Job gets its own\.$/,
  );
  expect(Buffer.byteLength(message)).toBeLessThanOrEqual(256);
});

describe('a kind that the site does not serve', () => {
  const unknown = (group: string, version: string, kind: string) =>
    of(`the server doesn't have a resource type "${kind}"`, { group, version, kind });

  test.each([
    ['extensions', 'v1beta1', 'Ingress', 'networking.k8s.io/v1'],
    ['extensions', 'v1beta1', 'DaemonSet', 'apps/v1'],
    ['apps', 'v1beta2', 'Deployment', 'apps/v1'],
    ['batch', 'v1beta1', 'CronJob', 'batch/v1'],
    ['autoscaling', 'v2beta2', 'HorizontalPodAutoscaler', 'autoscaling/v2'],
    ['apiextensions.k8s.io', 'v1beta1', 'CustomResourceDefinition', 'apiextensions.k8s.io/v1'],
  ])('of %s/%s, %s, is one that Kubernetes has removed: write %s', (group, version, kind, today) => {
    expect(unknown(group, version, kind)).toContain(
      `Kubernetes serves no ${kind} of ${group}/${version} any more: write ${today}, whose`,
    );
  });

  test('and that has no successor is left out', () => {
    expect(unknown('policy', 'v1beta1', 'PodSecurityPolicy')).toContain(
      'Kubernetes serves no PodSecurityPolicy any more: leave it out.',
    );
  });

  test.each([
    ['networking.istio.io', 'v1beta1', 'Ingress'],
    ['apps', 'v1', 'Deployment'],
    ['example.com', 'v1', 'Shop'],
    ['extensions', `v${'1'.repeat(3_000)}`, 'Ingress'],
    ['networking.k8s.io', 'of canaries', 'Ingress'],
  ])('of %s/%s, %s, may have to be shipped first', (group, version, kind) => {
    expect(unknown(group, version, kind)).toMatch(/or ship the CustomResourceDefinition first\.$/);
  });
});

test('of a site’s words no more are read than people could', () => {
  const long = `failed to create typed patch object ${'.a'.repeat(100_000)}: expected string, got canary`;
  expect(of(long)).not.toContain('canary');
  expect(Buffer.byteLength(of(long))).toBeLessThanOrEqual(256);
});

// Words of API servers of 1.34, of their admission, and of webhooks.
test.each<[words: string, help: string]>([
  [
    'deployments.apps "web" is forbidden: unable to create new content in namespace shops because it is being terminated',
    'once it has ended, ask for a retry',
  ],
  ['object is being deleted: configmaps "a" already exists', 'see which finalizers hold it'],
  [
    'deployments.apps "web" is forbidden: exceeded quota: few, requested: count/deployments.apps=1, used: count/deployments.apps=3, limited: count/deployments.apps=3',
    'Ship less, or have that quota raised',
  ],
  [
    'pods "a" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false',
    'Write that into the securityContext',
  ],
  [
    'admission webhook "policies.example.com" denied the request: [owner] you must provide labels',
    'Correct what that policy asks for',
  ],
  [
    `deployments.apps "web" is forbidden: ValidatingAdmissionPolicy 'no-latest' with binding 'b' denied request: failed`,
    'Correct what that policy asks for',
  ],
  [
    'pods "a" is forbidden: error looking up service account shops/runner: serviceaccount "runner" not found',
    'Ship that, too',
  ],
  ['pods "a" is forbidden: no PriorityClass with name high was found', 'Ship that, too'],
  [
    'persistentvolumeclaims "d" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    'Give the claim another name',
  ],
  [
    'roles.rbac.authorization.k8s.io "r" is forbidden: user "x" (groups=["a"]) is attempting to grant RBAC permissions not currently held: {APIGroups:[""]}',
    'Give the executor these rights',
  ],
  [
    'pods "a" is forbidden: maximum cpu usage per Container is 500m, but limit is 1',
    'Keep within the LimitRange',
  ],
  ['Request entity too large: limit is 3145728', 'Make several objects of it'],
  [
    'ingresses.networking.k8s.io "w" is forbidden: host "a.example.com" and path "/" is already defined in ingress shop/old',
    'Use another host or path',
  ],
])('of what a site may not take, %s, it says what helps', (words, help) => {
  const said = of(words);
  expect(said).toContain(words.slice(0, 40));
  expect(said).toContain(help);
});
