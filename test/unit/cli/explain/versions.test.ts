// `kubectl capp version`: which versions differ, and what is no difference.
import { versionsFrom } from '../../../../cli/explain/versions.ts';
import { versionsText } from '../../../../cli/show/versions.ts';
import { NO_COLOURS } from '../../../support/builders/process/terminals.ts';

const site = (name: string, value?: string) => ({
  metadata: { name },
  status: {
    clusterClaims: value === undefined ? [] : [{ name: 'site-operator.cappstan.dana.io', value }],
  },
});
const workers = (current: string, ...others: string[]) => ({ polling: true, current, others });

test('where all are of one version nothing differs, however a build is named', () => {
  const versions = versionsFrom({
    client: '0.2.0-rc.1',
    status: { bridge: '0.2.0.rc.1', hubWorkers: workers('0.2.0.rc.1-7') },
    clusters: [site('b', '0.2.0-rc.1'), site('a', '0.2.0-rc.1'), site('new')],
  });
  expect(versions).toMatchObject({
    builds: ['0.2.0.rc.1-7'],
    sites: [
      { version: '0.2.0-rc.1', sites: ['a', 'b'] },
      { version: null, sites: ['new'] },
    ],
    skew: [],
  });
});

test('each difference has a sentence that says what helps', () => {
  const versions = versionsFrom({
    client: '0.3.0',
    status: { bridge: '0.2.0', hubWorkers: workers('0.1.0-3', '0.2.0-4') },
    clusters: [site('a', '0.2.0'), site('b', '0.1.0'), site('c\u001b[2J', '0.1.0')],
  });
  expect(versions.skew).toEqual([
    expect.stringContaining(
      "This program is 0.3.0, and the hub 0.2.0: what one of them does not know yet it does not show. Get the program of the hub's version.",
    ),
    expect.stringContaining('The bridge is 0.2.0, and build 0.1.0-3 runs the workflows.'),
    expect.stringContaining('Hub workers of 0.2.0-4 still run beside the current build 0.1.0-3.'),
    expect.stringContaining('are 0.1.0, and the hub is 0.2.0'),
  ]);
  const text = versionsText(versions, NO_COLOURS);
  expect(text).not.toContain('\u001b');
  expect(text.split('\n').slice(0, 3)).toEqual([
    expect.stringMatching(/^OF +VERSION +WHERE$/),
    expect.stringMatching(/^client +0\.3\.0 +-$/),
    expect.stringMatching(/^hub +0\.2\.0 +hub workers: 0\.1\.0-3, 0\.2\.0-4$/),
  ]);
});

test('what is not known, or has no version, differs from nothing', () => {
  expect(versionsFrom({ client: '0.3.0', status: null, clusters: null })).toEqual({
    client: '0.3.0',
    hub: null,
    builds: [],
    sites: null,
    skew: [],
  });
  const fromSources = { client: 'from sources', status: { bridge: 'dev' }, clusters: [site('a', '0.1.0')] };
  expect(versionsFrom(fromSources).skew).toEqual([]);
});
