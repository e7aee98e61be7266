// What container-app-operator gets wrong on a site, where neither an API server nor a clock is needed to show
// it.
import { CAPP } from '../../../../crds/capp/capp.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { applyStatus } from '../../../../kube/apply-status.ts';
import { ApiError } from '../../../../kube/failure.ts';
import { asFault, SiteFault } from '../../../../site/objects/fault.ts';
import { siteStatus } from '../../../../site/status/status.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { revisionAt } from '../../../support/builders/site/knative.ts';
import { SEEN_NOTHING } from '../../../support/builders/site/site.ts';

const NOW = '2026-11-23T08:00:00Z';
const LONGEST = 32_768;
const refusal = (code: number): ApiError =>
  new ApiError({ method: 'PATCH', path: '/', code, reason: 'Said' });

test('W-26 a message that is longer than a status may have is cut, at a whole character', () => {
  const fault = { reason: 'HostnameRefused' as const, message: 'é'.repeat(LONGEST) };
  const capp = aCapp({ spec: { routeSpec: { hostname: 'app.example.com' } } });
  const route = { ...SEEN_NOTHING.route, fault };
  const said = siteStatus(capp, { ...SEEN_NOTHING, route }, NOW).conditions?.find(
    ({ type }) => type === 'RouteReady',
  );
  expect(said?.message.length).toBeLessThan(LONGEST);
  expect(said?.message).toMatch(/^é+…$/);
});

test.each([409, 429, 500, 503])(
  'W-27 an answer %s of the API server is retried, and says nothing against the Capp',
  (code) => {
    const error = refusal(code);
    expect(asFault(error, 'the Service')).toBe(error);
    expect(asFault(refusal(422), 'the Service')).toBeInstanceOf(SiteFault);
  },
);

test('W-28 a status is written whatever version of the Capp the cache has, so that no conflict delays it', async () => {
  const sent: KubeObject[] = [];
  const kube = {
    apply: (_: unknown, object: KubeObject) => Promise.resolve(void sent.push(object) as never),
  };
  const capp = aCapp();
  const cached = { ...capp, metadata: { ...capp.metadata, resourceVersion: '1' } };
  await applyStatus(kube, CAPP, cached, { status: {}, fieldManager: 'test' });
  expect(sent).toHaveLength(1);
  expect(sent[0]?.metadata.resourceVersion).toBeUndefined();
});

test('W-57 a status has the newest ten revisions, however many Knative keeps', () => {
  const revisions = Array.from({ length: 40 }, (_, index) =>
    revisionAt(`r${index + 10}`, `2026-11-23T08:00:${index + 10}Z`),
  );
  const { revisions: said } = siteStatus(aCapp(), { ...SEEN_NOTHING, revisions }, NOW);
  expect(said?.map(({ name }) => name)).toEqual(Array.from({ length: 10 }, (_, index) => `r${index + 40}`));
});
