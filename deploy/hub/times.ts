// Every time limit and period of `cappstan hub`, in milliseconds. docs/timeouts.md shows this table.

export const HUB_COMMAND_TIMES = {
  certificate: {
    ms: 365 * 86_400_000,
    bounds: 'a certificate of the hub; it is written again when a third of this is left',
  },
  renewal: { ms: 3_600_000, bounds: 'between two looks at certificates and tokens' },
  authorityEnds: {
    ms: 90 * 86_400_000,
    bounds: 'how long before its end a given authority is warned of',
  },
  look: { ms: 1000, bounds: 'between two looks whether the supervisor runs' },
  dutyAgain: {
    ms: 15_000,
    bounds: 'after a renewal, or another duty of a running hub, that failed, until it is tried again',
  },
  serverAnswers: {
    ms: 5000,
    bounds: 'how long a server of an external etcd or Temporal has to let us connect',
  },
  temporalAnswers: {
    ms: 10_000,
    bounds: 'how long an external Temporal has to say hello, and then to answer what is asked before a start',
  },
  publish: {
    ms: 15_000,
    bounds: 'between two looks whether the kubeconfig is in the Secret that was asked for',
  },
  storeMoment: {
    ms: 60_000,
    bounds:
      'between two looks at an external etcd: an earlier state of it is known as such if it is older than the last look',
  },
  counting: {
    ms: 5000,
    bounds: 'how long `cappstan hubs` waits for what the API server of one hub has',
  },
  publishAnswers: { ms: 5000, bounds: 'how long the cluster of that Secret has to answer' },
  snapshotGoesOn: {
    ms: 30_000,
    bounds: 'how long etcd may send nothing while it is backed up',
  },
} as const satisfies Readonly<Record<string, { readonly ms: number; readonly bounds: string }>>;
