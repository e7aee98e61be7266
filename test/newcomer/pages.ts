// The pages whose commands are run, and what the reader of each has by then.

export interface Page {
  readonly file: string;
  /** What the page says that its reader has: commands of the shell. */
  readonly given?: readonly string[];
  /** What has to have happened before the command that begins with the key: commands of the shell. */
  readonly before?: Readonly<Record<string, readonly string[]>>;
  /** How commands begin that go on until the reader ends them. */
  readonly endless?: readonly string[];
  /**
   * How commands begin that go on in a terminal of their own until the page ends, and what each says once it
   * can be used: the next command waits for that.
   */
  readonly beside?: Readonly<Record<string, string>>;
  /** What is done at the end in any case, before those are stopped: commands of the shell. */
  readonly ends?: readonly string[];
  /** How commands begin that cannot run here, and why. */
  readonly left?: Readonly<Record<string, string>>;
}

const GIVEN = 'test/newcomer/given';

const DRAIN = `kubectl create -f ${GIVEN}/drain.yaml`;

/** A namespace is there. */
const namespace = (name: string): string =>
  `kubectl get namespace ${name} || kubectl create namespace ${name}`;

/** An object of a file is there, and Ready. */
const ready = (namespace: string, file: string, object: string): readonly string[] => [
  `kubectl -n ${namespace} apply -f ${GIVEN}/${file}.yaml`,
  `kubectl -n ${namespace} wait ${object} --for=condition=Ready --timeout=10m`,
];

/** An edit of the Bundle, whose last stage waits for a person. */
const APPROVED_REST = [
  { op: 'add', path: '/spec/manifests/1/metadata/labels/tier', value: 'web' },
  {
    op: 'add',
    path: '/spec/strategy',
    value: {
      stages: [
        { name: 'canary', sites: { matchLabels: { tier: 'canary' } } },
        { name: 'rest', approval: 'Required' },
      ],
    },
  },
];

const AWAITS_APPROVAL = `kubectl wait bundle/edge-base -n platform --for=jsonpath='{.status.conditions[?(@.type=="Ready")].reason}'=AwaitsApproval --timeout=10m`;

export const PAGES: readonly Page[] = [
  {
    file: 'README.md',
    // The hub listens on ports 9443 and 7443 of 127.0.0.1, which have to be free.
    beside: { 'dist/cappstan hub': 'It runs until Ctrl-C', 'make site': 'It runs until Ctrl-C' },
    // What cappstan join has started goes on without a terminal.
    ends: ['make down STATE=.shop-7'],
  },
  {
    file: 'docs/run.md',
    given: [namespace('team-a')],
  },
  {
    file: 'docs/sets.md',
    given: [
      namespace('retail'),
      'kubectl label managedcluster site-1 site-2 shop=here',
      'kubectl label managedcluster site-1 tier=canary',
      `kubectl -n retail apply -f ${GIVEN}/placement.yaml`,
    ],
    left: {
      'kubectl capp rollout approve-removal':
        'three sites would be needed for more than one to go; test/activity/hub/set/mass-removal.test.ts types it',
      'set=': 'the same',
      'kubectl -n retail annotate cappset': 'the same',
    },
    before: { 'kubectl -n team-a patch cappset': ready('team-a', 'shop', 'cappset/shop') },
  },
  {
    file: 'docs/bundles.md',
    given: [namespace('platform'), 'kubectl label managedcluster site-1 tier=canary --overwrite'],
    before: {
      'kubectl get bundle': [
        `kubectl wait bundle/edge-base -n platform --for=jsonpath='{.status.conditions[?(@.type=="Ready")].reason}'=NotAllowed --timeout=5m`,
      ],
      'kubectl capp rollout status': [
        ...['site-1', 'site-2'].map(
          (site) =>
            `kubectl --kubeconfig .local/${site}.kubeconfig create clusterrolebinding bundles-of-platform --clusterrole=edit --serviceaccount=open-cluster-management-agent-addon:cappstan-bundles-platform`,
        ),
        'kubectl wait bundle/edge-base -n platform --for=condition=Ready --timeout=10m',
        `kubectl patch bundle edge-base -n platform --type=json -p '${JSON.stringify(APPROVED_REST)}'`,
        AWAITS_APPROVAL,
      ],
      // Until then the stage has not ended, and going back would ask nobody.
      'kubectl capp rollout undo': [
        'kubectl wait --for=condition=Ready bundle/edge-base -n platform --timeout=10m',
      ],
      'kubectl create rolebinding bundles-of-platform': ['export KUBECONFIG=$PWD/.local/site-1.kubeconfig'],
      'kubectl wait --for=condition=Ready bundle/edge-base': [
        'export KUBECONFIG=$PWD/.local/hub.kubeconfig',
        AWAITS_APPROVAL,
        'kubectl capp rollout approve bundle/edge-base rest -n platform',
      ],
    },
  },
  {
    file: 'docs/drain.md',
    endless: ['kubectl get drain site-1 -w'],
    before: {
      'kubectl patch drain site-1 --type=merge -p \'{"spec":{"paused"': [DRAIN],
    },
  },
  {
    file: 'docs/dashboard.md',
    given: [namespace('team-a')],
    endless: ['kubectl capp dashboard'],
  },
  {
    file: 'docs/logs.md',
    given: [
      ...['team-a', 'retail'].map(namespace),
      `sed 's/name: hello/name: shop/' ${GIVEN}/hello.yaml | kubectl -n team-a apply -f -`,
      'kubectl -n team-a wait capp/shop --for=condition=Ready --timeout=10m',
      ...ready('retail', 'shop', 'cappset/shop'),
    ],
    endless: ['kubectl capp logs shop -f'],
    left: {
      'kubectl apply -f -': 'the sites of make up have no managed-serviceaccount',
      'kubectl port-forward': 'no Pod runs there',
      'cappstan kubeconfig': 'the same as managed-serviceaccount',
      'kubectl --kubeconfig site-1.kubeconfig': 'the same',
      'helm ': 'the charts need images, and make up has the reader',
      'kubectl get secret proxy-server-ca': 'cluster-proxy is a stand-in there',
      'kubectl create secret generic cluster-proxy-ca': 'the same',
      'cappstan hub': 'nothing is at the address',
    },
  },
  {
    file: 'docs/kubectl-capp.md',
    given: [
      'kubectl delete drain site-1 --ignore-not-found',
      ...['team-a', 'retail', 'platform'].map(namespace),
      'kubectl config set-context --current --namespace=team-a',
      // Those that a CappSet has left.
      'kubectl delete capp --all',
      ...ready('team-a', 'hello', 'capp/hello'),
      ...ready('team-a', 'shop', 'cappset/shop'),
      ...ready('retail', 'shop', 'cappset/shop'),
      `kubectl -n team-a apply -f ${GIVEN}/base.yaml`,
      `kubectl -n platform apply -f ${GIVEN}/base.yaml`,
      `sed 's/shop:v1/shop:v2/' ${GIVEN}/shop.yaml > shop-v2.yaml`,
      `cp ${GIVEN}/base.yaml base.yaml`,
      'mkdir -p manifests',
      'kubectl create configmap base -n default --from-literal=key=2 --dry-run=client -o yaml > manifests/base.yaml',
    ],
    endless: [
      'kubectl capp watch hello',
      'kubectl capp list -n team-a -w',
      'kubectl capp dashboard',
      'kubectl capp logs hello -f',
    ],
    left: {
      'kubectl krew install': 'krew is not on the machine, and nothing is at the address',
      'cappstan token': 'the hub of make up says nowhere how sites reach it',
      'cappstan accept': 'the same, so no cluster asks',
      'cappstan kubeconfig':
        'the sites of make up have no managed-serviceaccount, and the reader’s account is lent to nobody',
    },
    before: {
      'kubectl capp wait hello --for deleted': ['kubectl delete capp hello --wait=false'],
      'kubectl capp logs hello -f': ready('team-a', 'hello', 'capp/hello'),
      'kubectl capp history hello       ': [
        ...ready('team-a', 'hello', 'capp/hello'),
        ...[2, 3, 4].flatMap((version) => [
          `sed 's/app:v1/app:v${version}/' ${GIVEN}/hello.yaml | kubectl apply -f -`,
          'kubectl capp wait hello',
        ]),
      ],
      // Nobody has given their executors any rights, and doctor would say so.
      'kubectl capp doctor': [
        'kubectl delete bundle edge-base --ignore-not-found',
        'kubectl delete bundle edge-base -n platform --ignore-not-found',
      ],
      'kubectl capp completion kubectl': ['export HOME=$PWD/.local/home && mkdir -p $HOME/.local/bin'],
      'kubectl capp plan site-1': ['kubectl delete cappset shop', 'kubectl -n retail delete cappset shop'],
      'kubectl capp drain site-1 --pause': ['kubectl capp drain site-1 --stop', DRAIN],
    },
  },
];
