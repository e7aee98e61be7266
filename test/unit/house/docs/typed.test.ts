// docs/parity.md has every command and file of the first pages of the projects that this one follows, and
// each of its lines names a test that exists, or says when it was tried or why it cannot be.
import { readFileSync } from 'node:fs';

const ROOT = new URL('../../../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');

const page = read('docs/parity.md');
const from = page.indexOf('## What you type there, and here');
const typed = page.slice(from, page.indexOf('\n## ', from + 1));

/** Of each project: how its commands begin, and what its files are called. */
const COMMANDS = {
  'rcs-ocm-deployer': [
    'make local-quickstart',
    'git clone',
    'local-up.sh',
    'kubectl config use-context',
    'clusteradm create clusterset',
    'clusteradm clusterset set',
    'clusteradm clusterset bind',
    'Placement `all-clusters`',
    'scoreName: cpuAvailable',
    'make install',
    'cert-manager',
    'make deploy IMG',
    'RCSConfig `rcs-config`',
    'make deploy-status-addon',
    'kubectl -n open-cluster-management get deploy',
    'kubectl patch clustermanagementaddon capp-status-addon',
    'kubectl -n open-cluster-management-agent-addon get deploy',
    'get managedclusteraddon',
    'make deploy-score-addon',
    '`rcs-score-deploy-config`',
    'kubectl patch clustermanagementaddon rcs-score',
    'make docker-build docker-push',
    'sample Capp',
  ],
  'container-app-operator': [
    'make prereq',
    'PROVIDER_DNS_',
    'helmfile apply',
    'helm upgrade --install capp-operator',
    'make deploy IMG',
    'make docker-build docker-push',
    'autoscale-defaults',
    'dns-config',
    'configmap/config-features',
    'sample Capp',
  ],
  'Open Cluster Management': [
    'clusteradm version',
    'clusteradm create work',
    'kubectl apply -f` of a ManifestWork',
    'kubectl get manifestwork -A',
    '--placement',
    'clusteradm get works',
    'kubectl delete manifestwork',
    'clusteradm get clusters',
    'clusteradm get clustersets',
    'clusteradm get placements',
    'kubectl patch placement',
    'kubectl get crd manifestworks',
    'kubectl get crd appliedmanifestworks',
    'kubectl get managedcluster',
    'kubectl get placementdecision',
    'kubectl get appliedmanifestwork',
    'kubectl -n open-cluster-management-agent get pod',
    'docker ps',
    'docker pause',
    'docker restart',
    'helm repo add',
    'helm repo update',
    'helm search repo',
    'kubectl label managedcluster',
    'ClusterClaims',
    'addon-contrib',
    'IMAGE_NAME',
    'make images',
    'kind load',
    'make deploy',
    'kubectl get addonplacementscore',
    'grep resource-usage-collect-controller',
    'grep resource-usage-collect-agent',
    'ApplicationSet',
    'ocm-placement-generator',
    'ocm-placement-consumer',
    'clusteradm clusterset bind global',
    'kubectl -n argocd get applicationsets',
    'kubectl -n argocd get app',
    'kubectl patch managedcluster',
    'hosted mode',
    'tolerationSeconds',
    'helm install cluster-proxy',
    'helm install managed-serviceaccount',
    'helm install cluster-gateway',
    'kubectl get clustergateway',
    'kubectl get --raw',
    'kubectl get ns',
    'kubectl -n default describe svc kubernetes',
    'proxy-url',
    'proxyConfig',
  ],
  'multicluster-controlplane': [
    'make vendor',
    'make build',
    'make image',
    'make run',
    'CONFIG_DIR',
    'ocmconfig.yaml',
    'make deploy-etcd',
    'helm repo add',
    'helm search repo',
    'helm install',
    'apiserver.ca',
    'etcd.ca',
    'etcd.mode',
    'route.enabled',
    'loadbalancer.enabled',
    'nodeport.enabled',
    'enableSelfManagement',
    'enableDelegatingAuthentication',
    'helm uninstall',
    'kube-aggregator.kubeconfig',
    'get secrets multicluster-controlplane-kubeconfig',
    'kubectl config set-cluster',
    'kubectl config set-context',
    'clusteradm get token',
    'clusteradm join',
    'clusteradm accept',
  ],
  SIP: [
    'HTTP_PROXY',
    'USE_PROXY',
    'install-k8s.sh',
    'make docker-build-controller',
    'make deploy',
    'kubectl get nodes',
    'kubectl get pods -A',
    'kustomize build config/samples',
    'go.kubebuilder.io',
    'make test',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

function rowsOf(project: string): string[] {
  const [, section = ''] = typed.split(`\n### ${project}\n`);
  const [table = ''] = section.split('\n### ');
  return table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| there |'));
}

test.each(Object.entries(COMMANDS))('every command and file of %s has a line', (project, commands) => {
  const there = rowsOf(project).map((row) => row.split(/(?<!\\) \| /)[0]);
  expect(commands.filter((one) => !there.some((cell) => cell?.includes(one)))).toEqual([]);
});

const NAMED = /`((?:unit|activity|history|flow|e2e)\/[\w/-]+)` "([^"]+)"/g;

/** What is wrong with what a line says of its proof, or null. */
function wrongWith(row: string): string | null {
  const cells = row.replace(/ \|$/, '').split(/(?<!\\) ?\| /);
  const [here = '', proof = ''] = [cells.at(-3), cells.at(-1)];
  const named = [...proof.matchAll(NAMED)];
  const lost = named.find(([, file = '', title = '']) => !read(`test/${file}.test.ts`).includes(title));
  if (cells.length !== 5) return `has ${cells.length - 1} cells`;
  if (lost !== undefined) return `names a test that is not there: ${lost[0]}`;
  if (named.length > 0 || /^tried \d{4}-\d\d-\d\d/.test(proof) || /^not tried: .{20,}$/.test(proof))
    return null;
  // Where somebody has nothing to type, or types what asks our programs nothing.
  if (proof === 'nothing to type' && (here.startsWith('–') || cells.at(-2) !== '')) return null;
  return `says nothing of its proof: ${proof}`;
}

test('each line names a test that exists, or says when it was tried or why it cannot be', () => {
  const rows = Object.keys(COMMANDS).flatMap(rowsOf);
  expect(rows.length).toBeGreaterThan(60);
  const wrong = rows.map((row) => [row, wrongWith(row)] as const).filter(([, why]) => why !== null);
  expect(wrong).toEqual([]);
});

test('few lines cannot be tried', () => {
  expect(typed.match(/\| not tried: /g)).toHaveLength(3);
});

test.each([
  ['| `a` | b | c |  |', 'says nothing of its proof'],
  ['| `a` | the same |  | nothing to type |', 'says nothing of its proof'],
  ['| `a` | b | c | not tried: no |', 'says nothing of its proof'],
  ['| `a` | b | c | `unit/house/docs/parity` "no such title" |', 'names a test that is not there'],
  ['| `a` | b | tried 2026-11-30 |', 'has 3 cells'],
])('the line %s would be refused', (row, why) => {
  expect(wrongWith(row)).toContain(why);
});
