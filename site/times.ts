// Every time limit and period of the site operator, in milliseconds. docs/timeouts.md shows this table.

export const SITE_TIMES = {
  settle: {
    ms: 100,
    bounds:
      'the wait before a change that only a status shows is looked at: Knative and kubelets report in several steps',
  },
  retryLongest: { ms: 300_000, bounds: 'the longest wait before a refused object is tried again' },
  refusalYoung: {
    ms: 5_000,
    bounds:
      'how long a refused Knative Service is called on its way: the API server may not know its Role yet',
  },
  autoscalerSilent: {
    ms: 10_000,
    bounds:
      'how long a new revision may be without an autoscaler before its Capp says that nobody serves its class',
  },
  ingressSilent: {
    ms: 10_000,
    bounds:
      'how long the route of a new Capp whose revision is Ready may be without an ingress before the Capp says so',
  },
  ingressAway: {
    ms: 90_000,
    bounds:
      'the same for a Capp that may have been served before: the controller of its class may restart, and its lease lasts for a minute',
  },
  deploymentSilent: {
    ms: 10_000,
    bounds:
      'how long a new revision may be without a Deployment before its Capp says that the site refuses it',
  },
  revisionUnmade: {
    ms: 5_000,
    bounds:
      'how long Knative may fail to make a revision after an edit before its Capp says so: the former revision may just have recovered',
  },
  containersSilent: {
    ms: 60_000,
    bounds:
      'how long no container of a new revision may start before its Capp says for what its Pod may wait, such as a volume',
  },
  predecessorAnswer: {
    ms: 15_000,
    bounds: 'how long container-app-operator has to put its finalizer back, before it is taken as stopped',
  },
  predecessorAgain: {
    ms: 60_000,
    bounds: 'the wait between two questions whether container-app-operator still runs',
  },
  configFirst: {
    ms: 2_000,
    bounds: 'how long a start waits to hear whether the site has a CappConfig',
  },
  stepLongest: {
    ms: 300_000,
    bounds:
      'how long a Capp that gets a new revision by a changed CappConfig keeps its place among ten, if Knative does not say how that went',
  },
  sealingKeys: {
    ms: 60_000,
    bounds:
      'the wait between two looks at the keys for sealed Secrets and at the claim of the present one, and at a Secret that could not be opened',
  },
  sealedAgain: {
    ms: 300_000,
    bounds: 'the wait between two looks whether an opened Secret is still as it was sealed',
  },
  namespaceFirst: {
    ms: 1_000,
    bounds: 'the wait between a Capp leaving a namespace and the first look whether it is empty',
  },
  countAgain: {
    ms: 20_000,
    bounds: 'how long Kubernetes has to count what a namespace holds, before it is asked to count again',
  },
  namespaceLongest: { ms: 30_000, bounds: 'the longest wait between two such looks' },
} as const satisfies Readonly<Record<string, { readonly ms: number; readonly bounds: string }>>;
