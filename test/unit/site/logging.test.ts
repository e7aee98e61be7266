// Where a Capp's output goes on its site, and what its status says of that.
import type { Capp } from '../../../crds/capp/capp.ts';
import { normalise } from '../../../crds/capp/normalise.ts';
import type { SyslogNgStatus } from '../../../crds/kubernetes/logging.ts';
import { loggingReady, loggingStatus, type SeenLogging } from '../../../site/logging/status.ts';
import { syslogNgFlow, syslogNgOutput } from '../../../site/logging/syslog-ng.ts';
import { aCapp } from '../../support/builders/capps.ts';
import type { Truth } from '../../support/builders/site/knative.ts';

const ELASTIC = {
  type: 'elastic',
  host: 'https://logs.example.com:9200/_bulk',
  index: 'shop',
  user: 'writer',
  passwordSecret: 'logs',
};
const logging = (logSpec: object = ELASTIC): Capp => normalise(aCapp({ spec: { logSpec } })).capp;

describe('the output of a Capp', () => {
  const destination = {
    url: ELASTIC.host,
    user: 'writer',
    password: { valueFrom: { secretKeyRef: { name: 'logs', key: 'elastic' } } },
    tls: { peer_verify: false, ssl_version: 'tlsv1_2' },
  };

  it('goes to an index of Elasticsearch, under the name, labels and owner of the Capp', () => {
    expect(syslogNgOutput(logging())).toEqual({
      apiVersion: 'logging.banzaicloud.io/v1beta1',
      kind: 'SyslogNGOutput',
      metadata: {
        name: 'app',
        namespace: 'apps',
        labels: { 'rcs.dana.io/parent-capp': 'app', 'rcs.dana.io/managed-by': 'capp' },
        ownerReferences: [{ apiVersion: 'rcs.dana.io/v1alpha1', kind: 'Capp', name: 'app', uid: 'uid-1' }],
      },
      spec: {
        elasticsearch: {
          ...destination,
          index: 'shop',
          template: '$(format-json --subkeys json# --key-delimiter #)',
        },
      },
    });
  });

  it('goes to a data stream of Elasticsearch, which has no index', () => {
    expect(syslogNgOutput(logging({ ...ELASTIC, type: 'elastic-datastream' }))?.spec).toEqual({
      'elasticsearch-datastream': {
        ...destination,
        record: '--subkeys json# --key-delimiter # --exclude DATE --key ISODATE @timestamp=${ISODATE}',
      },
    });
  });

  it('W-37 goes to a host whose certificate is checked, when sslVerify asks for that', () => {
    expect(syslogNgOutput(logging({ ...ELASTIC, sslVerify: true }))?.spec).toMatchObject({
      elasticsearch: { tls: { peer_verify: true } },
    });
  });

  it('has the older names of user and Secret', () => {
    const { user: username, passwordSecret: passwordSecretName, ...rest } = ELASTIC;
    expect(syslogNgOutput(logging({ ...rest, username, passwordSecretName }))?.spec).toEqual(
      syslogNgOutput(logging())?.spec,
    );
  });

  it('is what the Pods of its own Knative configuration write', () => {
    expect(syslogNgFlow(logging())).toMatchObject({
      kind: 'SyslogNGFlow',
      metadata: { name: 'app' },
      spec: {
        match: {
          regexp: {
            pattern: 'app',
            type: 'string',
            value: 'json#kubernetes#labels#serving.knative.dev/configuration',
          },
        },
        localOutputRefs: ['app'],
      },
    });
  });

  it('goes nowhere without a type, and stays where it goes while the Capp is disabled', () => {
    for (const capp of [logging({}), aCapp()]) {
      expect(syslogNgOutput(capp)).toBeNull();
      expect(syslogNgFlow(capp)).toBeNull();
      expect(loggingReady(capp, seen({ active: true }))).toBeNull();
    }
    const disabled = aCapp({ spec: { state: 'disabled', logSpec: ELASTIC } });
    expect(syslogNgOutput(disabled)).not.toBeNull();
  });
});

function seen(output?: SyslogNgStatus, flow: SyslogNgStatus | undefined = output): SeenLogging {
  const object = (status?: SyslogNgStatus) => ({
    metadata: { name: 'app' },
    ...(status === undefined ? {} : { status }),
  });
  return { flow: object(flow), output: object(output), fault: null };
}
const NOTHING: SeenLogging = { flow: null, output: null, fault: null };
const fault = { reason: 'NotServed', message: 'm' } as const;

describe('LoggingReady', () => {
  it.each<[string, SeenLogging, Truth, string, RegExp]>([
    [
      'is False with the fault that kept them from being written',
      { ...NOTHING, fault },
      'False',
      'NotServed',
      /^m$/,
    ],
    ['W-4 is Unknown before there is anything', NOTHING, 'Unknown', 'NotCollected', /not looked/],
    ['W-4 is Unknown before anybody has looked', seen(), 'Unknown', 'NotCollected', /not looked/],
    [
      'W-4 is Unknown while nobody has looked at one of them, without a problem in the other',
      seen({ active: true }, { problemsCount: 0 }),
      'Unknown',
      'NotCollected',
      /not looked/,
    ],
    [
      'W-4 is False when the logging operator uses neither',
      seen({ active: false, problemsCount: 0 }),
      'False',
      'NotCollected',
      /selects this namespace/,
    ],
    [
      'is False with the first problem, although it is active',
      seen({ active: true, problems: ['no Secret logs', 'b'], problemsCount: 2 }, { active: true }),
      'False',
      'LoggingInvalid',
      /2 problem\(s\): no Secret logs\. Correct/,
    ],
    [
      'cuts a long problem',
      seen({ active: true }, { problems: ['x'.repeat(1000)], problemsCount: 1 }),
      'False',
      'LoggingInvalid',
      /: x{200}…\. Correct/,
    ],
    [
      'is False for problems without words',
      seen({ active: true, problemsCount: 1 }),
      'False',
      'LoggingInvalid',
      /does not say which/,
    ],
    ['is True when both are in use without problems', seen({ active: true }), 'True', 'Collected', /ships/],
  ])('%s', (_title, world, status, reason, message) => {
    expect(loggingReady(logging(), world)).toEqual({
      type: 'LoggingReady',
      status,
      reason,
      message: expect.stringMatching(message) as string,
    });
  });
});

describe('the status of logging', () => {
  const NOW = '2026-11-23T08:00:00Z';
  const LATER = '2026-11-23T09:00:00Z';
  const ready = (status: string, reason: string, lastTransitionTime = NOW) => [
    { type: 'LoggingIsReady', status, reason, message: '', lastTransitionTime },
  ];

  it('has what the logging operator says of both, and the condition of upstream', () => {
    const [flow, output] = [
      { active: true, problemsCount: 0 },
      { active: true, problems: ['a'], problemsCount: 1 },
    ];
    expect(loggingStatus(logging(), seen(output, flow), NOW)).toEqual({
      syslogngflow: flow,
      syslogngoutput: output,
      conditions: ready('False', 'LoggingResourceInvalid'),
    });
    expect(loggingStatus(logging(), seen({ active: true }), NOW)?.['conditions']).toEqual(
      ready('True', 'ready'),
    );
  });

  it('is not ready before anybody has looked', () => {
    expect(loggingStatus(logging(), seen(), NOW)).toEqual({
      syslogngflow: {},
      syslogngoutput: {},
      conditions: ready('Unknown', 'NotObserved'),
    });
  });

  it('is empty before both are there, and for a Capp that sends its output nowhere', () => {
    expect(loggingStatus(logging(), { ...seen(), flow: null }, NOW)).toBeUndefined();
    expect(loggingStatus(aCapp(), seen(), NOW)).toBeUndefined();
  });

  it('keeps its time while nothing changes', () => {
    const world = seen({ active: true });
    const capp = { ...logging(), status: { loggingStatus: loggingStatus(logging(), world, NOW) ?? {} } };
    expect(loggingStatus(capp, world, LATER)?.['conditions']).toEqual(ready('True', 'ready', NOW));
    expect(loggingStatus(capp, seen(), LATER)?.['conditions']).toEqual(
      ready('Unknown', 'NotObserved', LATER),
    );
  });
});
